/** Start and end of a known anomaly, Unix seconds, both inclusive. */
export type Label = readonly [from: number, until: number];

/** Maximum that the API accepts. */
export const MAX_LABELS = 500;

/** Labels in order of time; overlapping ones are merged, as in the figures of the API. */
export function joined(labels: readonly Label[]): Label[] {
  const apart: [number, number][] = [];
  for (const [from, until] of labels.toSorted(([one], [other]) => one - other)) {
    const last = apart.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], until);
    else apart.push([from, until]);
  }
  return apart;
}

export const isSame = (one: readonly Label[], other: readonly Label[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Converts a stretch to a label of a series, in whole seconds within its times; null if it is outside. */
export function labelOf(
  stretch: { from: number; until: number },
  series: { from: number; until: number },
): Label | null {
  const from = Math.max(series.from, Math.round(stretch.from));
  const until = Math.min(series.until, Math.round(stretch.until));
  return from <= until ? [from, until] : null;
}
