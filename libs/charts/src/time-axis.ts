import { DateTime } from 'luxon';

export interface TimeTick {
  /** Unix seconds. */
  timestamp: number;
  label: string;
  /** The day, month or year of the tick: set for the first tick and where it changes. */
  context: string | null;
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Steps that divide a day, then days (weeks start on Monday). */
const WALL_CLOCK_STEPS = [
  1, 2, 5, 10, 15, 30,
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14].map((days) => days * DAY),
]; // prettier-ignore
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200];
const MONTH_SECONDS = 30.44 * DAY;
/** 1970-01-05, a Monday, in days since the epoch. */
const FIRST_MONDAY = 4;
/** Every offset from UTC is a multiple of this, so smaller steps are round numbers in every zone. */
const QUARTER_HOUR = 15 * MINUTE;
/** Apia skipped a whole day in 2011. */
const LARGEST_OFFSET_CHANGE = DAY;

interface Format {
  label: string;
  context: string | null;
}

function formatOf(stepSeconds: number): Format {
  if (stepSeconds < MINUTE) return { label: 'HH:mm:ss', context: 'd LLL yyyy' };
  if (stepSeconds < DAY) return { label: 'HH:mm', context: 'd LLL yyyy' };
  if (stepSeconds < 7 * DAY) return { label: 'ccc d', context: 'LLL yyyy' };
  if (stepSeconds < MONTH_SECONDS) return { label: 'd LLL', context: 'yyyy' };
  if (stepSeconds < 12 * MONTH_SECONDS) return { label: 'LLL', context: 'yyyy' };
  return { label: 'yyyy', context: null };
}

/** Ticks at round local wall-clock times: 06:00 stays 06:00 when daylight-saving time starts or ends. */
function wallClockTicks(from: number, until: number, timezone: string, step: number): number[] {
  if (step <= QUARTER_HOUR) {
    const first = Math.ceil(from / step);
    const count = Math.max(0, Math.floor(until / step) - first + 1);
    return Array.from({ length: count }, (_, k) => (first + k) * step);
  }
  const offsetSeconds = DateTime.fromSeconds(from, { zone: timezone }).offset * MINUTE;
  const origin = step % (7 * DAY) === 0 ? FIRST_MONDAY * DAY : 0;
  const ticks: number[] = [];
  // One step early: the offset at the first tick may differ from the one at `from`.
  let wall = origin + Math.floor((from + offsetSeconds - origin) / step - 1) * step;
  for (; ; wall += step) {
    const timestamp = DateTime.fromSeconds(wall, { zone: 'utc' })
      .setZone(timezone, { keepLocalTime: true })
      .toSeconds();
    if (wall - offsetSeconds > until + LARGEST_OFFSET_CHANGE) return ticks;
    const previous = ticks.at(-1) ?? -Infinity;
    if (timestamp >= from && timestamp <= until && timestamp > previous) ticks.push(timestamp);
  }
}

function monthTicks(from: number, until: number, timezone: string, months: number): number[] {
  const first = DateTime.fromSeconds(from, { zone: timezone });
  const monthIndex = Math.floor((first.year * 12 + first.month - 1) / months) * months;
  const ticks: number[] = [];
  for (let index = monthIndex; ; index += months) {
    const timestamp = DateTime.fromObject(
      { year: Math.floor(index / 12), month: (index % 12) + 1, day: 1 },
      { zone: timezone },
    ).toSeconds();
    if (timestamp > until) return ticks;
    if (timestamp >= from) ticks.push(timestamp);
  }
}

/**
 * At most about `maxTicks` ticks at round local times of the zone between two Unix times, with labels in two levels:
 * the time itself, and its day, month or year where that starts.
 */
export function timeTicks(from: number, until: number, timezone: string, maxTicks: number): TimeTick[] {
  const least = (until - from) / Math.max(1, maxTicks);
  const wallStep = WALL_CLOCK_STEPS.find((step) => step >= least);
  const months = MONTH_STEPS.find((step) => step * MONTH_SECONDS >= least) ?? MONTH_STEPS.at(-1)!;
  const timestamps =
    wallStep === undefined
      ? monthTicks(from, until, timezone, months)
      : wallClockTicks(from, until, timezone, wallStep);
  const format = formatOf(wallStep ?? months * MONTH_SECONDS);
  let context: string | null = null;
  return timestamps.map((timestamp) => {
    const time = DateTime.fromSeconds(timestamp, { zone: timezone, locale: 'en' });
    const own = format.context === null ? null : time.toFormat(format.context);
    const isNew = own !== context;
    context = own;
    return { timestamp, label: time.toFormat(format.label), context: isNew ? own : null };
  });
}

/** `12 Jul 2022, 15:00 – 16:30`; names the day twice only if the days differ. */
export function timeRangeText(from: number, until: number, timezone: string): string {
  const first = DateTime.fromSeconds(from, { zone: timezone, locale: 'en' });
  const last = DateTime.fromSeconds(until, { zone: timezone, locale: 'en' });
  const short = until - from < 10 * MINUTE ? 'HH:mm:ss' : 'HH:mm';
  const end = first.hasSame(last, 'day') ? last.toFormat(short) : last.toFormat(`d LLL yyyy, ${short}`);
  return `${first.toFormat(`d LLL yyyy, ${short}`)} – ${end}`;
}
