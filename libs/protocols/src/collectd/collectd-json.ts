/**
 * The JSON of collectd's write_http plugin: a list of value lists, each with one or more data sources of a plugin at
 * one time. Its own identifier has four parts and no labels; as a metric the first is the name and the rest labels:
 * `interface_if_octets_rx{host="web-1",plugin_instance="eth0"}`, `cpu{host="web-1",plugin_instance="0",type_instance="idle"}`.
 */

type JsonObject = Record<string, unknown>;

/** collectd's data source types as ours, for raw values (`StoreRates false`, its default for JSON). */
const TYPES: Readonly<Record<string, string>> = {
  gauge: 'gauge',
  derive: 'counter',
  counter: 'counter',
  absolute: 'rate',
};

/** The name of a data source that is the only one of its type. */
const ONLY_SOURCE = 'value';

/**
 * True for a list whose first entry is a value list of collectd; the lists of the native format have no such members.
 */
export function isCollectdJson(list: readonly unknown[]): boolean {
  const first = list[0];
  return (
    isObject(first) && Array.isArray(first.dsnames) && Array.isArray(first.values) && typeof first.plugin === 'string'
  );
}

/** A value of a value list as a metric of the native JSON format, and its index in `values`. */
export interface CollectdMetric {
  index: number;
  metric: JsonObject;
}

/**
 * The points of an entry of the list. Null if it is not a value list: the reader of the native format then reports its
 * problem. Values that collectd does not know (null) are not points.
 */
export function metricsOfCollectd(entry: unknown): CollectdMetric[] | null {
  if (!isObject(entry)) return null;
  const { plugin, type, dsnames, dstypes, values, time } = entry;
  if (!Array.isArray(dsnames) || !Array.isArray(values)) return null;
  if (typeof plugin !== 'string' || typeof type !== 'string') return null;
  const sources = dsnames as unknown[];
  const kinds = Array.isArray(dstypes) ? (dstypes as unknown[]) : [];
  const family = plugin === type ? plugin : `${plugin}_${type}`;
  const labels = {
    host: entry.host,
    plugin_instance: entry.plugin_instance,
    type_instance: entry.type_instance,
  };
  return (values as unknown[]).flatMap((value, index) => {
    if (value === null) return [];
    const source = sources[index];
    const kind = kinds[index];
    const metric = {
      metric: typeof source !== 'string' || source === ONLY_SOURCE ? family : `${family}_${source}`,
      labels,
      timestamp: time,
      value,
      type: typeof kind === 'string' ? (TYPES[kind] ?? null) : null,
    };
    return [{ index, metric }];
  });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
