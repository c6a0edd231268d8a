import { DecimalScan, MAX_NUMBER_LENGTH } from '../wire/decimal.js';

const LETTER_I = 0x69;
const LETTER_U = 0x75;

const FLOAT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?\d+$/;
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)$/i;
const BOOLEANS = new Map(
  ['t', 'T', 'true', 'True', 'TRUE']
    .map((text): [string, number] => [text, 1])
    .concat(['f', 'F', 'false', 'False', 'FALSE'].map((text) => [text, 0])),
);

const scan = new DecimalScan();

/**
 * An unquoted field value: float, integer (`12i`), unsigned (`12u`), or boolean as 1 or 0. NaN for spelled-out
 * not-a-number and infinities; null if it is none of these.
 */
export function readFieldNumber(bytes: Buffer, start: number, end: number): number | null {
  scan.read(bytes, start, end);
  if (scan.digits === 0) return readWord(bytes, start, end);
  if (scan.end < end) {
    const suffix = bytes[scan.end]!;
    const isInteger = suffix === LETTER_I || (suffix === LETTER_U && !scan.isNegative);
    if (!isInteger || scan.hasPoint || scan.end + 1 !== end) return readExponent(bytes, start, end);
  }
  if (scan.isExact) return scan.value;
  return end - start > MAX_NUMBER_LENGTH ? null : Number(bytes.toString('latin1', start, scan.end));
}

function readExponent(bytes: Buffer, start: number, end: number): number | null {
  if (end - start > MAX_NUMBER_LENGTH) return null;
  const text = bytes.toString('latin1', start, end);
  return FLOAT.test(text) ? Number(text) : null;
}

function readWord(bytes: Buffer, start: number, end: number): number | null {
  if (end - start > 'infinity'.length + 1) return null;
  const word = bytes.toString('latin1', start, end);
  return BOOLEANS.get(word) ?? (NOT_FINITE.test(word) ? NaN : null);
}
