/** The kinds of evidence, in the order of the table in docs/detection-details.md. */
export const EVIDENCE_NAMES = [
  'row',
  'three_rows',
  'ten_rows',
  'thirty_rows',
  'away_from_level',
  'not_there_when_due',
  'lasts',
  'stands_still',
  'unlike_day_or_week',
] as const;
export type EvidenceName = (typeof EVIDENCE_NAMES)[number];

export const ROW = 0;
export const THREE_ROWS = 1;
export const TEN_ROWS = 2;
export const THIRTY_ROWS = 3;
export const AWAY_FROM_LEVEL = 4;
export const MISSED = 5;
export const LASTS = 6;
export const STANDS_STILL = 7;
export const UNLIKE_SEASON = 8;

/** True for evidence from the rows before this one: a mean of many rows, or a distance from a level. */
export function isOfRowsBefore(evidence: number): boolean {
  return (
    evidence === UNLIKE_SEASON || evidence === AWAY_FROM_LEVEL || evidence === TEN_ROWS || evidence === THIRTY_ROWS
  );
}

/** Lasting conditions, for `LASTS`: none, rows outside the expected range, a creep out of the range of days. */
export const NOTHING_LASTS = 0;
export const STAYS_OUTSIDE = 1;
export const LEFT_RANGE = 2;
export type Lasting = typeof NOTHING_LASTS | typeof STAYS_OUTSIDE | typeof LEFT_RANGE;
