import { timeFormat, timeText as writtenTime } from '#libs/wording';

export { dateText } from '#libs/wording';

export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** `14:02` today, `Mon 14:02` within six days, `12 Oct 14:02` before. Unix seconds. */
export const timeText = (timestamp: number, zone: string, now = Date.now() / 1000): string =>
  writtenTime(timestamp, zone, now);

/** `Sun 12 Oct 2025, 14:02:10`: for tooltips and tables. */
export function fullTimeText(timestamp: number, zone: string): string {
  return timeFormat(zone, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).format(timestamp * 1000);
}

const UNITS = [
  { seconds: 86_400, name: 'd' },
  { seconds: 3600, name: 'h' },
  { seconds: 60, name: 'min' },
  { seconds: 1, name: 's' },
] as const;

/** `4 s`, `29 min`, `2 h 5 min`, `3 d 4 h`: the two largest units; the second one is omitted if it is zero. */
export function durationText(seconds: number): string {
  const total = Math.max(0, Math.round(seconds));
  const index = UNITS.findIndex((unit) => total >= unit.seconds);
  if (index < 0) return '0 s';
  const large = UNITS[index]!;
  const first = Math.floor(total / large.seconds);
  const small = UNITS[index + 1];
  // From ten of the large unit on, or below an hour, the smaller unit is insignificant.
  if (!small || large.name === 'min' || first >= 10) return `${String(first)} ${large.name}`;
  const second = Math.floor((total - first * large.seconds) / small.seconds);
  return second === 0
    ? `${String(first)} ${large.name}`
    : `${String(first)} ${large.name} ${String(second)} ${small.name}`;
}

/** Like `durationText`; `one point` if it started and ended with the same point. */
export function lastedText(seconds: number): string {
  return seconds === 0 ? 'one point' : durationText(seconds);
}

/** `4 s ago`, `in 2 h`. */
export function agoText(timestamp: number, now = Date.now() / 1000): string {
  return timestamp > now + 1 ? `in ${durationText(timestamp - now)}` : `${durationText(now - timestamp)} ago`;
}
