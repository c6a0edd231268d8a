import { parseNumberText } from '../json/number-text.js';

const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** Integers of so many digits are exact in a double, and their quotient by a power of ten up to 1e22 is correctly rounded. */
const EXACT_DIGITS = 15;
const POWERS_OF_TEN = Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

/** Longest spelling looked at; no number needs more. */
const MAX_LENGTH = 400;

/**
 * A decimal number in bytes, such as `-1.5e3`. NaN for spelled-out not-a-number and infinities, null when it is neither.
 * Short decimals are read without making a text.
 */
export function readDecimal(bytes: Buffer, start: number, end: number): number | null {
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
  if (digits === 0 || digits > EXACT_DIGITS || at < end) {
    return end - start > MAX_LENGTH ? null : parseNumberText(bytes.toString('latin1', start, end));
  }
  const magnitude = mantissa / POWERS_OF_TEN[decimals]!;
  return sign === MINUS ? -magnitude : magnitude;
}
