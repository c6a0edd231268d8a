import { Injectable } from '@nestjs/common';
import { ANOMALY_KINDS } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { HOUR } from '../../common/time.js';
import { type Expectation } from '../expectation/expectation.types.js';
import { ExpectationService } from '../expectation/expectation.service.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { IncidentService } from '../incident/incident.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { type AnalysisVariables, type SeriesSettings } from '../../people/org/org.types.js';
import { endOfSlot } from '../../data/metric/anomaly-end.functions.js';
import { AnomalyPresenter } from './anomaly-presenter.js';
import { toAnomalyRefDto } from './anomaly-ref.dto.js';
import { AnomalyNotFoundError, NoDataAtTimeError } from './anomaly.errors.js';
import { AnomalyContextService } from './anomaly-context.service.js';
import { AnomalyRepository } from './anomaly.repository.js';
import { type Anomaly } from './anomaly.types.js';
import { type AnomalyAnswerDto } from './dto/anomaly-answers.dto.js';
import { type LookUpAnomalyParams } from './dto/anomaly.params.js';

const RELATED_SECONDS = 120;
const MAX_RELATED = 50;
/** Maximum distance of data for a provisional answer. */
const LOOK_UP_SECONDS = HOUR;

/** One anomaly with its context. */
@Injectable()
export class AnomalyDetailsService {
  constructor(
    private readonly anomalies: AnomalyRepository,
    private readonly presenter: AnomalyPresenter,
    private readonly metrics: MetricService,
    private readonly expectations: ExpectationService,
    private readonly incidents: IncidentService,
    private readonly orgs: OrgService,
    private readonly context: AnomalyContextService,
  ) {}

  async find(caller: KnownCaller, id: number): Promise<AnomalyAnswerDto> {
    return this.findWith(await this.orgs.getAnalysisVariables(caller.org.id), caller, id);
  }

  /** For areas that have read the settings of the organisation. */
  async findWith(settings: AnalysisVariables, caller: KnownCaller, id: number): Promise<AnomalyAnswerDto> {
    const anomaly = await this.anomalies.find(caller.org.id, id);
    if (!anomaly) throw new AnomalyNotFoundError(id);
    return this.answer(caller, anomaly, settings);
  }

  /** The anomaly of a metric at a time; a provisional one when none is recorded but data is there. */
  async lookUp(caller: KnownCaller, params: LookUpAnomalyParams): Promise<AnomalyAnswerDto> {
    return this.lookUpWith(await this.orgs.getAnalysisVariables(caller.org.id), caller, params);
  }

  /** For areas that have read the settings of the organisation. */
  async lookUpWith(
    variables: AnalysisVariables,
    caller: KnownCaller,
    { metric: ref, timestamp }: LookUpAnomalyParams,
  ): Promise<AnomalyAnswerDto> {
    const orgId = caller.org.id;
    const metric = await this.metrics.resolve(orgId, ref, 'metric');
    const recorded = await this.anomalies.findAt(orgId, metric.id, timestamp, {
      slotSeconds: Math.max(variables.retention1ResolutionSeconds, metric.resolutionSeconds ?? 0),
      startSeconds: RELATED_SECONDS,
    });
    const series = { ...variables, timezone: caller.org.timezone };
    const anomaly = recorded ?? (await this.provisional(metric, timestamp, series));
    return this.answer(caller, anomaly, variables);
  }

  private async answer(caller: KnownCaller, anomaly: Anomaly, settings: AnalysisVariables): Promise<AnomalyAnswerDto> {
    const { id, incidentId, startTimestamp } = anomaly;
    const orgId = caller.org.id;
    const [[record], incidents, related, matches, alerts] = await Promise.all([
      this.presenter.present(caller, [anomaly], settings),
      this.incidents.findByIds(caller, incidentId === null ? [] : [incidentId]),
      id === null ? [] : this.anomalies.related(orgId, anomaly, RELATED_SECONDS, MAX_RELATED),
      this.context.matchesNear(caller, startTimestamp, RELATED_SECONDS, MAX_RELATED),
      id === null ? [] : this.context.alertsOf(caller, id, MAX_RELATED),
    ]);
    return {
      anomaly: record!,
      anomaly_graph_url: record!.anomaly_graph_url,
      incident: incidents.get(incidentId ?? 0) ?? null,
      related_anomalies: related.map((other) => toAnomalyRefDto(other, caller.org.timezone)),
      related_matches: matches,
      alerts,
    };
  }

  private async provisional(metric: MetricRecord, timestamp: number, settings: SeriesSettings): Promise<Anomaly> {
    const [from, until] = [timestamp - LOOK_UP_SECONDS, timestamp + LOOK_UP_SECONDS];
    const expectation = await this.expectations.getExpectation(metric, from, until, settings);
    const row = nearestRow(expectation.timestamps, timestamp);
    if (row === undefined) throw new NoDataAtTimeError(metric.name, timestamp);
    return provisionalAnomaly(metric, expectation, row);
  }
}

function nearestRow(timestamps: Float64Array, timestamp: number): number | undefined {
  let nearest: number | undefined;
  timestamps.forEach((candidate, row) => {
    const isNearer =
      nearest === undefined || Math.abs(candidate - timestamp) < Math.abs(timestamps[nearest]! - timestamp);
    if (isNearer) nearest = row;
  });
  return nearest;
}

/** The result of the detector for one slot, in the form of an anomaly that was not recorded. */
function provisionalAnomaly(metric: MetricRecord, expectation: Expectation, row: number): Anomaly {
  const at = (column: Float64Array): number | null => {
    const value = column[row]!;
    return Number.isFinite(value) ? value : null;
  };
  const [value, expected] = [at(expectation.values), at(expectation.yhat)];
  const score = at(expectation.scores) ?? 0;
  const kind = ANOMALY_KINDS[expectation.kinds[row]! - 1] ?? null;
  const timestamp = expectation.timestamps[row]!;
  return {
    id: null,
    orgId: metric.orgId,
    metricId: metric.id,
    metricName: metric.name,
    metricType: metric.type,
    metricUnit: metric.unit,
    metricFirstTimestamp: metric.firstTimestamp,
    metricPoints: metric.points,
    startTimestamp: timestamp,
    endTimestamp: timestamp,
    outUntilTimestamp: endOfSlot(timestamp, metric.resolutionSeconds),
    peakTimestamp: timestamp,
    value,
    peakValue: value,
    expected,
    lower: at(expectation.lower),
    upper: at(expectation.upper),
    score,
    severity: kind === null ? 0 : Math.round(100 * score),
    rarityDays: null,
    kind,
    explanation: [
      {
        test: 'expected_range',
        score,
        observed: value,
        expected,
        timestamp,
        text: expected === null ? 'The metric has too little history.' : 'No anomaly was recorded at this time.',
      },
    ],
    state: 'resolved',
    closeReason: null,
    backfill: false,
    unconfirmed: false,
    positive: false,
    acknowledgedBy: null,
    acknowledgedAt: null,
    acknowledgeNote: null,
    incidentId: null,
    lookAlikeId: null,
  };
}
