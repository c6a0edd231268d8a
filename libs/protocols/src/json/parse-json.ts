import { isUtf8 } from 'node:buffer';
import {
  type Aggregation,
  AGGREGATIONS,
  type DetailCode,
  type ErrorDetail,
  METRIC_TYPES,
  type MetricType,
  type RefusalReason,
} from '#libs/contracts';
import { BatchBuilder } from '../batch/batch-builder.js';
import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';
import { type ParseLimits } from '../batch/limits.js';
import { type ParseResult } from '../batch/parsed-batch.js';
import { type PointRefusal, pointProblem } from '../batch/point-problem.js';
import { excerpt, quoted, quotedBytes, quotedValue } from '../batch/quoted.js';
import {
  composeMetricName,
  isNameProblem,
  type LabelPair,
  type MetricNameProblem,
  parseMetricName,
  type ParsedMetricName,
  tooManyLabels,
} from '../names/metric-name.js';
import { MAX_SPELLING_FACTOR, SENT_LABELS_FACTOR } from '../names/name-limits.js';
import { NameCache, type NameTable } from '../names/name-cache.js';
import { isCollectdJson, metricsOfCollectd } from '../collectd/collectd-json.js';
import { locateJsonError } from './locate-json-error.js';
import { sortByTime } from '../batch/sort-by-time.js';
import { describeUnixTime, unixSeconds } from '../time/unix-time.js';
import { parseNumberText } from './number-text.js';

/**
 * Members of a body that control its processing. A member of a wrong type counts as missing; parseJsonMetrics reports
 * it.
 */
export interface JsonSwitches {
  /** The credential, if it is sent in the body. */
  key: string | null;
  /** Only the key is to be checked. */
  validateKey: boolean;
  /** Nothing is to be stored. */
  test: boolean;
  /** Null if the body does not have it. */
  backfill: boolean | null;
}

/** A body that is valid JSON and an object or a list. */
export interface JsonBody {
  root: unknown;
  switches: JsonSwitches;
}

type JsonObject = Record<string, unknown>;

const SWITCHES: ReadonlySet<string> = new Set(['key', 'validate_key', 'test', 'backfill']);

/** Members of one metric, in the body or in a list. */
const MEMBERS = [
  ...['metric', 'value', 'timestamp', 'values', 'timestamps'],
  ...['labels', 'type', 'unit', 'aggregation', 'backfill'],
];
const ROOT_MEMBERS = [...new Set([...MEMBERS, ...SWITCHES])];

/** Paths of the members of a single point in messages: collectd has others. */
interface PointMembers {
  metric: string;
  /** Empty: they are members of the metric itself. */
  labels: string;
  value: string;
  timestamp: string;
}

const POINT_MEMBERS: PointMembers = { metric: 'metric', labels: 'labels', value: 'value', timestamp: 'timestamp' };

const IS_NUMBER = 'must be a number, a numeric string or a boolean';
const IS_TIME = 'must be a Unix time';
const IS_TEXT = 'must be a string';
const IS_LIST = 'must be a list';
const IS_BOOLEAN = 'must be true or false';

/** Longest unit kept; SI units and currency names are far shorter. */
const MAX_UNIT_LENGTH = 64;

/** Bodies below this are parsed without counting their containers first. */
const LARGE_BODY_BYTES = 1 << 20;

/**
 * Maximum number of objects and lists per allowed point: one each for point and labels, the rest for brackets in texts.
 */
const CONTAINERS_PER_POINT = 8;

/**
 * First step: bytes to JSON, with the switches extracted, so that the sender can be identified before its points are
 * parsed. Throws MalformedBodyError with the byte offset if the body is not UTF-8 JSON, or neither an object nor a
 * list.
 */
export function readJsonBody(bytes: Uint8Array, maxPoints = 50_000): JsonBody {
  refuseTooManyContainers(bytes, maxPoints);
  const root = parseBytes(bytes);
  if (typeof root !== 'object' || root === null) {
    throw new MalformedBodyError('the body must be a JSON object or a list of metrics', { offset: 0 });
  }
  const members = Array.isArray(root) ? {} : (root as JsonObject);
  return {
    root,
    switches: {
      key: typeof members.key === 'string' ? members.key : null,
      validateKey: members.validate_key === true,
      test: members.test === true,
      backfill: typeof members.backfill === 'boolean' ? members.backfill : null,
    },
  };
}

/**
 * Second step: the points of a body in any of its forms: `{"metrics": [...]}`, one metric, a bare list, columns per
 * metric, one table of columns, or the format of collectd's write_http. Values may be numbers, numeric texts or
 * booleans; null in a column is not a point. Times are Unix seconds, milliseconds, microseconds or nanoseconds, by
 * their size, in any order. Throws MalformedBodyError with `details` if members are unknown or of a wrong type,
 * BodyTooLargeError over the limit of points. O(points + body).
 */
export function parseJsonMetrics(body: JsonBody, limits: ParseLimits): ParseResult {
  return new JsonMetricsParser(limits, body.switches.backfill ?? limits.backfill).parse(body.root);
}

class JsonMetricsParser {
  private readonly builder: BatchBuilder;
  private readonly details: ErrorDetail[] = [];
  private readonly names: NameTable;
  /** Labels of one metric and characters of its name, as sent. */
  private readonly maxLabels: number;
  private readonly maxLength: number;
  // For messages: paths of the members of a single point and of the column being read, and its time or times as sent.
  private members = POINT_MEMBERS;
  private valueColumn = '';
  private sentTimes: unknown;

  constructor(
    private readonly limits: ParseLimits,
    private readonly backfill: boolean,
  ) {
    this.builder = new BatchBuilder(limits);
    this.maxLabels = limits.maxLabels * SENT_LABELS_FACTOR;
    this.maxLength = limits.maxNameLength * MAX_SPELLING_FACTOR;
    this.names = (limits.names ?? new NameCache()).spelledAs('json');
  }

  parse(root: unknown): ParseResult {
    if (Array.isArray(root)) {
      if (isCollectdJson(root)) this.readCollectd(root);
      else this.readList(root, '');
    } else this.readRoot(root as JsonObject);
    if (this.details.length > 0) this.fail();
    const result = this.builder.finish();
    return { ...result, batch: sortByTime(result.batch) };
  }

  private readRoot(root: JsonObject): void {
    this.checkSwitches(root);
    if (Object.hasOwn(root, 'metrics')) {
      this.refuseOthers(root, ['metrics']);
      if (Array.isArray(root.metrics)) this.readList(root.metrics, 'metrics.');
      else this.problem('metrics', 'not_list', IS_LIST, root.metrics);
    } else if (Object.hasOwn(root, 'series')) {
      this.refuseOthers(root, ['timestamps', 'series']);
      this.readTable(root.timestamps, root.series);
    } else {
      this.readMetric(root, '', true);
    }
  }

  private checkSwitches(root: JsonObject): void {
    if (Object.hasOwn(root, 'key') && typeof root.key !== 'string') {
      // Its value may be a secret of the wrong type.
      this.problem('key', 'bad_format', IS_TEXT);
    }
    for (const name of ['validate_key', 'test', 'backfill']) {
      if (Object.hasOwn(root, name) && typeof root[name] !== 'boolean') {
        this.problem(name, 'not_boolean', IS_BOOLEAN, root[name]);
      }
    }
  }

  private refuseOthers(root: JsonObject, known: readonly string[]): void {
    for (const name of Object.keys(root)) {
      if (!known.includes(name) && !SWITCHES.has(name)) this.unknown('', name, [...known, ...SWITCHES]);
    }
  }

  private readList(list: readonly unknown[], prefix: string): void {
    for (let i = 0; i < list.length; i++) this.readEntry(list[i], `${prefix}${i}.`);
  }

  private readEntry(entry: unknown, prefix: string): void {
    if (isObject(entry)) this.readMetric(entry, prefix, false);
    else this.problem(prefix.slice(0, -1), 'not_object', 'must be an object', entry);
  }

  private readCollectd(list: readonly unknown[]): void {
    for (let i = 0; i < list.length; i++) {
      const metrics = metricsOfCollectd(list[i]);
      if (metrics === null) this.readEntry(list[i], `${i}.`);
      else {
        for (const { index, metric } of metrics) {
          this.members = { metric: 'plugin', labels: '', value: `values.${index}`, timestamp: 'time' };
          this.readMetric(metric, `${i}.`, false);
        }
        this.members = POINT_MEMBERS;
      }
    }
  }

  /** One metric with one point (`value`) or columns of points (`timestamps`, `values`). */
  private readMetric(entry: JsonObject, prefix: string, isRoot: boolean): void {
    let backfill = this.backfill;
    let type: MetricType | null = null;
    let aggregation: Aggregation | null = null;
    let unit: string | null = null;
    for (const member in entry) {
      const value = entry[member];
      switch (member) {
        case 'metric':
        case 'value':
        case 'timestamp':
        case 'values':
        case 'timestamps':
        case 'labels':
          break;
        case 'type':
          type = this.oneOf(METRIC_TYPES, value, prefix, member);
          break;
        case 'aggregation':
          aggregation = this.oneOf(AGGREGATIONS, value, prefix, member);
          break;
        case 'unit':
          unit = this.unitOf(value, prefix);
          break;
        case 'backfill':
          if (typeof value === 'boolean') backfill = value;
          else if (!isRoot) this.problem(`${prefix}backfill`, 'not_boolean', IS_BOOLEAN, value);
          break;
        default:
          if (!isRoot || !SWITCHES.has(member)) this.unknown(prefix, member, isRoot ? ROOT_MEMBERS : MEMBERS);
      }
    }
    const hasColumns = entry.values !== undefined || entry.timestamps !== undefined;
    if (hasColumns && (entry.value !== undefined || entry.timestamp !== undefined)) {
      this.problem(`${prefix}values`, 'exactly_one', 'needs timestamps: send them, or value and timestamp');
      return;
    }
    const name = this.nameOf(entry.metric, entry.labels, prefix);
    if (name === null) return;
    const series = isNameProblem(name) ? -1 : this.builder.series(name, backfill);
    if (series >= 0) {
      const header = this.builder.header(series);
      header.type ??= type;
      header.aggregation ??= aggregation;
      header.unit ??= unit;
    }
    const target: PointTarget = { series, name, sentName: entry.metric as string, prefix, isNoted: false };
    if (hasColumns) {
      const timestamps = this.timestampColumn(entry.timestamps, `${prefix}timestamps`);
      if (timestamps !== null) this.addColumn(target, timestamps, entry.values, `${prefix}values`);
    } else if (entry.value === undefined) {
      this.problem(`${prefix}value`, 'required', 'is required');
    } else {
      this.sentTimes = entry.timestamp;
      const sent = this.timestampOf(entry.timestamp ?? this.limits.now, prefix, this.members.timestamp);
      this.addPoint(target, sent, entry.value, -1);
    }
  }

  /** One column of timestamps shared by a column of values per metric. */
  private readTable(rawTimestamps: unknown, table: unknown): void {
    const timestamps = this.timestampColumn(rawTimestamps, 'timestamps');
    if (!isObject(table)) {
      this.problem('series', 'not_object', 'must be an object of metric names and their values', table);
      return;
    }
    if (timestamps === null) return;
    for (const metric of Object.keys(table)) {
      const name = this.nameOf(metric, undefined, 'series.');
      if (name === null) continue;
      const series = isNameProblem(name) ? -1 : this.builder.series(name, this.backfill);
      const target: PointTarget = { series, name, sentName: metric, prefix: null, isNoted: false };
      this.addColumn(target, timestamps, table[metric], `series.${shorten(metric)}`);
    }
  }

  private addColumn(target: PointTarget, timestamps: Float64Array, values: unknown, field: string): void {
    if (!Array.isArray(values)) {
      if (values === undefined) this.problem(field, 'required', 'is required');
      else this.problem(field, 'not_list', IS_LIST, values);
      return;
    }
    const column = values as unknown[];
    if (column.length !== timestamps.length) {
      const rule = `must have a value for each of the ${timestamps.length} timestamps, got ${column.length}`;
      this.problem(field, 'mismatch', rule);
      return;
    }
    this.valueColumn = field;
    for (let i = 0; i < column.length; i++) {
      if (column[i] !== null) this.addPoint(target, timestamps[i]!, column[i], i);
    }
  }

  /** @param index in the columns; -1 without columns */
  private addPoint(target: PointTarget, time: number, raw: unknown, index: number): void {
    const { builder } = this;
    if (typeof raw === 'object' && raw !== null) {
      this.problem(this.valuePlace(target, index), 'not_number', IS_NUMBER, raw);
      return;
    }
    if (isNameProblem(target.name)) {
      builder.refuse(target.sentName, target.name.reason);
      this.noteName(target, target.name);
      return;
    }
    const value = typeof raw === 'number' ? raw : typeof raw === 'boolean' ? Number(raw) : parseNumberText(raw);
    if (value === null) {
      builder.refuse(target.name.name, 'not_numeric');
      if (builder.refusals.takesLines)
        this.note('not_numeric', `${this.valuePlace(target, index)} ${IS_NUMBER}, got ${gotNumber(raw)}`);
      return;
    }
    const reason = builder.addOrRefuse(target.series, unixSeconds(time), value);
    if (reason !== null && builder.refusals.takesLines) {
      this.notePoint(target, reason, time, raw, index);
    }
  }

  private notePoint(target: PointTarget, reason: PointRefusal, time: number, raw: unknown, index: number): void {
    const { builder } = this;
    const sent = index < 0 ? this.sentTimes : (this.sentTimes as readonly unknown[])[index];
    const isUnix = reason === 'too_old' || reason === 'in_future';
    const shown = isUnix ? `${String(time)}, ${describeUnixTime(time)}` : quotedValue(sent);
    const timeMember = { member: this.timePlace(target, index), shown };
    const valueMember = { member: this.valuePlace(target, index), shown: quotedValue(raw) };
    const { backfill } = builder.header(target.series);
    this.note(reason, pointProblem(reason, timeMember, valueMember, this.limits, backfill));
  }

  /** Once per metric, however many points it has. */
  private noteName(target: PointTarget, { problem, reason }: MetricNameProblem): void {
    if (target.isNoted || !this.builder.refusals.takesLines) return;
    target.isNoted = true;
    const { prefix, sentName } = target;
    const got = `got ${quoted(sentName)}: ${problem}`;
    if (prefix === null) this.note(reason, `series must have metric names as members, ${got}`);
    else if (isNameProblem(parseMetricName(sentName, this.limits))) {
      this.note(reason, `${prefix}${this.members.metric} must be a metric name, ${got}`);
    } else this.note(reason, `${this.labelsPlace(prefix)} must match the metric ${quoted(sentName)}: ${problem}`);
  }

  private note(reason: RefusalReason, problem: string): void {
    this.builder.refusals.addBadLine(reason, null, problem);
  }

  private valuePlace({ prefix }: PointTarget, index: number): string {
    return index < 0 ? `${prefix ?? ''}${this.members.value}` : `${this.valueColumn}.${index}`;
  }

  private timePlace({ prefix }: PointTarget, index: number): string {
    return index < 0 ? `${prefix ?? ''}${this.members.timestamp}` : `${prefix ?? ''}timestamps.${index}`;
  }

  private labelsPlace(prefix: string): string {
    const { labels } = this.members;
    return labels === '' ? prefix.slice(0, -1) : `${prefix}${labels}`;
  }

  private timestampColumn(raw: unknown, field: string): Float64Array | null {
    if (raw === undefined) {
      this.problem(field, 'required', 'is required');
      return null;
    }
    if (!Array.isArray(raw)) {
      this.problem(field, 'not_list', IS_LIST, raw);
      return null;
    }
    this.sentTimes = raw;
    const column = new Float64Array(raw.length);
    for (let i = 0; i < raw.length; i++) column[i] = this.timestampOf(raw[i], `${field}.`, i);
    return column;
  }

  /** A time as sent; NaN for a text or null: that point is `bad_timestamp`. */
  private timestampOf(raw: unknown, prefix: string, member: string | number): number {
    if (typeof raw === 'number') return raw;
    if (typeof raw === 'string') return parseNumberText(raw) ?? NaN;
    if (raw !== null) this.problem(`${prefix}${member}`, 'not_number', IS_TIME, raw);
    return NaN;
  }

  /** Null if a problem of the whole body was recorded. */
  private nameOf(metric: unknown, labels: unknown, prefix: string): ParsedMetricName | MetricNameProblem | null {
    if (typeof metric !== 'string') {
      if (metric === undefined || metric === null) this.problem(`${prefix}metric`, 'required', 'is required');
      else this.problem(`${prefix}metric`, 'bad_format', IS_TEXT, metric);
      return null;
    }
    const pairs = labels === undefined || labels === null ? NO_LABELS : this.labelPairs(labels, prefix);
    if (pairs === null) return null;
    if (pairs.length > this.maxLabels) return tooManyLabels(this.limits);
    if (metric.length > this.maxLength) return parseMetricName(metric, this.limits);
    let key = metric;
    // Length prefixes separate texts that may contain any character.
    for (const [label, value] of pairs) key += `\u0000${label.length}:${label}${value}`;
    return (
      this.names.get(key) ?? this.names.keep(key, mergeLabels(parseMetricName(metric, this.limits), pairs, this.limits))
    );
  }

  private labelPairs(labels: unknown, prefix: string): LabelPair[] | null {
    if (!isObject(labels)) {
      this.problem(`${prefix}labels`, 'not_object', 'must be an object with strings as values', labels);
      return null;
    }
    const pairs: LabelPair[] = [];
    for (const key of Object.keys(labels)) {
      // One more than allowed shows that there are too many.
      if (pairs.length > this.maxLabels) break;
      const value = labels[key];
      if (typeof value === 'string') pairs.push([key, value]);
      else if (typeof value === 'number' || typeof value === 'boolean') pairs.push([key, String(value)]);
      else if (value !== null)
        this.problem(`${this.labelsPlace(prefix)}.${shorten(key)}`, 'bad_format', IS_TEXT, value);
    }
    return pairs;
  }

  private unitOf(value: unknown, prefix: string): string | null {
    if (value === null || value === '') return null;
    const field = `${prefix}unit`;
    if (typeof value !== 'string') this.problem(field, 'bad_format', IS_TEXT, value);
    else if (value.length > MAX_UNIT_LENGTH) {
      this.problem(field, 'too_long', `must have at most ${MAX_UNIT_LENGTH} characters`, value);
    } else if (/[\p{Cc}\p{Cs}]/u.test(value)) {
      this.problem(field, 'bad_format', 'must not contain control characters', value);
    } else return value;
    return null;
  }

  private oneOf<T extends string>(allowed: readonly T[], value: unknown, prefix: string, member: string): T | null {
    if (value === null) return null;
    const found = allowed.find((candidate) => candidate === value);
    if (found !== undefined) return found;
    this.problem(`${prefix}${member}`, 'not_one_of', `must be one of ${allowed.join(', ')}`, value);
    return null;
  }

  private unknown(prefix: string, member: string, known: readonly string[]): void {
    const rule = `is not a member here; the members are ${known.join(', ')}`;
    this.problem(prefix + shorten(member), 'unknown_parameter', rule);
  }

  /**
   * A problem of the whole body; only the first one of each field is reported.
   * @param given the value, if a message may quote it
   */
  private problem(field: string, code: DetailCode, rule: string, given?: unknown): void {
    if (this.details.some((detail) => detail.field === field)) return;
    const got = given === undefined ? '' : `, got ${quotedValue(given)}`;
    this.details.push({ field, code, message: `${field} ${rule}${got}` });
    if (this.details.length >= this.limits.maxDetails) this.fail();
  }

  private fail(): never {
    const [first] = this.details;
    const more = this.details.length > 1 ? ` (and ${this.details.length - 1} more)` : '';
    throw new MalformedBodyError(`${first!.message}${more}`, {}, this.details);
  }
}

/** The target of the points of one metric. */
interface PointTarget {
  /** -1 if the name is invalid. */
  series: number;
  name: ParsedMetricName | MetricNameProblem;
  /** The name as in the body, for the report if it is refused. */
  sentName: string;
  /** Path of the metric, with a point at the end; null in a table. */
  prefix: string | null;
  /** The problem of the name is described. */
  isNoted: boolean;
}

const NO_LABELS: LabelPair[] = [];

function mergeLabels(
  parsed: ParsedMetricName | MetricNameProblem,
  pairs: readonly LabelPair[],
  limits: ParseLimits,
): ParsedMetricName | MetricNameProblem {
  if (pairs.length === 0 || isNameProblem(parsed)) return parsed;
  return composeMetricName(parsed.displayName, [...Object.entries(parsed.labels), ...pairs], limits);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names of members come from the sender; an answer quotes them up to a length. */
function shorten(text: string): string {
  return excerpt(text, 100);
}

/** A value that is not a number, with the fix for a decimal comma. */
function gotNumber(raw: unknown): string {
  const hint = typeof raw === 'string' && raw.length <= 40 && /^[+-]?\d+,\d+$/.test(raw) ? ': use a point' : '';
  return `${quotedValue(raw)}${hint}`;
}

/** Bytes to JSON. Throws MalformedBodyError with the byte offset. */
export function parseBytes(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw new MalformedBodyError('the body is not valid UTF-8');
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const start = hasMark ? 3 : 0;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', start);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const { offset, problem, isQuotable } = locateJsonError(bytes);
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const got = isQuotable ? `, got ${quotedBytes(all, offset, all.length)}` : '';
    throw new MalformedBodyError(`the body is not valid JSON: ${problem}${got}`, { offset });
  }
}

/**
 * A few megabytes of `[[],[],…` would become hundreds of megabytes of objects. Brackets are counted, wherever they are,
 * before a large body is parsed; one with far more of them than allowed points cannot be valid.
 */
function refuseTooManyContainers(bytes: Uint8Array, maxPoints: number): void {
  if (bytes.length < LARGE_BODY_BYTES) return;
  const limit = maxPoints * CONTAINERS_PER_POINT;
  let containers = 0;
  const end = bytes.length;
  // `[` is 0x5b, `{` is 0x7b: they differ in one bit. A counted loop, because it sees every byte.
  for (let i = 0; i < end; i += 1) containers += (bytes[i]! & 0xdf) === 0x5b ? 1 : 0;
  if (containers > limit) throw new BodyTooLargeError('points', maxPoints);
}
