/** Series that Plumbline derives of each metric, as the Prometheus API answers them and as they are written back to sources. */
export const DERIVED = {
  plumbline_expected: 'Expected value of a metric; of counters the expected rate per second.',
  plumbline_expected_lower: 'Lower edge of the expected range.',
  plumbline_expected_upper: 'Upper edge of the expected range.',
  plumbline_score: 'How unusual the value is, 0 to 1.',
  plumbline_anomalous: '1 while an anomaly of the metric is open, else 0.',
} as const;

export type DerivedName = keyof typeof DERIVED;

export const DERIVED_NAMES = Object.keys(DERIVED) as DerivedName[];

export function isDerivedName(name: string): name is DerivedName {
  return Object.hasOwn(DERIVED, name);
}

/** The label by which every metric is found; the derived series carry it. */
export const METRIC_LABEL = 'metric';
/** Label of a derived series for a label of its metric that is also called `metric`. */
export const EXPORTED_METRIC_LABEL = 'exported_metric';

/**
 * Labels of a derived series apart from its name: those of its metric, and the whole name of the metric as `metric`.
 */
export function derivedLabels(metric: {
  name: string;
  labels: Readonly<Record<string, string>>;
}): (readonly [key: string, value: string])[] {
  const own = Object.entries(metric.labels).map(
    ([key, value]) => [key === METRIC_LABEL ? EXPORTED_METRIC_LABEL : key, value] as const,
  );
  return [...own, [METRIC_LABEL, metric.name]];
}
