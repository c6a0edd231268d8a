import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse, type Parser } from 'csv-parse';
import { InputError } from '../cli-error.js';
import { GrowingColumn } from './growing-column.js';
import { TimestampError, timestampReader } from './timestamp.js';

export interface ReadSeriesOptions {
  /** What messages call the input: its path, or `standard input`. */
  source: string;
  /** IANA zone of times that say no offset. */
  timezone: string;
  /** Name of the column in the header; by default it is found by its usual names, then by its place. */
  timestampColumn?: string;
  valueColumn?: string;
  /** Reads the column that says which rows are anomalous too; found by its usual names. */
  readLabels?: boolean;
  /** Called with the bytes of every chunk read. */
  onBytes?: (count: number) => void;
}

/** One series, in the order of its file. */
export interface CsvSeries {
  /** Unix seconds. */
  timestamps: Float64Array;
  /** NaN where the cell was empty or said that there is no value. */
  values: Float64Array;
  /** The timestamps as they were written. */
  timestampTexts: string[];
  /** Name of the value column; null without header. */
  valueName: string | null;
  /** 1 where the row is labelled as anomalous; absent when not asked for or not in the file. */
  labels?: Uint8Array;
}

const TIMESTAMP_NAMES = new Set(['timestamp', 'time', 'ts', 'ds', 'date', 'datetime', '_time']);
const VALUE_NAMES = new Set(['value', 'y', 'v', '_value']);
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
/** Cells that say that there is no value. */
const MISSING = new Set(['', 'nan', 'null', 'na', 'n/a', 'none']);
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const MAX_LINE_CHARACTERS = 65_536;
const DELIMITERS = ['\t', ';', ','] as const;

interface Columns {
  timestamp: number;
  value: number;
  /** -1 when there is none, or none was asked for. */
  label: number;
  count: number;
  valueName: string | null;
  isHeader: boolean;
}

/** The separator that the first line uses; tab before semicolon before comma, because values may hold the later ones. */
function delimiterOf(firstLine: string): string {
  const unquoted = firstLine.replace(/"[^"]*"/g, '');
  return DELIMITERS.find((delimiter) => unquoted.includes(delimiter)) ?? ',';
}

/** Checks on the first bytes: other kinds of file give confusing messages about lines. */
function checkEncoding(start: Buffer, source: string): void {
  if (start[0] === 0x1f && start[1] === 0x8b) {
    throw new InputError(source, 1, 'the file is compressed with gzip; unpack it first (gzip -dc)');
  }
  if (start.includes(0)) throw new InputError(source, 1, 'the file must be text in UTF-8');
}

function indexOfName(names: readonly string[], wanted: string, option: string): number {
  const index = names.findIndex((name) => name.toLowerCase() === wanted.toLowerCase());
  if (index === -1)
    throw new RuleError(`there is no column "${wanted}" (${option}); the header has ${names.join(', ')}`);
  return index;
}

/** A broken rule; the caller knows the line. */
class RuleError extends Error {}

function isTimestamp(read: (text: string) => number, text: string): boolean {
  try {
    read(text);
    return true;
  } catch {
    return false;
  }
}

/** Finds out from the first record which column is which, and whether it is a header. */
function columnsOf(record: readonly string[], read: (text: string) => number, options: ReadSeriesOptions): Columns {
  const isData = record.some((cell) => NUMBER.test(cell)) || isTimestamp(read, record[0] ?? '');
  if (record.length < 2)
    throw new RuleError('expected the columns timestamp,value (separated by comma, semicolon or tab)');
  if (isData) {
    if (options.timestampColumn !== undefined || options.valueColumn !== undefined) {
      throw new RuleError('columns were chosen by name, but the file has no header');
    }
    if (record.length !== 2) {
      throw new RuleError(
        `expected two columns (timestamp,value) or a header that names them, got ${record.length} columns`,
      );
    }
    return { timestamp: 0, value: 1, label: -1, count: 2, valueName: null, isHeader: false };
  }
  const byName = (names: ReadonlySet<string>): number => record.findIndex((name) => names.has(name.toLowerCase()));
  const timestamp =
    options.timestampColumn === undefined
      ? Math.max(0, byName(TIMESTAMP_NAMES))
      : indexOfName(record, options.timestampColumn, '--timestamp-column');
  const label = options.readLabels === true ? byName(LABEL_NAMES) : -1;
  let value =
    options.valueColumn === undefined
      ? byName(VALUE_NAMES)
      : indexOfName(record, options.valueColumn, '--value-column');
  const rest = record.flatMap((_, column) => (column === timestamp || column === label ? [] : [column]));
  if (value === -1 && rest.length === 1) value = rest[0]!;
  if (value === -1) {
    throw new RuleError(`no column is called "value"; say which of ${record.join(', ')} it is with --value-column`);
  }
  if (value === timestamp) throw new RuleError('the timestamp and the value cannot be the same column');
  return { timestamp, value, label, count: record.length, valueName: record[value]!, isHeader: true };
}

function valueOf(text: string): number {
  if (MISSING.has(text.toLowerCase())) return NaN;
  const value = NUMBER.test(text) ? Number(text) : NaN;
  if (Number.isFinite(value)) return value;
  const isCommaNumber = /^[+-]?\d+,\d+$/.test(text);
  throw new RuleError(
    isCommaNumber
      ? `value "${text}" has a decimal comma; write decimals with a point`
      : `value "${text.slice(0, 60)}" is not a finite number`,
  );
}

function labelOf(text: string): number {
  const word = text.toLowerCase();
  if (word === 'true') return 1;
  if (word === 'false' || MISSING.has(word)) return 0;
  const label = NUMBER.test(text) ? Number(text) : NaN;
  if (label === 0 || label === 1) return label;
  throw new RuleError(`label "${text.slice(0, 60)}" is neither 0 nor 1`);
}

/** What csv-parse says, in the words of a rule. */
function csvRule(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'a quoted cell is not closed';
  if (error.code === 'CSV_MAX_RECORD_SIZE') return `a line is longer than ${MAX_LINE_CHARACTERS} characters`;
  return error.message;
}

/** The first chunk that holds a whole line (or everything), and the rest of the stream. */
async function openStream(
  input: AsyncIterable<Buffer | string>,
): Promise<{ start: Buffer; rest: AsyncIterator<Buffer | string> }> {
  const rest = input[Symbol.asyncIterator]();
  const chunks: Buffer[] = [];
  let size = 0;
  while (size < MAX_LINE_CHARACTERS) {
    const next = await rest.next();
    if (next.done) break;
    const chunk = Buffer.from(next.value);
    chunks.push(chunk);
    size += chunk.length;
    if (chunk.includes(0x0a) || chunk.includes(0x0d)) break;
  }
  return { start: Buffer.concat(chunks), rest };
}

async function* chunksOf(
  start: Buffer,
  rest: AsyncIterator<Buffer | string>,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer> {
  onBytes(start.length);
  yield start;
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    const chunk = Buffer.from(next.value);
    onBytes(chunk.length);
    yield chunk;
  }
}

/**
 * Reads one series from CSV: comma, semicolon or tab; UTF-8; header optional; further columns allowed under a header. Rows
 * become columns of numbers, no object per row is kept. Blank lines are skipped.
 *
 * @throws InputError with the line and the rule it breaks; the first one ends the reading
 */
export async function readSeriesCsv(
  input: AsyncIterable<Buffer | string>,
  options: ReadSeriesOptions,
): Promise<CsvSeries> {
  const { source } = options;
  const { start, rest } = await openStream(input);
  checkEncoding(start, source);
  const readTimestamp = timestampReader(options.timezone);
  const timestamps = new GrowingColumn();
  const values = new GrowingColumn();
  const labels = new GrowingColumn();
  const timestampTexts: string[] = [];
  let columns: Columns | undefined;

  const readRecord = (record: readonly string[]): void => {
    if (columns === undefined) {
      columns = columnsOf(record, readTimestamp, options);
      if (columns.isHeader) return;
    }
    if (record.length !== columns.count) {
      throw new RuleError(`expected ${columns.count} columns, got ${record.length}`);
    }
    const timestampText = record[columns.timestamp]!;
    timestamps.push(readTimestamp(timestampText));
    values.push(valueOf(record[columns.value]!));
    if (columns.label !== -1) labels.push(labelOf(record[columns.label]!));
    timestampTexts.push(timestampText);
  };

  const parser: Parser = parse({
    bom: true,
    delimiter: delimiterOf(
      start
        .toString('utf8')
        .replace(/^\uFEFF/, '')
        .trimStart()
        .split(/[\r\n]/, 1)[0]!,
    ),
    max_record_size: MAX_LINE_CHARACTERS,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    // Nothing is handed on: the columns are filled here, so no list of records is built.
    on_record: (record: string[], { lines }) => {
      try {
        readRecord(record);
      } catch (error) {
        if (error instanceof RuleError || error instanceof TimestampError)
          throw new InputError(source, lines, error.message);
        throw error;
      }
      return null;
    },
  });
  parser.resume();
  try {
    await pipeline(
      Readable.from(chunksOf(start, rest, options.onBytes ?? (() => undefined)), { objectMode: false }),
      parser,
    );
  } catch (error) {
    if (error instanceof CsvError) throw new InputError(source, Number(error.lines ?? 1), csvRule(error));
    throw error;
  }
  if (timestamps.length === 0) throw new InputError(source, 1, 'there is no row of data');
  return {
    timestamps: timestamps.toArray(),
    values: values.toArray(),
    timestampTexts,
    valueName: columns?.valueName ?? null,
    ...(labels.length > 0 ? { labels: Uint8Array.from(labels.toArray()) } : {}),
  };
}
