import { BodyTooLargeError } from '../batch/errors.js';
import { type ParseLimits } from '../batch/limits.js';
import { type PointRefusal, pointProblem } from '../batch/point-problem.js';
import { excerpt, QUOTABLE_BYTES, quotedBytes, withoutTokens } from '../batch/quoted.js';
import { type HistogramFolding, keepBuckets } from '../histograms/histogram-folder.js';
import { isNameProblem, type MetricNameProblem, type ParsedMetricName } from '../names/metric-name.js';
import { NameCache, type NameTable } from '../names/name-cache.js';
import { dayOf } from '../time/unix-time.js';
import { readDecimal } from '../wire/decimal.js';
import { LabelCollector } from './label-collector.js';
import { keptMetadata, kindNamed, type MetricMetadata } from './metadata.js';
import { RemoteWriteBody, type RemoteWriteResult } from './remote-write-body.js';
import { SampleReader } from './wire-fields.js';

export interface ExpositionOptions {
  /** The sender declares OpenMetrics. A body that ends with `# EOF` is OpenMetrics in any case. */
  isOpenMetrics: boolean;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const BLANK = 0x20;
const QUOTE = 0x22;
const HASH = 0x23;
const COMMA = 0x2c;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const BRACE_END = 0x7d;
const LETTER_N = 0x6e;

/** Bytes of a bad line quoted as its name. */
const QUOTED_BYTES = 80;
/** Number of bytes searched for the last line. */
const TAIL_BYTES = 64;
const END_OF_OPEN_METRICS = /(?:^|\n)# EOF\s*$/;
/** Kinds whose families have a separate series with the time when counting began. */
const KINDS_WITH_START: readonly (string | undefined)[] = ['counter', 'histogram', 'gaugehistogram', 'summary'];

interface LineProblem {
  problem: string;
  reason: MetricNameProblem['reason'] | 'not_numeric' | 'bad_timestamp';
}

/**
 * Reads the text that programs expose to Prometheus: `name{label="value"} 12.5 1760000000000`, with types, units and
 * help in comments. Timestamps are milliseconds, in OpenMetrics seconds with fractions; a sample without one is at
 * `limits.now`. Exemplars are skipped. Times at which counting began (`_created` of a counter, histogram or summary)
 * and quantiles of a summary without observations are omitted, which is not an error. A bad line counts as one refused
 * point and is noted with its number, as is a refused point; the others are stored. O(body). Throws BodyTooLargeError, nothing else. Source:
 * https://prometheus.io/docs/instrumenting/exposition_formats/ and
 * https://prometheus.io/docs/specs/om/open_metrics_spec/
 *
 * @param folding how histograms are converted; without it all buckets stay unchanged
 */
export function parseExposition(
  bytes: Uint8Array,
  options: ExpositionOptions,
  limits: ParseLimits,
  folding: HistogramFolding = keepBuckets(),
): RemoteWriteResult {
  const body = new RemoteWriteBody(limits, folding);
  try {
    new ExpositionParser(bytes, options, limits, body).parse();
    return body.finish();
  } catch (error) {
    body.discard();
    throw error;
  }
}

class ExpositionParser {
  private readonly text: Buffer;
  private readonly names: NameTable;
  private readonly labels: LabelCollector;
  private readonly sample = new SampleReader();
  private readonly millisecondsPerUnit: number;
  private readonly families = new Map<string, MetricMetadata>();
  // The sample being read, for messages: its line, the end of its name and labels, and the end of the line.
  private line = 0;
  private keyEnd = 0;
  private lineEnd = 0;

  constructor(
    private readonly bytes: Uint8Array,
    { isOpenMetrics }: ExpositionOptions,
    private readonly limits: ParseLimits,
    private readonly body: RemoteWriteBody,
  ) {
    this.text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.names = (limits.names ?? new NameCache()).spelledAs('exposition');
    this.labels = new LabelCollector(limits);
    const tail = this.text.toString('latin1', Math.max(0, bytes.length - TAIL_BYTES));
    this.millisecondsPerUnit = isOpenMetrics || END_OF_OPEN_METRICS.test(tail) ? 1000 : 1;
    body.builder.onRefused = (reason, backfill) => this.notePoint(reason, backfill);
  }

  parse(): void {
    const { bytes } = this;
    // A byte order mark is not part of the first name.
    let position = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    for (let line = 1; position < bytes.length; line++) {
      const lineFeed = bytes.indexOf(LINE_FEED, position);
      const next = lineFeed < 0 ? bytes.length : lineFeed;
      this.readLine(position, next, line);
      position = next + 1;
    }
    for (const family of this.families.values()) this.body.metadata.push(keptMetadata(family));
  }

  private readLine(lineStart: number, end: number, line: number): void {
    const start = this.skipBlanks(lineStart, end);
    if (start === end) return;
    if (this.bytes[start] === HASH) {
      this.readComment(start + 1, end);
      return;
    }
    this.line = line;
    const problem = this.readSample(start, end);
    if (problem === null) return;
    const { builder } = this.body;
    const beginning = this.text.toString('utf8', start, Math.min(end, start + QUOTED_BYTES)).trimEnd();
    builder.refuse(withoutTokens(beginning), problem.reason);
    builder.refusals.addBadLine(problem.reason, line, problem.problem);
  }

  private notePoint(reason: PointRefusal, backfill: boolean): void {
    const { text, sample, lineEnd, limits } = this;
    const valueStart = this.skipBlanks(this.keyEnd, lineEnd);
    const valueEnd = this.findBlank(valueStart, lineEnd);
    const timeStart = this.skipBlanks(valueEnd, lineEnd);
    const day = reason === 'bad_timestamp' ? '' : `, taken for ${this.timeUnit}: ${dayOf(sample.milliseconds / 1000)}`;
    const timeEnd = this.findBlank(timeStart, Math.min(lineEnd, timeStart + QUOTABLE_BYTES));
    const sent = excerpt(text.toString('latin1', timeStart, timeEnd));
    const time = { member: 'the timestamp', shown: `${sent}${day}` };
    const value = { member: 'the value', shown: quotedBytes(text, valueStart, valueEnd) };
    this.body.builder.refusals.addBadLine(reason, this.line, pointProblem(reason, time, value, limits, backfill));
  }

  private get timeUnit(): string {
    return this.millisecondsPerUnit === 1 ? 'milliseconds' : 'seconds';
  }

  private got(start: number, end: number): string {
    return `got ${quotedBytes(this.text, start, end)}`;
  }

  /** `HELP name text`, `TYPE name kind` or `UNIT name unit`; any other comment has no meaning. */
  private readComment(from: number, end: number): void {
    const { text } = this;
    const tokenStart = this.skipBlanks(from, end);
    const tokenEnd = this.findBlank(tokenStart, end);
    if (tokenEnd - tokenStart !== 'HELP'.length) return;
    const token = text.toString('latin1', tokenStart, tokenEnd);
    if (token !== 'HELP' && token !== 'TYPE' && token !== 'UNIT') return;
    const nameStart = this.skipBlanks(tokenEnd, end);
    const isQuoted = this.bytes[nameStart] === QUOTE;
    const nameEnd = isQuoted ? this.endOfQuoted(nameStart, end) : this.findBlank(nameStart, end);
    if (nameEnd <= nameStart) return;
    const name = isQuoted ? this.unquoted(nameStart, nameEnd) : text.toString('utf8', nameStart, nameEnd);
    const rest = text.toString('utf8', this.skipBlanks(nameEnd, end), end).trimEnd();
    const family = this.familyOf(name);
    if (token === 'TYPE') family.kind = kindNamed(rest);
    else if (token === 'UNIT') family.unit = rest;
    else family.help = unescape(rest);
  }

  private familyOf(name: string): MetricMetadata {
    const { families, limits } = this;
    let family = families.get(name);
    if (family === undefined) {
      if (families.size >= limits.maxPoints) throw new BodyTooLargeError('metadata entries', limits.maxPoints);
      family = { family: name, kind: 'unknown', help: '', unit: '' };
      families.set(name, family);
    }
    return family;
  }

  private readSample(start: number, end: number): LineProblem | null {
    const { bytes, text, limits } = this;
    const nameEnd = this.endOfName(start, end);
    const brace = this.skipBlanks(nameEnd, end);
    const hasLabels = brace < end && bytes[brace] === BRACE;
    const keyEnd = hasLabels ? this.endOfLabels(brace, end) : nameEnd;
    if (keyEnd < 0) return { problem: `labels must end with }, ${this.got(brace, end)}`, reason: 'bad_name' };
    const valueStart = this.skipBlanks(keyEnd, end);
    const valueEnd = this.findBlank(valueStart, end);
    const value = valueStart === valueEnd ? null : readDecimal(text, valueStart, valueEnd);
    if (value === null) {
      const isMissing = valueStart === valueEnd;
      const rule = isMissing ? 'a line must be: name{labels} value timestamp' : 'the value must be a number';
      const got = isMissing ? this.got(start, end) : this.got(valueStart, valueEnd);
      return { problem: `${rule}, ${got}`, reason: 'not_numeric' };
    }
    const timeStart = this.skipBlanks(valueEnd, end);
    const milliseconds = this.readTime(timeStart, end);
    if (milliseconds === null) {
      const problem = `the timestamp must be a number of ${this.timeUnit}, ${this.got(timeStart, end)}`;
      return { problem, reason: 'bad_timestamp' };
    }
    const raw = text.toString('latin1', start, keyEnd);
    const parsed = this.names.get(raw) ?? this.names.keep(raw, this.readKey(start, nameEnd, brace, keyEnd));
    if (isNameProblem(parsed)) {
      const got = this.got(start, keyEnd);
      return { problem: `name and labels must be a metric name, ${got}: ${parsed.problem}`, reason: parsed.reason };
    }
    this.keyEnd = keyEnd;
    this.lineEnd = end;
    this.sample.value = value;
    this.sample.milliseconds = Number.isNaN(milliseconds) ? limits.now * 1000 : milliseconds;
    this.addSample(parsed, (bytes[valueStart]! | BLANK) === LETTER_N);
    return null;
  }

  /** Unix milliseconds; NaN if there is no timestamp, null if it is invalid. */
  private readTime(start: number, end: number): number | null {
    if (start === end || this.bytes[start] === HASH) return NaN;
    const timeEnd = this.findBlank(start, end);
    const rest = this.skipBlanks(timeEnd, end);
    // Only an exemplar may follow it.
    if (rest < end && this.bytes[rest] !== HASH) return null;
    const time = readDecimal(this.text, start, timeEnd);
    return time === null || Number.isNaN(time) ? null : time * this.millisecondsPerUnit;
  }

  private addSample(parsed: ParsedMetricName, isNotANumber: boolean): void {
    const { body, sample, limits } = this;
    const { displayName, name } = parsed;
    if (isNotANumber && this.kindOf(displayName) === 'summary') {
      body.builder.omit(name);
      return;
    }
    if (KINDS_WITH_START.includes(this.kindOf(displayName, '_created'))) {
      body.builder.omit(name);
      return;
    }
    const bucket = body.bucketOf(parsed);
    if (bucket === null) body.addSample(body.builder.series(parsed, limits.backfill), sample);
    else {
      const isGaugeHistogram = this.kindOf(displayName, '_bucket') === 'gaugehistogram';
      body.addBucket(parsed, bucket, sample, { isGaugeHistogram });
    }
  }

  /** Kind of the family that a series with this suffix is part of. */
  private kindOf(displayName: string, suffix = ''): string | undefined {
    if (this.families.size === 0 || !displayName.endsWith(suffix)) return undefined;
    return this.families.get(displayName.slice(0, displayName.length - suffix.length))?.kind;
  }

  /** @param brace where the labels begin, if there are any before `keyEnd` */
  private readKey(start: number, nameEnd: number, brace: number, keyEnd: number): ParsedMetricName | MetricNameProblem {
    const { labels, text } = this;
    labels.clear();
    if (nameEnd > start) labels.add('__name__', text.toString('utf8', start, nameEnd));
    const isReadable = brace >= keyEnd || this.readLabels(brace + 1, keyEnd);
    return isReadable ? labels.compose() : { problem: 'a label must be name="value"', reason: 'bad_name' };
  }

  /** Reads labels up to the brace before `end`. A quoted text without a value is the name of the metric. */
  private readLabels(from: number, end: number): boolean {
    const { bytes, text, labels } = this;
    let at = this.skipBlanks(from, end);
    while (at < end && bytes[at] !== BRACE_END) {
      const isQuoted = bytes[at] === QUOTE;
      const keyEnd = isQuoted ? this.endOfQuoted(at, end) : this.endOfLabelName(at, end);
      if (keyEnd <= at) return false;
      const key = isQuoted ? this.unquoted(at, keyEnd) : text.toString('utf8', at, keyEnd);
      at = this.skipBlanks(keyEnd, end);
      if (bytes[at] === EQUALS) {
        const valueStart = this.skipBlanks(at + 1, end);
        const valueEnd = bytes[valueStart] === QUOTE ? this.endOfQuoted(valueStart, end) : -1;
        if (valueEnd < 0) return false;
        labels.add(key, this.unquoted(valueStart, valueEnd));
        at = this.skipBlanks(valueEnd, end);
      } else if (isQuoted) {
        labels.add('__name__', key);
      } else {
        return false;
      }
      if (bytes[at] === COMMA) at = this.skipBlanks(at + 1, end);
      else if (bytes[at] !== BRACE_END) return false;
    }
    return at === end - 1;
  }

  /** The content of a quoted text. */
  private unquoted(start: number, end: number): string {
    return unescape(this.text.toString('utf8', start + 1, end - 1));
  }

  /** The end of the name of a metric: before a blank or the labels. */
  private endOfName(start: number, end: number): number {
    let at = start;
    while (at < end && this.bytes[at] !== BRACE && !isBlank(this.bytes[at])) at++;
    return at;
  }

  private endOfLabelName(start: number, end: number): number {
    let at = start;
    for (; at < end; at++) {
      const byte = this.bytes[at];
      if (byte === EQUALS || byte === COMMA || byte === BRACE_END || isBlank(byte)) break;
    }
    return at;
  }

  /** Position after the closing brace; -1 if there is none. Braces within quotes do not count. */
  private endOfLabels(brace: number, end: number): number {
    for (let at = brace + 1; at < end; at++) {
      if (this.bytes[at] === BRACE_END) return at + 1;
      if (this.bytes[at] !== QUOTE) continue;
      at = this.endOfQuoted(at, end) - 1;
      if (at < 0) return -1;
    }
    return -1;
  }

  /** Position after the closing quote; -1 if there is none. */
  private endOfQuoted(start: number, end: number): number {
    for (let at = start + 1; at < end; at++) {
      if (this.bytes[at] === QUOTE) return at + 1;
      if (this.bytes[at] === BACKSLASH) at++;
    }
    return -1;
  }

  private skipBlanks(start: number, end: number): number {
    let at = start;
    while (at < end && isBlank(this.bytes[at])) at++;
    return at;
  }

  private findBlank(start: number, end: number): number {
    let at = start;
    while (at < end && !isBlank(this.bytes[at])) at++;
    return at;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === BLANK || byte === TAB || byte === RETURN;
}

/** A backslash before any other character is literal. */
function unescape(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\([\\"n])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
}
