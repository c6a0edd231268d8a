import { type ParseLimits } from '../batch/limits.js';
import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';
import { type MetricType } from '#libs/contracts';
import { quotedValue } from '../batch/quoted.js';
import { type SparseBuckets } from '../histograms/histogram-point.js';
import { parseBytes } from '../json/parse-json.js';
import { parseNumberText } from '../json/number-text.js';
import { isNameProblem, type LabelPair, type MetricNameProblem, type ParsedMetricName } from '../names/metric-name.js';
import { SENT_LABELS_FACTOR } from '../names/name-limits.js';
import { doubleJson, doubleText, MAX_VALUE_DEPTH } from './any-value.js';
import {
  type AttributeSource,
  framed,
  OtlpCollector,
  type OtlpResult,
  type SentAttributes,
  sumType,
} from './otlp-collector.js';
import { type OtlpOptions } from './otlp-options.js';

type JsonObject = Record<string, unknown>;

/** Names of a member: lowerCamelCase, and as in the .proto file, which readers of the JSON mapping must accept too. */
type Member = readonly [camel: string, snake: string];

const RESOURCE_METRICS: Member = ['resourceMetrics', 'resource_metrics'];
const SCOPE_METRICS: Member = ['scopeMetrics', 'scope_metrics'];
const EXPONENTIAL_HISTOGRAM: Member = ['exponentialHistogram', 'exponential_histogram'];
const DATA_POINTS: Member = ['dataPoints', 'data_points'];
const TEMPORALITY: Member = ['aggregationTemporality', 'aggregation_temporality'];
const IS_MONOTONIC: Member = ['isMonotonic', 'is_monotonic'];
const TIME: Member = ['timeUnixNano', 'time_unix_nano'];
const START_TIME: Member = ['startTimeUnixNano', 'start_time_unix_nano'];
const AS_DOUBLE: Member = ['asDouble', 'as_double'];
const AS_INT: Member = ['asInt', 'as_int'];
const BUCKET_COUNTS: Member = ['bucketCounts', 'bucket_counts'];
const EXPLICIT_BOUNDS: Member = ['explicitBounds', 'explicit_bounds'];
const ZERO_COUNT: Member = ['zeroCount', 'zero_count'];
const ZERO_THRESHOLD: Member = ['zeroThreshold', 'zero_threshold'];
const QUANTILE_VALUES: Member = ['quantileValues', 'quantile_values'];
const STRING_VALUE: Member = ['stringValue', 'string_value'];
const BOOL_VALUE: Member = ['boolValue', 'bool_value'];
const INT_VALUE: Member = ['intValue', 'int_value'];
const DOUBLE_VALUE: Member = ['doubleValue', 'double_value'];
const ARRAY_VALUE: Member = ['arrayValue', 'array_value'];
const MAP_VALUE: Member = ['kvlistValue', 'kvlist_value'];
const BYTES_VALUE: Member = ['bytesValue', 'bytes_value'];
/** A member of one word is spelled the same in both. */
const sameName = (name: string): Member => [name, name];
const RESOURCE = sameName('resource');
const METRICS = sameName('metrics');
const NAME = sameName('name');
const UNIT = sameName('unit');
const DESCRIPTION = sameName('description');
const GAUGE = sameName('gauge');
const SUM = sameName('sum');
const HISTOGRAM = sameName('histogram');
const SUMMARY = sameName('summary');
const ATTRIBUTES = sameName('attributes');
const KEY = sameName('key');
const VALUE = sameName('value');
const VALUES = sameName('values');
const FLAGS = sameName('flags');
const COUNT = sameName('count');
const SCALE = sameName('scale');
const OFFSET = sameName('offset');
const POSITIVE = sameName('positive');
const NEGATIVE = sameName('negative');
const QUANTILE = sameName('quantile');

const DELTA_NAMES: ReadonlySet<unknown> = new Set([1, '1', 'AGGREGATION_TEMPORALITY_DELTA']);
const NO_RECORDED_VALUE = 1;
const NANOSECONDS = 1e9;

/** Minimum size of a meaningful object or list in a request, in bytes. */
const BYTES_PER_CONTAINER = 10;

/** Bodies below this are parsed without counting their containers first. */
const LARGE_BODY_BYTES = 1 << 20;

/** Prefix of keys of series that come from JSON. */
const JSON_KEY = '\u0002';

/** Reads the JSON encoding. Unknown members are ignored; null counts as omitted. */
export class OtlpJsonReader implements AttributeSource {
  private readonly collector: OtlpCollector;
  private readonly resourceAttributes: ReadonlySet<string>;
  /** Attributes of the data point being read. */
  private attributes: SentAttributes = { pairs: [], areTooMany: false };
  private readonly quantiles: number[] = [];
  private readonly values: number[] = [];

  constructor(
    private readonly bytes: Uint8Array,
    options: OtlpOptions,
    private readonly limits: ParseLimits,
  ) {
    this.resourceAttributes = new Set(options.resourceAttributes);
    this.collector = new OtlpCollector(this, limits, options.histograms);
  }

  parse(): OtlpResult {
    return this.collector.collect(() => {
      refuseTooManyContainers(this.bytes);
      const root = parseBytes(this.bytes);
      if (!isObject(root)) throw new MalformedBodyError('the body must be a JSON object', { offset: 0 });
      try {
        for (const resourceMetrics of objects(root, RESOURCE_METRICS)) this.readResourceMetrics(resourceMetrics);
      } catch (error) {
        throw error instanceof WrongMember ? error.at(this.collector.position.path) : error;
      }
    });
  }

  readAttributes(): SentAttributes {
    return this.attributes;
  }

  private readResourceMetrics(resourceMetrics: JsonObject): void {
    this.collector.position.enterResource();
    const chosen = new Map<string, string>();
    const resource = object(resourceMetrics, RESOURCE);
    if (resource !== null) {
      for (const attribute of objects(resource, ATTRIBUTES)) {
        const key = text(attribute, KEY);
        if (this.resourceAttributes.has(key)) chosen.set(key, valueText(object(attribute, VALUE)));
      }
    }
    this.collector.startResource(chosen);
    for (const scope of objects(resourceMetrics, SCOPE_METRICS)) {
      this.collector.position.enterScope();
      this.collector.countMessage();
      for (const metric of objects(scope, METRICS)) this.readMetric(metric);
    }
  }

  private readMetric(metric: JsonObject): void {
    this.collector.position.enterMetric();
    this.collector.startMetric({
      name: text(metric, NAME),
      unit: text(metric, UNIT),
      description: text(metric, DESCRIPTION),
    });
    const gauge = object(metric, GAUGE);
    if (gauge !== null) for (const point of objects(gauge, DATA_POINTS)) this.readNumber(point, 'gauge');
    const sum = object(metric, SUM);
    if (sum !== null) {
      const type = sumType(isDelta(sum), member(sum, IS_MONOTONIC) === true);
      for (const point of objects(sum, DATA_POINTS)) this.readNumber(point, type);
    }
    const histogram = object(metric, HISTOGRAM);
    if (histogram !== null) {
      for (const point of objects(histogram, DATA_POINTS)) this.readHistogram(point, isDelta(histogram));
    }
    const exponential = object(metric, EXPONENTIAL_HISTOGRAM);
    if (exponential !== null) {
      for (const point of objects(exponential, DATA_POINTS)) this.readExponential(point, isDelta(exponential));
    }
    const summary = object(metric, SUMMARY);
    if (summary !== null) for (const point of objects(summary, DATA_POINTS)) this.readSummary(point);
  }

  private readNumber(point: JsonObject, type: MetricType): void {
    const { collector } = this;
    collector.position.enterPoint();
    const parsed = this.pointName(point);
    const timestamp = seconds(point, TIME);
    const value = has(point, AS_DOUBLE) ? double(point, AS_DOUBLE) : has(point, AS_INT) ? integer(point, AS_INT) : null;
    if (hasNoValue(point)) {
      if (!isNameProblem(parsed)) collector.endNumber(parsed, timestamp);
    } else if (isNameProblem(parsed)) collector.refuse(parsed);
    else if (value === null) collector.refuseValue(parsed);
    else collector.addNumber(parsed, type, timestamp, value);
  }

  private readHistogram(data: JsonObject, isDeltaPoint: boolean): void {
    const { point } = this.collector;
    const parsed = this.startHistogram(data, isDeltaPoint);
    for (const count of list(data, BUCKET_COUNTS)) point.counts.push(toInteger(count, BUCKET_COUNTS));
    for (const bound of list(data, EXPLICIT_BOUNDS)) point.bounds.push(toDouble(bound, EXPLICIT_BOUNDS));
    this.finishHistogram(data, parsed, 'explicit');
  }

  private readExponential(data: JsonObject, isDeltaPoint: boolean): void {
    const { point } = this.collector;
    const parsed = this.startHistogram(data, isDeltaPoint);
    point.scale = integer(data, SCALE);
    point.zeroCount = integer(data, ZERO_COUNT);
    point.zeroThreshold = double(data, ZERO_THRESHOLD);
    readBuckets(object(data, POSITIVE), point.positive);
    readBuckets(object(data, NEGATIVE), point.negative);
    this.finishHistogram(data, parsed, 'exponential');
  }

  private readSummary(point: JsonObject): void {
    const { collector, quantiles, values } = this;
    collector.position.enterPoint();
    const parsed = this.pointName(point);
    const timestamp = seconds(point, TIME);
    quantiles.length = 0;
    values.length = 0;
    for (const entry of objects(point, QUANTILE_VALUES)) {
      collector.countQuantile(quantiles.length + 1);
      quantiles.push(double(entry, QUANTILE));
      values.push(double(entry, VALUE));
    }
    const count = integer(point, COUNT);
    const sum = double(point, SUM);
    if (hasNoValue(point)) {
      if (!isNameProblem(parsed)) collector.endSummary(parsed, timestamp);
    } else if (isNameProblem(parsed)) collector.refuse(parsed);
    else collector.addSummary(parsed, { timestamp, count, sum, quantiles, values });
  }

  private startHistogram(data: JsonObject, isDeltaPoint: boolean): ParsedMetricName | MetricNameProblem {
    const { point, position } = this.collector;
    position.enterPoint();
    point.clear();
    point.temporality = isDeltaPoint ? 'delta' : 'cumulative';
    point.timestamp = seconds(data, TIME);
    point.startTimestamp = seconds(data, START_TIME);
    point.count = integer(data, COUNT);
    point.hasSum = has(data, SUM);
    point.sum = double(data, SUM);
    return this.pointName(data);
  }

  private finishHistogram(
    data: JsonObject,
    parsed: ParsedMetricName | MetricNameProblem,
    layout: 'explicit' | 'exponential',
  ): void {
    const { collector } = this;
    if (hasNoValue(data)) {
      if (!isNameProblem(parsed)) collector.endHistogram(parsed, collector.point.timestamp);
    } else if (isNameProblem(parsed)) collector.refuse(parsed);
    else collector.addHistogram(parsed, layout);
  }

  /** Reads the attributes of a point; one more than allowed shows that there are too many. */
  private pointName(point: JsonObject): ParsedMetricName | MetricNameProblem {
    const { maxLabels } = this.limits;
    const pairs: LabelPair[] = [];
    const sent = objects(point, ATTRIBUTES);
    const areTooMany = sent.length > maxLabels * SENT_LABELS_FACTOR;
    this.attributes = { pairs, areTooMany };
    // The bytes of attributes in protobuf never start like this.
    let raw = JSON_KEY;
    for (const attribute of areTooMany ? sent.slice(0, maxLabels) : sent) {
      if (pairs.length > maxLabels) break;
      const value = valueText(object(attribute, VALUE));
      if (value === '') continue;
      const key = text(attribute, KEY);
      pairs.push([key, value]);
      raw += framed(key) + framed(value);
    }
    return this.collector.name(areTooMany ? null : raw);
  }
}

/** Megabytes of `[[],[],…` would become hundreds of megabytes of objects. Brackets are counted wherever they are. */
function refuseTooManyContainers(bytes: Uint8Array): void {
  if (bytes.length < LARGE_BODY_BYTES) return;
  const limit = Math.floor(bytes.length / BYTES_PER_CONTAINER);
  let containers = 0;
  const end = bytes.length;
  // `[` is 0x5b, `{` is 0x7b: they differ in one bit. A counted loop, because it sees every byte.
  for (let i = 0; i < end; i += 1) containers += (bytes[i]! & 0xdf) === 0x5b ? 1 : 0;
  if (containers > limit) throw new BodyTooLargeError('objects and lists', limit);
}

function readBuckets(data: JsonObject | null, buckets: SparseBuckets): void {
  if (data === null) return;
  let index = integer(data, OFFSET);
  for (const entry of list(data, BUCKET_COUNTS)) {
    const count = toInteger(entry, BUCKET_COUNTS);
    if (count !== 0) buckets.push(index, count);
    index++;
  }
}

/** An attribute value as the text of a label; lists and maps as JSON. */
function valueText(value: JsonObject | null): string {
  if (value === null) return '';
  const string = member(value, STRING_VALUE) ?? member(value, BYTES_VALUE);
  if (typeof string === 'string') return string;
  if (has(value, DOUBLE_VALUE)) return doubleText(double(value, DOUBLE_VALUE));
  const json = valueJson(value, 0);
  return json === 'null' ? '' : json;
}

function valueJson(value: JsonObject | null, depth: number): string {
  if (value === null || depth > MAX_VALUE_DEPTH) return 'null';
  const string = member(value, STRING_VALUE) ?? member(value, BYTES_VALUE);
  if (typeof string === 'string') return JSON.stringify(string);
  if (has(value, BOOL_VALUE)) return String(member(value, BOOL_VALUE) === true);
  if (has(value, INT_VALUE)) return integerText(value);
  if (has(value, DOUBLE_VALUE)) return doubleJson(double(value, DOUBLE_VALUE));
  const array = object(value, ARRAY_VALUE);
  if (array !== null)
    return `[${objects(array, VALUES)
      .map((entry) => valueJson(entry, depth + 1))
      .join(',')}]`;
  const map = object(value, MAP_VALUE);
  if (map === null) return 'null';
  const entries = objects(map, VALUES).map(
    (entry) => `${JSON.stringify(text(entry, KEY))}:${valueJson(object(entry, VALUE), depth + 1)}`,
  );
  return `{${entries.join(',')}}`;
}

/** All digits of an integer that is sent as a text. */
function integerText(value: JsonObject): string {
  const number = integer(value, INT_VALUE);
  const sent = member(value, INT_VALUE);
  return typeof sent === 'string' && /^-?\d{1,19}$/.test(sent) ? sent : String(number);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function member(from: JsonObject, [camel, snake]: Member): unknown {
  if (Object.hasOwn(from, camel)) return from[camel];
  return Object.hasOwn(from, snake) ? from[snake] : undefined;
}

function has(from: JsonObject, name: Member): boolean {
  const value = member(from, name);
  return value !== undefined && value !== null;
}

function object(from: JsonObject, name: Member): JsonObject | null {
  const value = member(from, name) ?? null;
  if (value === null || isObject(value)) return value;
  throw new WrongMember(name, 'an object', value);
}

function list(from: JsonObject, name: Member): unknown[] {
  const value = member(from, name) ?? [];
  if (Array.isArray(value)) return value;
  throw new WrongMember(name, 'a list', value);
}

function objects(from: JsonObject, name: Member): JsonObject[] {
  const entries = list(from, name);
  for (const entry of entries) if (!isObject(entry)) throw new WrongMember(name, 'a list of objects', entry);
  return entries as JsonObject[];
}

function text(from: JsonObject, name: Member): string {
  const value = member(from, name) ?? '';
  if (typeof value === 'string') return value;
  throw new WrongMember(name, 'a string', value);
}

function seconds(from: JsonObject, name: Member): number {
  return integer(from, name) / NANOSECONDS;
}

function integer(from: JsonObject, name: Member): number {
  return toInteger(member(from, name) ?? 0, name);
}

function double(from: JsonObject, name: Member): number {
  return toDouble(member(from, name) ?? 0, name);
}

/** 64-bit integers are texts in the JSON mapping; numbers are accepted too. */
function toInteger(value: unknown, name: Member): number {
  const number = typeof value === 'string' ? parseNumberText(value) : value;
  if (typeof number === 'number' && Number.isInteger(number)) return number;
  throw new WrongMember(name, 'a whole number', value);
}

/** Not-a-number and the infinities are texts in the JSON mapping. */
function toDouble(value: unknown, name: Member): number {
  if (value === 'Infinity') return Infinity;
  if (value === '-Infinity') return -Infinity;
  const number = typeof value === 'string' ? parseNumberText(value) : value;
  if (typeof number === 'number') return number;
  throw new WrongMember(name, 'a number', value);
}

function isDelta(data: JsonObject): boolean {
  return DELTA_NAMES.has(member(data, TEMPORALITY));
}

function hasNoValue(point: JsonObject): boolean {
  return (integer(point, FLAGS) & NO_RECORDED_VALUE) !== 0;
}

/** A member has the wrong type; the reader knows where it is. */
class WrongMember extends Error {
  private readonly member: string;

  constructor([member]: Member, expected: string, value: unknown) {
    super(`must be ${expected}, got ${quotedValue(value)}`);
    this.member = member;
  }

  at(path: string): MalformedBodyError {
    const field = path === '' ? this.member : `${path}.${this.member}`;
    const message = `${field} ${this.message}`;
    return new MalformedBodyError(message, {}, [{ field, code: 'bad_format', message }]);
  }
}
