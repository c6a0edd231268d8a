/** Zone of all times that a page shows. */
export type ZoneChoice = 'org' | 'local' | 'utc';

export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (!format)
    formats.set(key, (format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...options })));
  return format;
}

const dayOf = (timestamp: number, zone: string): string =>
  formatOf(zone, { year: 'numeric', month: '2-digit', day: '2-digit' }).format(timestamp * 1000);

/** `14:02` today, `Mon 14:02` within six days, `12 Oct 14:02` before. Unix seconds. */
export function timeText(timestamp: number, zone: string, now = Date.now() / 1000): string {
  const time = formatOf(zone, { hour: '2-digit', minute: '2-digit' }).format(timestamp * 1000);
  if (dayOf(timestamp, zone) === dayOf(now, zone)) return time;
  if (Math.abs(now - timestamp) < 6 * 86_400) {
    return `${formatOf(zone, { weekday: 'short' }).format(timestamp * 1000)} ${time}`;
  }
  const sameYear = formatOf(zone, { year: 'numeric' });
  const year = sameYear.format(timestamp * 1000) === sameYear.format(now * 1000) ? {} : { year: 'numeric' as const };
  return `${formatOf(zone, { day: 'numeric', month: 'short', ...year }).format(timestamp * 1000)} ${time}`;
}

/** `Sun 12 Oct 2025, 14:02:10`: for hovers and tables. */
export function fullTimeText(timestamp: number, zone: string): string {
  return formatOf(zone, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).format(timestamp * 1000);
}

/** `12 Oct 2025`. */
export function dateText(timestamp: number, zone: string): string {
  return formatOf(zone, { day: 'numeric', month: 'short', year: 'numeric' }).format(timestamp * 1000);
}

const UNITS = [
  { seconds: 86_400, name: 'd' },
  { seconds: 3600, name: 'h' },
  { seconds: 60, name: 'min' },
  { seconds: 1, name: 's' },
] as const;

/** `4 s`, `29 min`, `2 h 5 min`, `3 d 4 h`: the two largest units, of which the second is left out when it is zero. */
export function durationText(seconds: number): string {
  const total = Math.max(0, Math.round(seconds));
  const index = UNITS.findIndex((unit) => total >= unit.seconds);
  if (index < 0) return '0 s';
  const large = UNITS[index]!;
  const first = Math.floor(total / large.seconds);
  const small = UNITS[index + 1];
  // From ten of the large unit on, or below an hour, the small one is noise.
  if (!small || large.name === 'min' || first >= 10) return `${String(first)} ${large.name}`;
  const second = Math.floor((total - first * large.seconds) / small.seconds);
  return second === 0
    ? `${String(first)} ${large.name}`
    : `${String(first)} ${large.name} ${String(second)} ${small.name}`;
}

/** As `durationText`; what began and ended with the same point lasted `one point`. */
export function lastedText(seconds: number): string {
  return seconds === 0 ? 'one point' : durationText(seconds);
}

/** `4 s ago`, `in 2 h`. */
export function agoText(timestamp: number, now = Date.now() / 1000): string {
  return timestamp > now + 1 ? `in ${durationText(timestamp - now)}` : `${durationText(now - timestamp)} ago`;
}
