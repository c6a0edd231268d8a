import { Injectable } from '@nestjs/common';
import { type CallerOrg } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { relative } from '../../common/display/display.js';
import { resolveWindow, type Window } from '../../common/window/window.js';
import { type Chip } from '../../data/chips/chips.js';
import { OrgService } from '../../people/org/org.service.js';
import { type AnomalousMetricDto } from './anomalous-metric.dto.js';
import { AnomalyRankingRepository } from './anomaly-ranking.repository.js';
import { toAnomalyRefDto } from './anomaly-ref.dto.js';
import { AnomalyRepository } from './anomaly.repository.js';
import { type MostAnomalousDto, type MostRecentlyAnomalousDto } from './dto/anomaly-ranking.dto.js';
import { type MostAnomalousParams, type MostRecentlyAnomalousParams } from './dto/anomaly-ranking.params.js';

/** The most anomalous metrics, and the most recently anomalous ones. */
@Injectable()
export class AnomalyRankingService {
  constructor(
    private readonly ranking: AnomalyRankingRepository,
    private readonly anomalies: AnomalyRepository,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  async mostAnomalous(org: CallerOrg, query: MostAnomalousParams): Promise<MostAnomalousDto> {
    const { retention2PeriodSeconds } = await this.orgs.getAnalysisVariables(org.id);
    const { from, until } = resolveWindow(query, this.clock.now(), retention2PeriodSeconds);
    return { metrics: await this.within(org.id, { from, until }, query), from, until };
  }

  /** For areas that already have a valid window. */
  async within(
    orgId: number,
    window: Window,
    { chips, limit }: { chips?: readonly Chip[]; limit: number },
  ): Promise<AnomalousMetricDto[]> {
    const now = this.clock.now();
    const rows = await this.ranking.mostAnomalous(orgId, window, { chips, limit, now });
    return rows.map((row) => ({
      metric: row.metric,
      metric_id: row.metricId,
      anomaly_count: row.anomalies,
      open_anomaly_count: row.open,
      anomalous_seconds: row.seconds,
      max_severity: row.maxSeverity,
      total_score: Number(row.totalScore.toFixed(3)),
      last_anomaly_timestamp: row.lastTimestamp,
      last_anomaly_string: relative(row.lastTimestamp, now),
    }));
  }

  async mostRecently(
    org: CallerOrg,
    { chips = [], limit }: MostRecentlyAnomalousParams,
  ): Promise<MostRecentlyAnomalousDto> {
    const now = this.clock.now();
    const ids = await this.ranking.newestOfEach(org.id, chips, limit, now);
    const byId = new Map((await this.anomalies.findMany(org.id, ids)).map((anomaly) => [anomaly.id, anomaly]));
    const newest = ids.map((id) => byId.get(id)).filter((anomaly) => anomaly !== undefined);
    return {
      metrics: newest.map((anomaly) => ({
        metric: anomaly.metricName,
        metric_id: anomaly.metricId,
        last_anomaly_timestamp: anomaly.startTimestamp,
        last_anomaly_string: relative(anomaly.startTimestamp, now),
        anomaly: toAnomalyRefDto(anomaly, org.timezone),
      })),
    };
  }
}
