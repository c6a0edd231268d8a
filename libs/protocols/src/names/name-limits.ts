/** Maximum numbers of characters and labels of a metric name. */
export interface NameLimits {
  maxLabels: number;
  maxNameLength: number;
}

/** Blanks, escapes and decomposed letters may make a spelling longer than its canonical form by at most this factor. */
export const MAX_SPELLING_FACTOR = 8;

/** Labels without a value are dropped, but reading them is work: maximum number of labels as sent per allowed one. */
export const SENT_LABELS_FACTOR = 2;

export const DEFAULT_NAME_LIMITS: NameLimits = { maxLabels: 40, maxNameLength: 1024 };

/** For names that have been accepted before. */
export const UNLIMITED: NameLimits = { maxLabels: Infinity, maxNameLength: Infinity };
