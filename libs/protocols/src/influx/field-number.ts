const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_I = 0x69;
const LETTER_U = 0x75;

/** Integers of so many digits are exact in a double, and their quotient by a power of ten up to 1e22 is correctly rounded. */
export const EXACT_DIGITS = 15;
export const POWERS_OF_TEN = Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

const FLOAT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?\d+$/;
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)$/i;
const BOOLEANS = new Map(
  ['t', 'T', 'true', 'True', 'TRUE']
    .map((text): [string, number] => [text, 1])
    .concat(['f', 'F', 'false', 'False', 'FALSE'].map((text) => [text, 0])),
);

/** Longest spelling looked at; no number needs more. */
const MAX_LENGTH = 400;

/**
 * An unquoted field value: float, integer (`12i`), unsigned (`12u`), or boolean as 1 or 0. NaN for spelled-out
 * not-a-number and infinities; null when it is none of these. Short decimals are read from the bytes without a text.
 */
export function readFieldNumber(bytes: Buffer, start: number, end: number): number | null {
  const sign = bytes[start];
  let at = sign === MINUS || sign === PLUS ? start + 1 : start;
  let mantissa = 0;
  let digits = 0;
  let decimals = 0;
  let hasDot = false;
  for (; at < end; at++) {
    const byte = bytes[at]!;
    if (byte >= ZERO && byte <= NINE) {
      mantissa = mantissa * 10 + (byte - ZERO);
      digits++;
      if (hasDot) decimals++;
    } else if (byte === DOT && !hasDot) {
      hasDot = true;
    } else {
      break;
    }
  }
  if (digits === 0) return readWord(bytes, start, end);
  if (at < end) {
    const suffix = bytes[at]!;
    const isInteger = suffix === LETTER_I || (suffix === LETTER_U && sign !== MINUS);
    if (!isInteger || hasDot || at + 1 !== end) return readExponent(bytes, start, end);
  }
  if (digits > EXACT_DIGITS) return end - start > MAX_LENGTH ? null : Number(bytes.toString('latin1', start, at));
  const magnitude = mantissa / POWERS_OF_TEN[decimals]!;
  return sign === MINUS ? -magnitude : magnitude;
}

function readExponent(bytes: Buffer, start: number, end: number): number | null {
  if (end - start > MAX_LENGTH) return null;
  const text = bytes.toString('latin1', start, end);
  return FLOAT.test(text) ? Number(text) : null;
}

function readWord(bytes: Buffer, start: number, end: number): number | null {
  if (end - start > 'infinity'.length + 1) return null;
  const word = bytes.toString('latin1', start, end);
  return BOOLEANS.get(word) ?? (NOT_FINITE.test(word) ? NaN : null);
}
