/** Longest text that is looked at. */
const MAX_LENGTH = 64;

/**
 * Seconds that a header `Retry-After` requests, 0 at least; null if it cannot be read. A number of seconds, or a date
 * of HTTP. Source: RFC 9110, section 10.2.3.
 *
 * @param now Unix seconds
 */
export function readRetryAfter(header: string | null | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (text === '' || text.length > MAX_LENGTH) return null;
  const seconds = /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Date.parse(text) / 1000 - now;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}
