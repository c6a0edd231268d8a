/**
 * `last_timestamp` and `last_value` of a metric may be so much older than its newest point: with tens of thousands of metrics
 * they are written in turn. Seconds. Shorter than the silence after which a metric is stale.
 */
export const MAX_PROGRESS_LAG_SECONDS = 300;
