/** The chip that selects one metric by its whole name. */
export const chipOfMetric = (name: string): string => `@name:${JSON.stringify(name)}`;

/** The name that a chip selects exactly; null for every other chip. */
export function metricOfChip(chip: string): string | null {
  if (!chip.startsWith('@name:"')) return null;
  try {
    const name: unknown = JSON.parse(chip.slice('@name:'.length));
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}
