import { type AnalysisState } from '#libs/contracts';
import { EXCLUDED_COUNTS_SECONDS } from '../../chips/metric-state-sql.js';
import { date, relative } from '../../../common/display/display.js';
import { DAY } from '../../../common/time.js';
import { ANALYSIS_TYPE_ID, type Exclusion } from '../../exclusion/exclusion.types.js';
import { type MetricRecord } from '../metric.types.js';
import { type JudgementDto, type MetricDto, type MetricReadinessDto } from '../metric-record.dto.js';

/** Points that a metric needs before it is analysed. */
const POINTS_NEEDED = 100;
/** History needed to tell a daily or weekly season from chance. */
const DAILY_HISTORY_SECONDS = 2 * DAY;
const WEEKLY_HISTORY_SECONDS = 14 * DAY;

/** Data from the anomalies, matches and patterns of a metric. */
export interface AnomalyFacts {
  count: number;
  openId: number | null;
  /** Unix seconds. */
  lastTimestamp: number | null;
  matches: number;
  /** Unix seconds. */
  lastMatchTimestamp: number | null;
  /** Enabled ones. */
  patterns: number;
}

export interface MetricContext {
  /** Exclusions whose chips cover the metric. */
  exclusions: readonly Pick<Exclusion, 'id' | 'typeId'>[];
  /** Watchers whose chips select the metric. */
  watchers: readonly { id: number }[];
  anomalies: AnomalyFacts;
  /** Unix seconds. */
  now: number;
  /** IANA name. */
  timezone: string;
  longTermPatternLengthSeconds: number;
  graphUrl: string;
}

export function toMetricDto(metric: MetricRecord, around: MetricContext): MetricDto {
  const { anomalies, now } = around;
  const first = metric.firstTimestamp;
  return {
    id: metric.id,
    name: metric.name,
    display_name: metric.displayName,
    labels: metric.labels,
    state: metric.state,
    type: metric.type,
    unit: metric.unit,
    description: metric.description,
    source: metric.source,
    analysis_state: analysisState(metric, around),
    points_needed: pointsNeeded(metric),
    live_from_timestamp: liveFrom(metric),
    judgement: judgement(metric, around),
    created_timestamp: metric.createdTimestamp,
    created_string: date(metric.createdTimestamp, around.timezone),
    last_timestamp: metric.lastTimestamp,
    last_string: relative(metric.lastTimestamp, now),
    last_value: metric.lastValue,
    resolution_seconds: metric.resolutionSeconds,
    seasonal_periods: metric.seasonalPeriods,
    readiness: readiness(metric, now),
    trainable_from_timestamp: first === null ? null : first + DAY,
    long_term_trainable_from_timestamp: first === null ? null : first + around.longTermPatternLengthSeconds,
    anomaly_count: anomalies.count,
    match_count: anomalies.matches,
    pattern_count: anomalies.patterns,
    open_anomaly_id: anomalies.openId,
    last_anomaly_timestamp: anomalies.lastTimestamp,
    last_anomaly_string: relative(anomalies.lastTimestamp, now),
    last_match_timestamp: anomalies.lastMatchTimestamp === null ? null : Math.floor(anomalies.lastMatchTimestamp),
    last_match_string: relative(anomalies.lastMatchTimestamp, now),
    watcher_ids: around.watchers.map(({ id }) => id),
    exclusion_ids: around.exclusions.map(({ id }) => id),
    counts_against_quota: countsAgainstQuota(metric, now),
    graph_url: around.graphUrl,
  };
}

function pointsNeeded(metric: MetricRecord): number {
  return Math.max(0, POINTS_NEEDED - metric.points);
}

function countsAgainstQuota({ state, excludedTimestamp }: MetricRecord, now: number): boolean {
  if (state === 'removed') return false;
  return excludedTimestamp === null || now - excludedTimestamp < EXCLUDED_COUNTS_SECONDS;
}

function analysisState(metric: MetricRecord, { exclusions }: MetricContext): AnalysisState {
  if (metric.state !== 'removed' && exclusions.some(({ typeId }) => typeId === ANALYSIS_TYPE_ID)) return 'excluded';
  if (metric.state !== 'active') return 'paused';
  if (pointsNeeded(metric) > 0) return 'collecting';
  const { firstTimestamp, lastTimestamp } = metric;
  const hasDay = firstTimestamp !== null && lastTimestamp !== null && lastTimestamp - firstTimestamp >= DAY;
  return hasDay ? 'live' : 'learning';
}

/**
 * Taken from the state of the detector: it gives verdicts from the hundredth value on, sees lasting changes from the
 * second day on, and reports missing data only if rows arrive live and at a steady interval.
 */
function judgement(metric: MetricRecord, around: MetricContext): JudgementDto {
  const { valuesNeeded, isSteady, isOnlyHistory } = metric;
  const analysis = analysisState(metric, around);
  const isOff = analysis === 'excluded' || analysis === 'paused';
  const until = isOff ? null : learningUntil(metric, around.now);
  const isStale = analysis === 'paused' && metric.state === 'stale';
  const isJudged = !isOff && valuesNeeded === 0;
  const state = until !== null ? 'learning' : isJudged ? 'judged' : 'not_judged';
  const whyNot = isOff ? analysis : isSteady === false ? 'irregular_rows' : 'too_few_values';
  return {
    state,
    until_timestamp: until,
    reason: state === 'not_judged' ? whyNot : null,
    values_needed: valuesNeeded,
    // A stale metric is reported as silent.
    silence: (isJudged || (isStale && valuesNeeded === 0)) && isSteady === true && !isOnlyHistory,
  };
}

/** End of learning at the current interval, Unix seconds. Null if learning is over or its end cannot be estimated. */
function learningUntil({ firstTimestamp, lastTimestamp, ...metric }: MetricRecord, now: number): number | null {
  if (firstTimestamp === null || lastTimestamp === null) return null;
  const dayEnds = firstTimestamp + DAY;
  if (metric.valuesNeeded === 0) return lastTimestamp < dayEnds ? dayEnds : null;
  if (metric.resolutionSeconds === null || metric.isSteady === false) return null;
  return Math.max(dayEnds, lastTimestamp + metric.valuesNeeded * metric.resolutionSeconds, now);
}

/** A day after the first point or at the hundredth value, whichever is later. */
function liveFrom(metric: MetricRecord): number | null {
  const enough = enoughPointsAt(metric);
  if (metric.firstTimestamp === null || enough === null) return null;
  return Math.max(metric.firstTimestamp + DAY, enough);
}

/** Time at which enough points were stored, or will be at the current rate; null if unknown. */
function enoughPointsAt(metric: MetricRecord): number | null {
  const { firstTimestamp, lastTimestamp, resolutionSeconds } = metric;
  if (firstTimestamp === null || lastTimestamp === null) return null;
  const missing = pointsNeeded(metric);
  if (missing === 0) return Math.min(lastTimestamp, firstTimestamp + (POINTS_NEEDED - 1) * (resolutionSeconds ?? 0));
  if (metric.state !== 'active' || resolutionSeconds === null) return null;
  return lastTimestamp + missing * resolutionSeconds;
}

/** Time at which a metric that learns again has enough values, at the current rate; null if unknown. */
function enoughValuesAt({ state, lastTimestamp, resolutionSeconds, valuesNeeded }: MetricRecord): number | null {
  if (lastTimestamp === null || state !== 'active' || resolutionSeconds === null) return null;
  return lastTimestamp + valuesNeeded * resolutionSeconds;
}

function readiness(metric: MetricRecord, now: number): MetricReadinessDto {
  const first = metric.firstTimestamp;
  const after = (seconds: number): number | null => (first === null ? null : first + seconds);
  const part = (ready: boolean, expected: number | null): MetricReadinessDto['range'] => ({
    ready,
    // Long after the expected time no season is expected any more: the series may not have one.
    expected_timestamp: ready || expected === null || expected < now ? null : expected,
  });
  return {
    range: part(metric.ready.range, pointsNeeded(metric) > 0 ? enoughPointsAt(metric) : enoughValuesAt(metric)),
    daily: part(metric.ready.daily, after(DAILY_HISTORY_SECONDS)),
    weekly: part(metric.ready.weekly, after(WEEKLY_HISTORY_SECONDS)),
  };
}
