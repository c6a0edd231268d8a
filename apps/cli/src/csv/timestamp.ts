import { IANAZone } from 'luxon';

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*(Z|z|[+-]\d{2}(?::?\d{2})?))?)?$/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** From here on a number means milliseconds: as seconds it would lie in the year 5138, as milliseconds in 1973. */
const FIRST_MILLISECONDS = 1e11;
/** Microseconds since 1973 and more: not a form that is read. */
const FIRST_MICROSECONDS = 1e14;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export class TimestampError extends Error {}

/** Rules a wall-clock time must keep; returns its milliseconds as if it were UTC. */
function wallClockMs(parts: RegExpExecArray): number {
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((i) => Number(parts[i] ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const fraction = parts[7] === undefined ? 0 : Number(`0.${parts[7]}`) * 1000;
  const ms = Date.UTC(year, month - 1, day, hour, minute, second) + fraction;
  const date = new Date(ms);
  const isReal =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  if (!isReal) throw new TimestampError(`"${parts[0]}" is not a day and time that exists`);
  return ms;
}

function offsetMs(text: string): number {
  if (text === 'Z' || text === 'z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || 0);
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** Reads wall-clock times of a zone (milliseconds as if it were UTC) to Unix milliseconds. */
function wallClockReader(timezone: string): (wallMs: number, previousMs: number) => number {
  const zone = IANAZone.create(timezone);
  const offsetAt = (ms: number): number => zone.offset(ms) * 60_000;
  /** Offsets around a day, the earlier one first; files have many rows a day. */
  const offsetsOfDay = new Map<number, [number, number]>();

  return (wallMs, previousMs) => {
    const day = Math.floor(wallMs / DAY_MS);
    let offsets = offsetsOfDay.get(day);
    if (!offsets) {
      // Wider than the day by the largest offsets there are, UTC+14 and UTC-12.
      offsets = [offsetAt(day * DAY_MS - 15 * HOUR_MS), offsetAt((day + 1) * DAY_MS + 13 * HOUR_MS)];
      offsetsOfDay.set(day, offsets);
    }
    const [before, after] = offsets;
    if (before === after) return wallMs - before;
    const first = wallMs - before;
    const second = wallMs - after;
    const isFirst = offsetAt(first) === before;
    const isSecond = offsetAt(second) === after;
    // The hour that comes twice: the file says by its order which of the two is meant.
    if (isFirst && isSecond) return first > previousMs ? first : second;
    return isSecond ? second : first;
  };
}

/**
 * Makes a reader of the timestamps of one file, row after row: Unix seconds or milliseconds, or ISO 8601. Times without
 * an offset are read in `timezone` (IANA). Of the hour that comes twice in autumn the first is taken, and the second
 * once the first has passed; a time that is left out in spring is read as the one an hour later. The reader returns
 * Unix seconds and throws TimestampError with the broken rule.
 */
export function timestampReader(timezone: string): (text: string) => number {
  const toUnixMs = wallClockReader(timezone);
  let previousMs = -Infinity;

  const read = (text: string): number => {
    if (NUMBER.test(text)) {
      const number = Number(text);
      const size = Math.abs(number);
      if (size >= FIRST_MICROSECONDS) {
        throw new TimestampError(`timestamp "${text}" is too large for Unix seconds or milliseconds`);
      }
      return size >= FIRST_MILLISECONDS ? number : number * 1000;
    }
    const parts = ISO.exec(text);
    if (!parts) {
      throw new TimestampError(
        text === ''
          ? 'the timestamp is empty'
          : `timestamp "${text.slice(0, 60)}" is neither Unix seconds or milliseconds nor ISO 8601 (2025-10-09T08:00:00Z)`,
      );
    }
    const wallMs = wallClockMs(parts);
    const offset = parts[8];
    return offset === undefined ? toUnixMs(wallMs, previousMs) : wallMs - offsetMs(offset);
  };

  return (text) => {
    previousMs = read(text);
    return previousMs / 1000;
  };
}
