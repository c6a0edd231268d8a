export const METRIC_STATES = ['active', 'stale', 'inactive', 'removed'] as const;
export const METRIC_ORDERS = ['name', 'created', 'last_data', 'anomalies'] as const;
export const METRIC_TABS = ['anomalies', 'patterns', 'related', 'tuning', 'watchers', 'points'] as const;
/** The same hours of an earlier day, as a faint line. */
export const COMPARISONS = { day: 86_400, week: 7 * 86_400 } as const;

export type MetricState = (typeof METRIC_STATES)[number];
export type MetricOrder = (typeof METRIC_ORDERS)[number];
export type MetricTab = (typeof METRIC_TABS)[number];
export type Comparison = keyof typeof COMPARISONS;

const MAX_CHIPS = 20;

/** The selection in the address of the list; omitted members have their defaults. */
export interface MetricsSearch {
  chips?: string[];
  state?: MetricState;
  order?: Exclude<MetricOrder, 'name'>;
}

/** The selection in the address of a metric, in addition to its window. */
export interface MetricSearch {
  tab?: Exclude<MetricTab, 'anomalies'>;
  vs?: Comparison[];
}

const oneOf = <Choice extends string>(choices: readonly Choice[], value: unknown): Choice | undefined =>
  choices.find((choice) => choice === value);

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

export function validateMetricsSearch(search: Record<string, unknown>): MetricsSearch {
  const chips = listOf(search.chips)
    .flatMap((chip) => (typeof chip === 'string' || typeof chip === 'number' ? [String(chip).trim()] : []))
    .filter((chip) => chip !== '' && chip.length <= 200);
  const order = oneOf(METRIC_ORDERS, search.order);
  const state = oneOf(METRIC_STATES, search.state);
  return {
    ...(chips.length > 0 ? { chips: [...new Set(chips)].slice(0, MAX_CHIPS) } : {}),
    ...(state ? { state } : {}),
    ...(order && order !== 'name' ? { order } : {}),
  };
}

export function validateMetricSearch(search: Record<string, unknown>): MetricSearch {
  const tab = oneOf(METRIC_TABS, search.tab);
  const wanted = listOf(search.vs);
  const vs = (['day', 'week'] as const).filter((comparison) => wanted.includes(comparison));
  return { ...(tab && tab !== 'anomalies' ? { tab } : {}), ...(vs.length > 0 ? { vs } : {}) };
}
