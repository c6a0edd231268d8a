/** Each text has a single interpretation, so a long text that does not match costs no more than its length. */
export const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)$/i;

/** A number as text. Null if it is none; NaN for the spellings of not-a-number and the infinities. */
export function parseNumberText(text: unknown): number | null {
  if (typeof text !== 'string') return null;
  const trimmed = text.trim();
  if (DECIMAL.test(trimmed)) return Number(trimmed);
  return NOT_FINITE.test(trimmed) ? NaN : null;
}
