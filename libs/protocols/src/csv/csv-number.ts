import { excerpt } from '../batch/quoted.js';
import { readDecimal } from '../wire/decimal.js';

const COMMA = 0x2c;
const DOT = 0x2e;
const LETTERS_A = 0x41;

/** Maximum length of a number with thousands separators or a decimal comma. */
const MAX_GROUPED_BYTES = 64;
/** Maximum length of a word for a missing value. */
const MAX_MISSING_BYTES = 4;
const MISSING: ReadonlySet<string> = new Set(['null', 'na', 'n/a', 'none']);

/**
 * A number with the thousands separator `,` and a decimal point, and the other way round; each text has a single
 * interpretation.
 */
const WITH_POINT = /^[+-]?\d{1,3}(?:[,'’\u0020\u00a0\u202f]\d{3})+(?:\.\d*)?(?:[eE][+-]?\d+)?$/;
const WITH_COMMA = /^[+-]?(?:(?:\d{1,3}(?:[.'’\u0020\u00a0\u202f]\d{3})+|\d+)(?:,\d*)?|,\d+)(?:[eE][+-]?\d+)?$/;
const SIMPLE_COMMA = /^[+-]?(\d*),(\d*)(?:[eE][+-]?\d+)?$/;

/** The decimal separator of a number. */
export const DECIMAL_SIGNS = ['.', ','] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/**
 * Reads the values of a CSV text. With a given decimal separator, the other one (or an apostrophe or a blank) may
 * separate thousands. Without: a point is the decimal separator, and so is a comma if it does not separate cells and is
 * unambiguous: `1,5`, not `1,005`, which is 1005 in one country and 1.005 in another.
 */
export class CsvNumberReader {
  private readonly mayHaveComma: boolean;

  /**
   * @param decimal null: not given
   * @param delimiter byte that separates cells
   */
  constructor(
    private readonly decimal: DecimalSign | null,
    delimiter: number,
  ) {
    this.mayHaveComma = decimal === null && delimiter !== COMMA;
  }

  /** A word for "no value" (`null`, `NA`), which exports write where others leave the cell empty. */
  isMissing(text: Buffer, start: number, end: number): boolean {
    if (end - start > MAX_MISSING_BYTES || end - start < 2 || text[start]! < LETTERS_A) return false;
    return MISSING.has(text.toString('latin1', start, end).toLowerCase());
  }

  /** NaN for spelled-out not-a-number and infinities; 1 and 0 for `true` and `false`; null if it is not a number. */
  read(text: Buffer, start: number, end: number): number | null {
    const hasOwnSigns = this.decimal !== ',' || !hasSign(text, start, end);
    const number = hasOwnSigns ? readDecimal(text, start, end) : null;
    if (number !== null) return number;
    if (text[start]! >= LETTERS_A) return readBoolean(text.toString('latin1', start, Math.min(end, start + 6)));
    return end - start > MAX_GROUPED_BYTES ? null : this.readGrouped(text.toString('utf8', start, end));
  }

  /**
   * The reason why a text is not a number, for a message after the text. @param parameter name of the parameter for the
   * decimal separator in messages
   */
  explain(text: string, parameter: string): string {
    const unit = unitOf(text);
    if (unit !== null) return `has the unit ${excerpt(unit)}; send the number alone`;
    const simple = SIMPLE_COMMA.exec(text);
    if (this.decimal === null && (simple !== null || WITH_POINT.test(text) || WITH_COMMA.test(text))) {
      return `is ambiguous; specify the decimal sign: ${parameter}, or ${parameter}.`;
    }
    const other = this.decimal === ',' ? '.' : ',';
    if (this.decimal !== null && text.includes(other)) {
      return `is not a number with the decimal sign ${this.decimal} (${other} separates thousands)`;
    }
    return 'is not a number';
  }

  private readGrouped(text: string): number | null {
    if (this.decimal === ',') return WITH_COMMA.test(text) ? Number(withoutMarks(text, '.').replace(',', '.')) : null;
    if (this.decimal === '.') return WITH_POINT.test(text) ? Number(withoutMarks(text, ',')) : null;
    const simple = this.mayHaveComma ? SIMPLE_COMMA.exec(text) : null;
    if (simple === null || !isDecimalComma(simple[1]!, simple[2]!)) return null;
    return Number(text.replace(',', '.'));
  }
}

/** `1,5` and `0,125`; `1,005` may be a thousand and five. */
function isDecimalComma(whole: string, decimals: string): boolean {
  if (whole === '' && decimals === '') return false;
  const mayBeThousands = decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  return !mayBeThousands;
}

function withoutMarks(text: string, thousands: string): string {
  return text.replaceAll(thousands, '').replace(/['’\u0020\u00a0\u202f]/g, '');
}

function hasSign(text: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text[at] === COMMA || text[at] === DOT) return true;
  return false;
}

function readBoolean(text: string): number | null {
  const word = text.toLowerCase();
  if (word === 'true') return 1;
  return word === 'false' ? 0 : null;
}

/** The unit after a number, `%` or `GB`, or the sign of a currency before it; null without either. */
function unitOf(text: string): string | null {
  const currency = /^[$€£¥]/.exec(text)?.[0];
  if (currency !== undefined && /\d/.test(text)) return currency;
  let end = 0;
  while (end < text.length && '+-.,0123456789'.includes(text[end]!)) end++;
  const unit = text.slice(end).trim();
  const isUnit = end > 0 && /\d/.test(text.slice(0, end)) && unit !== '' && !/[\d:]/.test(unit);
  return isUnit ? unit : null;
}
