import { HistogramPoint, MAX_BUCKETS, type SparseBuckets } from '../histograms/histogram-point.js';
import { type ProtobufReader, Wire } from '../wire/protobuf-reader.js';
import { field, isStale } from './wire-fields.js';

const COUNT_INT = field(1, Wire.Varint);
const COUNT_FLOAT = field(2, Wire.Fixed64);
const SUM = field(3, Wire.Fixed64);
const SCHEMA = field(4, Wire.Varint);
const ZERO_THRESHOLD = field(5, Wire.Fixed64);
const ZERO_COUNT_INT = field(6, Wire.Varint);
const ZERO_COUNT_FLOAT = field(7, Wire.Fixed64);
const NEGATIVE_SPANS = field(8, Wire.Bytes);
const NEGATIVE_DELTAS = 9;
const NEGATIVE_COUNTS = 10;
const POSITIVE_SPANS = field(11, Wire.Bytes);
const POSITIVE_DELTAS = 12;
const POSITIVE_COUNTS = 13;
const RESET_HINT = field(14, Wire.Varint);
const TIMESTAMP = field(15, Wire.Varint);
const CUSTOM_VALUES = 16;
const START_TIMESTAMP = field(17, Wire.Varint);
const SPAN_OFFSET = field(1, Wire.Varint);
const SPAN_LENGTH = field(2, Wire.Varint);

/** Values of Histogram.ResetHint. */
const RESET_HINT_YES = 1;
const RESET_HINT_GAUGE = 3;
/** Schema of buckets with explicit bounds. */
const CUSTOM_SCHEMA = -53;

/** Buckets of one sign in wire format. */
class SignedBuckets {
  readonly offsets: number[] = [];
  readonly lengths: number[] = [];
  /** Integer histograms: the difference from the previous bucket. */
  readonly deltas: number[] = [];
  /** Float histograms. */
  readonly counts: number[] = [];

  clear(): void {
    this.offsets.length = 0;
    this.lengths.length = 0;
    this.deltas.length = 0;
    this.counts.length = 0;
  }
}

/**
 * Reads native histograms, whose message is the same in remote write 1.0 and 2.0, into one reused point.
 * Source: prometheus `prompb/types.proto` and `prompb/io/prometheus/write/v2/types.proto`, message Histogram.
 */
export class NativeHistogramReader {
  readonly point = new HistogramPoint();
  isStale = false;
  private readonly positive = new SignedBuckets();
  private readonly negative = new SignedBuckets();
  private readonly customBounds: number[] = [];

  /** @param startMilliseconds Unix milliseconds at which counting began, from the series; 0 if absent */
  read(reader: ProtobufReader, end: number, startMilliseconds: number): void {
    const { point } = this;
    point.clear();
    this.positive.clear();
    this.negative.clear();
    this.customBounds.length = 0;
    this.isStale = false;
    point.startTimestamp = startMilliseconds / 1000;
    let resetHint = 0;
    while (reader.position < end) {
      const tag = reader.tag(end);
      switch (tag) {
        case COUNT_INT:
          point.count = reader.varint(end);
          break;
        case COUNT_FLOAT:
          point.count = reader.double(end);
          break;
        case SUM: {
          const at = reader.position;
          point.sum = reader.double(end);
          this.isStale = isStale(reader, at, point.sum);
          break;
        }
        case SCHEMA:
          point.scale = zigzag(reader.varint(end));
          break;
        case ZERO_THRESHOLD:
          point.zeroThreshold = reader.double(end);
          break;
        case ZERO_COUNT_INT:
          point.zeroCount = reader.varint(end);
          break;
        case ZERO_COUNT_FLOAT:
          point.zeroCount = reader.double(end);
          break;
        case RESET_HINT:
          resetHint = reader.varint(end);
          break;
        case TIMESTAMP:
          point.timestamp = reader.int64(end) / 1000;
          break;
        case START_TIMESTAMP:
          point.startTimestamp = reader.int64(end) / 1000;
          break;
        default:
          this.readBuckets(reader, tag, end);
      }
    }
    if (resetHint === RESET_HINT_GAUGE) point.temporality = 'gauge';
    // The sender has detected the reset, so counting began between the previous point and this one.
    else if (resetHint === RESET_HINT_YES) point.startTimestamp ||= point.timestamp;
    this.layOut();
  }

  private readBuckets(reader: ProtobufReader, tag: number, end: number): void {
    if (tag === POSITIVE_SPANS) readSpan(reader, reader.lengthDelimitedEnd(end), this.positive);
    else if (tag === NEGATIVE_SPANS) readSpan(reader, reader.lengthDelimitedEnd(end), this.negative);
    else if (tag >>> 3 === POSITIVE_DELTAS) readIntegers(reader, tag, end, this.positive.deltas);
    else if (tag >>> 3 === NEGATIVE_DELTAS) readIntegers(reader, tag, end, this.negative.deltas);
    else if (tag >>> 3 === POSITIVE_COUNTS) readDoubles(reader, tag, end, this.positive.counts);
    else if (tag >>> 3 === NEGATIVE_COUNTS) readDoubles(reader, tag, end, this.negative.counts);
    else if (tag >>> 3 === CUSTOM_VALUES) readDoubles(reader, tag, end, this.customBounds);
    else reader.skip(tag, end);
  }

  private layOut(): void {
    const { point, customBounds } = this;
    if (point.scale === CUSTOM_SCHEMA) {
      for (const bound of customBounds) point.bounds.push(bound);
      for (let i = 0; i <= customBounds.length; i++) point.counts.push(0);
      const isWhole = eachBucket(this.positive, (index, count) => {
        if (index < 0 || index > customBounds.length) return false;
        point.counts[index] = count;
        return true;
      });
      if (isWhole) point.layout = 'explicit';
      return;
    }
    const isWhole = [this.positive, this.negative].every((buckets, i) => {
      const target: SparseBuckets = i === 0 ? point.positive : point.negative;
      return eachBucket(buckets, (index, count) => {
        // Empty ones have no information, and an index here is that of the upper bound.
        if (count !== 0) target.push(index - 1, count);
        return true;
      });
    });
    if (isWhole) point.layout = 'exponential';
  }
}

/** Calls back for every bucket; false if spans and counts are inconsistent, or if the callback answers false. */
function eachBucket(buckets: SignedBuckets, found: (index: number, count: number) => boolean): boolean {
  const { offsets, lengths, deltas, counts } = buckets;
  const total = Math.max(deltas.length, counts.length);
  let index = 0;
  let read = 0;
  let count = 0;
  for (let span = 0; span < offsets.length; span++) {
    index += offsets[span]!;
    if (lengths[span]! > total - read) return false;
    for (let i = 0; i < lengths[span]!; i++) {
      count = counts.length > 0 ? counts[read]! : count + deltas[read]!;
      if (!found(index, count)) return false;
      index++;
      read++;
    }
  }
  return read === total;
}

function readSpan(reader: ProtobufReader, end: number, buckets: SignedBuckets): void {
  let offset = 0;
  let length = 0;
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === SPAN_OFFSET) offset = zigzag(reader.varint(end));
    else if (tag === SPAN_LENGTH) length = reader.varint(end);
    else reader.skip(tag, end);
  }
  keep(buckets.offsets, offset);
  keep(buckets.lengths, length);
}

/** Numbers of a point take several times their bytes; one more than are used shows that there are too many. */
function keep(into: number[], value: number): void {
  if (into.length <= MAX_BUCKETS) into.push(value);
}

/** Repeated numbers may be single or packed. */
function readIntegers(reader: ProtobufReader, tag: number, end: number, into: number[]): void {
  if ((tag & 7) === Wire.Varint) {
    keep(into, zigzag(reader.varint(end)));
  } else if ((tag & 7) === Wire.Bytes) {
    const packedEnd = reader.lengthDelimitedEnd(end);
    while (reader.position < packedEnd) keep(into, zigzag(reader.varint(packedEnd)));
  } else {
    reader.skip(tag, end);
  }
}

function readDoubles(reader: ProtobufReader, tag: number, end: number, into: number[]): void {
  if ((tag & 7) === Wire.Fixed64) {
    keep(into, reader.double(end));
  } else if ((tag & 7) === Wire.Bytes) {
    const packedEnd = reader.lengthDelimitedEnd(end);
    while (reader.position < packedEnd) keep(into, reader.double(packedEnd));
  } else {
    reader.skip(tag, end);
  }
}

/** A signed integer of the types sint32 and sint64. */
function zigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
