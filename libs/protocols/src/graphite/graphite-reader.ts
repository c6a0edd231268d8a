import { BatchBuilder } from '../batch/batch-builder.js';
import { type ParseLimits } from '../batch/limits.js';
import { type ParseResult } from '../batch/parsed-batch.js';
import { pointProblem } from '../batch/point-problem.js';
import { excerpt, QUOTABLE_BYTES, quotedBytes, withoutTokens } from '../batch/quoted.js';
import {
  composeSanitised,
  isNameProblem,
  type LabelPair,
  type MetricNameProblem,
  type ParsedMetricName,
} from '../names/metric-name.js';
import { type NameTable } from '../names/name-cache.js';
import { dayOf } from '../time/unix-time.js';
import { readDecimal } from '../wire/decimal.js';

/** The points of one credential, in the order of their lines. */
export interface GraphiteBatch extends ParseResult {
  /** First part of the names, `pl_…`, which is removed from them. Null: the lines contain none. */
  token: string | null;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const BLANK = 0x20;
const DOT = 0x2e;

/** Prefix of every token of the product. */
const TOKEN_PREFIX = Buffer.from('pl_');

/** Bytes of a line without its end; a metric name has at most 1024 characters. */
const MAX_LINE_BYTES = 4096;

/** Maximum number of credentials per `take`: a relay has a handful; each costs some kilobytes. */
const MAX_TOKENS = 64;

/** Bytes of a bad line quoted as its name. */
const QUOTED_BYTES = 80;

type LineReason = 'bad_name' | 'not_numeric' | 'bad_timestamp';

interface Waiting {
  token: string | null;
  builder: BatchBuilder;
  /** Null: names are not cached, because the organisation is not known yet. */
  names: NameTable | null;
}

/**
 * Reads the Graphite plaintext protocol from a stream: `path value [timestamp]`, one point a line, with paths such as
 * `web-1.cpu.load` or `cpu.load;host=web-1`. One reader serves one connection: it keeps the unfinished line between chunks
 * (at most 4 KiB) and the points until they are taken. Blank lines are skipped; a timestamp that is missing or -1 is
 * `limits.now`; characters that names may not hold become `_`. Numbers spelled `nan` or `inf` are `not_finite`.
 *
 * A line that cannot be read is refused (`bad_name`, `not_numeric` or `bad_timestamp`, by the part that is wrong) and is
 * noted with its number in the connection. Never throws, whatever the bytes. O(bytes).
 * Source: https://graphite.readthedocs.io/en/latest/feeding-carbon.html and …/tags.html
 */
export class GraphiteReader {
  /** Start of a line whose end has not come yet. */
  private readonly unfinished = Buffer.allocUnsafe(MAX_LINE_BYTES + 1);
  private unfinishedBytes = 0;
  /** The rest of a line that is too long is skipped. */
  private isSkipping = false;
  private line = 0;
  private waiting = new Map<string | null, Waiting>();
  private latest: Waiting | null = null;
  private pendingPoints = 0;

  /** Points read or refused since the last `take`. */
  get pending(): number {
    return this.pendingPoints;
  }

  /** Reads the next bytes of the stream. Memory grows with the pending points: take them after every few thousand. */
  push(chunk: Uint8Array, limits: ParseLimits): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(LINE_FEED, start);
      if (end < 0) break;
      this.finishLine(bytes, start, end, limits);
      start = end + 1;
    }
    this.keepUnfinished(bytes, start, limits);
  }

  /** The stream has ended. A last line without a line feed may be cut in the middle of a number, so it is refused. */
  end(limits: ParseLimits): void {
    if (this.unfinishedBytes > 0 && !this.isSkipping) {
      this.line++;
      const rule = 'the last line must end with a line feed';
      this.refuseLine(this.unfinished, 0, this.unfinishedBytes, 'bad_timestamp', rule, limits);
    }
    this.unfinishedBytes = 0;
    this.isSkipping = false;
  }

  /** The points that were read since the last call, one batch per credential. */
  take(): GraphiteBatch[] {
    const batches = Array.from(this.waiting.values(), ({ token, builder }) => ({ token, ...builder.finish() }));
    this.waiting = new Map();
    this.latest = null;
    this.pendingPoints = 0;
    return batches;
  }

  private finishLine(bytes: Buffer, start: number, end: number, limits: ParseLimits): void {
    if (this.isSkipping) {
      this.isSkipping = false;
      return;
    }
    if (this.unfinishedBytes === 0 && end - start <= MAX_LINE_BYTES) {
      this.readLine(bytes, start, end, limits);
      return;
    }
    const isWhole = this.keepUnfinished(bytes.subarray(0, end), start, limits);
    if (isWhole) this.readLine(this.unfinished, 0, this.unfinishedBytes, limits);
    this.isSkipping = false;
    this.unfinishedBytes = 0;
  }

  /** Adds the rest of a chunk to the unfinished line. False if the line is too long: it is refused immediately. */
  private keepUnfinished(bytes: Buffer, start: number, limits: ParseLimits): boolean {
    if (this.isSkipping) return false;
    const kept = Math.min(bytes.length - start, this.unfinished.length - this.unfinishedBytes);
    bytes.copy(this.unfinished, this.unfinishedBytes, start, start + kept);
    this.unfinishedBytes += kept;
    if (this.unfinishedBytes <= MAX_LINE_BYTES) return true;
    this.line++;
    const rule = `a line must have at most ${MAX_LINE_BYTES} bytes`;
    this.refuseLine(this.unfinished, 0, this.unfinishedBytes, 'bad_name', rule, limits);
    this.unfinishedBytes = 0;
    this.isSkipping = true;
    return false;
  }

  private readLine(bytes: Buffer, lineStart: number, lineEnd: number, limits: ParseLimits): void {
    this.line++;
    const start = skipBlanks(bytes, lineStart, lineEnd);
    if (start === lineEnd) return;
    const pathEnd = findBlank(bytes, start, lineEnd);
    const valueStart = skipBlanks(bytes, pathEnd, lineEnd);
    const valueEnd = findBlank(bytes, valueStart, lineEnd);
    const timeStart = skipBlanks(bytes, valueEnd, lineEnd);
    const timeEnd = findBlank(bytes, timeStart, lineEnd);
    const value = valueStart === valueEnd ? null : readDecimal(bytes, valueStart, valueEnd);
    if (value === null) {
      if (valueStart === valueEnd) {
        this.refuseLine(bytes, start, lineEnd, 'not_numeric', 'a line must be: path value timestamp', limits);
      } else {
        const rule = 'the value must be a number';
        this.refuseLine(bytes, start, lineEnd, 'not_numeric', rule, limits, valueStart, valueEnd);
      }
      return;
    }
    const timestamp = timeStart === timeEnd ? -1 : readDecimal(bytes, timeStart, timeEnd);
    if (timestamp === null || skipBlanks(bytes, timeEnd, lineEnd) !== lineEnd) {
      const rule = 'the timestamp must be a number of seconds';
      this.refuseLine(bytes, start, lineEnd, 'bad_timestamp', rule, limits, timeStart);
      return;
    }
    const tokenEnd = findTokenEnd(bytes, start, pathEnd);
    const waiting = this.waitingFor(tokenEnd < 0 ? null : bytes.toString('latin1', start, tokenEnd), limits);
    if (waiting === null) return;
    const pathStart = tokenEnd < 0 ? start : Math.min(tokenEnd + 1, pathEnd);
    const name = nameOf(waiting, bytes, pathStart, pathEnd);
    const { builder } = waiting;
    this.pendingPoints++;
    if (isNameProblem(name)) {
      builder.refuse(bytes.toString('utf8', pathStart, pathEnd), name.reason);
      if (!builder.refusals.takesLines) return;
      const got = `got ${quotedBytes(bytes, pathStart, pathEnd)}`;
      builder.refusals.addBadLine(name.reason, this.line, `the path must be a metric name, ${got}: ${name.problem}`);
      return;
    }
    const { backfill, now } = builder.limits;
    const reason = builder.addOrRefuse(builder.series(name, backfill), timestamp === -1 ? now : timestamp, value);
    if (reason === null || !builder.refusals.takesLines) return;
    const day = reason === 'bad_timestamp' ? '' : `, taken for seconds: ${dayOf(timestamp)}`;
    const sent = bytes.toString('latin1', timeStart, Math.min(timeEnd, timeStart + QUOTABLE_BYTES));
    const time = { member: 'the timestamp', shown: `${excerpt(sent)}${day}` };
    const shownValue = { member: 'the value', shown: quotedBytes(bytes, valueStart, valueEnd) };
    builder.refusals.addBadLine(reason, this.line, pointProblem(reason, time, shownValue, builder.limits, backfill));
  }

  /** The collector of a credential. Null if too many different ones wait: then the line is counted as refused. */
  private waitingFor(token: string | null, limits: ParseLimits): Waiting | null {
    if (this.latest?.token === token) return this.latest;
    let waiting = this.waiting.get(token);
    if (waiting === undefined) {
      if (token !== null && this.waiting.size >= MAX_TOKENS) {
        this.refuseToken(limits);
        return null;
      }
      waiting = this.newWaiting(token, limits);
    }
    this.latest = waiting;
    return waiting;
  }

  private refuseToken(limits: ParseLimits): void {
    const { builder } = this.waiting.get(null) ?? this.newWaiting(null, limits);
    this.pendingPoints++;
    builder.refuse('', 'bad_name');
    builder.refusals.addBadLine(
      'bad_name',
      this.line,
      `lines must have at most ${MAX_TOKENS} different tokens at once`,
    );
  }

  private newWaiting(token: string | null, limits: ParseLimits): Waiting {
    // The caller must take the waiting points in time: a stream has no last point.
    const builder = new BatchBuilder({ ...limits, maxPoints: Infinity });
    const names = limits.names?.spelledAs('graphite') ?? null;
    const waiting: Waiting = { token, builder, names };
    this.waiting.set(token, waiting);
    return waiting;
  }

  /** @param gotStart of the part that breaks the rule; default: the line without its token */
  private refuseLine(
    bytes: Buffer,
    from: number,
    end: number,
    reason: LineReason,
    rule: string,
    limits: ParseLimits,
    gotStart?: number,
    gotEnd = end,
  ): void {
    const start = skipBlanks(bytes, from, end);
    const tokenEnd = findTokenEnd(bytes, start, findBlank(bytes, start, end));
    const waiting = this.waitingFor(tokenEnd < 0 ? null : bytes.toString('latin1', start, tokenEnd), limits);
    if (waiting === null) return;
    const nameStart = tokenEnd < 0 ? start : Math.min(tokenEnd + 1, end);
    const shown = Math.min(end, nameStart + QUOTED_BYTES);
    this.pendingPoints++;
    const { refusals } = waiting.builder;
    waiting.builder.refuse(withoutTokens(bytes.toString('utf8', nameStart, shown).trimEnd()), reason);
    if (!refusals.takesLines) return;
    let last = gotEnd;
    while (last > nameStart && isBlank(bytes[last - 1]!)) last--;
    refusals.addBadLine(reason, this.line, `${rule}, got ${quotedBytes(bytes, gotStart ?? nameStart, last)}`);
  }
}

/** The name of a path, parsed once while it is cached. Bytes read as Latin-1 keep distinct paths distinct. */
function nameOf(
  { names, builder }: Waiting,
  bytes: Buffer,
  start: number,
  end: number,
): ParsedMetricName | MetricNameProblem {
  const read = (): ParsedMetricName | MetricNameProblem => {
    return readPath(bytes.toString('utf8', start, end), builder.limits);
  };
  if (names === null) return read();
  const raw = bytes.toString('latin1', start, end);
  return names.get(raw) ?? names.keep(raw, read());
}

function readPath(path: string, limits: ParseLimits): ParsedMetricName | MetricNameProblem {
  if (!path.includes(';')) return composeSanitised(path, [], limits);
  const [name, ...tags] = path.split(';');
  const labels: LabelPair[] = [];
  for (const tag of tags) {
    const equals = tag.indexOf('=');
    if (equals <= 0) return { problem: 'a tag must be name=value', reason: 'bad_name' };
    labels.push([tag.slice(0, equals), tag.slice(equals + 1)]);
  }
  return composeSanitised(name!, labels, limits);
}

/**
 * The end of the token at the beginning of a path; -1 if there is none. Any text that begins like a token counts as
 * one: a mistyped token must neither become part of a metric name nor appear in reports.
 */
function findTokenEnd(bytes: Buffer, start: number, pathEnd: number): number {
  if (pathEnd - start < TOKEN_PREFIX.length) return -1;
  for (let i = 0; i < TOKEN_PREFIX.length; i++) if (bytes[start + i] !== TOKEN_PREFIX[i]) return -1;
  for (let at = start; at < pathEnd; at++) if (bytes[at] === DOT) return at;
  return pathEnd;
}

function isBlank(byte: number): boolean {
  return byte === BLANK || byte === TAB || byte === RETURN;
}

function skipBlanks(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(bytes[at]!)) at++;
  return at;
}

function findBlank(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && !isBlank(bytes[at]!)) at++;
  return at;
}
