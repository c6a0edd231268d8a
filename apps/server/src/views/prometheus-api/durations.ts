/** Units of a duration in their required order, in milliseconds. */
const UNITS: readonly (readonly [unit: string, milliseconds: number])[] = [
  ['y', 365 * 86_400_000],
  ['w', 7 * 86_400_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];

/** Maximum length of a duration text. */
const MAX_CHARACTERS = 64;
/** A hundred years: nothing is stored longer, and sums with times stay exact. */
const MAX_SECONDS = 100 * 365 * 86_400;

/** Parses a PromQL duration to seconds: `5m`, `1h30m`, `0`. Undefined if it is none. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (text === '' || text.length > MAX_CHARACTERS) return undefined;
  let milliseconds = 0;
  let nextUnit = 0;
  let rest = text;
  while (rest !== '') {
    const [all, digits, unit] = /^(\d+)(ms|[ywdhms])/.exec(rest) ?? [];
    if (all === undefined) return undefined;
    const at = UNITS.findIndex(([name]) => name === unit);
    // Each unit once, larger units first.
    if (at < nextUnit) return undefined;
    milliseconds += Number(digits) * UNITS[at]![1];
    nextUnit = at + 1;
    rest = rest.slice(all.length);
  }
  const seconds = milliseconds / 1000;
  return seconds <= MAX_SECONDS ? seconds : undefined;
}

/** Parses a parameter that is a duration or a number of seconds: `15`, `0.5`, `1h30m`. Undefined if it is neither. */
export function parseSeconds(text: string): number | undefined {
  return parseDuration(text) ?? decimal(text, MAX_SECONDS);
}

/** Parses a parameter that is a number of seconds or a time of RFC 3339 to Unix seconds. Undefined if it is neither. */
export function parseTime(text: string): number | undefined {
  const seconds = decimal(text, 1e11);
  if (seconds !== undefined) return roundToMilliseconds(seconds);
  if (text.length > MAX_CHARACTERS) return undefined;
  const [, date, clock, fraction = '', zone] =
    /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  if (date === undefined || clock === undefined || zone === undefined) return undefined;
  const milliseconds = Date.parse(`${date}T${clock}${zone.toUpperCase()}`);
  if (Number.isNaN(milliseconds)) return undefined;
  return roundToMilliseconds(milliseconds / 1000 + Number(`0${fraction}`));
}

/** Prometheus times have a resolution of one millisecond. */
export function roundToMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function decimal(text: string, most: number): number | undefined {
  if (text.length > MAX_CHARACTERS || !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  return Math.abs(number) <= most ? number : undefined;
}
