import { valueText as writtenValue } from '#libs/wording';

export { counted as countOf, countText, rangeText, shownUnit } from '#libs/wording';

/** A value with its unit in the common format: `1.44 GB`, `12.3 /s`; `–` for a gap. */
export function valueText(value: number | null | undefined, unit?: string | null): string {
  return value === null || value === undefined ? '–' : writtenValue(value, unit ?? null);
}
