import { derivedLabels, EXPORTED_METRIC_LABEL, METRIC_LABEL } from '#libs/contracts';
import { NAME_LABEL } from './promql.types.js';
import { type Series, type StoredSeriesRow } from './series.types.js';

/** Labels of a series by name, `__name__` among them. */
export type LabelSet = Readonly<Record<string, string>>;

/**
 * The labels of a series in answers. A stored metric has its own labels, exactly as they were sent; a derived series
 * has those of its metric, and the name of the metric as `metric`.
 */
export function labelsOf({ row, derived }: Series): LabelSet {
  if (derived === null) return sorted([[NAME_LABEL, row.displayName], ...Object.entries(row.labels)]);
  return sorted([[NAME_LABEL, derived], ...derivedLabels(row)]);
}

/**
 * The value that a matcher of a label is compared with; empty if the label is missing. `metric` matches a stored metric
 * by its whole name, unless it has a label with this name.
 */
export function labelValue({ row, derived }: Series, label: string): string {
  if (label === NAME_LABEL) return derived ?? row.displayName;
  if (label === METRIC_LABEL) return derived === null ? (ownLabel(row, label) ?? row.name) : row.name;
  if (derived !== null && label === EXPORTED_METRIC_LABEL && METRIC_LABEL in row.labels) {
    return row.labels[METRIC_LABEL];
  }
  return ownLabel(row, label) ?? '';
}

function ownLabel({ labels }: StoredSeriesRow, label: string): string | undefined {
  return Object.hasOwn(labels, label) ? labels[label] : undefined;
}

/** Sorted by name, as in Prometheus. No prototype: a label may be named `__proto__`. */
function sorted(entries: readonly (readonly [string, string])[]): LabelSet {
  const labels = Object.create(null) as Record<string, string>;
  for (const [name, value] of [...entries].sort(([one], [other]) => (one < other ? -1 : 1))) labels[name] = value;
  return labels;
}
