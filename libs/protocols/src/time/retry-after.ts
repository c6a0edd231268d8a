/** Maximum length of the text. */
const MAX_LENGTH = 64;

/**
 * Seconds requested by a `Retry-After` header, at least 0; null if it is invalid. A number of seconds, or an HTTP date.
 * Source: RFC 9110, section 10.2.3.
 *
 * @param now Unix seconds
 */
export function readRetryAfter(header: string | null | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (text === '' || text.length > MAX_LENGTH) return null;
  const seconds = /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Date.parse(text) / 1000 - now;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}
