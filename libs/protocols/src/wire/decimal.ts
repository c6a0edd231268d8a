import { parseNumberText } from '../json/number-text.js';

const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * Integers with this many digits are exact in a double, and their quotient by a power of ten up to 1e22 is correctly
 * rounded.
 */
export const EXACT_DIGITS = 15;
export const POWERS_OF_TEN = Array.from({ length: EXACT_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

/** Maximum length of a number; none needs more. */
export const MAX_NUMBER_LENGTH = 400;

/** Sign, digits and point at the beginning of a text in bytes: short decimals are read without creating a string. */
export class DecimalScan {
  /** Position of the first other byte. */
  end = 0;
  digits = 0;
  hasPoint = false;
  isNegative = false;
  private mantissa = 0;
  private decimals = 0;

  read(bytes: Buffer, start: number, end: number): void {
    const sign = bytes[start];
    this.isNegative = sign === MINUS;
    let at = sign === MINUS || sign === PLUS ? start + 1 : start;
    let mantissa = 0;
    let digits = 0;
    let decimals = 0;
    let hasPoint = false;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte >= ZERO && byte <= NINE) {
        mantissa = mantissa * 10 + (byte - ZERO);
        digits++;
        if (hasPoint) decimals++;
      } else if (byte === DOT && !hasPoint) {
        hasPoint = true;
      } else {
        break;
      }
    }
    this.end = at;
    this.digits = digits;
    this.hasPoint = hasPoint;
    this.mantissa = mantissa;
    this.decimals = decimals;
  }

  /** Whether `value` is the number that was spelled, correctly rounded. */
  get isExact(): boolean {
    return this.digits > 0 && this.digits <= EXACT_DIGITS;
  }

  get value(): number {
    const magnitude = this.mantissa / POWERS_OF_TEN[this.decimals]!;
    return this.isNegative ? -magnitude : magnitude;
  }
}

const scan = new DecimalScan();

/**
 * A decimal number in bytes, such as `-1.5e3`. NaN for spelled-out not-a-number and infinities, null if it is neither.
 */
export function readDecimal(bytes: Buffer, start: number, end: number): number | null {
  scan.read(bytes, start, end);
  if (scan.isExact && scan.end === end) return scan.value;
  return end - start > MAX_NUMBER_LENGTH ? null : parseNumberText(bytes.toString('latin1', start, end));
}
