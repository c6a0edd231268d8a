import { BatchBuilder } from '../batch/batch-builder.js';
import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';
import { type ParseLimits } from '../batch/limits.js';
import { type ParseResult } from '../batch/parsed-batch.js';
import { composeSanitised, isNameProblem, type LabelPair, type MetricNameProblem } from '../names/metric-name.js';
import { readFieldNumber } from './field-number.js';

export const INFLUX_PRECISIONS = ['ns', 'us', 'u', 'ms', 's', 'm', 'h'] as const;
export type InfluxPrecision = (typeof INFLUX_PRECISIONS)[number];

export interface InfluxOptions {
  /** Unit of the timestamps. */
  precision: InfluxPrecision;
  /** `skip`: a line that cannot be read is refused and the others are stored. `fail`: it refuses the whole body. */
  onBadLine: 'skip' | 'fail';
}

/**
 * Reads InfluxDB line protocol: `measurement,tag=value field=1.5,other=2i 1760000000000000000`, one point set per line.
 * A field becomes the metric `measurement_field{tag="value"}`, the field `value` the metric `measurement{…}`; characters
 * that names may not hold become `_`. Integers, floats and booleans are values, quoted texts are `not_numeric`. A line
 * without a timestamp is at `limits.now`.
 *
 * A bad line counts as one refused point (`bad_name`, `not_numeric` or `bad_timestamp`, by the part that is wrong) and is
 * noted with its number. Works on the bytes: texts are made once per distinct series key. O(body).
 * Throws MalformedBodyError (only with `onBadLine: 'fail'`) or BodyTooLargeError.
 * Source: https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/
 */
export function parseInflux(bytes: Uint8Array, options: InfluxOptions, limits: ParseLimits): ParseResult {
  return new InfluxParser(bytes, options, limits).parse();
}

/** Timestamp units in a second, or seconds in a unit: dividing and multiplying by whole numbers keeps whole seconds exact. */
const UNITS: Record<InfluxPrecision, { perSecond: number; seconds: number }> = {
  ns: { perSecond: 1e9, seconds: 1 },
  us: { perSecond: 1e6, seconds: 1 },
  u: { perSecond: 1e6, seconds: 1 },
  ms: { perSecond: 1e3, seconds: 1 },
  s: { perSecond: 1, seconds: 1 },
  m: { perSecond: 1, seconds: 60 },
  h: { perSecond: 1, seconds: 3600 },
};

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const BLANK = 0x20;
const QUOTE = 0x22;
const HASH = 0x23;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;

/** Nanoseconds of the far future have 19 digits. */
const MAX_TIMESTAMP_DIGITS = 20;

/** Bytes of a bad line quoted as its name. */
const QUOTED_BYTES = 80;

/** Marks a field in `fieldValues` that is a text. NaN itself stands for spelled-out NaN and infinities. */
enum FieldKind {
  Number,
  Text,
}

interface LineProblem {
  problem: string;
  reason: 'bad_name' | 'not_numeric' | 'bad_timestamp';
}

/** What a series key (measurement and tags) of this body stands for. */
interface SeriesKey {
  measurement: string;
  /** A text when the tags cannot be read. */
  tags: LabelPair[] | string;
  fields: Map<string, FieldTarget>;
}

type FieldTarget = { series: number; problem: null } | { series: -1; problem: MetricNameProblem; text: string };

class InfluxParser {
  private readonly text: Buffer;
  private readonly end: number;
  private readonly builder: BatchBuilder;
  private readonly keys = new Map<string, SeriesKey>();
  private readonly perSecond: number;
  private readonly secondsPerUnit: number;
  private position = 0;
  private line = 0;
  /** No quote closes a text that starts here or later: found once, so that many open quotes cost one scan. */
  private unclosedFrom = Infinity;
  // The fields of the line being read, as columns; reused for every line.
  private fieldCount = 0;
  private readonly fieldStarts: number[] = [];
  private readonly fieldEnds: number[] = [];
  private readonly fieldValues: number[] = [];
  private readonly fieldKinds: FieldKind[] = [];

  constructor(
    private readonly bytes: Uint8Array,
    private readonly options: InfluxOptions,
    private readonly limits: ParseLimits,
  ) {
    this.text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
    this.builder = new BatchBuilder(limits);
    this.perSecond = UNITS[options.precision].perSecond;
    this.secondsPerUnit = UNITS[options.precision].seconds;
  }

  parse(): ParseResult {
    const { bytes, end } = this;
    // A byte order mark is no part of the first measurement.
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.position = 3;
    while (this.position < end) {
      this.line++;
      const line = this.line;
      this.skipBlanks();
      const start = this.position;
      const first = bytes[start];
      if (first === LINE_FEED || first === HASH || first === undefined) {
        this.toNextLine(start);
        continue;
      }
      const problem = this.readLine(start);
      if (problem === null) continue;
      this.refuseLine(start, line, problem);
      // The line may have seemed to reach further, through a quote that was never closed.
      this.line = line;
      this.toNextLine(start);
    }
    return this.builder.finish();
  }

  /** Reads a line from its first byte to the start of the next one, and adds its points when all of it is good. */
  private readLine(start: number): LineProblem | null {
    const measurementEnd = this.scanKey();
    const keyEnd = this.position;
    if (measurementEnd === start) return { problem: 'the measurement is missing', reason: 'bad_name' };
    this.skipBlanks();
    const problem = this.readFields();
    if (problem !== null) return problem;
    const timestamp = this.readTimestamp();
    if (typeof timestamp !== 'number') return timestamp;
    const key = this.seriesKey(start, measurementEnd, keyEnd);
    if (typeof key.tags === 'string') return { problem: key.tags, reason: 'bad_name' };
    this.addFields(key, key.tags, timestamp);
    return null;
  }

  /** Moves to the blank or line feed after measurement and tags; answers where the measurement ends. */
  private scanKey(): number {
    const { bytes, end } = this;
    let at = this.position;
    let measurementEnd = -1;
    while (at < end) {
      const byte = bytes[at]!;
      if (byte === BLANK || byte === LINE_FEED) break;
      if (byte === COMMA && measurementEnd < 0) measurementEnd = at;
      at += byte === BACKSLASH && isEscapable(bytes[at + 1]) ? 2 : 1;
    }
    this.position = Math.min(at, end);
    return measurementEnd < 0 ? this.position : measurementEnd;
  }

  private readFields(): LineProblem | null {
    const { bytes, end, limits } = this;
    this.fieldCount = 0;
    for (;;) {
      const start = this.position;
      let at = start;
      while (at < end) {
        const byte = bytes[at]!;
        if (byte === EQUALS || byte === BLANK || byte === COMMA || byte === LINE_FEED) break;
        at += byte === BACKSLASH && isEscapable(bytes[at + 1]) ? 2 : 1;
      }
      if (at >= end || bytes[at] !== EQUALS || at === start) {
        return { problem: 'a field must be name=value', reason: 'bad_name' };
      }
      if (this.fieldCount >= limits.maxPoints) throw new BodyTooLargeError('points', limits.maxPoints);
      this.fieldStarts[this.fieldCount] = start;
      this.fieldEnds[this.fieldCount] = at;
      this.position = at + 1;
      const problem = this.readFieldValue();
      if (problem !== null) return problem;
      this.fieldCount++;
      if (bytes[this.position] !== COMMA) return null;
      this.position++;
    }
  }

  private readFieldValue(): LineProblem | null {
    const { bytes, end } = this;
    const start = this.position;
    if (bytes[start] === QUOTE) {
      if (!this.skipText()) return { problem: 'a quoted text is not closed', reason: 'not_numeric' };
      if (!isValueEnd(bytes[this.position])) {
        return { problem: 'something stands behind a quoted text', reason: 'not_numeric' };
      }
      this.fieldKinds[this.fieldCount] = FieldKind.Text;
      return null;
    }
    let at = start;
    while (at < end && !isValueEnd(bytes[at])) at++;
    const value = readFieldNumber(this.text, start, at);
    if (value === null) return { problem: 'a value is no number, boolean or quoted text', reason: 'not_numeric' };
    this.fieldValues[this.fieldCount] = value;
    this.fieldKinds[this.fieldCount] = FieldKind.Number;
    this.position = at;
    return null;
  }

  /** Steps over a quoted text, which may hold line feeds. False when it has no end. */
  private skipText(): boolean {
    const { bytes, end } = this;
    const start = this.position;
    if (start >= this.unclosedFrom) return false;
    for (let at = start + 1; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === LINE_FEED) this.line++;
      else if (byte === BACKSLASH && (bytes[at + 1] === QUOTE || bytes[at + 1] === BACKSLASH)) at++;
      else if (byte === QUOTE) {
        this.position = at + 1;
        return true;
      }
    }
    this.unclosedFrom = start;
    return false;
  }

  /** The rest of the line: a timestamp or nothing. Moves to the start of the next line. Unix seconds. */
  private readTimestamp(): number | LineProblem {
    const { bytes, end } = this;
    this.skipBlanks();
    const isNegative = bytes[this.position] === MINUS;
    const start = this.position + (isNegative ? 1 : 0);
    let at = start;
    let units = 0;
    while (at < end) {
      const byte = bytes[at]!;
      if (byte < ZERO || byte > NINE) break;
      units = units * 10 + (byte - ZERO);
      at++;
    }
    this.position = at;
    this.skipBlanks();
    const isWhole = this.position >= end || bytes[this.position] === LINE_FEED;
    const digits = at - start;
    if (!isWhole || digits > MAX_TIMESTAMP_DIGITS || (digits === 0 && isNegative)) {
      return { problem: 'the timestamp is no whole number', reason: 'bad_timestamp' };
    }
    this.position++;
    if (digits === 0) return this.limits.now;
    const seconds = (units / this.perSecond) * this.secondsPerUnit;
    return isNegative ? -seconds : seconds;
  }

  private addFields(key: SeriesKey, tags: readonly LabelPair[], timestamp: number): void {
    const { builder, text } = this;
    for (let i = 0; i < this.fieldCount; i++) {
      const field = text.toString('latin1', this.fieldStarts[i], this.fieldEnds[i]);
      let target = key.fields.get(field);
      if (target === undefined) {
        target = this.fieldTarget(key.measurement, tags, this.fieldStarts[i]!, this.fieldEnds[i]!);
        key.fields.set(field, target);
      }
      if (target.problem !== null) builder.refuse(target.text, target.problem.reason);
      else if (this.fieldKinds[i] === FieldKind.Text) builder.refuse(builder.header(target.series).name, 'not_numeric');
      else builder.add(target.series, timestamp, this.fieldValues[i]!);
    }
  }

  private fieldTarget(measurement: string, tags: readonly LabelPair[], start: number, end: number): FieldTarget {
    const { builder, limits } = this;
    const field = unescape(this.text.toString('utf8', start, end));
    const metric = field === 'value' ? measurement : `${measurement}_${field}`;
    const parsed = composeSanitised(metric, tags, limits);
    if (isNameProblem(parsed)) return { series: -1, problem: parsed, text: metric };
    return { series: builder.series(parsed, limits.backfill), problem: null };
  }

  /** The texts of a measurement and its tags, made once per distinct key. Bytes read as Latin-1 keep distinct keys distinct. */
  private seriesKey(start: number, measurementEnd: number, keyEnd: number): SeriesKey {
    const { text } = this;
    const raw = text.toString('latin1', start, keyEnd);
    let key = this.keys.get(raw);
    if (key === undefined) {
      key = {
        measurement: unescape(text.toString('utf8', start, measurementEnd)),
        tags: this.readTags(measurementEnd, keyEnd),
        fields: new Map(),
      };
      this.keys.set(raw, key);
    }
    return key;
  }

  private readTags(start: number, end: number): LabelPair[] | string {
    const { bytes, text, limits } = this;
    const tags: LabelPair[] = [];
    let at = start;
    while (at < end) {
      const keyStart = at + 1;
      let equals = -1;
      for (at = keyStart; at < end && bytes[at] !== COMMA; at++) {
        if (bytes[at] === BACKSLASH && isEscapable(bytes[at + 1])) at++;
        else if (bytes[at] === EQUALS && equals < 0) equals = at;
      }
      const tagEnd = Math.min(at, end);
      if (equals <= keyStart) return 'a tag must be name=value';
      // One more than allowed shows that there are too many; the rest need no memory.
      if (tags.length > limits.maxLabels || equals + 1 === tagEnd) continue;
      tags.push([
        unescape(text.toString('utf8', keyStart, equals)),
        unescape(text.toString('utf8', equals + 1, tagEnd)),
      ]);
    }
    return tags;
  }

  private refuseLine(start: number, line: number, { problem, reason }: LineProblem): void {
    if (this.options.onBadLine === 'fail') throw new MalformedBodyError(problem, { line });
    let end = Math.min(this.end, start + QUOTED_BYTES);
    const lineEnd = this.bytes.subarray(start, end).indexOf(LINE_FEED);
    if (lineEnd >= 0) end = start + lineEnd;
    this.builder.refuse(this.text.toString('utf8', start, end).trimEnd(), reason);
    this.builder.refusals.addBadLine(line, problem);
  }

  private toNextLine(from: number): void {
    const lineFeed = this.bytes.indexOf(LINE_FEED, from);
    this.position = lineFeed < 0 ? this.end : lineFeed + 1;
  }

  private skipBlanks(): void {
    const { bytes } = this;
    let byte = bytes[this.position];
    while (byte === BLANK || byte === TAB || byte === RETURN) byte = bytes[++this.position];
  }
}

/** A backslash makes these part of a name; before anything else it is a backslash. */
function isEscapable(byte: number | undefined): boolean {
  return byte === COMMA || byte === EQUALS || byte === BLANK;
}

function isValueEnd(byte: number | undefined): boolean {
  return (
    byte === COMMA || byte === BLANK || byte === LINE_FEED || byte === RETURN || byte === TAB || byte === undefined
  );
}

function unescape(text: string): string {
  return text.includes('\\') ? text.replace(/\\([,= ])/g, '$1') : text;
}
