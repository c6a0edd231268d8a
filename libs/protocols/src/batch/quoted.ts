/** Characters of a sent text that a message quotes. */
const MAX_QUOTED = 40;

/** Maximum length of a token of the product, `pl_` and 43 characters. */
const TOKEN_LENGTH = 46;
/** Such a token, also one that is cut off or has a mistake: a secret in the wrong place must not appear in answers. */
const TOKEN = /pl_[\w-]{20,}/g;

/** Bytes that hold the characters that `quoted` looks at. */
export const QUOTABLE_BYTES = 4 * (MAX_QUOTED + TOKEN_LENGTH);

/** Tokens of the product in a text are replaced. O(text). */
export function withoutTokens(text: string): string {
  return text.replace(TOKEN, 'pl_…');
}

/** The beginning of a sent text, without tokens of the product. O(max). */
export function excerpt(text: string, max = MAX_QUOTED): string {
  const head = text.slice(0, max + TOKEN_LENGTH);
  const shown = withoutTokens(head);
  if (text.length === head.length && shown.length <= max) return shown;
  // A pair of surrogates is not cut in the middle.
  return `${shown.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A sent text as problems show it: in quotes, at most 40 characters. */
export function quoted(text: string): string {
  return JSON.stringify(excerpt(text));
}

/** A member of a JSON body as problems show it: lists and objects are only named. */
export function quotedValue(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** A part of a text body as problems show it. */
export function quotedBytes(bytes: Buffer, start: number, end: number): string {
  return quoted(bytes.toString('utf8', start, Math.min(end, start + QUOTABLE_BYTES)));
}
