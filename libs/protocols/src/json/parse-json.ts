import { isUtf8 } from 'node:buffer';
import {
  type Aggregation,
  AGGREGATIONS,
  type DetailCode,
  type ErrorDetail,
  METRIC_TYPES,
  type MetricType,
} from '#libs/contracts';
import { BatchBuilder } from '../batch/batch-builder.js';
import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';
import { type ParseLimits } from '../batch/limits.js';
import { type ParseResult } from '../batch/parsed-batch.js';
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
import { fromCollectdJson, isCollectdJson } from '../collectd/collectd-json.js';
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
    if (Array.isArray(root)) this.readList(isCollectdJson(root) ? fromCollectdJson(root) : root, '');
    else this.readRoot(root as JsonObject);
    if (this.details.length > 0) this.fail();
    const result = this.builder.finish();
    return { ...result, batch: sortByTime(result.batch) };
  }

  private readRoot(root: JsonObject): void {
    this.checkSwitches(root);
    if (Object.hasOwn(root, 'metrics')) {
      this.refuseOthers(root, ['metrics']);
      if (Array.isArray(root.metrics)) this.readList(root.metrics, 'metrics.');
      else this.problem('metrics', 'not_list', 'must be a list');
    } else if (Object.hasOwn(root, 'series')) {
      this.refuseOthers(root, ['timestamps', 'series']);
      this.readTable(root.timestamps, root.series);
    } else {
      this.readMetric(root, '', true);
    }
  }

  private checkSwitches(root: JsonObject): void {
    if (Object.hasOwn(root, 'key') && typeof root.key !== 'string') {
      this.problem('key', 'bad_format', 'must be a text');
    }
    for (const name of ['validate_key', 'test', 'backfill']) {
      if (Object.hasOwn(root, name) && typeof root[name] !== 'boolean') {
        this.problem(name, 'not_boolean', 'must be true or false');
      }
    }
  }

  private refuseOthers(root: JsonObject, known: readonly string[]): void {
    for (const name of Object.keys(root)) {
      if (!known.includes(name) && !SWITCHES.has(name)) this.unknown(name);
    }
  }

  private readList(list: readonly unknown[], prefix: string): void {
    for (let i = 0; i < list.length; i++) {
      const entry = list[i];
      if (isObject(entry)) this.readMetric(entry, `${prefix}${i}.`, false);
      else this.problem(`${prefix}${i}`, 'not_object', 'must be an object');
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
          else if (!isRoot) this.problem(`${prefix}backfill`, 'not_boolean', 'must be true or false');
          break;
        default:
          if (!isRoot || !SWITCHES.has(member)) this.unknown(prefix + member);
      }
    }
    const hasColumns = entry.values !== undefined || entry.timestamps !== undefined;
    if (hasColumns && (entry.value !== undefined || entry.timestamp !== undefined)) {
      this.problem(`${prefix}values`, 'exactly_one', 'give either value and timestamp, or values and timestamps');
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
    const target: PointTarget = { series, name, sentName: entry.metric as string };
    if (hasColumns) {
      const timestamps = this.timestampColumn(entry.timestamps, `${prefix}timestamps`);
      if (timestamps !== null) this.addColumn(target, timestamps, entry.values, `${prefix}values`);
    } else if (entry.value === undefined) {
      this.problem(`${prefix}value`, 'required', 'is required');
    } else {
      const sent = this.timestampOf(entry.timestamp ?? this.limits.now, prefix, 'timestamp');
      this.addPoint(target, sent, entry.value, prefix, 'value');
    }
  }

  /** One column of timestamps shared by a column of values per metric. */
  private readTable(rawTimestamps: unknown, table: unknown): void {
    const timestamps = this.timestampColumn(rawTimestamps, 'timestamps');
    if (!isObject(table)) {
      this.problem('series', 'not_object', 'must be an object of metric names and their values');
      return;
    }
    if (timestamps === null) return;
    for (const metric of Object.keys(table)) {
      const name = this.nameOf(metric, undefined, 'series.');
      if (name === null) continue;
      const series = isNameProblem(name) ? -1 : this.builder.series(name, this.backfill);
      this.addColumn({ series, name, sentName: metric }, timestamps, table[metric], `series.${shorten(metric)}`);
    }
  }

  private addColumn(target: PointTarget, timestamps: Float64Array, values: unknown, field: string): void {
    if (!Array.isArray(values)) {
      if (values === undefined) this.problem(field, 'required', 'is required');
      else this.problem(field, 'not_list', 'must be a list');
      return;
    }
    const column = values as unknown[];
    if (column.length !== timestamps.length) {
      this.problem(field, 'mismatch', `has ${column.length} values for ${timestamps.length} timestamps`);
      return;
    }
    for (let i = 0; i < column.length; i++) {
      if (column[i] !== null) this.addPoint(target, timestamps[i]!, column[i], `${field}.`, i);
    }
  }

  private addPoint(target: PointTarget, time: number, raw: unknown, prefix: string, member: string | number): void {
    const { builder } = this;
    if (typeof raw === 'object' && raw !== null) {
      this.problem(`${prefix}${member}`, 'not_number', 'must be a number, a numeric text or a boolean');
      return;
    }
    if (isNameProblem(target.name)) {
      builder.refuse(target.sentName, target.name.reason);
      return;
    }
    const value = typeof raw === 'number' ? raw : typeof raw === 'boolean' ? Number(raw) : parseNumberText(raw);
    if (value === null) {
      builder.refuse(target.name.name, 'not_numeric');
      return;
    }
    const reason = builder.addOrRefuse(target.series, unixSeconds(time), value);
    if ((reason === 'too_old' || reason === 'in_future') && builder.refusals.takesLines) {
      const says = reason === 'too_old' ? 'too old' : 'in the future';
      builder.refusals.addBadLine(null, `${prefix}${member}: time ${String(time)} ${describeUnixTime(time)}, ${says}`);
    }
  }

  private timestampColumn(raw: unknown, field: string): Float64Array | null {
    if (raw === undefined) {
      this.problem(field, 'required', 'is required');
      return null;
    }
    if (!Array.isArray(raw)) {
      this.problem(field, 'not_list', 'must be a list');
      return null;
    }
    const column = new Float64Array(raw.length);
    for (let i = 0; i < raw.length; i++) column[i] = this.timestampOf(raw[i], `${field}.`, i);
    return column;
  }

  /** A time as sent; NaN for a text or null: that point is `bad_timestamp`. */
  private timestampOf(raw: unknown, prefix: string, member: string | number): number {
    if (typeof raw === 'number') return raw;
    if (typeof raw === 'string') return parseNumberText(raw) ?? NaN;
    if (raw !== null) this.problem(`${prefix}${member}`, 'not_number', 'must be a Unix time');
    return NaN;
  }

  /** Null if a problem of the whole body was recorded. */
  private nameOf(metric: unknown, labels: unknown, prefix: string): ParsedMetricName | MetricNameProblem | null {
    if (typeof metric !== 'string') {
      if (metric === undefined || metric === null) this.problem(`${prefix}metric`, 'required', 'is required');
      else this.problem(`${prefix}metric`, 'bad_format', 'must be a text');
      return null;
    }
    const pairs = labels === undefined || labels === null ? NO_LABELS : this.labelPairs(labels, `${prefix}labels`);
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

  private labelPairs(labels: unknown, field: string): LabelPair[] | null {
    if (!isObject(labels)) {
      this.problem(field, 'not_object', 'must be an object of texts');
      return null;
    }
    const pairs: LabelPair[] = [];
    for (const key of Object.keys(labels)) {
      // One more than allowed shows that there are too many.
      if (pairs.length > this.maxLabels) break;
      const value = labels[key];
      if (typeof value === 'string') pairs.push([key, value]);
      else if (typeof value === 'number' || typeof value === 'boolean') pairs.push([key, String(value)]);
      else if (value !== null) this.problem(`${field}.${shorten(key)}`, 'bad_format', 'must be a text');
    }
    return pairs;
  }

  private unitOf(value: unknown, prefix: string): string | null {
    if (value === null || value === '') return null;
    if (typeof value !== 'string') this.problem(`${prefix}unit`, 'bad_format', 'must be a text');
    else if (value.length > MAX_UNIT_LENGTH) {
      this.problem(`${prefix}unit`, 'too_long', `may have ${MAX_UNIT_LENGTH} characters`);
    } else if (/[\p{Cc}\p{Cs}]/u.test(value)) {
      this.problem(`${prefix}unit`, 'bad_format', 'may not hold control characters');
    } else return value;
    return null;
  }

  private oneOf<T extends string>(allowed: readonly T[], value: unknown, prefix: string, member: string): T | null {
    if (value === null) return null;
    const found = allowed.find((candidate) => candidate === value);
    if (found !== undefined) return found;
    this.problem(`${prefix}${member}`, 'not_one_of', `must be one of ${allowed.join(', ')}`);
    return null;
  }

  private unknown(field: string): void {
    this.problem(shorten(field), 'unknown_parameter', 'is not known here');
  }

  private problem(field: string, code: DetailCode, rule: string): void {
    this.details.push({ field, code, message: `${field} ${rule}` });
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
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
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
    const { offset, problem } = locateJsonError(bytes);
    throw new MalformedBodyError(`the body is not valid JSON: ${problem}`, { offset });
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
