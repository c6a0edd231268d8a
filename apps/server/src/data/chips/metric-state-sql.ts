import { DAY } from '../../common/time.js';

/** Silence after which a metric is inactive, and the shortest after which it is stale. Seconds. */
const INACTIVE_AFTER_SECONDS = DAY;
const STALE_AFTER_SECONDS = 900;
/** Slow metrics are stale after this many of their intervals. */
const STALE_AFTER_INTERVALS = 5;

/**
 * `last_timestamp` and `last_value` of a metric may be this much older than its newest point: with tens of thousands of
 * metrics they are written in turn. Seconds. Shorter than the silence after which a metric is stale.
 */
export const MAX_PROGRESS_LAG_SECONDS = 300;

/** An excluded metric leaves the quota after this time. Seconds. */
export const EXCLUDED_COUNTS_SECONDS = DAY;

/** SQL: does a row of `metric_search` count against the quota? `now` is the SQL of a number of Unix seconds. */
export function countsAgainstQuotaSql(alias: string, now: string): string {
  return (
    `(${alias}.state <> 'removed' AND (${alias}.excluded_at IS NULL OR` +
    ` ${alias}.excluded_at > to_timestamp(${now}::double precision - ${String(EXCLUDED_COUNTS_SECONDS)})))`
  );
}

/** Unix seconds from which the silence of a metric counts; a metric without points is silent since it was made. */
function silentSinceSql(alias: string): string {
  return `coalesce(${alias}.last_timestamp, extract(epoch FROM ${alias}.created_at)::double precision)`;
}

/**
 * SQL of a metric's `state` at a moment; `now` is the SQL of a number of Unix seconds. Of a metric whose pace is not known
 * yet that of its organisation is assumed. The silence of a metric that only holds history means nothing.
 */
export function metricStateSql(alias: string, now: string): string {
  const silence = `(${now}::double precision - ${silentSinceSql(alias)})`;
  const assumed = `(SELECT o.default_data_frequency_seconds FROM org o WHERE o.id = ${alias}.org_id)`;
  const stale = `greatest(${String(STALE_AFTER_SECONDS)}, ${String(STALE_AFTER_INTERVALS)} * coalesce(${alias}.resolution_seconds, ${assumed}))`;
  return (
    `CASE WHEN ${alias}.removed_at IS NOT NULL THEN 'removed'` +
    ` WHEN ${alias}.only_history THEN 'active'` +
    ` WHEN ${silence} >= ${String(INACTIVE_AFTER_SECONDS)} THEN 'inactive'` +
    ` WHEN ${alias}.has_ended OR ${silence} > ${stale} THEN 'stale' ELSE 'active' END`
  );
}
