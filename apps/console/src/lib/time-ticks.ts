import { offsetAt } from './time-input';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 30, 60].map((count) => count * DAY),
];

export interface TimeTick {
  /** Unix seconds. */
  at: number;
  /** `14:30`; at the start of a day with the day: `Mon 00:00`; for steps of days `12 Oct`. */
  label: string;
}

/** Round times of day of a zone within a window, at most `most` of them. Unix seconds. */
export function timeTicks(window: { from: number; until: number }, zone: string, most: number): TimeTick[] {
  const { from, until } = window;
  const step = STEPS.find((seconds) => (until - from) / seconds <= Math.max(1, most)) ?? STEPS.at(-1)!;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    ...(step >= DAY ? { day: 'numeric', month: 'short' } : { hour: '2-digit', minute: '2-digit' }),
  });
  const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short' });
  const ticks: TimeTick[] = [];
  const firstLocal = Math.floor((from + offsetAt(from, zone)) / step) * step;
  for (let local = firstLocal; local <= until + offsetAt(until, zone) + step; local += step) {
    // Twice: the first guess may be on the other side of a clock change.
    const at = local - offsetAt(local - offsetAt(local, zone), zone);
    if (at < from || at > until || at <= (ticks.at(-1)?.at ?? -Infinity)) continue;
    const time = format.format(at * 1000);
    const isNewDay = step < DAY && local % DAY === 0;
    ticks.push({ at, label: isNewDay ? `${weekday.format(at * 1000)} ${time}` : time });
  }
  return ticks;
}
