import { type LabelPair } from '#libs/protocols';
import { type FoundSeries } from './driver.types.js';

/** `{name}`, and `{key}` of a label. */
const PART = /\{([A-Za-z_][A-Za-z0-9_.-]*)\}/g;

/**
 * Name and labels of a series in Plumbline. Without a template: as the source has them, with the name of the source if
 * a series has none. `{name}` of a template is that name, `{key}` the value of a label, which is then not a label of
 * the metric.
 */
export function namedSeries(
  { name, labels }: Pick<FoundSeries, 'name' | 'labels'>,
  { name: sourceName, nameTemplate }: { name: string; nameTemplate: string },
): { name: string; labels: readonly LabelPair[] } {
  const own = name ?? sourceName;
  if (nameTemplate === '') return { name: own, labels };
  const values = new Map(labels);
  const used = new Set<string>();
  const built = nameTemplate.replace(PART, (_, key: string) => {
    if (key === 'name') return own;
    used.add(key);
    return values.get(key) ?? '';
  });
  return { name: built, labels: labels.filter(([key]) => !used.has(key)) };
}
