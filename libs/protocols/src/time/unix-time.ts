/** Units of a number of time since the beginning of 1970. */
export type UnixUnit = 'seconds' | 'milliseconds' | 'microseconds' | 'nanoseconds';

interface UnitSize {
  unit: UnixUnit;
  /** Smallest number that is read in this unit. */
  from: number;
  perSecond: number;
}

/**
 * Each unit starts where it means the year 1973; in the previous unit, the same number would be the year 5138. No valid
 * time of a metric is therefore ambiguous.
 */
const NANOSECONDS: UnitSize = { unit: 'nanoseconds', from: 1e17, perSecond: 1e9 };
const MICROSECONDS: UnitSize = { unit: 'microseconds', from: 1e14, perSecond: 1e6 };
const MILLISECONDS: UnitSize = { unit: 'milliseconds', from: 1e11, perSecond: 1e3 };
const SECONDS: UnitSize = { unit: 'seconds', from: 0, perSecond: 1 };

/** The first second of the year 10000, from which on a time has no usual spelling. */
const YEAR_10000 = 253_402_300_800;

function sizeOf(number: number): UnitSize {
  const size = Math.abs(number);
  if (size < MILLISECONDS.from) return SECONDS;
  if (size < MICROSECONDS.from) return MILLISECONDS;
  return size < NANOSECONDS.from ? MICROSECONDS : NANOSECONDS;
}

/** The unit of a number, by its size. */
function unixUnitOf(number: number): UnixUnit {
  return sizeOf(number).unit;
}

/**
 * Unix seconds of a number of seconds, milliseconds (from 10^11), microseconds (from 10^14) or nanoseconds (from
 * 10^17). Every text format uses this. NaN stays NaN.
 */
export function unixSeconds(number: number): number {
  const size = Math.abs(number);
  return size < MILLISECONDS.from ? number : number / sizeOf(number).perSecond;
}

/** Interpretation of a number, in words: `taken for milliseconds: 2286-11-20`. */
export function describeUnixTime(number: number): string {
  return `taken for ${unixUnitOf(number)}: ${dayOf(unixSeconds(number))}`;
}

/** The day of a time in UTC, `2286-11-20`. */
export function dayOf(seconds: number): string {
  if (!(Math.abs(seconds) < YEAR_10000)) return seconds > 0 ? 'after the year 9999' : 'before the year 1';
  return new Date(seconds * 1000).toISOString().slice(0, -'T00:00:00.000Z'.length);
}
