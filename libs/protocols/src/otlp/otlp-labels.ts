import { type LabelPair, sanitiseLabelKey } from '../names/metric-name.js';

/** Resource attributes that become labels unless an organisation chooses others. */
export const DEFAULT_RESOURCE_ATTRIBUTES: readonly string[] = [
  'service.name',
  'service.namespace',
  'service.instance.id',
  'host.name',
];

/** The label key of an attribute: dots and all other characters not allowed in a key become `_`. */
function labelKeyOf(attribute: string): string {
  const key = attribute.includes('.') ? attribute.replaceAll('.', '_') : attribute;
  return key === '' ? '_' : sanitiseLabelKey(key);
}

const NO_LABELS: readonly LabelPair[] = [];

/** The labels of all metrics of a resource; values are cut to `maxLength`, which is too long for a name. */
export function resourceLabels(attributes: ReadonlyMap<string, string>, maxLength: number): readonly LabelPair[] {
  if (attributes.size === 0) return NO_LABELS;
  const pairs = Array.from(attributes, ([key, value]): LabelPair => [key, value.slice(0, maxLength)]);
  return mergeAttributes(
    NO_LABELS,
    pairs.filter(([, value]) => value !== ''),
  );
}

/**
 * Labels of a data point: its attributes, and those of its resource that it does not override. Attributes that become
 * the same label keep all their values, joined with `;` in the order of the attribute names, so that two series stay
 * distinct.
 */
export function mergeAttributes(resource: readonly LabelPair[], attributes: readonly LabelPair[]): LabelPair[] {
  const labels = attributes.map(([key, value]): LabelPair => [labelKeyOf(key), value]);
  const keys = new Set(labels.map(([key]) => key));
  const merged = keys.size === labels.length ? labels : joinEqualKeys(attributes);
  for (const pair of resource) if (!keys.has(pair[0])) merged.push(pair);
  return merged;
}

/** A duplicate attribute stays a duplicate, which is a problem of the name. */
function joinEqualKeys(attributes: readonly LabelPair[]): LabelPair[] {
  if (new Set(attributes.map(([key]) => key)).size < attributes.length) return attributes.map(toLabel);
  const sorted = [...attributes].sort(([a], [b]) => (a < b ? -1 : 1));
  const joined = new Map<string, string>();
  for (const pair of sorted) {
    const [key, value] = toLabel(pair);
    const before = joined.get(key);
    joined.set(key, before === undefined ? value : `${before};${value}`);
  }
  return [...joined];
}

function toLabel([key, value]: LabelPair): LabelPair {
  return [labelKeyOf(key), value];
}
