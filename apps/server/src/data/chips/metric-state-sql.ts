import { DAY } from '../../common/time.js';

/** Silence after which a metric is inactive, and the shortest silence after which it is stale. Seconds. */
const INACTIVE_AFTER_SECONDS = DAY;
const STALE_AFTER_SECONDS = 900;
/** A metric with a long interval is stale after this many intervals. */
const STALE_AFTER_INTERVALS = 5;

/**
 * Maximum lag of `last_timestamp` and `last_value` behind the newest point of a metric, in seconds: with tens of
 * thousands of metrics these columns are written in rotation. Shorter than the silence after which a metric is stale.
 */
export const MAX_PROGRESS_LAG_SECONDS = 300;

/** An excluded metric stops counting against the quota after this time. Seconds. */
export const EXCLUDED_COUNTS_SECONDS = DAY;

/** SQL: true if a row of `metric_search` counts against the quota. `now` is SQL of a number of Unix seconds. */
export function countsAgainstQuotaSql(alias: string, now: string): string {
  return (
    `(${alias}.state <> 'removed' AND (${alias}.excluded_at IS NULL OR` +
    ` ${alias}.excluded_at > to_timestamp(${now}::double precision - ${String(EXCLUDED_COUNTS_SECONDS)})))`
  );
}

/** Unix seconds from which the silence of a metric counts; for a metric without points, its creation. */
function silentSinceSql(alias: string): string {
  return `coalesce(${alias}.last_timestamp, extract(epoch FROM ${alias}.created_at)::double precision)`;
}

/**
 * SQL of the `state` of a metric at a moment. `now` is SQL of a number of Unix seconds. While the interval of a metric
 * is unknown, that of its organisation is assumed. A metric with only imported history is never silent.
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
