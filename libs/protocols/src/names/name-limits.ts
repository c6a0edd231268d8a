/** Characters and labels a metric name may have. */
export interface NameLimits {
  maxLabels: number;
  maxNameLength: number;
}

/** Blanks, escapes and decomposed letters may make a spelling longer than its canonical form, by no more than this. */
export const MAX_SPELLING_FACTOR = 8;

/** Labels without a value are dropped, but finding them is work: labels as sent may be this many for each one allowed. */
export const SENT_LABELS_FACTOR = 2;

export const DEFAULT_NAME_LIMITS: NameLimits = { maxLabels: 40, maxNameLength: 1024 };

/** For names that have been accepted before. */
export const UNLIMITED: NameLimits = { maxLabels: Infinity, maxNameLength: Infinity };
