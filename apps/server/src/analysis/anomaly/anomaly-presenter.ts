import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Links } from '../../common/http/links.js';
import { DAY, HOUR } from '../../common/time.js';
import { type AnalysisVariables } from '../../people/org/org.types.js';
import { UserService } from '../../people/user/user.service.js';
import { PatternPresenterService } from '../pattern/pattern-presenter.service.js';
import { PatternDirectoryService } from '../pattern/pattern-directory.service.js';
import { type AnomalyDto, toAnomalyDto } from './anomaly.dto.js';
import { type Anomaly } from './anomaly.types.js';
import { isTrainer } from './training.js';

/** A graph continues for this time after the end of the anomaly. */
const GRAPH_TAIL_SECONDS = HOUR;

/** Records of anomalies in the form that a caller may see. */
@Injectable()
export class AnomalyPresenter {
  constructor(
    private readonly users: UserService,
    private readonly patterns: PatternDirectoryService,
    private readonly patternRecords: PatternPresenterService,
    private readonly links: Links,
    private readonly clock: Clock,
  ) {}

  /** @param settings of the organisation */
  async present(
    caller: KnownCaller,
    anomalies: readonly Anomaly[],
    { longTermPatternLengthSeconds: longTermSeconds }: Pick<AnalysisVariables, 'longTermPatternLengthSeconds'>,
  ): Promise<AnomalyDto[]> {
    if (anomalies.length === 0) return [];
    const now = this.clock.now();
    const { id: orgId, timezone } = caller.org;
    const acknowledgers = anomalies.map(({ acknowledgedBy }) => acknowledgedBy);
    const ids = anomalies.flatMap(({ id }) => (id === null ? [] : [id]));
    const [displayNames, patterns, pending] = await Promise.all([
      this.users.displayNames(caller, acknowledgers),
      this.patterns.ofAnomalies(orgId, ids),
      this.patterns.pendingOf(orgId, ids),
    ]);
    const [patternRecords, pendingRecords] = await Promise.all([
      this.patternRecords.present(caller, patterns),
      this.patternRecords.presentPending(caller, pending),
    ]);
    const mayTrain = isTrainer(caller);
    return anomalies.map((anomaly) =>
      toAnomalyDto(anomaly, {
        now,
        timezone,
        longTermSeconds,
        mayTrain,
        displayNames,
        patterns: patternRecords.filter((_, i) => patterns[i]!.ofAnomalyId === anomaly.id),
        pendingPatterns: pendingRecords.filter(({ anomaly_id: id }) => id === anomaly.id),
        graphUrl: this.graphUrl(anomaly, now),
      }),
    );
  }

  /** The 24 hours that end one hour after the anomaly, or now. */
  private graphUrl({ metricName, endTimestamp }: Anomaly, now: number): string {
    const until = Math.floor(Math.min(now, (endTimestamp ?? now) + GRAPH_TAIL_SECONDS));
    return this.links.api(`/metric/${encodeURIComponent(metricName)}/graph`, { from: until - DAY, until });
  }
}
