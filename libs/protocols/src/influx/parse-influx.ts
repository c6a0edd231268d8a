import { BatchBuilder } from '../batch/batch-builder.js';
import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';
import { type ParseLimits } from '../batch/limits.js';
import { type ParseResult } from '../batch/parsed-batch.js';
import { type PointRefusal, pointProblem } from '../batch/point-problem.js';
import { QUOTABLE_BYTES, quoted, quotedBytes, withoutTokens } from '../batch/quoted.js';
import {
  composeSanitised,
  isNameProblem,
  type LabelPair,
  type MetricNameProblem,
  tooManyLabels,
} from '../names/metric-name.js';
import { NameCache, type SeriesKeyTable } from '../names/name-cache.js';
import { SENT_LABELS_FACTOR } from '../names/name-limits.js';
import { KeyField, type SeriesKey } from '../names/series-key.js';
import { dayOf } from '../time/unix-time.js';
import { EXACT_DIGITS, POWERS_OF_TEN } from '../wire/decimal.js';
import { readFieldNumber } from './field-number.js';

export const INFLUX_PRECISIONS = ['ns', 'us', 'u', 'ms', 's', 'm', 'h'] as const;
export type InfluxPrecision = (typeof INFLUX_PRECISIONS)[number];

export interface InfluxOptions {
  /** Unit of the timestamps. */
  precision: InfluxPrecision;
  /** `skip`: an invalid line is refused and the others are stored. `fail`: it refuses the whole body. */
  onBadLine: 'skip' | 'fail';
}

/**
 * Reads InfluxDB line protocol: `measurement,tag=value field=1.5,other=2i 1760000000000000000`, one point set per line.
 * A field becomes the metric `measurement_field{tag="value"}`, the field `value` the metric `measurement{…}`;
 * characters that names may not hold become `_`. Integers, floats and booleans are values; quoted texts are omitted,
 * which is not an error (`refusals.omitted`). A line without a timestamp is at `limits.now`.
 *
 * A bad line counts as one refused point (`bad_name`, `not_numeric` or `bad_timestamp`, by the part that is wrong). It is
 * noted with its number, and so are refused points of other lines. O(body).
 *
 * Works on bytes. Parsed keys are cached in `limits.names`. Senders also repeat the same lines in the same order, so
 * the key and fields that followed last time are compared first: an expected line is read without creating or looking
 * up a string. Throws MalformedBodyError (only with `onBadLine: 'fail'`) or BodyTooLargeError. Source:
 * https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/
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
const DOT = 0x2e;
const ZERO = 0x30;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const LETTER_I = 0x69;

/** Nanoseconds of the far future have 19 digits. */
const MAX_TIMESTAMP_DIGITS = 20;

/** Bytes of a bad line quoted as its name. */
const QUOTED_BYTES = 80;

/** Marks a text field in `fieldValues`. NaN itself represents spelled-out NaN and infinities. */
enum FieldKind {
  Number,
  Text,
}

interface LineProblem {
  problem: string;
  reason: 'bad_name' | 'not_numeric' | 'bad_timestamp';
}

class InfluxParser {
  private readonly text: Buffer;
  private readonly end: number;
  private readonly builder: BatchBuilder;
  private readonly keys: SeriesKeyTable;
  /** Key of the last valid line. */
  private last: SeriesKey | null = null;
  private readonly perSecond: number;
  private readonly secondsPerUnit: number;
  private position = 0;
  private line = 0;
  /** No quote closes a text that starts here or later: searched once, so that many open quotes cost one scan. */
  private unclosedFrom = Infinity;
  // The last timestamp and its position: most lines have the timestamp of the line before.
  private timestampStart = 0;
  private timestampEnd = 0;
  private timestamp = 0;
  // The fields of the line being read, as columns; reused for every line.
  private fieldCount = 0;
  /** Null: to be looked up. */
  private readonly fields: (KeyField | null)[] = [];
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
    this.keys = (limits.names ?? new NameCache()).seriesKeys();
    this.perSecond = UNITS[options.precision].perSecond;
    this.secondsPerUnit = UNITS[options.precision].seconds;
  }

  parse(): ParseResult {
    const { bytes, end } = this;
    // A byte order mark is not part of the first measurement.
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
      const problem = this.readLine(start, line);
      if (problem === null) continue;
      this.refuseLine(start, line, problem);
      // The line may have seemed to reach further, through a quote that was never closed.
      this.line = line;
      this.toNextLine(start);
    }
    return this.builder.finish();
  }

  /** Reads a line from its first byte to the start of the next one, and adds its points if all of it is valid. */
  private readLine(start: number, line: number): LineProblem | null {
    let key = this.expectedKey(start);
    let measurementEnd = start;
    let keyEnd = start;
    if (key === null) {
      measurementEnd = this.scanKey();
      keyEnd = this.position;
      if (measurementEnd === start) {
        return { problem: `the measurement must not be empty, ${this.gotLine(start)}`, reason: 'bad_name' };
      }
      key = this.keys.get(this.text.toString('latin1', start, keyEnd)) ?? null;
    }
    this.skipBlanks();
    const problem = this.readFields(key);
    if (problem !== null) return problem;
    const timestamp = this.readTimestamp();
    if (typeof timestamp !== 'number') return timestamp;
    // Only keys of valid lines are cached.
    key ??= this.newKey(start, measurementEnd, keyEnd);
    if (this.last !== null) this.keys.link(this.last, key);
    this.last = key;
    if (key.problem !== null) {
      return { problem: `${key.problem}, got ${quotedRaw(key.raw)}`, reason: 'bad_name' };
    }
    this.addFields(key, timestamp, line);
    return null;
  }

  /** The key that followed the last one before, if it is here; skips it. */
  private expectedKey(start: number): SeriesKey | null {
    const key = this.last === null ? null : this.last.next;
    if (key === null) return null;
    // A key is never followed by a blank that belongs to it: such a blank would follow a backslash, within the key.
    const end = this.endOf(key.raw, start, BLANK);
    if (end < 0) return null;
    this.position = end;
    this.keys.use(key);
    return key;
  }

  /** The end of `raw` if the bytes at `start` match and `follower` follows; -1 otherwise. */
  private endOf(raw: string, start: number, follower: number): number {
    const { bytes } = this;
    const { length } = raw;
    const end = start + length;
    if (end >= this.end || bytes[end] !== follower) return -1;
    // Keys of neighbours differ towards their ends.
    for (let i = length - 1; i >= 0; i--) if (bytes[start + i] !== raw.charCodeAt(i)) return -1;
    return end;
  }

  /** Moves to the blank or line feed after measurement and tags; returns the end of the measurement. */
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

  /** @param key already known, or null */
  private readFields(key: SeriesKey | null): LineProblem | null {
    const { bytes, limits } = this;
    this.fieldCount = 0;
    for (;;) {
      if (this.fieldCount >= limits.maxPoints) throw new BodyTooLargeError('points', limits.maxPoints);
      const start = this.position;
      const expected = key === null ? null : key.fieldAt(this.fieldCount);
      let nameEnd = expected === null ? -1 : this.endOf(expected.raw, start, EQUALS);
      this.fields[this.fieldCount] = nameEnd < 0 ? null : expected;
      if (nameEnd < 0) {
        nameEnd = this.scanFieldName();
        if (nameEnd < 0) {
          return { problem: `a field must be name=value, ${this.got(start)}`, reason: 'bad_name' };
        }
      }
      this.fieldStarts[this.fieldCount] = start;
      this.fieldEnds[this.fieldCount] = nameEnd;
      this.position = nameEnd + 1;
      if (!this.readPlainNumber()) {
        const problem = this.readFieldValue();
        if (problem !== null) return problem;
      }
      this.fieldCount++;
      if (bytes[this.position] !== COMMA) return null;
      this.position++;
    }
  }

  /** The end of the name of this field, before its equals sign; -1 if the name or the sign is missing. */
  private scanFieldName(): number {
    const { bytes, end } = this;
    const start = this.position;
    let at = start;
    while (at < end) {
      const byte = bytes[at]!;
      if (byte === EQUALS || byte === BLANK || byte === COMMA || byte === LINE_FEED) break;
      at += byte === BACKSLASH && isEscapable(bytes[at + 1]) ? 2 : 1;
    }
    return at >= end || bytes[at] !== EQUALS || at === start ? -1 : at;
  }

  /**
   * Digits with or without a point, or an integer with its `i`: nearly all values. Otherwise false, and nothing is
   * read.
   */
  private readPlainNumber(): boolean {
    const { bytes, end } = this;
    let at = this.position;
    const isNegative = at < end && bytes[at] === MINUS;
    if (isNegative) at++;
    const start = at;
    let mantissa = 0;
    let byte = 0;
    while (at < end && (byte = bytes[at]! - ZERO) >= 0 && byte <= 9) {
      mantissa = mantissa * 10 + byte;
      at++;
    }
    let digits = at - start;
    let decimals = 0;
    if (at < end && bytes[at] === DOT) {
      const afterPoint = ++at;
      while (at < end && (byte = bytes[at]! - ZERO) >= 0 && byte <= 9) {
        mantissa = mantissa * 10 + byte;
        at++;
      }
      decimals = at - afterPoint;
      digits += decimals;
    } else if (at < end && bytes[at] === LETTER_I) {
      at++;
    }
    if (digits === 0 || digits > EXACT_DIGITS || (at < end && !isValueEnd(bytes[at]))) return false;
    const magnitude = decimals === 0 ? mantissa : mantissa / POWERS_OF_TEN[decimals]!;
    this.fieldValues[this.fieldCount] = isNegative ? -magnitude : magnitude;
    this.fieldKinds[this.fieldCount] = FieldKind.Number;
    this.position = at;
    return true;
  }

  private readFieldValue(): LineProblem | null {
    const { bytes, end } = this;
    const start = this.position;
    if (bytes[start] === QUOTE) {
      if (!this.skipText()) {
        const problem = `${this.fieldPlace()} must end with a double quote, ${this.gotLine(start)}`;
        return { problem, reason: 'not_numeric' };
      }
      if (!isValueEnd(bytes[this.position])) {
        const problem = `${this.fieldPlace()} must end after the closing quote, ${this.got(this.position)}`;
        return { problem, reason: 'not_numeric' };
      }
      this.fieldKinds[this.fieldCount] = FieldKind.Text;
      return null;
    }
    let at = start;
    while (at < end && !isValueEnd(bytes[at])) at++;
    const value = readFieldNumber(this.text, start, at);
    if (value === null) {
      const rule = 'must be a number, a boolean or a string in double quotes';
      return { problem: `${this.fieldPlace()} ${rule}, ${this.got(start)}`, reason: 'not_numeric' };
    }
    this.fieldValues[this.fieldCount] = value;
    this.fieldKinds[this.fieldCount] = FieldKind.Number;
    this.position = at;
    return null;
  }

  /** Skips a quoted text, which may contain line feeds. False if it has no end. */
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
    if (this.isTimestampOfLastLine()) return this.timestamp;
    const isNegative = bytes[this.position] === MINUS;
    const start = this.position + (isNegative ? 1 : 0);
    let at = start;
    let units = 0;
    // Nine digits at a time: whole numbers of that size are fast, and whole seconds stay exact.
    for (;;) {
      const partEnd = Math.min(end, at + 9);
      const partStart = at;
      let part = 0;
      let digit = 0;
      while (at < partEnd && (digit = bytes[at]! - ZERO) >= 0 && digit <= 9) {
        part = part * 10 + digit;
        at++;
      }
      units = units * POWERS_OF_TEN[at - partStart]! + part;
      if (at < partStart + 9 || at - start > MAX_TIMESTAMP_DIGITS) break;
    }
    this.position = at;
    this.skipBlanks();
    const isWhole = this.position >= end || bytes[this.position] === LINE_FEED;
    const digits = at - start;
    if (!isWhole || digits > MAX_TIMESTAMP_DIGITS || (digits === 0 && isNegative)) {
      const got = this.gotLine(isNegative ? start - 1 : start);
      return { problem: `the timestamp must be a whole number, ${got}`, reason: 'bad_timestamp' };
    }
    this.position++;
    if (digits === 0) return this.limits.now;
    const seconds = (units / this.perSecond) * this.secondsPerUnit;
    this.timestampStart = isNegative ? start - 1 : start;
    this.timestampEnd = at;
    this.timestamp = isNegative ? -seconds : seconds;
    return this.timestamp;
  }

  /** True if the bytes here equal the last timestamp and end the line; skips it then. */
  private isTimestampOfLastLine(): boolean {
    const { bytes, position, timestampStart, timestampEnd } = this;
    const at = position + timestampEnd - timestampStart;
    if (at === position || at >= this.end || bytes[at] !== LINE_FEED) return false;
    for (let i = at - 1, known = timestampEnd - 1; i >= position; i--, known--) {
      if (bytes[i] !== bytes[known]) return false;
    }
    this.position = at + 1;
    return true;
  }

  private addFields(key: SeriesKey, timestamp: number, line: number): void {
    const { builder, limits } = this;
    for (let i = 0; i < this.fieldCount; i++) {
      const field = this.fields[i] ?? this.lookUpField(key, this.fieldStarts[i]!, this.fieldEnds[i]!);
      const { refusal } = field;
      if (this.fieldKinds[i] === FieldKind.Text) builder.omit(refusal?.text ?? field.name);
      else if (refusal !== null) {
        builder.refuse(refusal.text, refusal.reason);
        this.noteName(refusal, line);
      } else {
        const series = builder.series(field, limits.backfill);
        const reason = builder.addOrRefuse(series, timestamp, this.fieldValues[i]!);
        if (reason !== null) this.notePoint(reason, i, timestamp, line);
      }
    }
  }

  private noteName({ text, problem, reason }: MetricNameProblem & { text: string }, line: number): void {
    const { refusals } = this.builder;
    if (!refusals.takesLines) return;
    refusals.addBadLine(
      reason,
      line,
      `measurement, field and tags must be a metric name, got ${quoted(text)}: ${problem}`,
    );
  }

  /** @param index of the field */
  private notePoint(reason: PointRefusal, index: number, timestamp: number, line: number): void {
    const { builder, limits, text } = this;
    if (!builder.refusals.takesLines) return;
    const start = this.fieldEnds[index]! + 1;
    const value = { member: this.fieldPlace(index), shown: quotedBytes(text, start, this.endOfValue(start)) };
    const sent = text.toString('latin1', this.timestampStart, this.timestampEnd);
    const day =
      reason === 'bad_timestamp' ? '' : `, taken for precision=${this.options.precision}: ${dayOf(timestamp)}`;
    const time = { member: 'the timestamp', shown: `${sent}${day}` };
    builder.refusals.addBadLine(reason, line, pointProblem(reason, time, value, limits, limits.backfill));
  }

  /** A field of the line being read in messages; default: the one whose value is being read. */
  private fieldPlace(index = this.fieldCount): string {
    return `field ${quotedBytes(this.text, this.fieldStarts[index]!, this.fieldEnds[index]!)}`;
  }

  /** The word at a position, for a message. */
  private got(start: number): string {
    return `got ${quotedBytes(this.text, start, this.endOfValue(start))}`;
  }

  /** The rest of the line, for a message. */
  private gotLine(start: number): string {
    const limit = Math.min(this.end, start + QUOTABLE_BYTES);
    let end = start;
    while (end < limit && this.bytes[end] !== LINE_FEED && this.bytes[end] !== RETURN) end++;
    return `got ${quotedBytes(this.text, start, end)}`;
  }

  /** The end of an unquoted value, searched only as far as messages quote it. */
  private endOfValue(start: number): number {
    const limit = Math.min(this.end, start + QUOTABLE_BYTES);
    let end = start;
    while (end < limit && !isValueEnd(this.bytes[end])) end++;
    return end;
  }

  private lookUpField(key: SeriesKey, start: number, end: number): KeyField {
    const raw = this.text.toString('latin1', start, end);
    let field = key.field(raw);
    if (field === undefined) {
      field = this.newField(key, raw);
      this.keys.addField(key, field);
    }
    return field;
  }

  /** Strings are created once per key and field. */
  private newField(key: SeriesKey, raw: string): KeyField {
    const bytes = Buffer.from(key.raw, 'latin1');
    const measurementEnd = endOfMeasurement(bytes);
    const measurement = unescape(bytes.toString('utf8', 0, measurementEnd));
    const field = unescape(Buffer.from(raw, 'latin1').toString('utf8'));
    const metric = field === 'value' ? measurement : `${measurement}_${field}`;
    const tags = readTags(bytes, measurementEnd, this.limits);
    if (typeof tags === 'string') throw new Error(`A key without readable tags was given a field: ${tags}`);
    const parsed = 'problem' in tags ? tags : composeSanitised(metric, tags, this.limits);
    const shared = this.keys.shared(raw);
    return isNameProblem(parsed)
      ? new KeyField(shared, '', { ...parsed, text: metric })
      : new KeyField(shared, parsed.name, null);
  }

  private newKey(start: number, measurementEnd: number, keyEnd: number): SeriesKey {
    const raw = this.text.toString('latin1', start, keyEnd);
    const bytes = this.text.subarray(start, keyEnd);
    const tags = readTags(bytes, measurementEnd - start, this.limits);
    return this.keys.keep(raw, typeof tags === 'string' ? tags : null);
  }

  private refuseLine(start: number, line: number, { problem, reason }: LineProblem): void {
    if (this.options.onBadLine === 'fail') throw new MalformedBodyError(problem, { line });
    let end = Math.min(this.end, start + QUOTED_BYTES);
    const lineEnd = this.bytes.subarray(start, end).indexOf(LINE_FEED);
    if (lineEnd >= 0) end = start + lineEnd;
    this.builder.refuse(withoutTokens(this.text.toString('utf8', start, end).trimEnd()), reason);
    this.builder.refusals.addBadLine(reason, line, problem);
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

/** A backslash escapes these characters; before anything else it is literal. */
function isEscapable(byte: number | undefined): boolean {
  return byte === COMMA || byte === EQUALS || byte === BLANK;
}

function isValueEnd(byte: number | undefined): boolean {
  return (
    byte === COMMA || byte === BLANK || byte === LINE_FEED || byte === RETURN || byte === TAB || byte === undefined
  );
}

/** The key of a line as messages quote it. */
function quotedRaw(raw: string): string {
  return quoted(Buffer.from(raw.slice(0, QUOTABLE_BYTES), 'latin1').toString('utf8'));
}

function unescape(text: string): string {
  return text.includes('\\') ? text.replace(/\\([,= ])/g, '$1') : text;
}

/** Position of the first comma that is not escaped, or the end. */
function endOfMeasurement(key: Uint8Array): number {
  let at = 0;
  while (at < key.length && key[at] !== COMMA) at += key[at] === BACKSLASH && isEscapable(key[at + 1]) ? 2 : 1;
  return Math.min(at, key.length);
}

/** @param start of the comma in front of the first tag, or the end of the key; the problem when they cannot be read */
function readTags(key: Buffer, start: number, limits: ParseLimits): LabelPair[] | MetricNameProblem | string {
  const tags: LabelPair[] = [];
  let sent = 0;
  const end = key.length;
  let at = start;
  while (at < end) {
    const keyStart = at + 1;
    let equals = -1;
    for (at = keyStart; at < end && key[at] !== COMMA; at++) {
      if (key[at] === BACKSLASH && isEscapable(key[at + 1])) at++;
      else if (key[at] === EQUALS && equals < 0) equals = at;
    }
    const tagEnd = Math.min(at, end);
    if (equals <= keyStart) return 'a tag must be name=value';
    // One more than allowed shows that there are too many; the rest need no memory.
    if (++sent > limits.maxLabels * SENT_LABELS_FACTOR) return tooManyLabels(limits);
    if (tags.length > limits.maxLabels || equals + 1 === tagEnd) continue;
    tags.push([unescape(key.toString('utf8', keyStart, equals)), unescape(key.toString('utf8', equals + 1, tagEnd))]);
  }
  return tags;
}
