const PREFIXES = [
  { factor: 1e12, symbol: 'T' },
  { factor: 1e9, symbol: 'G' },
  { factor: 1e6, symbol: 'M' },
  { factor: 1e3, symbol: 'k' },
] as const;

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** No-break space: a number and its prefix stay together. */
const NBSP = '\u00a0';
const MAX_DECIMALS = 15;

/** `×10⁻⁹` */
function powerOfTen(exponent: number): string {
  const digits = Array.from(String(Math.abs(exponent)), (digit) => SUPERSCRIPTS[Number(digit)]!).join('');
  return `×10${exponent < 0 ? '⁻' : ''}${digits}`;
}

/** Real minus sign, and no `-0`. */
function withMinus(text: string): string {
  if (!text.startsWith('-')) return text;
  return /[1-9]/.test(text) ? `−${text.slice(1)}` : text.slice(1);
}

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

/** Fewest decimals that write every number of the list exactly (to one part in a million of their step). */
function decimalsFor(numbers: readonly number[], step: number): number {
  for (let decimals = 0; decimals < MAX_DECIMALS; decimals++) {
    if (numbers.every((number) => Math.abs(Number(number.toFixed(decimals)) - number) <= step * 1e-6)) return decimals;
  }
  return MAX_DECIMALS;
}

/**
 * One number for people, `digits` significant digits: `1.2 k`, `3.4 M`, `0.5`, `2×10⁻⁹`; `–` for what is not finite.
 */
export function shortNumber(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  if (size >= 1e15 || size < 1e-3) {
    const [mantissa = '', exponent = '0'] = rounded.toExponential().split('e');
    return withMinus(`${mantissa}${powerOfTen(Number(exponent))}`);
  }
  const prefix = PREFIXES.find(({ factor }) => size >= factor);
  if (!prefix) return withMinus(String(rounded));
  return withMinus(`${Number((rounded / prefix.factor).toPrecision(digits))}${NBSP}${prefix.symbol}`);
}

/** Labels of the ticks of one axis: all with the same prefix and number of decimals, no more of either than needed. */
export function axisLabels(ticks: readonly number[]): string[] {
  const largest = ticks.reduce((max, tick) => Math.max(max, Math.abs(tick)), 0);
  if (largest === 0) return ticks.map(() => '0');
  const step = ticks.length > 1 ? Math.abs(ticks[1]! - ticks[0]!) : largest;

  if (largest < 1e-3 || largest >= 1e15) {
    const exponent = Math.floor(Math.log10(largest) + 1e-9);
    const scaled = ticks.map((tick) => tick / 10 ** exponent);
    const decimals = Math.min(decimalsFor(scaled, step / 10 ** exponent), 6);
    return scaled.map((value) =>
      Math.abs(value) < 1e-9 ? '0' : withMinus(`${value.toFixed(decimals)}${powerOfTen(exponent)}`),
    );
  }

  // Up to 1500 stays plain: `0, 500, 1000` reads better than `0, 0.5 k, 1 k`.
  const prefix = PREFIXES.find(({ factor }) => largest > 1.5 * factor) ?? { factor: 1, symbol: '' };
  const scaled = ticks.map((tick) => tick / prefix.factor);
  const decimals = decimalsFor(scaled, step / prefix.factor);
  if (prefix.symbol !== '' && decimals > 3) {
    const plain = decimalsFor(ticks, step);
    return ticks.map((tick) => withMinus(grouped(tick.toFixed(plain))));
  }
  return scaled.map((value) => {
    const text = value.toFixed(decimals);
    if (prefix.symbol === '' || Math.abs(value) < 1e-12) return withMinus(Number(text) === 0 ? '0' : text);
    return withMinus(`${text}${NBSP}${prefix.symbol}`);
  });
}
