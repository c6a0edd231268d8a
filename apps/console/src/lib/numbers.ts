const plain = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 6, useGrouping: true });
const counts = new Intl.NumberFormat('en-GB');

/** A value with six digits at most and its unit: `1,204.5 ms`; `–` for a gap. */
export function valueText(value: number | null | undefined, unit?: string | null): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-4 || size >= 1e12) ? value.toExponential(3) : plain.format(value);
  return unit ? `${text} ${unit}` : text;
}

/** `1,204`. */
export const countText = (count: number): string => counts.format(count);

/** `1 metric`, `12 metrics`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`;
