/** What evidence may be, in the order of its table in docs/detection.md. */
export const EVIDENCE_NAMES = [
  'row',
  'three_rows',
  'ten_rows',
  'thirty_rows',
  'away_from_level',
  'not_there_when_due',
  'lasts',
  'stands_still',
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
