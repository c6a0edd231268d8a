import { type MetricType } from '#libs/contracts';
import { type ParseLimits } from '../batch/limits.js';
import { type SparseBuckets } from '../histograms/histogram-point.js';
import { isNameProblem, type MetricNameProblem, type ParsedMetricName } from '../names/metric-name.js';
import { SENT_LABELS_FACTOR } from '../names/name-limits.js';
import { ProtobufReader, Wire } from '../wire/protobuf-reader.js';
import {
  type AttributeSource,
  OtlpCollector,
  type OtlpMetric,
  type OtlpResult,
  type SentAttributes,
  sumType,
} from './otlp-collector.js';
import { type OtlpOptions } from './otlp-options.js';
import { AttributeReader } from './protobuf-attributes.js';

/** A field as it is on the wire: `number << 3 | wire type`. */
const field = (number: number, wireType: number): number => (number << 3) | wireType;

const REQUEST_RESOURCE_METRICS = field(1, Wire.Bytes);
const RESOURCE_METRICS_RESOURCE = field(1, Wire.Bytes);
const RESOURCE_METRICS_SCOPES = field(2, Wire.Bytes);
const RESOURCE_ATTRIBUTES = field(1, Wire.Bytes);
const SCOPE_METRICS = field(2, Wire.Bytes);
const METRIC_NAME = field(1, Wire.Bytes);
const METRIC_DESCRIPTION = field(2, Wire.Bytes);
const METRIC_UNIT = field(3, Wire.Bytes);
const METRIC_GAUGE = field(5, Wire.Bytes);
const METRIC_SUM = field(7, Wire.Bytes);
const METRIC_HISTOGRAM = field(9, Wire.Bytes);
const METRIC_EXPONENTIAL_HISTOGRAM = field(10, Wire.Bytes);
const METRIC_SUMMARY = field(11, Wire.Bytes);
/** The same in gauges, sums, histograms and summaries. */
const DATA_POINTS = field(1, Wire.Bytes);
const TEMPORALITY = field(2, Wire.Varint);
const SUM_IS_MONOTONIC = field(3, Wire.Varint);
/** The same in all data points. */
const POINT_START = field(2, Wire.Fixed64);
const POINT_TIME = field(3, Wire.Fixed64);
const NUMBER_ATTRIBUTES = field(7, Wire.Bytes);
const NUMBER_DOUBLE = field(4, Wire.Fixed64);
const NUMBER_INT = field(6, Wire.Fixed64);
const NUMBER_FLAGS = field(8, Wire.Varint);
/** Count and sum are the same in histograms, exponential histograms and summaries. */
const POINT_COUNT = field(4, Wire.Fixed64);
const POINT_SUM = field(5, Wire.Fixed64);
const HISTOGRAM_ATTRIBUTES = field(9, Wire.Bytes);
const HISTOGRAM_FLAGS = field(10, Wire.Varint);
const HISTOGRAM_COUNTS_PACKED = field(6, Wire.Bytes);
const HISTOGRAM_COUNT_SINGLE = field(6, Wire.Fixed64);
const HISTOGRAM_BOUNDS_PACKED = field(7, Wire.Bytes);
const HISTOGRAM_BOUND_SINGLE = field(7, Wire.Fixed64);
const EXPONENTIAL_ATTRIBUTES = field(1, Wire.Bytes);
const EXPONENTIAL_SCALE = field(6, Wire.Varint);
const EXPONENTIAL_ZERO_COUNT = field(7, Wire.Fixed64);
const EXPONENTIAL_POSITIVE = field(8, Wire.Bytes);
const EXPONENTIAL_NEGATIVE = field(9, Wire.Bytes);
const EXPONENTIAL_FLAGS = field(10, Wire.Varint);
const EXPONENTIAL_ZERO_THRESHOLD = field(14, Wire.Fixed64);
const BUCKETS_OFFSET = field(1, Wire.Varint);
const BUCKETS_COUNTS_PACKED = field(2, Wire.Bytes);
const BUCKETS_COUNT_SINGLE = field(2, Wire.Varint);
const SUMMARY_ATTRIBUTES = field(7, Wire.Bytes);
const SUMMARY_QUANTILES = field(6, Wire.Bytes);
const SUMMARY_FLAGS = field(8, Wire.Varint);
const QUANTILE = field(1, Wire.Fixed64);
const QUANTILE_VALUE = field(2, Wire.Fixed64);
/** Values of AggregationTemporality and DataPointFlags in `metrics.proto`. */
const DELTA = 1;
const NO_RECORDED_VALUE = 1;

const NANOSECONDS = 1e9;

/** Reads the protobuf encoding without creating an object per message or data point. */
export class OtlpProtobufReader implements AttributeSource {
  private readonly reader: ProtobufReader;
  private readonly attributes: AttributeReader;
  private readonly collector: OtlpCollector;
  private readonly resourceAttributes: ReadonlySet<string>;
  /** Attributes of the resource being read; reused for all of them. */
  private readonly chosen = new Map<string, string>();
  // The attributes of the data point being read, and whether they are contiguous.
  private attributesTag = 0;
  private attributesStart = 0;
  private attributesEnd = 0;
  private areAttributesTogether = true;
  // The scalars of the data point being read.
  private timestamp = 0;
  private startTimestamp = 0;
  private flags = 0;
  private readonly quantiles: number[] = [];
  private readonly values: number[] = [];

  constructor(
    bytes: Uint8Array,
    options: OtlpOptions,
    private readonly limits: ParseLimits,
  ) {
    this.reader = new ProtobufReader(bytes);
    this.attributes = new AttributeReader(this.reader);
    this.resourceAttributes = new Set(options.resourceAttributes);
    this.collector = new OtlpCollector(this, limits, options.histograms);
  }

  parse(): OtlpResult {
    const { reader, collector } = this;
    return collector.collect(() => {
      const end = reader.bytes.length;
      while (reader.position < end) {
        const tag = reader.tag(end);
        if (tag === REQUEST_RESOURCE_METRICS) this.readResourceMetrics(reader.lengthDelimitedEnd(end));
        else reader.skip(tag, end);
      }
    });
  }

  /** Attributes of the data point being read. One more than allowed shows that there are too many. */
  readAttributes(): SentAttributes {
    const { attributesTag, attributesStart, attributesEnd } = this;
    const { maxLabels } = this.limits;
    const maxSent = maxLabels * SENT_LABELS_FACTOR;
    return this.attributes.read(attributesTag, attributesStart, attributesEnd, maxLabels + 1, maxSent);
  }

  /** The resource may follow its metrics, so it is found before they are read. */
  private readResourceMetrics(end: number): void {
    const { reader } = this;
    this.collector.position.enterResource();
    const start = reader.position;
    this.chosen.clear();
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === RESOURCE_METRICS_RESOURCE) this.readResource(reader.lengthDelimitedEnd(end));
      else reader.skip(tag, end);
    }
    this.collector.startResource(this.chosen);
    reader.position = start;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === RESOURCE_METRICS_SCOPES) this.readScope(reader.lengthDelimitedEnd(end));
      else reader.skip(tag, end);
    }
  }

  private readResource(end: number): void {
    const { reader } = this;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === RESOURCE_ATTRIBUTES) {
        const [key, value] = this.attributes.readKeyValue(reader.lengthDelimitedEnd(end));
        if (this.resourceAttributes.has(key)) this.chosen.set(key, value);
      } else {
        reader.skip(tag, end);
      }
    }
  }

  private readScope(end: number): void {
    const { reader } = this;
    this.collector.position.enterScope();
    this.collector.countMessage();
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === SCOPE_METRICS) this.readMetric(reader.lengthDelimitedEnd(end));
      else reader.skip(tag, end);
    }
  }

  /** Name, unit and description may follow the data, so they are found first. */
  private readMetric(end: number): void {
    const { reader } = this;
    this.collector.position.enterMetric();
    const start = reader.position;
    const metric: OtlpMetric = { name: '', unit: '', description: '' };
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === METRIC_NAME) metric.name = this.attributes.readText(reader.lengthDelimitedEnd(end));
      else if (tag === METRIC_UNIT) metric.unit = this.attributes.readText(reader.lengthDelimitedEnd(end));
      else if (tag === METRIC_DESCRIPTION)
        metric.description = this.attributes.readText(reader.lengthDelimitedEnd(end));
      else reader.skip(tag, end);
    }
    this.collector.startMetric(metric);
    reader.position = start;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === METRIC_GAUGE || tag === METRIC_SUM) this.readNumbers(reader.lengthDelimitedEnd(end), tag);
      else if (tag === METRIC_HISTOGRAM || tag === METRIC_EXPONENTIAL_HISTOGRAM || tag === METRIC_SUMMARY) {
        this.readDistributions(reader.lengthDelimitedEnd(end), tag);
      } else reader.skip(tag, end);
    }
  }

  private readNumbers(end: number, kind: number): void {
    const { reader } = this;
    const start = reader.position;
    let isDelta = false;
    let isMonotonic = false;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === TEMPORALITY) isDelta = reader.varint(end) === DELTA;
      else if (tag === SUM_IS_MONOTONIC) isMonotonic = reader.varint(end) !== 0;
      else reader.skip(tag, end);
    }
    const type = kind === METRIC_GAUGE ? 'gauge' : sumType(isDelta, isMonotonic);
    reader.position = start;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === DATA_POINTS) this.readNumber(reader.lengthDelimitedEnd(end), type);
      else reader.skip(tag, end);
    }
  }

  private readNumber(end: number, type: MetricType): void {
    const { reader, collector } = this;
    this.startPoint(NUMBER_ATTRIBUTES);
    let value = 0;
    let hasValue = false;
    while (reader.position < end) {
      const at = reader.position;
      const tag = reader.tag(end);
      if (tag === NUMBER_DOUBLE) {
        value = reader.double(end);
        hasValue = true;
      } else if (tag === NUMBER_INT) {
        value = reader.signedFixed64(end);
        hasValue = true;
      } else this.readCommon(tag, NUMBER_FLAGS, at, end);
    }
    const parsed = this.pointName();
    if (this.hasNoValue()) {
      if (!isNameProblem(parsed)) collector.endNumber(parsed, this.timestamp);
    } else if (isNameProblem(parsed)) collector.refuse(parsed);
    else if (!hasValue) collector.refuseValue(parsed);
    else collector.addNumber(parsed, type, this.timestamp, value);
  }

  private readDistributions(end: number, kind: number): void {
    const { reader } = this;
    const start = reader.position;
    let isDelta = false;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === TEMPORALITY) isDelta = reader.varint(end) === DELTA;
      else reader.skip(tag, end);
    }
    reader.position = start;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag !== DATA_POINTS) reader.skip(tag, end);
      else if (kind === METRIC_HISTOGRAM) this.readHistogram(reader.lengthDelimitedEnd(end), isDelta);
      else if (kind === METRIC_EXPONENTIAL_HISTOGRAM) this.readExponential(reader.lengthDelimitedEnd(end), isDelta);
      else this.readSummary(reader.lengthDelimitedEnd(end));
    }
  }

  private readHistogram(end: number, isDelta: boolean): void {
    const { reader } = this;
    const { point } = this.collector;
    this.startHistogram(HISTOGRAM_ATTRIBUTES, isDelta);
    while (reader.position < end) {
      const at = reader.position;
      const tag = reader.tag(end);
      if (tag === HISTOGRAM_COUNTS_PACKED) {
        const valuesEnd = reader.lengthDelimitedEnd(end);
        while (reader.position < valuesEnd) point.counts.push(reader.fixed64(valuesEnd));
      } else if (tag === HISTOGRAM_BOUNDS_PACKED) {
        const valuesEnd = reader.lengthDelimitedEnd(end);
        while (reader.position < valuesEnd) point.bounds.push(reader.double(valuesEnd));
      } else if (tag === HISTOGRAM_COUNT_SINGLE) point.counts.push(reader.fixed64(end));
      else if (tag === HISTOGRAM_BOUND_SINGLE) point.bounds.push(reader.double(end));
      else if (!this.readCountOrSum(tag, end)) this.readCommon(tag, HISTOGRAM_FLAGS, at, end);
    }
    this.finishHistogram('explicit');
  }

  private readExponential(end: number, isDelta: boolean): void {
    const { reader } = this;
    const { point } = this.collector;
    this.startHistogram(EXPONENTIAL_ATTRIBUTES, isDelta);
    while (reader.position < end) {
      const at = reader.position;
      const tag = reader.tag(end);
      if (tag === EXPONENTIAL_SCALE) point.scale = reader.signedVarint(end);
      else if (tag === EXPONENTIAL_ZERO_COUNT) point.zeroCount = reader.fixed64(end);
      else if (tag === EXPONENTIAL_ZERO_THRESHOLD) point.zeroThreshold = reader.double(end);
      else if (tag === EXPONENTIAL_POSITIVE) this.readBuckets(reader.lengthDelimitedEnd(end), point.positive);
      else if (tag === EXPONENTIAL_NEGATIVE) this.readBuckets(reader.lengthDelimitedEnd(end), point.negative);
      else if (!this.readCountOrSum(tag, end)) this.readCommon(tag, EXPONENTIAL_FLAGS, at, end);
    }
    this.finishHistogram('exponential');
  }

  /** The offset may follow the counts, so it is found first. */
  private readBuckets(end: number, buckets: SparseBuckets): void {
    const { reader } = this;
    const start = reader.position;
    let index = 0;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === BUCKETS_OFFSET) index = reader.signedVarint(end);
      else reader.skip(tag, end);
    }
    buckets.clear();
    reader.position = start;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === BUCKETS_COUNTS_PACKED) {
        const countsEnd = reader.lengthDelimitedEnd(end);
        for (; reader.position < countsEnd; index++) pushCount(buckets, index, reader.varint(countsEnd));
      } else if (tag === BUCKETS_COUNT_SINGLE) pushCount(buckets, index++, reader.varint(end));
      else reader.skip(tag, end);
    }
  }

  private readSummary(end: number): void {
    const { reader, collector, quantiles, values } = this;
    this.startPoint(SUMMARY_ATTRIBUTES);
    quantiles.length = 0;
    values.length = 0;
    let count = 0;
    let sum = 0;
    while (reader.position < end) {
      const at = reader.position;
      const tag = reader.tag(end);
      if (tag === POINT_COUNT) count = reader.fixed64(end);
      else if (tag === POINT_SUM) sum = reader.double(end);
      else if (tag === SUMMARY_QUANTILES) this.readQuantile(reader.lengthDelimitedEnd(end));
      else this.readCommon(tag, SUMMARY_FLAGS, at, end);
    }
    const parsed = this.pointName();
    const { timestamp } = this;
    if (this.hasNoValue()) {
      if (!isNameProblem(parsed)) collector.endSummary(parsed, timestamp);
    } else if (isNameProblem(parsed)) collector.refuse(parsed);
    else collector.addSummary(parsed, { timestamp, count, sum, quantiles, values });
  }

  private readQuantile(end: number): void {
    const { reader } = this;
    let quantile = 0;
    let value = 0;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === QUANTILE) quantile = reader.double(end);
      else if (tag === QUANTILE_VALUE) value = reader.double(end);
      else reader.skip(tag, end);
    }
    this.collector.countQuantile(this.quantiles.length + 1);
    this.quantiles.push(quantile);
    this.values.push(value);
  }

  private startPoint(attributesTag: number): void {
    this.collector.position.enterPoint();
    this.attributesTag = attributesTag;
    this.attributesStart = -1;
    this.attributesEnd = -1;
    this.areAttributesTogether = true;
    this.timestamp = 0;
    this.startTimestamp = 0;
    this.flags = 0;
  }

  /** Fields common to all data points: attributes, times and flags. Skips all others. */
  private readCommon(tag: number, flagsTag: number, at: number, end: number): void {
    const { reader } = this;
    if (tag === this.attributesTag) {
      reader.skip(tag, end);
      if (this.attributesStart < 0) this.attributesStart = at;
      else if (at !== this.attributesEnd) this.areAttributesTogether = false;
      this.attributesEnd = reader.position;
    } else if (tag === POINT_TIME) this.timestamp = reader.fixed64(end) / NANOSECONDS;
    else if (tag === POINT_START) this.startTimestamp = reader.fixed64(end) / NANOSECONDS;
    else if (tag === flagsTag) this.flags = reader.varint(end);
    else reader.skip(tag, end);
  }

  private readCountOrSum(tag: number, end: number): boolean {
    const { point } = this.collector;
    if (tag === POINT_COUNT) point.count = this.reader.fixed64(end);
    else if (tag === POINT_SUM) {
      point.sum = this.reader.double(end);
      point.hasSum = true;
    } else return false;
    return true;
  }

  /** Attributes with other fields between them are not a key: those fields may be different each time. */
  private pointName(): ParsedMetricName | MetricNameProblem {
    if (this.attributesStart < 0) return this.collector.name('');
    if (!this.areAttributesTogether) return this.collector.name(null);
    return this.collector.name(this.attributes.rawText(this.attributesStart, this.attributesEnd));
  }

  private hasNoValue(): boolean {
    return (this.flags & NO_RECORDED_VALUE) !== 0;
  }

  private startHistogram(attributesTag: number, isDelta: boolean): void {
    const { point } = this.collector;
    this.startPoint(attributesTag);
    point.clear();
    point.hasSum = false;
    point.temporality = isDelta ? 'delta' : 'cumulative';
  }

  private finishHistogram(layout: 'explicit' | 'exponential'): void {
    const { collector, timestamp } = this;
    const parsed = this.pointName();
    if (this.hasNoValue()) {
      if (!isNameProblem(parsed)) collector.endHistogram(parsed, timestamp);
    } else if (isNameProblem(parsed)) {
      collector.refuse(parsed);
    } else {
      collector.point.timestamp = timestamp;
      collector.point.startTimestamp = this.startTimestamp;
      collector.addHistogram(parsed, layout);
    }
  }
}

function pushCount(buckets: SparseBuckets, index: number, count: number): void {
  if (count !== 0) buckets.push(index, count);
}
