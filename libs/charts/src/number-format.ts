import { powerOfTen, withMinus as minus } from '#libs/wording';

const PREFIXES = [
  { factor: 1e18, symbol: 'E' },
  { factor: 1e15, symbol: 'P' },
  { factor: 1e12, symbol: 'T' },
  { factor: 1e9, symbol: 'G' },
  { factor: 1e6, symbol: 'M' },
  { factor: 1e3, symbol: 'k' },
] as const;
const SMALL_PREFIXES = [
  { factor: 1e-6, symbol: 'µ' },
  { factor: 1e-9, symbol: 'n' },
  { factor: 1e-12, symbol: 'p' },
] as const;

/** No-break space: a number and its prefix stay together. */
const NBSP = '\u00a0';
const NO_PREFIX = { factor: 1, symbol: '' };
const MAX_DECIMALS = 15;

/** Real minus sign, and no `-0`. */
const withMinus = (text: string): string => minus(/[1-9]/.test(text) || !text.startsWith('-') ? text : text.slice(1));

function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const parts = whole.replace(/\d+/, (digits) => threes(digits).join(NBSP));
  return fraction === undefined ? parts : `${parts}.${fraction}`;
}

/** Digits in groups of three, counted from the end. */
function threes(digits: string): string[] {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups;
}

/** Minimum number of decimals with which every number of the list is exact (to one millionth of their step). */
function decimalsFor(numbers: readonly number[], step: number): number {
  for (let decimals = 0; decimals < MAX_DECIMALS; decimals++) {
    if (numbers.every((number) => Math.abs(Number(number.toFixed(decimals)) - number) <= step * 1e-6)) return decimals;
  }
  return MAX_DECIMALS;
}

/** Labels of the ticks of one axis: all with the same prefix and number of decimals, and no more than necessary. */
export function axisLabels(ticks: readonly number[]): string[] {
  const largest = ticks.reduce((max, tick) => Math.max(max, Math.abs(tick)), 0);
  if (largest === 0) return ticks.map(() => '0');
  const step = ticks.length > 1 ? Math.abs(ticks[1]! - ticks[0]!) : largest;

  if (largest < 1e-12 || largest >= 1e21) {
    const exponent = Math.floor(Math.log10(largest) + 1e-9);
    const scaled = ticks.map((tick) => tick / 10 ** exponent);
    const decimals = Math.min(decimalsFor(scaled, step / 10 ** exponent), 6);
    return scaled.map((value) =>
      Math.abs(value) < 1e-9 ? '0' : withMinus(`${value.toFixed(decimals)}${powerOfTen(exponent)}`),
    );
  }

  // Values up to 1500 have no prefix: `0, 500, 1000` is more readable than `0, 0.5 k, 1 k`.
  const prefix =
    (largest < 1e-3
      ? SMALL_PREFIXES.find(({ factor }) => largest >= factor * (1 - 1e-9))
      : PREFIXES.find(({ factor }) => largest > 1.5 * factor)) ?? NO_PREFIX;
  const scaled = ticks.map((tick) => tick / prefix.factor);
  const decimals = decimalsFor(scaled, step / prefix.factor);
  if (prefix.factor > 1 && decimals > 3) {
    const plain = decimalsFor(ticks, step);
    return ticks.map((tick) => withMinus(grouped(tick.toFixed(plain))));
  }
  return scaled.map((value) => {
    const text = value.toFixed(decimals);
    if (prefix.symbol === '' || Math.abs(value) < 1e-12) return withMinus(Number(text) === 0 ? '0' : text);
    return withMinus(`${text}${NBSP}${prefix.symbol}`);
  });
}
