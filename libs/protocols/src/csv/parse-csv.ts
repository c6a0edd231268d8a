import { isUtf8 } from 'node:buffer';
import { type RefusalReason } from '#libs/contracts';
import { isTimezone } from '#libs/timezones';
import { BatchBuilder } from '../batch/batch-builder.js';
import { MalformedBodyError } from '../batch/errors.js';
import { type ParseLimits } from '../batch/limits.js';
import { type ParseResult } from '../batch/parsed-batch.js';
import { pointProblem } from '../batch/point-problem.js';
import { quoted, withoutTokens } from '../batch/quoted.js';
import { sortByTime } from '../batch/sort-by-time.js';
import {
  composeSanitised,
  isNameProblem,
  type LabelPair,
  type MetricNameProblem,
  parseMetricName,
  type ParsedMetricName,
} from '../names/metric-name.js';
import { TimeFormat, TimeFormatError } from '../time/time-format.js';
import { TimeOrder } from '../time/time-reader.js';
import { TABLE_ANNOTATIONS, TIME_HEADINGS, VALUE_HEADINGS } from './csv-columns.js';
import { CsvCells } from './csv-cells.js';
import { DECIMAL_SIGNS, type DecimalSign } from './csv-number.js';
import { CsvScanner } from './csv-scanner.js';

export interface CsvOptions {
  /** Metric of a body that has a time and a value in each line; null when the body names its metrics. */
  metric: string | null;
  /** Zone of times that carry no offset, a name of the time zone database. */
  timezone: string;
  /** Form of all times, a Unicode date pattern; null or omitted: numbers and ISO 8601. */
  timeFormat?: string | null;
  /** The decimal separator; null or omitted: a point, or a comma where it is unambiguous. */
  decimal?: string | null;
}

/** Maximum length of a heading or metric name; the canonical name has its own limit. */
const MAX_NAME_BYTES = 8192;

const ZERO = 0x30;
const NINE = 0x39;
const HASH = 0x23;

/** Bytes of a row that has the wrong number of cells, quoted as its name. */
const ROW_BYTES = 80;

/** Names of the parameters in messages. */
const SAYS = { timeFormat: 'time_format=', decimal: 'decimal=' };

/** Columns of a table of InfluxDB 2 that are not labels, in addition to those whose name begins with `_`. */
const TABLE_COLUMNS: ReadonlySet<string> = new Set(['', 'result', 'table']);

/** The target of the points of one metric. */
interface MetricTarget {
  /** -1 if the name is invalid. */
  series: number;
  /** The text of a refused name in the report. */
  text: string;
  reason: MetricNameProblem['reason'] | null;
  /** The order of its times, if each line has its own metric. */
  order: TimeOrder;
}

/** Columns of an export of InfluxDB. */
interface InfluxColumns {
  time: number;
  measurement: number;
  /** Column with `key=value,…`, of version 1; -1 without. */
  tags: number;
  /** Columns of labels, of version 2. */
  labels: { cell: number; key: string }[];
  /** Column with the field of the value, of version 2; -1 if the headings have it. */
  field: number;
  values: { cell: number; field: string }[];
}

/** Columns of the body. In the wide form the target of the time's column is null. */
type Layout =
  | { form: 'long'; time: number; metric: number; value: number }
  | { form: 'wide'; time: number; targets: (MetricTarget | null)[] }
  | { form: 'influx'; columns: InfluxColumns };

/**
 * Reads CSV in one of three forms: long (`timestamp,metric,value`), wide (`timestamp,<metric>,<metric>…`, with a
 * header), or two columns (`timestamp,value`, with `options.metric`); also the tables that InfluxDB 1 and 2 export.
 * Comma, semicolon or tab; quotes as in RFC 4180; UTF-8; a first line that does not begin with a time is the header.
 * Times as TimeReader has them, rows in any order. An empty cell is not a point, nor is `null` or `NA`; `true` and
 * `false` are 1 and 0; numbers as CsvNumberReader has them. Names must be valid: other characters are not replaced
 * (`bad_name`), except in the tables of InfluxDB, which are named as line protocol is. A row with more cells than the
 * header has columns is refused as a whole and counts as one point: any of its cells may be in the wrong column.
 *
 * Bad cells are refused and noted with their line, value and reason. Throws MalformedBodyError (empty, broken quotes,
 * not UTF-8, columns in none of these forms, contradictory options) or BodyTooLargeError. O(body), and O(n log n) in
 * the points if they are not in order.
 */
export function parseCsv(bytes: Uint8Array, options: CsvOptions, limits: ParseLimits): ParseResult {
  return new CsvParser(bytes, options, limits).parse();
}

class CsvParser {
  private readonly scanner: CsvScanner;
  private readonly cells: CsvCells;
  private readonly builder: BatchBuilder;
  private readonly targets = new Map<string, MetricTarget>();
  private readonly order = new TimeOrder();
  /** Of the current table; null without a header. */
  private headings: readonly string[] | null = null;
  private columnCount = 0;
  /** Line of the last recorded problem: a wide line with a wrong time is one mistake, not one per column. */
  private notedLine = 0;

  constructor(
    bytes: Uint8Array,
    private readonly options: CsvOptions,
    private readonly limits: ParseLimits,
  ) {
    this.scanner = new CsvScanner(bytes, limits.maxPoints + 1);
    if (!isUtf8(bytes)) throw new MalformedBodyError('the body is not valid UTF-8; save the file in UTF-8');
    const { timezone, timeFormat, decimal } = options;
    if (!isTimezone(timezone)) {
      throw invalid(
        'timezone',
        'unknown_timezone',
        `must be a name of the time zone database, such as Europe/Oslo, got ${quoted(timezone)}`,
      );
    }
    const spelling = { timezone, timeFormat: formatOf(timeFormat ?? null), decimal: decimalOf(decimal ?? null) };
    this.cells = new CsvCells(this.scanner, { ...spelling, says: SAYS });
    this.builder = new BatchBuilder(limits);
  }

  parse(): ParseResult {
    const { scanner, builder } = this;
    let layout: Layout | null = null;
    let isEmpty = true;
    while (scanner.next()) {
      isEmpty = false;
      // Each table of InfluxDB 2 has its own annotations and header.
      if (this.isAnnotation()) layout = null;
      else if (layout === null ? this.isHeader() : this.isNextHeader(layout)) layout = this.layoutOfHeader();
      else this.readRecord((layout ??= this.layoutOfData()));
    }
    if (isEmpty) throw new MalformedBodyError('the body is empty: no line has content');
    const result = builder.finish();
    return { ...result, batch: sortByTime(result.batch) };
  }

  private isAnnotation(): boolean {
    const { scanner } = this;
    return scanner.text[scanner.starts[0]!] === HASH && TABLE_ANNOTATIONS.has(this.nameText(0));
  }

  /** A line whose first cell is not a time, unless it looks like data with times of an unknown format. */
  private isHeader(): boolean {
    const { scanner } = this;
    if (!Number.isNaN(this.cells.time(0))) return false;
    const first = scanner.isEmpty(0) ? -1 : scanner.text[scanner.starts[0]!]!;
    if (!(first >= ZERO && first <= NINE)) return true;
    return scanner.cellCount < 2 || this.cells.number(scanner.cellCount - 1) === null;
  }

  /** A further table of InfluxDB 2 without annotations begins with its header alone. */
  private isNextHeader(layout: Layout): boolean {
    if (layout.form !== 'influx' || layout.columns.field < 0) return false;
    const { time } = layout.columns;
    return time < this.scanner.cellCount && this.nameText(time) === '_time';
  }

  private layoutOfHeader(): Layout {
    const { scanner, options } = this;
    const { cellCount } = scanner;
    const headings = Array.from({ length: cellCount }, (_, cell) => this.nameText(cell));
    this.headings = headings;
    this.columnCount = cellCount;
    const lower = headings.map((heading) => heading.toLowerCase());
    const time = Math.max(
      0,
      lower.findIndex((heading) => TIME_HEADINGS.has(heading)),
    );
    if (options.metric !== null) return this.layoutOfTwo(options.metric, time);
    const columns = this.influxColumns(headings);
    if (columns !== null) return { form: 'influx', columns };
    const [metric, value] = [lower.indexOf('metric'), lower.indexOf('value')];
    if (cellCount === 3 && metric >= 0 && value >= 0 && TIME_HEADINGS.has(lower[3 - metric - value]!)) {
      return { form: 'long', time: 3 - metric - value, metric, value };
    }
    if (cellCount < 2) throw malformedColumns(cellCount, scanner.line);
    if (cellCount === 2 && VALUE_HEADINGS.has(lower[1 - time]!)) throw metricRequired();
    const targets = headings.map((heading, cell) => (cell === time ? null : this.target(heading, null)));
    return { form: 'wide', time, targets };
  }

  private layoutOfData(): Layout {
    const { cellCount, line } = this.scanner;
    this.headings = null;
    this.columnCount = cellCount;
    if (this.options.metric !== null) return this.layoutOfTwo(this.options.metric, 0);
    if (cellCount === 2) throw metricRequired();
    if (cellCount === 3) return { form: 'long', time: 0, metric: 1, value: 2 };
    throw malformedColumns(cellCount, line);
  }

  private layoutOfTwo(metric: string, time: number): Layout {
    if (this.scanner.cellCount !== 2) {
      const columns = `got ${this.scanner.cellCount} columns`;
      throw invalid('metric', 'mismatch', `is only for a body with two columns, timestamp and value, ${columns}`);
    }
    const parsed = parseMetricName(metric, this.limits);
    if (isNameProblem(parsed)) {
      throw invalid('metric', 'bad_format', `must be a metric name, got ${quoted(metric)}: ${parsed.problem}`);
    }
    const target = this.makeTarget(metric, parsed);
    return { form: 'wide', time, targets: time === 0 ? [null, target] : [target, null] };
  }

  /**
   * `name,time,<field>…` of version 1, which may also contain `tags`; `_time,_value,_field,_measurement,<tag>…` of
   * version 2.
   */
  private influxColumns(headings: readonly string[]): InfluxColumns | null {
    const at = (name: string): number => headings.indexOf(name);
    const version1 = { time: at('time'), measurement: at('name'), tags: at('tags') };
    if (version1.measurement === 0 && version1.time > 0) {
      const isField = (cell: number): boolean => ![version1.time, 0, version1.tags].includes(cell);
      const values = headings.flatMap((field, cell) => (isField(cell) ? [{ cell, field }] : []));
      return { ...version1, labels: [], field: -1, values };
    }
    const [time, measurement, field, value] = [at('_time'), at('_measurement'), at('_field'), at('_value')];
    if (Math.min(time, measurement, field, value) < 0) return null;
    const isLabel = (key: string): boolean => !TABLE_COLUMNS.has(key) && !key.startsWith('_');
    const labels = headings.flatMap((key, cell) => (isLabel(key) ? [{ cell, key }] : []));
    if (labels.length > this.limits.maxLabels) {
      const { maxLabels } = this.limits;
      const rule = `the table must have at most ${maxLabels} columns of labels, got ${labels.length}`;
      throw new MalformedBodyError(rule, { line: this.scanner.line });
    }
    return { time, measurement, tags: -1, labels, field, values: [{ cell: value, field: '' }] };
  }

  private readRecord(layout: Layout): void {
    const { cellCount } = this.scanner;
    if (cellCount > this.columnCount) this.refuseRow(this.rowText(), 'at most');
    else if (layout.form === 'long') this.readLong(layout);
    else if (layout.form === 'wide') this.readWide(layout);
    else this.readInflux(layout.columns);
  }

  /** Counts a row with the wrong number of cells as one point. */
  private refuseRow(name: string, amount: 'at least' | 'at most'): void {
    const { cellCount, delimiter } = this.scanner;
    this.builder.refuse(name, 'bad_name');
    const columns = `${this.columnCount} cells, ${this.headings === null ? 'like the first row' : 'like the header'}`;
    const separator = JSON.stringify(String.fromCharCode(delimiter));
    const fix = amount === 'at most' ? `; put a cell that contains ${separator} in quotes` : '';
    this.note('bad_name', `the row must have ${amount} ${columns}, got ${cellCount}${fix}`);
  }

  /** The beginning of the current row. */
  private rowText(): string {
    const { text, starts, ends, cellCount } = this.scanner;
    const [start, end] = [starts[0]!, ends[cellCount - 1]!];
    return withoutTokens(text.toString('utf8', start, Math.min(end, start + ROW_BYTES)));
  }

  private readLong({ time, metric, value }: { time: number; metric: number; value: number }): void {
    const { scanner } = this;
    if (scanner.cellCount < 3) {
      this.refuseRow(metric < scanner.cellCount ? this.nameText(metric) : this.rowText(), 'at least');
      return;
    }
    if (this.cells.isMissing(value)) return;
    const target = this.target(this.nameText(metric), metric);
    this.addCell(target, time, this.timeOf(time, target.order), value);
  }

  private readWide({ time, targets }: { time: number; targets: readonly (MetricTarget | null)[] }): void {
    const { cellCount } = this.scanner;
    const timestamp = this.timeOf(time, this.order);
    for (let cell = 0; cell < cellCount; cell++) {
      const target = targets[cell] ?? null;
      if (target !== null && !this.cells.isMissing(cell)) this.addCell(target, time, timestamp, cell);
    }
  }

  private readInflux(columns: InfluxColumns): void {
    const { cellCount } = this.scanner;
    const { time, measurement } = columns;
    if (Math.max(time, measurement, columns.field) >= cellCount) {
      this.refuseRow(this.rowText(), 'at least');
      return;
    }
    const labels = this.influxLabels(columns);
    for (const { cell, field } of columns.values) {
      if (cell >= cellCount) break;
      if (this.cells.isMissing(cell)) continue;
      const name = columns.field < 0 ? field : this.nameText(columns.field);
      const target = this.influxTarget(this.nameText(measurement), name, labels);
      this.addCell(target, time, this.timeOf(time, target.order), cell);
    }
  }

  private influxLabels({ tags, labels }: InfluxColumns): LabelPair[] {
    const { cellCount } = this.scanner;
    if (tags >= 0 && tags < cellCount) {
      const pairs = this.nameText(tags).split(',', this.limits.maxLabels + 1);
      return pairs.flatMap((pair): LabelPair[] => {
        const sign = pair.indexOf('=');
        return sign < 1 ? [] : [[pair.slice(0, sign), pair.slice(sign + 1)]];
      });
    }
    return labels.flatMap(({ cell, key }): LabelPair[] => (cell < cellCount ? [[key, this.nameText(cell)]] : []));
  }

  private influxTarget(measurement: string, field: string, labels: readonly LabelPair[]): MetricTarget {
    const metric = field === 'value' || field === '' ? measurement : `${measurement}_${field}`;
    const key = JSON.stringify([metric, labels]);
    let target = this.targets.get(key);
    if (target === undefined) {
      const parsed = composeSanitised(metric, labels, this.limits);
      target = this.makeTarget(metric, parsed);
      if (isNameProblem(parsed)) this.noteName('measurement, field and tags', metric, parsed);
      this.targets.set(key, target);
    }
    return target;
  }

  private addCell(target: MetricTarget, time: number, timestamp: number, cell: number): void {
    const { builder } = this;
    if (target.reason !== null) {
      builder.refuse(target.text, target.reason);
      return;
    }
    const value = this.cells.number(cell);
    if (value === null) {
      builder.refuse(target.text, 'not_numeric');
      this.noteProblem('not_numeric', () => `${this.columnOf(cell)}: ${this.cells.noNumber(cell)}`);
      return;
    }
    const reason = builder.addOrRefuse(target.series, timestamp, value);
    // timeOf has noted a cell that is not a time.
    if (reason === null || Number.isNaN(timestamp)) return;
    this.noteProblem(reason, () => {
      const { limits } = this;
      const timeMember = { member: this.columnOf(time), shown: this.cells.describeTime(time, timestamp) };
      const valueMember = { member: this.columnOf(cell), shown: quoted(this.cells.shown(cell)) };
      return pointProblem(reason, timeMember, valueMember, limits, limits.backfill);
    });
  }

  /** NaN and a note if the cell is not a time. */
  private timeOf(cell: number, order: TimeOrder): number {
    const timestamp = this.cells.time(cell, order);
    if (Number.isNaN(timestamp)) {
      this.noteProblem('bad_timestamp', () => `${this.columnOf(cell)}: ${this.cells.noTime(cell)}`);
    }
    return timestamp;
  }

  private nameText(cell: number): string {
    const { starts, ends } = this.scanner;
    // Far too long for a name; the shortened text still is, and the report needs no more.
    if (ends[cell]! - starts[cell]! > MAX_NAME_BYTES) ends[cell] = starts[cell]! + MAX_NAME_BYTES;
    return this.scanner.cellText(cell);
  }

  /** A column in messages: by its heading, or its number. */
  private columnOf(cell: number): string {
    return `column ${this.headings === null ? cell + 1 : quoted(this.headings[cell]!)}`;
  }

  /** @param cell with the text; null: the header has it */
  private target(text: string, cell: number | null): MetricTarget {
    let target = this.targets.get(text);
    if (target === undefined) {
      const parsed = parseMetricName(text, this.limits);
      target = this.makeTarget(text, parsed);
      this.targets.set(text, target);
      if (isNameProblem(parsed)) this.noteName(cell === null ? 'the heading' : this.columnOf(cell), text, parsed);
    }
    return target;
  }

  private makeTarget(text: string, parsed: ParsedMetricName | MetricNameProblem): MetricTarget {
    const order = new TimeOrder();
    if (isNameProblem(parsed)) return { series: -1, text, reason: parsed.reason, order };
    return { series: this.builder.series(parsed, this.limits.backfill), text: parsed.name, reason: null, order };
  }

  private noteName(place: string, text: string, { problem, reason }: MetricNameProblem): void {
    const { refusals } = this.builder;
    if (refusals.takesLines) {
      refusals.addBadLine(reason, this.scanner.line, `${place} must be a metric name, got ${quoted(text)}: ${problem}`);
    }
  }

  /** @param problem of a cell, composed only if it is reported */
  private noteProblem(reason: RefusalReason, problem: () => string): void {
    if (this.notedLine !== this.scanner.line && this.builder.refusals.takesLines) this.note(reason, problem());
  }

  private note(reason: RefusalReason, problem: string): void {
    if (this.notedLine === this.scanner.line) return;
    this.notedLine = this.scanner.line;
    this.builder.refusals.addBadLine(reason, this.scanner.line, problem);
  }
}

function formatOf(pattern: string | null): TimeFormat | null {
  if (pattern === null) return null;
  try {
    return new TimeFormat(pattern);
  } catch (error) {
    if (error instanceof TimeFormatError) {
      throw invalid('time_format', 'bad_format', `must be a Unicode date pattern: ${error.message}`);
    }
    throw error;
  }
}

function decimalOf(text: string | null): DecimalSign | null {
  const sign = DECIMAL_SIGNS.find((known) => known === text) ?? null;
  if (text !== null && sign === null) {
    throw invalid('decimal', 'not_one_of', `must be a point or a comma, got ${quoted(text)}`);
  }
  return sign;
}

function invalid(field: string, code: string, rule: string): MalformedBodyError {
  return new MalformedBodyError(`${field} ${rule}`, {}, [{ field, code, message: `${field} ${rule}` }]);
}

function metricRequired(): MalformedBodyError {
  return invalid('metric', 'required', 'must name the metric of a body with the columns timestamp and value');
}

function malformedColumns(columns: number, line: number): MalformedBodyError {
  return new MalformedBodyError(
    'the columns must be timestamp,metric,value, or a time and metrics with their names in the first line, ' +
      `got ${columns} ${columns === 1 ? 'column' : 'columns'}`,
    { line },
  );
}
