/** Values and times as people read them in alerts: short, with their unit, in the zone of the organisation. */
import { DateTime } from 'luxon';

/** More digits than these say nothing in a message. */
const DIGITS = 4;

const BYTES = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
const LARGE = ['', ' k', ' M', ' G', ' T'];
/** Below it a number is written out: `84213`. */
const WRITTEN_OUT = 100_000;
const TINY = 1e-6;

/** `84.2`, `12.35 M`, `1.2e-9`; whole numbers below 100,000 keep all their digits. */
export function shortValue(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size < TINY || size >= 1e15) return value.toExponential(2).replace('e+', 'e');
  if (size < WRITTEN_OUT) return String(size >= 1000 ? Math.round(value) : Number(value.toPrecision(DIGITS)));
  return scaled(value, 1000, LARGE);
}

/** With its unit: `84.2 ms`, `12.35 GB`, `85%`; `no value` for null. */
export function valueText(value: number | null, unit: string | null): string {
  if (value === null) return 'no value';
  const name = (unit ?? '').trim();
  switch (name.toLowerCase()) {
    case '':
    case '1':
    case 'none':
      return shortValue(value);
    case '%':
    case 'percent':
      return `${shortValue(value)}%`;
    case 'b':
    case 'by':
    case 'byte':
    case 'bytes':
      return name === 'b'
        ? `${shortValue(value)} b`
        : scaled(
            value,
            1000,
            BYTES.map((symbol) => ` ${symbol}`),
          );
    case 's':
    case 'second':
    case 'seconds':
      return secondsText(value);
    default:
      return `${shortValue(value)} ${name}`;
  }
}

/** `3.35 to 4.87 ms`, `above 3`, `below 9 GB`; null where nothing is known. */
export function rangeText(lower: number | null, upper: number | null, unit: string | null): string | null {
  if (lower === null && upper === null) return null;
  if (lower === null) return `at most ${valueText(upper, unit)}`;
  if (upper === null) return `at least ${valueText(lower, unit)}`;
  const [from, to] = [valueText(lower, unit), valueText(upper, unit)];
  if (from === to) return to;
  const common = commonUnit(from, to);
  return `${common === null ? from : from.slice(0, -common.length).trimEnd()} to ${to}`;
}

/** How far outside: `79.3 ms above`, `3 below`; null within the range, and where nothing is known. */
export function beyondText(
  value: number | null,
  { lower, upper }: { lower: number | null; upper: number | null },
  unit: string | null,
): string | null {
  if (value === null) return null;
  if (upper !== null && value > upper) return `${valueText(value - upper, unit)} above`;
  return lower !== null && value < lower ? `${valueText(lower - value, unit)} below` : null;
}

/** `29 minutes`, `3 hours 5 minutes`, `2 days`; less than a minute in seconds; `one point` for what ended as it began. */
export function lastingText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole === 0) return 'one point';
  if (whole < 60) return counted(whole, 'second');
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return counted(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return joined(counted(hours, 'hour'), minutes % 60, 'minute');
  return joined(counted(Math.floor(hours / 24), 'day'), hours % 24, 'hour');
}

/** `14:02`; `Thu 9 Oct, 14:02` where that is another day than `now`. */
export function clockText(timestamp: number, timezone: string, now: number): string {
  const moment = momentOf(timestamp, timezone);
  return moment.hasSame(momentOf(now, timezone), 'day')
    ? moment.toFormat('HH:mm')
    : moment.toFormat('ccc d LLL, HH:mm');
}

/** `Thu 9 Oct 2025, 14:02 (UTC+02:00)` */
export function momentText(timestamp: number, timezone: string): string {
  const moment = momentOf(timestamp, timezone);
  return `${moment.toFormat('ccc d LLL yyyy, HH:mm')} (${offsetText(moment)})`;
}

/** `1 metric`, `2,000 metrics` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** One line of at most so many characters; the middle of longer ones is left out, since both ends tell names apart. */
export function shortened(text: string, most: number): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= most) return line;
  const head = Math.ceil((most - 1) * 0.6);
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (most - 1 - head)).join('')}`;
}

function momentOf(timestamp: number, timezone: string): DateTime {
  return DateTime.fromSeconds(timestamp, { zone: timezone, locale: 'en-US' });
}

const offsetText = (moment: DateTime): string => (moment.offset === 0 ? 'UTC' : `UTC${moment.toFormat('ZZ')}`);

function joined(first: string, rest: number, unit: string): string {
  return rest === 0 ? first : `${first} ${counted(rest, unit)}`;
}

function secondsText(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || size >= 1) return `${shortValue(value)} s`;
  return size >= 1e-3 ? `${shortValue(value * 1e3)} ms` : `${shortValue(value * 1e6)} µs`;
}

function scaled(value: number, factor: number, symbols: readonly string[]): string {
  let [scaledValue, step] = [value, 0];
  while (Math.abs(Number(scaledValue.toPrecision(DIGITS))) >= factor && step < symbols.length - 1) {
    scaledValue /= factor;
    step++;
  }
  return `${String(Number(scaledValue.toPrecision(DIGITS)))}${symbols[step]!}`;
}

/** What both end with after their number; null where that differs. */
function commonUnit(left: string, right: string): string | null {
  const unitOf = (text: string) => text.replace(/^[^\s%]+/, '');
  const unit = unitOf(left);
  return unit !== '' && unit === unitOf(right) ? unit : null;
}
