import { QUOTABLE_BYTES, quoted } from '../batch/quoted.js';
import { type TimeFormat } from '../time/time-format.js';
import { type TimeOrder, TimeReader } from '../time/time-reader.js';
import { CsvNumberReader, type DecimalSign } from './csv-number.js';
import { type CsvScanner } from './csv-scanner.js';

/** Formats of times and numbers of a text. */
export interface CsvSpelling {
  /** Zone of times that carry no offset, a name of the time zone database. */
  timezone: string;
  /** Form of all times; null: numbers and ISO 8601. */
  timeFormat: TimeFormat | null;
  /** The decimal separator; null: a point, or a comma where it is unambiguous. */
  decimal: DecimalSign | null;
  /** Names of the two settings above in messages, including the equals sign: `time_format=`. */
  says: { timeFormat: string; decimal: string };
}

/**
 * The cells of the current record of a CSV text as times and numbers, and what is wrong with one: the same for the server
 * and the command line. Problems begin with the cell, in quotes: `"10.8 %" has the unit %; send the number alone`.
 */
export class CsvCells {
  private readonly times: TimeReader;
  private readonly numbers: CsvNumberReader;

  constructor(
    private readonly scanner: CsvScanner,
    private readonly spelling: CsvSpelling,
  ) {
    const { timezone, timeFormat, decimal } = spelling;
    this.times = new TimeReader({ timezone, format: timeFormat });
    this.numbers = new CsvNumberReader(decimal, scanner.delimiter);
  }

  /** Unix seconds; NaN if the cell is not a time or missing. */
  time(cell: number, order?: TimeOrder): number {
    const { starts, ends, text, cellCount } = this.scanner;
    return cell < cellCount ? this.times.read(text, starts[cell]!, ends[cell]!, order) : NaN;
  }

  /** NaN for spelled-out not-a-number and infinities; null if the cell is not a number. */
  number(cell: number): number | null {
    const { starts, ends, text } = this.scanner;
    return this.numbers.read(text, starts[cell]!, ends[cell]!);
  }

  /** Empty, or a word for "no value". */
  isMissing(cell: number): boolean {
    const { starts, ends, text } = this.scanner;
    return this.scanner.isEmpty(cell) || this.numbers.isMissing(text, starts[cell]!, ends[cell]!);
  }

  /** The problem of a cell that `time` cannot read. */
  noTime(cell: number): string {
    const text = this.shown(cell);
    return `${quoted(text)} ${this.times.explain(text, this.spelling.says.timeFormat)}`;
  }

  /** The problem of a cell that `number` cannot read. */
  noNumber(cell: number): string {
    const text = this.shown(cell);
    return `${quoted(text)} ${this.numbers.explain(text, this.spelling.says.decimal)}`;
  }

  /** Interpretation of a time: `"9999999999999" taken for milliseconds: 2286-11-20`. */
  describeTime(cell: number, seconds: number): string {
    const text = this.shown(cell);
    return `${quoted(text)} ${this.times.describe(text, seconds)}`;
  }

  /** The text of a cell up to a length; empty if the cell does not exist. */
  shown(cell: number): string {
    const { text, starts, ends, cellCount } = this.scanner;
    return cell < cellCount
      ? text.toString('utf8', starts[cell], Math.min(ends[cell]!, starts[cell]! + QUOTABLE_BYTES))
      : '';
  }
}
