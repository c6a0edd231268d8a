/**
 * Formats the numbers of metrics for people: the only formatter of console, mail, chat, pictures, reasons and command
 * line.
 */
import { type MetricType } from '#libs/contracts';

/** Maximum number of significant digits: more do not help a reader; the API returns the exact numbers. */
const DIGITS = 4;

interface Prefix {
  factor: number;
  symbol: string;
}

const LARGE: readonly Prefix[] = [
  { factor: 1e18, symbol: 'E' },
  { factor: 1e15, symbol: 'P' },
  { factor: 1e12, symbol: 'T' },
  { factor: 1e9, symbol: 'G' },
  { factor: 1e6, symbol: 'M' },
  { factor: 1e3, symbol: 'k' },
];
const SMALL: readonly Prefix[] = [
  { factor: 1e-3, symbol: 'm' },
  { factor: 1e-6, symbol: 'µ' },
  { factor: 1e-9, symbol: 'n' },
  { factor: 1e-12, symbol: 'p' },
];
/** Without a unit that takes prefixes, a number between these is written without a prefix: `0.002`, `8422`. */
const PLAIN_FROM = 1e-3;
const PLAIN_BELOW = 1e4;
const PREFIXED_BELOW = 1e21;
const LARGEST = 1.797e308;

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
export const MINUS = '−';
const NOTHING = '–';

/**
 * A table without a prototype: a unit may have the name of a member of every object (`constructor`), and must not be
 * found.
 */
function table<T>(entries: Record<string, T>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null) as Record<string, T>, entries);
}

/** Units that take prefixes, by the spellings of senders. Some have no fractions: there is no millibyte. */
const SCALED_UNITS: Readonly<Record<string, { symbol: string; hasParts: boolean }>> = table({
  B: { symbol: 'B', hasParts: false },
  By: { symbol: 'B', hasParts: false },
  byte: { symbol: 'B', hasParts: false },
  bytes: { symbol: 'B', hasParts: false },
  bit: { symbol: 'bit', hasParts: false },
  bits: { symbol: 'bit', hasParts: false },
  bps: { symbol: 'bps', hasParts: false },
  W: { symbol: 'W', hasParts: true },
  watt: { symbol: 'W', hasParts: true },
  watts: { symbol: 'W', hasParts: true },
  Wh: { symbol: 'Wh', hasParts: true },
  J: { symbol: 'J', hasParts: true },
  joule: { symbol: 'J', hasParts: true },
  joules: { symbol: 'J', hasParts: true },
  V: { symbol: 'V', hasParts: true },
  volt: { symbol: 'V', hasParts: true },
  volts: { symbol: 'V', hasParts: true },
  A: { symbol: 'A', hasParts: true },
  ampere: { symbol: 'A', hasParts: true },
  amperes: { symbol: 'A', hasParts: true },
  VA: { symbol: 'VA', hasParts: true },
  Hz: { symbol: 'Hz', hasParts: true },
  hertz: { symbol: 'Hz', hasParts: true },
  Pa: { symbol: 'Pa', hasParts: true },
});

/** Lengths of units of time, in seconds. */
const TIME_UNITS: Readonly<Record<string, number>> = table({
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  millisecond: 1e-3,
  milliseconds: 1e-3,
  s: 1,
  sec: 1,
  second: 1,
  seconds: 1,
});
/** From this many seconds on, a time is written in the larger unit. */
const LONG_TIMES = [
  { from: 172_800, seconds: 86_400, symbol: 'd' },
  { from: 7200, seconds: 3600, symbol: 'h' },
] as const;
/** Larger values are timestamps (seconds since 1970), not durations. */
const LONGEST_TIME = 1e9;

/** Other spellings of units. */
const NAMES: Readonly<Record<string, string>> = table({
  '1': '',
  none: '',
  ratio: '',
  percent: '%',
  celsius: '°C',
  Cel: '°C',
  kelvin: 'K',
  meters: 'm',
  metres: 'm',
  grams: 'g',
});

/**
 * A number with at most four significant digits, and a prefix if it is large or tiny: `62.76`, `963.5 M`, `−35 µ`; `–`
 * if it is not finite.
 */
export function numberText(value: number): string {
  return written(value, PLAIN_FROM, PLAIN_BELOW, SMALL);
}

/** Space on disk: `62 MB`, `12.3 GB`. */
export function diskText(bytes: number): string {
  return bytes < 1e9 ? `${String(Math.round(bytes / 1e6))} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** A number with its unit: `84.24 ms`, `1.44 GB`, `93 %`, `12.3 /s`; `no value` for null. */
export function valueText(value: number | null, unit: string | null): string {
  if (value === null) return 'no value';
  if (!Number.isFinite(value)) return NOTHING;
  const { base, isRate } = partsOf(unit);
  const rate = isRate ? '/s' : '';
  const seconds = TIME_UNITS[base];
  if (seconds !== undefined && value === 0) return `0 ${base.length > 2 ? 's' : base}${rate}`;
  if (seconds !== undefined) return isRate ? shareText(value * seconds) : timeText(value * seconds);
  const scaled = scaledUnit(base);
  if (scaled !== null) {
    const text = written(value * scaled.factor, scaled.hasParts ? 1 : 0, 1e3, scaled.hasParts ? SMALL : []);
    return `${/[A-Za-zµ]$/.test(text) ? text : `${text} `}${scaled.symbol}${rate}`;
  }
  const name = NAMES[base] ?? base;
  return name === '' && rate === '' ? numberText(value) : `${numberText(value)} ${name}${rate}`;
}

/** `3.35 to 4.87 ms`, `900 B to 1.2 kB`, `at most 9 GB`; null if nothing is known. */
export function rangeText(lower: number | null, upper: number | null, unit: string | null): string | null {
  if (lower === null && upper === null) return null;
  if (lower === null) return `at most ${valueText(upper, unit)}`;
  if (upper === null) return `at least ${valueText(lower, unit)}`;
  // A bound that is too small for the digits of the range is zero: a computed bound may differ from it by a rounding
  // error.
  const [low, high] = [lower, upper].map((bound) => (Math.abs(bound) < (upper - lower) * 10 ** -DIGITS ? 0 : bound));
  const [from, to] = [valueText(low!, unit), valueText(high!, unit)];
  if (from === to) return to;
  // Zero is zero in every unit.
  if (low === 0) return `0 to ${to}`;
  const common = commonUnit(from, to);
  return `${common === null ? from : from.slice(0, -common.length).trimEnd()} to ${to}`;
}

/** Distance from the range: `79.3 ms above`, `3 below`; null within the range, and if value or range is unknown. */
export function beyondText(
  value: number | null,
  { lower, upper }: { lower: number | null; upper: number | null },
  unit: string | null,
): string | null {
  if (value === null) return null;
  if (upper !== null && value > upper) return `${valueText(value - upper, unit)} above`;
  return lower !== null && value < lower ? `${valueText(lower - value, unit)} below` : null;
}

/** The unit of the analysed and displayed values: for counters and rates, the unit per second, `bytes/s` or `/s`. */
export function shownUnit({ type, unit }: { type: MetricType; unit: string | null }): string | null {
  return type === 'gauge' ? unit : rateUnit(unit);
}

/** `bytes/s` for `bytes`, `/s` for none; the unit of a rate is returned unchanged. */
export function rateUnit(unit: string | null): string {
  const { base, isRate } = partsOf(unit);
  if (isRate) return unit!.trim();
  return `${NAMES[base] === '' ? '' : base}/s`;
}

/** The unit on the axis of a picture: `ms`, `°C`, `bytes/s`, `per second`; empty for none. */
export function unitName(unit: string | null): string {
  const { base, isRate } = partsOf(unit);
  const name = NAMES[base] ?? base;
  if (!isRate) return name;
  return name === '' ? 'per second' : `${name}/s`;
}

/** `{request}/s` of OpenTelemetry is a rate of `request`. Units are no longer than names. */
function partsOf(unit: string | null): { base: string; isRate: boolean } {
  const name = (unit ?? '').trim();
  const isRate = name.endsWith('/s') || name.endsWith('/sec') || name.endsWith('/second');
  const base = isRate ? name.slice(0, name.lastIndexOf('/')) : name;
  const isNote = base.startsWith('{') && base.endsWith('}');
  return { base: isNote ? base.slice(1, -1) : base, isRate };
}

/** `MB` is a million of `B`, `MiB` 1024 times 1024. */
function scaledUnit(name: string): { symbol: string; hasParts: boolean; factor: number } | null {
  const power = name.length === 3 && name.endsWith('iB') ? 1 + 'KMGT'.indexOf(name.slice(0, 1)) : 0;
  if (power > 0) return { symbol: 'B', hasParts: false, factor: 1024 ** power };
  const whole = SCALED_UNITS[name];
  if (whole !== undefined) return { ...whole, factor: 1 };
  // Written-out words have no prefixes: `mbits` may be either.
  const unit = SCALED_UNITS[name.slice(1)];
  if (unit?.symbol !== name.slice(1)) return null;
  const letter = name.startsWith('K') ? 'k' : name.slice(0, 1);
  const prefix = [...LARGE, ...(unit.hasParts ? SMALL : [])].find(({ symbol }) => symbol === letter);
  return prefix === undefined ? null : { ...unit, factor: prefix.factor };
}

function timeText(seconds: number): string {
  const size = Math.abs(seconds);
  const long = size < LONGEST_TIME ? LONG_TIMES.find(({ from }) => size >= from) : undefined;
  if (long !== undefined) return `${numberText(seconds / long.seconds)} ${long.symbol}`;
  return shareText(seconds, '');
}

/** Seconds per second: `420 ms/s`. */
function shareText(seconds: number, per = '/s'): string {
  const size = Math.abs(rounded(seconds));
  const prefix = size > 0 && size < 1 ? prefixOf(size, SMALL) : undefined;
  if (prefix === undefined) return `${numberText(seconds)} s${per}`;
  return `${numberText(seconds / prefix.factor)} ${prefix.symbol}s${per}`;
}

function written(value: number, plainFrom: number, plainBelow: number, small: readonly Prefix[]): string {
  if (!Number.isFinite(value)) return NOTHING;
  const shown = rounded(value);
  const size = Math.abs(shown);
  if (size === 0) return '0';
  const isPlain = size >= plainFrom && size < plainBelow;
  if (isPlain && size >= PLAIN_FROM) return withMinus(String(shown));
  const prefix = size < PREFIXED_BELOW ? prefixOf(size, size >= plainBelow ? LARGE : small) : undefined;
  if (prefix !== undefined) return `${withMinus(String(rounded(shown / prefix.factor)))} ${prefix.symbol}`;
  const [mantissa = '', exponent = '0'] = shown.toExponential().split('e');
  return withMinus(`${mantissa}${powerOfTen(Number(exponent))}`);
}

const prefixOf = (size: number, prefixes: readonly Prefix[]): Prefix | undefined =>
  prefixes.find(({ factor }) => size >= factor * (1 - 1e-12));

function rounded(value: number): number {
  const shown = Number(value.toPrecision(DIGITS));
  // The largest numbers would be rounded up to Infinity.
  return Number.isFinite(shown) ? shown : Math.sign(value) * LARGEST;
}

/** `×10⁻⁹` */
export function powerOfTen(exponent: number): string {
  const digits = Array.from(String(Math.abs(exponent)), (digit) => SUPERSCRIPTS[Number(digit)]!).join('');
  return `×10${exponent < 0 ? '⁻' : ''}${digits}`;
}

/** Replaces a leading hyphen by the minus sign. */
export const withMinus = (text: string): string => (text.startsWith('-') ? `${MINUS}${text.slice(1)}` : text);

/** The common text of both after their numbers; null if it differs. */
function commonUnit(left: string, right: string): string | null {
  const unitOf = (text: string): string => {
    const blank = text.indexOf(' ');
    return blank < 0 ? '' : text.slice(blank);
  };
  const unit = unitOf(left);
  return unit !== '' && unit === unitOf(right) ? unit : null;
}
