import { IANAZone } from 'luxon';

const DAY = 86_400;
/** Tolerance of a start relative to the known ones, in seconds: jobs do not start at the same second. */
export const START_TOLERANCE = 900;
/** If starts are further apart than this, the time of day is irrelevant. Seconds. */
const ANY_TIME = 6 * 3600;
const FEWEST_TIMES = 3;

/** Times of day between which a shape may start, in seconds of the local day; it may wrap around midnight. */
export interface StartWindow {
  from: number;
  length: number;
}

const HOUR = 3600;
const KEPT_OFFSETS = 50_000;
/** Offsets by zone and quarter of an hour: reading one takes longer than comparing two shapes. */
const offsets = new Map<string, number>();

/** Local time of day in a zone, seconds. An unknown zone counts as UTC. */
export function timeOfDay(timestamp: number, timezone: string): number {
  return (((timestamp + offsetAt(timestamp, timezone)) % DAY) + DAY) % DAY;
}

/** Zones change their offset at whole quarters of an hour, and never twice in one. */
function offsetAt(timestamp: number, timezone: string): number {
  const quarter = Math.floor((4 * timestamp) / HOUR);
  const key = `${timezone} ${String(quarter)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const zone = IANAZone.create(timezone);
  const offset = zone.isValid ? zone.offset((quarter * HOUR * 1000) / 4) * 60 : 0;
  if (offsets.size >= KEPT_OFFSETS) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

/**
 * The allowed starts of a shape, from its earlier starts: the shortest stretch of the day that contains all of them,
 * with a tolerance on both sides. Null: any time, because the starts differ too much.
 * @param starts Unix seconds
 * @param step length of a slot, seconds: the precision of starts
 */
export function startWindow(starts: readonly number[], timezone: string, step: number): StartWindow | null {
  const tolerance = Math.max(START_TOLERANCE, 2 * step);
  const times = starts.map((start) => timeOfDay(start, timezone)).sort((a, b) => a - b);
  if (times.length === 0) return null;
  let longestGap = 0;
  let from = times[0]!;
  times.forEach((time, i) => {
    const next = i + 1 < times.length ? times[i + 1]! : times[0]! + DAY;
    if (next - time < longestGap) return;
    longestGap = next - time;
    from = next % DAY;
  });
  const spread = DAY - longestGap;
  if (times.length >= FEWEST_TIMES && spread > ANY_TIME) return null;
  const length = spread + 2 * tolerance;
  return length >= DAY ? null : { from: (from - tolerance + DAY) % DAY, length };
}

export function isTimely(start: number, window: StartWindow | null, timezone: string): boolean {
  return isWithin(timeOfDay(start, timezone), window);
}

/** @param time local time of day, seconds; may be in a neighbouring day */
export function isWithin(time: number, window: StartWindow | null): boolean {
  return window === null || (((time - window.from) % DAY) + DAY) % DAY <= window.length;
}
