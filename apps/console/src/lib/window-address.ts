/** The period that a page shows. Unix seconds. */
export interface TimeWindow {
  from: number;
  until: number;
  /** Length of a window that ends now and moves along; null for fixed edges. */
  lastSeconds: number | null;
}

/** Parameters in the address of every page: `w=6h`, or `from` and `until` in Unix seconds; `tz`. */
export interface ViewSearch {
  w?: string;
  from?: number;
  until?: number;
  tz?: 'local' | 'utc';
}

export const WINDOW_CHOICES = ['15m', '1h', '3h', '6h', '12h', '24h', '2d', '7d', '14d', '30d'] as const;
export const DEFAULT_WINDOW = '24h';

const UNIT_SECONDS: Record<string, number> = { m: 60, h: 3600, d: 86_400 };
const LONGEST_SECONDS = 400 * 86_400;

/** `6h` in seconds; null for any other value. */
export function windowSeconds(text: string): number | null {
  const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined) return null;
  const seconds = Number(count) * UNIT_SECONDS[unit]!;
  return seconds <= LONGEST_SECONDS ? seconds : null;
}

/** Converts any address to complete search parameters, or to the default. */
export function validateViewSearch(search: Record<string, unknown>): ViewSearch {
  // All members are set: the router would keep a value of the address that is omitted here.
  const view: ViewSearch = { w: undefined, from: undefined, until: undefined, tz: undefined };
  const from = Number(search.from);
  const until = Number(search.until);
  if (Number.isFinite(from) && Number.isFinite(until) && from > 0 && from < until && until - from <= LONGEST_SECONDS) {
    view.from = Math.floor(from);
    view.until = Math.ceil(until);
  } else if (typeof search.w === 'string' && windowSeconds(search.w) !== null) {
    view.w = search.w;
  }
  if (search.tz === 'local' || search.tz === 'utc') view.tz = search.tz;
  return view;
}

/**
 * The window of an address at a time (Unix seconds). A window that ends now moves in steps of 1/200 of its length, at
 * least 10 s, so that charts move without jitter.
 */
export function windowAt({ w, from, until }: ViewSearch, now: number, fallback: string = DEFAULT_WINDOW): TimeWindow {
  if (from !== undefined && until !== undefined) return { from, until, lastSeconds: null };
  const seconds = windowSeconds(w ?? fallback) ?? 86_400;
  const step = Math.max(10, Math.round(seconds / 200));
  const end = Math.ceil(now / step) * step;
  return { from: end - seconds, until: end, lastSeconds: seconds };
}
