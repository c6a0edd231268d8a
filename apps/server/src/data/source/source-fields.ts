import { type SourceSettings } from './source.types.js';

/** Settings of a source, with the names of the API; without secrets. */
export function fieldsOf(source: SourceSettings) {
  return {
    name: source.name,
    type: source.type,
    url: source.url,
    query: source.query,
    username: source.username,
    interval_seconds: source.intervalSeconds,
    lag_seconds: source.lagSeconds,
    backfill_seconds: source.backfillSeconds,
    name_template: source.nameTemplate,
    metric_type: source.metricType,
    unit: source.unit,
    timeout_seconds: source.timeoutSeconds,
    max_series: source.maxSeries,
    enabled: source.enabled,
    write_back: source.writeBack,
  };
}
