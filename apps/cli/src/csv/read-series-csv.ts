import {
  BodyTooLargeError,
  CsvCells,
  CsvScanner,
  type DecimalSign,
  MalformedBodyError,
  NAME_HEADINGS,
  quoted,
  TABLE_ANNOTATIONS,
  TIME_HEADINGS,
  TimeFormat,
  TimeFormatError,
  TimeOrder,
  VALUE_HEADINGS,
} from '#libs/protocols';
import { type BrokenRule, InputError, MAX_SHOWN_LINES, UsageError } from '../cli-error.js';
import { GrowingColumn } from './growing-column.js';

/** The format of the times and numbers of a file, if it must be specified. */
export interface SpellingOptions {
  /** Format of all times, a Unicode date pattern; omitted: Unix time by magnitude, yyyyMMdd, or ISO 8601. */
  timeFormat?: string;
  /** The decimal separator; omitted: a point, or a comma if it is unambiguous. */
  decimal?: DecimalSign;
}

export interface ReadSeriesOptions extends SpellingOptions {
  /** Name of the input in messages: its path, or `standard input`. */
  source: string;
  /** IANA zone of times without an offset. */
  timezone: string;
  /** Name of the column in the header; by default it is found by its usual names, then by its position. */
  timestampColumn?: string;
  valueColumn?: string;
  /** Also reads the column with the labels of anomalous rows, found by its usual names. */
  readLabels?: boolean;
  /** Called with the number of bytes of every chunk that was read. */
  onBytes?: (count: number) => void;
}

/** One series, in the order of its file. */
export interface CsvSeries {
  /** Unix seconds. */
  timestamps: Float64Array;
  /** NaN if the cell was empty or had a word for a missing value. */
  values: Float64Array;
  /** The timestamps as written in the file. */
  timestampTexts: string[];
  /** The line of the file on which each row is, from 1. */
  lines: Float64Array;
  /** Name of the value column; null without a header. */
  valueName: string | null;
  /** 1 where the row is labelled as anomalous; undefined if not requested or not in the file. */
  labels?: Uint8Array;
}

const LABEL_NAMES = new Set([
  'label',
  'labels',
  'anomaly',
  'is_anomaly',
  'isanomaly',
  'anomalous',
  'is_anomalous',
  'outlier',
]);
/** Words for "no value" in label and value columns, in addition to those of every CSV. */
const NOT_A_NUMBER = /^[+-]?nan$/i;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const EMPTY = Buffer.alloc(0);
/** The first second of the year 1. */
const FIRST_TIME = -62_135_596_800;
/** The first second of the year 10000: a later time must have a different unit or format. */
const LAST_TIME = 253_402_300_800;
const MAX_LINE_CHARACTERS = 65_536;
const MAX_COLUMNS = 10_000;
/** Names of the options in messages. */
const SAYS = { timeFormat: '--time-format ', decimal: '--decimal ' };

interface Columns {
  timestamp: number;
  value: number;
  /** -1 if there is none or none was requested. */
  label: number;
  count: number;
  valueName: string | null;
}

function indexOfName(names: readonly string[], wanted: string, option: string): number {
  const index = names.findIndex((name) => name.toLowerCase() === wanted.toLowerCase());
  if (index === -1)
    throw new RuleError(`there is no column "${wanted}" (${option}); the header has ${names.join(', ')}`);
  return index;
}

/** A violated rule; the caller knows the line. */
class RuleError extends Error {}

function formatOf(pattern: string): TimeFormat {
  try {
    return new TimeFormat(pattern);
  } catch (error) {
    if (error instanceof TimeFormatError) throw new UsageError(`--time-format: ${error.message}`);
    throw error;
  }
}

/** Columns of a file without a header. */
function columnsOfData(count: number, options: ReadSeriesOptions): Columns {
  if (options.timestampColumn !== undefined || options.valueColumn !== undefined) {
    throw new RuleError('columns were chosen by name, but the file has no header');
  }
  if (count !== 2) {
    throw new RuleError(`expected two columns (timestamp,value) or a header that names them, got ${count} columns`);
  }
  return { timestamp: 0, value: 1, label: -1, count: 2, valueName: null };
}

function columnsOfHeader(names: readonly string[], options: ReadSeriesOptions): Columns {
  const byName = (known: ReadonlySet<string>): number => names.findIndex((name) => known.has(name.toLowerCase()));
  const timestamp =
    options.timestampColumn === undefined
      ? Math.max(0, byName(TIME_HEADINGS))
      : indexOfName(names, options.timestampColumn, '--timestamp-column');
  const label = options.readLabels === true ? byName(LABEL_NAMES) : -1;
  let value =
    options.valueColumn === undefined
      ? byName(VALUE_HEADINGS)
      : indexOfName(names, options.valueColumn, '--value-column');
  const rest = names.flatMap((_, column) => (column === timestamp || column === label ? [] : [column]));
  const values = rest.filter((column) => !NAME_HEADINGS.has(names[column]!.toLowerCase()));
  if (value === -1 && values.length === 1) value = values[0]!;
  if (value === -1 && rest.length === 1) value = rest[0]!;
  if (value === -1) {
    throw new RuleError(`no column is called "value"; choose one of ${names.join(', ')} with --value-column`);
  }
  if (value === timestamp) throw new RuleError('the timestamp and the value cannot be the same column');
  return { timestamp, value, label, count: names.length, valueName: names[value]! };
}

/** Reads the records of one file into columns, and collects the problems. */
class SeriesReader {
  private readonly cells: CsvCells;
  private readonly order = new TimeOrder();
  private readonly timestamps = new GrowingColumn();
  private readonly values = new GrowingColumn();
  private readonly labels = new GrowingColumn();
  private readonly lines = new GrowingColumn();
  private readonly timestampTexts: string[] = [];
  private readonly broken: BrokenRule[] = [];
  private brokenLines = 0;
  private columns: Columns | undefined;

  constructor(
    private readonly scanner: CsvScanner,
    private readonly options: ReadSeriesOptions,
  ) {
    const { timezone, timeFormat, decimal } = options;
    this.cells = new CsvCells(scanner, {
      timezone,
      timeFormat: timeFormat === undefined ? null : formatOf(timeFormat),
      decimal: decimal ?? null,
      says: SAYS,
    });
  }

  /** Reads the available records. */
  read(): void {
    const { scanner } = this;
    while (scanner.next()) {
      try {
        this.readRecord();
      } catch (error) {
        if (!(error instanceof RuleError)) throw error;
        this.brokenLines += 1;
        if (this.broken.length < MAX_SHOWN_LINES) this.broken.push({ line: scanner.line, rule: error.message });
        // Without columns, no further line can be read.
        if (this.columns === undefined) break;
      }
    }
    if (this.columns === undefined) this.refuseBroken();
  }

  /** @throws InputError if lines were invalid, or if there were none */
  finish(): CsvSeries {
    this.refuseBroken();
    if (this.timestamps.length === 0) {
      throw new InputError(this.options.source, [{ line: 1, rule: 'the file has no data rows' }]);
    }
    return {
      timestamps: this.timestamps.toArray(),
      values: this.values.toArray(),
      timestampTexts: this.timestampTexts,
      lines: this.lines.toArray(),
      valueName: this.columns?.valueName ?? null,
      ...(this.labels.length > 0 ? { labels: Uint8Array.from(this.labels.toArray()) } : {}),
    };
  }

  private refuseBroken(): void {
    if (this.brokenLines > 0) throw new InputError(this.options.source, this.broken, this.brokenLines);
  }

  private readRecord(): void {
    const { scanner } = this;
    if (this.columns === undefined) {
      if (TABLE_ANNOTATIONS.has(scanner.cellText(0))) return;
      const isData = this.isData();
      if (scanner.cellCount < 2) {
        throw new RuleError('expected the columns timestamp,value (separated by comma, semicolon or tab)');
      }
      const names = Array.from({ length: scanner.cellCount }, (_, cell) => scanner.cellText(cell));
      this.columns = isData ? columnsOfData(names.length, this.options) : columnsOfHeader(names, this.options);
      if (!isData) return;
    }
    const { columns } = this;
    if (scanner.cellCount !== columns.count) {
      throw new RuleError(`expected ${columns.count} columns, got ${scanner.cellCount}`);
    }
    const timestamp = this.timeOf(columns.timestamp);
    const value = this.valueOf(columns.value);
    const label = columns.label === -1 ? null : this.labelOf(columns.label);
    this.timestamps.push(timestamp);
    this.values.push(value);
    if (label !== null) this.labels.push(label);
    this.timestampTexts.push(scanner.cellText(columns.timestamp));
    this.lines.push(scanner.line);
  }

  /** Any number, or a time in the first cell: no header contains these. */
  private isData(): boolean {
    const { scanner, cells } = this;
    if (Number.isFinite(cells.time(0))) return true;
    for (let cell = 0; cell < scanner.cellCount; cell++) {
      if (!scanner.isEmpty(cell) && Number.isFinite(cells.number(cell) ?? NaN)) return true;
    }
    return false;
  }

  private timeOf(cell: number): number {
    const time = this.cells.time(cell, this.order);
    if (Number.isNaN(time)) throw new RuleError(`timestamp ${this.cells.noTime(cell)}`);
    if (time < FIRST_TIME) throw new RuleError(`timestamp ${this.cells.describeTime(cell, time)}`);
    if (time < LAST_TIME) return time;
    throw new RuleError(`timestamp ${this.cells.describeTime(cell, time)}, in the future`);
  }

  private valueOf(cell: number): number {
    if (this.cells.isMissing(cell)) return NaN;
    const value = this.cells.number(cell);
    if (value !== null && Number.isFinite(value)) return value;
    const shown = this.cells.shown(cell);
    if (NOT_A_NUMBER.test(shown)) return NaN;
    throw new RuleError(
      `value ${value === null ? this.cells.noNumber(cell) : `${quoted(shown)} is not a finite number`}`,
    );
  }

  private labelOf(cell: number): number {
    if (this.cells.isMissing(cell)) return 0;
    const label = this.cells.number(cell);
    if (label === 0 || label === 1) return label;
    const shown = this.cells.shown(cell);
    if (NOT_A_NUMBER.test(shown)) return 0;
    throw new RuleError(`label ${quoted(shown)} is neither 0 nor 1`);
  }
}

/** An error of the scanner, as a violated rule of a line. */
function inputErrorOf(error: unknown, source: string, line: number): unknown {
  if (error instanceof MalformedBodyError) {
    return new InputError(source, [{ line: error.position.line ?? line, rule: error.message }]);
  }
  if (error instanceof BodyTooLargeError) {
    return new InputError(source, [{ line, rule: `a line has more than ${MAX_COLUMNS} columns` }]);
  }
  return error;
}

/** The first chunk that contains a whole line (or everything), and the rest of the stream. */
async function openStream(
  input: AsyncIterable<Buffer | string>,
): Promise<{ start: Buffer; rest: AsyncIterator<Buffer | string>; isAll: boolean }> {
  const rest = input[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  let size = 0;
  while (size < MAX_LINE_CHARACTERS) {
    const next = await rest.next();
    if (next.done) return { start: Buffer.concat(chunks), rest, isAll: true };
    const chunk = Buffer.from(next.value);
    chunks.push(chunk);
    size += chunk.length;
    if (chunk.includes(LINE_FEED) || chunk.includes(RETURN)) break;
  }
  return { start: Buffer.concat(chunks), rest, isAll: false };
}

/**
 * Reads one series from CSV: comma, semicolon or tab; UTF-8; header optional; further columns are allowed if there is a
 * header. Rows become columns of numbers; no object per row is kept. Blank lines are skipped. The file is read in
 * chunks.
 *
 * @throws InputError with the first invalid lines, the rules that they violate, and the number of invalid lines
 */
export async function readSeriesCsv(
  input: AsyncIterable<Buffer | string>,
  options: ReadSeriesOptions,
): Promise<CsvSeries> {
  const { source, onBytes } = options;
  const { start, rest, isAll } = await openStream(input);
  onBytes?.(start.length);
  let line = 1;
  try {
    const scanner = new CsvScanner(start, MAX_COLUMNS, isAll);
    const reader = new SeriesReader(scanner, options);
    for (let isLast = isAll; ;) {
      reader.read();
      line = scanner.line;
      if (isLast) return reader.finish();
      if (scanner.unread > MAX_LINE_CHARACTERS) {
        throw new InputError(source, [{ line, rule: `a line is longer than ${MAX_LINE_CHARACTERS} characters` }]);
      }
      const next = await rest.next();
      isLast = next.done === true;
      const piece = next.done === true ? EMPTY : Buffer.from(next.value);
      if (!isLast) onBytes?.(piece.length);
      scanner.feed(piece, isLast);
    }
  } catch (error) {
    throw inputErrorOf(error, source, line);
  } finally {
    // Ends the stream if reading ended early.
    await rest.return?.();
  }
}
