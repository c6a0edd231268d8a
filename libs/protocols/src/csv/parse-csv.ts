import { isUtf8 } from 'node:buffer';
import { isTimezone } from '#libs/timezones';
import { BatchBuilder } from '../batch/batch-builder.js';
import { MalformedBodyError } from '../batch/errors.js';
import { type ParseLimits } from '../batch/limits.js';
import { type ParseResult } from '../batch/parsed-batch.js';
import { isNameProblem, type MetricNameProblem, parseMetricName, type ParsedMetricName } from '../names/metric-name.js';
import { readDecimal } from '../wire/decimal.js';
import { CsvScanner } from './csv-scanner.js';
import { TimestampReader } from './csv-timestamp.js';

export interface CsvOptions {
  /** Metric of a body that has a time and a value in each line; null when the body names its metrics. */
  metric: string | null;
  /** Zone of times that carry no offset, a name of the time zone database. */
  timezone: string;
}

/** Headings of the time's column in the long form; in the others the first column holds it, whatever it is called. */
const TIME_HEADINGS: ReadonlySet<string> = new Set(['timestamp', 'time', 'ts', 'date', 'datetime']);

/** Longest heading or metric name that is read; the canonical name has its own limit. */
const MAX_NAME_BYTES = 8192;

/** Characters of a cell quoted in a problem. */
const QUOTED = 40;

const COMMA = 0x2c;
const DOT = 0x2e;
const LETTERS_A = 0x41;

/** Where the points of one metric go. */
interface MetricTarget {
  /** -1 when the name is a problem. */
  series: number;
  /** What a refused name is called in the report. */
  text: string;
  reason: MetricNameProblem['reason'] | null;
}

/** Columns of the body. `wide`: the first is the time, all others are metrics. */
type Layout =
  | { form: 'two'; target: MetricTarget }
  | { form: 'long'; time: number; metric: number; value: number }
  | { form: 'wide'; targets: MetricTarget[] };

/**
 * Reads CSV in one of three forms: long (`timestamp,metric,value`), wide (`timestamp,<metric>,<metric>…`, with a header), or
 * two columns (`timestamp,value`, with `options.metric`). Comma, semicolon or tab; quotes as in RFC 4180; UTF-8; a first
 * line that does not begin with a time is the header. Times are Unix seconds or milliseconds or ISO 8601. An empty cell is
 * no point; `true` and `false` are 1 and 0; where the comma parts no cells it may be the decimal sign. Names break no rule:
 * other characters are not replaced (`bad_name`).
 *
 * Bad cells are refused and noted with their line. Throws MalformedBodyError (broken quotes, not UTF-8, columns that make no
 * form) or BodyTooLargeError. O(body).
 */
export function parseCsv(bytes: Uint8Array, options: CsvOptions, limits: ParseLimits): ParseResult {
  return new CsvParser(bytes, options, limits).parse();
}

class CsvParser {
  private readonly scanner: CsvScanner;
  private readonly times: TimestampReader;
  private readonly builder: BatchBuilder;
  private readonly targets = new Map<string, MetricTarget>();
  private readonly hasDecimalComma: boolean;

  constructor(
    bytes: Uint8Array,
    private readonly options: CsvOptions,
    private readonly limits: ParseLimits,
  ) {
    if (!isUtf8(bytes)) throw new MalformedBodyError('the body is not valid UTF-8');
    if (!isTimezone(options.timezone)) throw invalid('timezone', 'unknown_timezone', 'is no known time zone');
    this.scanner = new CsvScanner(bytes, limits.maxPoints + 1);
    this.times = new TimestampReader(options.timezone);
    this.builder = new BatchBuilder(limits);
    this.hasDecimalComma = this.scanner.delimiter !== COMMA;
  }

  parse(): ParseResult {
    const { scanner, builder } = this;
    if (!scanner.next()) return builder.finish();
    const isHeader = Number.isNaN(this.readTime(0));
    const layout = isHeader ? this.layoutOfHeader() : this.layoutOfData();
    if (!isHeader) this.readRecord(layout);
    while (scanner.next()) this.readRecord(layout);
    return builder.finish();
  }

  private layoutOfHeader(): Layout {
    const { scanner, options } = this;
    const { cellCount } = scanner;
    if (options.metric !== null) return this.layoutOfTwo(options.metric);
    const headings = Array.from({ length: Math.min(cellCount, 3) }, (_, i) => this.nameText(i).toLowerCase());
    const [metric, value] = [headings.indexOf('metric'), headings.indexOf('value')];
    if (cellCount === 3 && metric >= 0 && value >= 0) {
      const time = 3 - metric - value;
      if (TIME_HEADINGS.has(headings[time]!)) return { form: 'long', time, metric, value };
    }
    if (cellCount < 2) throw malformedColumns(scanner.line);
    if (cellCount === 2 && headings[1] === 'value') throw metricRequired();
    const targets = Array.from({ length: cellCount - 1 }, (_, i) => this.target(this.nameText(i + 1)));
    return { form: 'wide', targets };
  }

  private layoutOfData(): Layout {
    const { cellCount, line } = this.scanner;
    if (this.options.metric !== null) return this.layoutOfTwo(this.options.metric);
    if (cellCount === 2) throw metricRequired();
    if (cellCount === 3) return { form: 'long', time: 0, metric: 1, value: 2 };
    throw malformedColumns(line);
  }

  private layoutOfTwo(metric: string): Layout {
    if (this.scanner.cellCount !== 2) {
      throw invalid('metric', 'mismatch', 'goes with a body of two columns, timestamp and value');
    }
    const parsed = parseMetricName(metric, this.limits);
    if (isNameProblem(parsed)) throw invalid('metric', 'bad_format', `is no metric name: ${parsed.problem}`);
    return { form: 'two', target: this.makeTarget(metric, parsed) };
  }

  private readRecord(layout: Layout): void {
    if (layout.form === 'long') this.readLong(layout);
    else if (layout.form === 'two') this.readWide([layout.target]);
    else this.readWide(layout.targets);
  }

  private readLong({ time, metric, value }: { time: number; metric: number; value: number }): void {
    const { scanner } = this;
    if (scanner.cellCount !== 3) {
      this.builder.refuse(this.nameText(Math.min(metric, scanner.cellCount - 1)), 'bad_name');
      this.note(`the line has ${scanner.cellCount} cells where 3 are needed`);
      return;
    }
    if (scanner.isEmpty(value)) return;
    const target = this.target(this.nameText(metric));
    const timestamp = this.readTime(time);
    if (Number.isNaN(timestamp)) this.note(`${this.quote(time)} is no time`);
    this.addCell(target, timestamp, value);
  }

  private readWide(targets: readonly MetricTarget[]): void {
    const { scanner } = this;
    const { cellCount } = scanner;
    const timestamp = this.readTime(0);
    if (Number.isNaN(timestamp)) this.note(`${this.quote(0)} is no time`);
    const cells = Math.min(cellCount, targets.length + 1);
    for (let cell = 1; cell < cells; cell++) {
      if (!scanner.isEmpty(cell)) this.addCell(targets[cell - 1]!, timestamp, cell);
    }
    for (let cell = cells; cell < cellCount; cell++) {
      if (scanner.isEmpty(cell)) continue;
      this.builder.refuse('', 'bad_name');
      this.note('a cell stands in a column without a heading');
    }
  }

  private addCell(target: MetricTarget, timestamp: number, cell: number): void {
    const { builder } = this;
    if (target.reason !== null) {
      builder.refuse(target.text, target.reason);
      return;
    }
    const value = this.readValue(cell);
    if (value !== null) {
      builder.add(target.series, timestamp, value);
      return;
    }
    builder.refuse(target.text, 'not_numeric');
    this.note(`${this.quote(cell)} is no number`);
  }

  private readTime(cell: number): number {
    const { starts, ends, text } = this.scanner;
    return this.times.read(text, starts[cell]!, ends[cell]!);
  }

  private readValue(cell: number): number | null {
    const { starts, ends, text } = this.scanner;
    const start = starts[cell]!;
    const end = ends[cell]!;
    const number = readDecimal(text, start, end);
    if (number !== null) return number;
    if (text[start]! >= LETTERS_A) return readBoolean(text.toString('latin1', start, Math.min(end, start + 6)));
    return this.hasDecimalComma ? readDecimalComma(text, start, end) : null;
  }

  private nameText(cell: number): string {
    const { starts, ends } = this.scanner;
    // Far too long for a name; cut, it still is, and the report needs no more.
    if (ends[cell]! - starts[cell]! > MAX_NAME_BYTES) ends[cell] = starts[cell]! + MAX_NAME_BYTES;
    return this.scanner.cellText(cell);
  }

  private target(text: string): MetricTarget {
    let target = this.targets.get(text);
    if (target === undefined) {
      target = this.makeTarget(text, parseMetricName(text, this.limits));
      this.targets.set(text, target);
      if (target.reason !== null) this.note(`${JSON.stringify(text.slice(0, QUOTED))} is no metric name`);
    }
    return target;
  }

  private makeTarget(text: string, parsed: ParsedMetricName | MetricNameProblem): MetricTarget {
    if (isNameProblem(parsed)) return { series: -1, text, reason: parsed.reason };
    return { series: this.builder.series(parsed, this.limits.backfill), text: parsed.name, reason: null };
  }

  private quote(cell: number): string {
    const { text, starts, ends } = this.scanner;
    const end = Math.min(ends[cell]!, starts[cell]! + QUOTED);
    return JSON.stringify(text.toString('utf8', starts[cell], end));
  }

  private note(problem: string): void {
    this.builder.refusals.addBadLine(this.scanner.line, problem);
  }
}

function readBoolean(text: string): number | null {
  const word = text.toLowerCase();
  if (word === 'true') return 1;
  return word === 'false' ? 0 : null;
}

/** `1,5` as written where the comma is the decimal sign. Points beside it would make it a list or thousands. */
function readDecimalComma(text: Buffer, start: number, end: number): number | null {
  const cell = text.subarray(start, end);
  const comma = cell.indexOf(COMMA);
  if (comma < 0 || cell.includes(COMMA, comma + 1) || cell.includes(DOT)) return null;
  const withDot = Buffer.from(cell);
  withDot[comma] = DOT;
  return readDecimal(withDot, 0, withDot.length);
}

function invalid(field: string, code: string, rule: string): MalformedBodyError {
  return new MalformedBodyError(`${field} ${rule}`, {}, [{ field, code, message: `${field} ${rule}` }]);
}

function metricRequired(): MalformedBodyError {
  return invalid('metric', 'required', 'must name the metric of a body with the columns timestamp and value');
}

function malformedColumns(line: number): MalformedBodyError {
  return new MalformedBodyError(
    'the columns must be timestamp,metric,value, or a time and metrics with their names in the first line',
    { line },
  );
}
