import { type MetricType } from '#libs/contracts';
import { BatchBuilder } from '../batch/batch-builder.js';
import { BodyTooLargeError } from '../batch/errors.js';
import { type ParseLimits } from '../batch/limits.js';
import { type ParseResult, type SeriesHeader } from '../batch/parsed-batch.js';
import {
  composeMetricName,
  composeSanitised,
  isNameProblem,
  type LabelPair,
  type MetricNameProblem,
  type ParsedMetricName,
} from '../names/metric-name.js';
import { ProtobufReader, Wire } from './protobuf-reader.js';

/** What the sender knows about a metric family. Sent with samples or, by older senders, in bodies of its own. */
export interface MetricMetadata {
  /** Family name as sent: without `_bucket`, `_count`, `_sum` for histograms and summaries. */
  family: string;
  /** `counter`, `gauge`, `histogram`, `gaugehistogram`, `summary`, `info`, `stateset` or `unknown`. */
  kind: string;
  help: string;
  unit: string;
}

/** A series whose sender says that it has ended. */
export interface EndedSeries {
  /** Canonical name. */
  name: string;
  /** Unix seconds of the marker. */
  timestamp: number;
}

export interface RemoteWriteResult extends ParseResult {
  /** Series ended by a staleness marker. Markers are neither points nor refusals. */
  ended: EndedSeries[];
  metadata: MetricMetadata[];
  /** Native histogram samples read; each gives a point of `_count` and one of `_sum`. */
  histograms: number;
}

/** Suffixes by which counters are known when nothing else tells (Prometheus naming practice). */
const COUNTER_SUFFIX = /_(?:total|count|sum|bucket)$/;

/** Values of MetricMetadata.MetricType in `types.proto`. */
const KINDS = ['unknown', 'counter', 'gauge', 'histogram', 'gaugehistogram', 'summary', 'info', 'stateset'];

/** The NaN by which Prometheus marks the end of a series. Source: prometheus `model/value/value.go`, StaleNaN. */
const STALE_HIGH = 0x7ff0_0000;
const STALE_LOW = 0x0000_0002;

/** Bits that make a field of interest: `number << 3 | wire type`. */
const field = (number: number, wireType: number): number => (number << 3) | wireType;

const REQUEST_TIMESERIES = field(1, Wire.Bytes);
const REQUEST_METADATA = field(3, Wire.Bytes);
const SERIES_LABEL = field(1, Wire.Bytes);
const SERIES_SAMPLE = field(2, Wire.Bytes);
const SERIES_HISTOGRAM = field(4, Wire.Bytes);
const LABEL_NAME = field(1, Wire.Bytes);
const LABEL_VALUE = field(2, Wire.Bytes);
const SAMPLE_VALUE = field(1, Wire.Fixed64);
const SAMPLE_TIMESTAMP = field(2, Wire.Varint);
const HISTOGRAM_COUNT_INT = field(1, Wire.Varint);
const HISTOGRAM_COUNT_FLOAT = field(2, Wire.Fixed64);
const HISTOGRAM_SUM = field(3, Wire.Fixed64);
const HISTOGRAM_RESET_HINT = field(14, Wire.Varint);
const HISTOGRAM_TIMESTAMP = field(15, Wire.Varint);
/** Value of Histogram.ResetHint that makes a histogram one of gauges: its counts may fall. */
const RESET_HINT_GAUGE = 3;

const METADATA_TYPE = field(1, Wire.Varint);
const METADATA_FAMILY = field(2, Wire.Bytes);
const METADATA_HELP = field(4, Wire.Bytes);
const METADATA_UNIT = field(5, Wire.Bytes);

/**
 * Reads a remote write 1.0 body, `prometheus.WriteRequest` in protobuf, after snappy decompression.
 * Labels become a canonical name (characters that names may not hold become `_`); other NaN than the staleness marker and
 * infinities are `not_finite`. Exemplars are skipped. Throws MalformedBodyError or BodyTooLargeError, nothing else.
 * Source: https://prometheus.io/docs/specs/prw/remote_write_spec/ and prometheus `prompb/types.proto`.
 */
export function parseRemoteWrite(bytes: Uint8Array, limits: ParseLimits): RemoteWriteResult {
  return new RemoteWriteParser(bytes, limits).parse();
}

class RemoteWriteParser {
  private readonly reader: ProtobufReader;
  private readonly text: Buffer;
  private readonly builder: BatchBuilder;
  private readonly metadata: MetricMetadata[] = [];
  private readonly ended: EndedSeries[] = [];
  private histograms = 0;
  private readonly targets = new Map<string, SeriesTarget>();
  /** Name and labels of the time series being read; reused for all of them. */
  private name = '';
  private readonly labels: LabelPair[] = [];
  private labelCount = 0;

  constructor(
    bytes: Uint8Array,
    private readonly limits: ParseLimits,
  ) {
    this.reader = new ProtobufReader(bytes);
    this.text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.builder = new BatchBuilder(limits);
  }

  parse(): RemoteWriteResult {
    const { reader } = this;
    const end = reader.bytes.length;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === REQUEST_TIMESERIES) this.readSeries(reader.lengthDelimitedEnd(end));
      else if (tag === REQUEST_METADATA) this.readMetadata(reader.lengthDelimitedEnd(end));
      else reader.skip(tag, end);
    }
    const result = this.builder.finish();
    describeSeries(result.batch.series, this.metadata);
    return { ...result, ended: this.ended, metadata: this.metadata, histograms: this.histograms };
  }

  /** Labels may stand anywhere in the message, so they are found before the points are read. */
  private readSeries(end: number): void {
    const { reader } = this;
    const start = reader.position;
    let labelsEnd = start;
    let firstPoint = -1;
    let areLabelsFirst = true;
    while (reader.position < end) {
      const at = reader.position;
      const tag = reader.tag(end);
      reader.skip(tag, end);
      if (tag === SERIES_LABEL) {
        if (at !== labelsEnd) areLabelsFirst = false;
        labelsEnd = reader.position;
      } else if (firstPoint < 0 && (tag === SERIES_SAMPLE || tag === SERIES_HISTOGRAM)) {
        firstPoint = at;
      }
    }
    if (firstPoint < 0) return;
    const target = areLabelsFirst ? this.knownTarget(start, labelsEnd) : this.readTarget(start, end);
    reader.position = firstPoint;
    this.readPoints(end, target);
  }

  /** Senders repeat a series for each of its samples: equal bytes of labels are read once. Latin-1 keeps bytes apart. */
  private knownTarget(start: number, end: number): SeriesTarget {
    const raw = this.text.toString('latin1', start, end);
    let target = this.targets.get(raw);
    if (target === undefined) {
      target = this.readTarget(start, end);
      this.targets.set(raw, target);
    }
    return target;
  }

  private readTarget(start: number, end: number): SeriesTarget {
    const { reader } = this;
    this.name = '';
    this.labels.length = 0;
    this.labelCount = 0;
    reader.position = start;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === SERIES_LABEL) this.readLabel(reader.lengthDelimitedEnd(end));
      else reader.skip(tag, end);
    }
    const parsed = composeSanitised(this.name, this.labels, this.limits);
    return { parsed, sentName: isNameProblem(parsed) ? this.nameAsSent() : parsed.name, series: -1, histogram: null };
  }

  private readLabel(end: number): void {
    const { reader, text } = this;
    let name = '';
    let value = '';
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === LABEL_NAME || tag === LABEL_VALUE) {
        const valueEnd = reader.lengthDelimitedEnd(end);
        const read = text.toString('utf8', reader.position, valueEnd);
        if (tag === LABEL_NAME) name = read;
        else value = read;
        reader.position = valueEnd;
      } else {
        reader.skip(tag, end);
      }
    }
    if (name === '__name__') {
      this.name = value;
      return;
    }
    if (value === '') return;
    this.labelCount++;
    // One more than allowed shows that there are too many; the rest need no memory.
    if (this.labels.length <= this.limits.maxLabels) this.labels.push([name, value]);
  }

  private readPoints(end: number, target: SeriesTarget): void {
    const { reader, builder } = this;
    const { parsed } = target;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === SERIES_SAMPLE) {
        const pointEnd = reader.lengthDelimitedEnd(end);
        if (isNameProblem(parsed)) {
          builder.refuse(target.sentName, parsed.reason);
          reader.skipAll(pointEnd);
        } else {
          if (target.series < 0) target.series = builder.series(parsed, this.limits.backfill);
          this.readSample(pointEnd, target.series);
        }
      } else if (tag === SERIES_HISTOGRAM) {
        const pointEnd = reader.lengthDelimitedEnd(end);
        if (isNameProblem(parsed)) {
          builder.refuse(target.sentName, parsed.reason, 2);
          reader.skipAll(pointEnd);
        } else {
          target.histogram ??= this.histogramSeries(parsed);
          this.readHistogram(pointEnd, target.sentName, target.histogram);
        }
      } else {
        reader.skip(tag, end);
      }
    }
  }

  private readSample(end: number, series: number): void {
    const { reader } = this;
    let value = 0;
    let milliseconds = 0;
    let isStale = false;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === SAMPLE_VALUE) {
        const at = reader.position;
        value = reader.double(end);
        isStale = value !== value && reader.isBitPattern(at, STALE_HIGH, STALE_LOW);
      } else if (tag === SAMPLE_TIMESTAMP) {
        milliseconds = reader.int64(end);
      } else {
        reader.skip(tag, end);
      }
    }
    if (isStale) this.end(this.builder.header(series), milliseconds / 1000);
    else this.builder.add(series, milliseconds / 1000, value);
  }

  private readHistogram(end: number, sentName: string, { count: countName, sum: sumName }: HistogramSeries): void {
    const { reader, builder, limits } = this;
    let count = 0;
    let sum = 0;
    let milliseconds = 0;
    let isStale = false;
    let isGauge = false;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === HISTOGRAM_COUNT_INT) count = reader.varint(end);
      else if (tag === HISTOGRAM_COUNT_FLOAT) count = reader.double(end);
      else if (tag === HISTOGRAM_SUM) {
        const at = reader.position;
        sum = reader.double(end);
        isStale = sum !== sum && reader.isBitPattern(at, STALE_HIGH, STALE_LOW);
      } else if (tag === HISTOGRAM_RESET_HINT) isGauge = reader.varint(end) === RESET_HINT_GAUGE;
      else if (tag === HISTOGRAM_TIMESTAMP) milliseconds = reader.int64(end);
      else reader.skip(tag, end);
    }
    this.histograms++;
    for (const [parsed, value] of [
      [countName, count],
      [sumName, sum],
    ] as const) {
      if (isNameProblem(parsed)) {
        builder.refuse(sentName, parsed.reason);
        continue;
      }
      const series = builder.series(parsed, limits.backfill);
      const header = builder.header(series);
      header.type ??= isGauge ? 'gauge' : 'counter';
      if (isStale) this.end(header, milliseconds / 1000);
      else builder.add(series, milliseconds / 1000, value);
    }
  }

  private histogramSeries(parsed: ParsedMetricName): HistogramSeries {
    const labels = Object.entries(parsed.labels);
    return {
      count: composeMetricName(`${parsed.displayName}_count`, labels, this.limits),
      sum: composeMetricName(`${parsed.displayName}_sum`, labels, this.limits),
    };
  }

  private end(header: SeriesHeader, timestamp: number): void {
    this.builder.countMarker();
    this.ended.push({ name: header.name, timestamp });
  }

  private readMetadata(end: number): void {
    const { reader, text, limits } = this;
    const found: MetricMetadata = { family: '', kind: 'unknown', help: '', unit: '' };
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === METADATA_TYPE) {
        found.kind = KINDS[reader.varint(end)] ?? 'unknown';
      } else if (tag === METADATA_FAMILY || tag === METADATA_HELP || tag === METADATA_UNIT) {
        const valueEnd = reader.lengthDelimitedEnd(end);
        const read = text.toString('utf8', reader.position, valueEnd);
        if (tag === METADATA_FAMILY) found.family = read;
        else if (tag === METADATA_HELP) found.help = read;
        else found.unit = read;
        reader.position = valueEnd;
      } else {
        reader.skip(tag, end);
      }
    }
    if (found.family === '') return;
    if (this.metadata.length >= limits.maxPoints) throw new BodyTooLargeError('metadata entries', limits.maxPoints);
    this.metadata.push(found);
  }

  /** How a refused series is called in reports: enough of it to find it. */
  private nameAsSent(): string {
    const labels = this.labels.slice(0, LABELS_SHOWN).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
    if (this.labelCount > LABELS_SHOWN) labels.push('…');
    return labels.length === 0 ? this.name : `${this.name}{${labels.join(',')}}`;
  }
}

/** What the labels of a time series stand for in this body. */
interface SeriesTarget {
  parsed: ParsedMetricName | MetricNameProblem;
  /** What the series is called in reports when it has no valid name. */
  sentName: string;
  /** Index in the batch; -1 before the first sample. */
  series: number;
  histogram: HistogramSeries | null;
}

interface HistogramSeries {
  count: ParsedMetricName | MetricNameProblem;
  sum: ParsedMetricName | MetricNameProblem;
}

/** Labels quoted of a series whose name is refused. */
const LABELS_SHOWN = 8;

/** Fills in type, unit and description: from metadata of the same body, else from the suffix of the name. */
function describeSeries(series: readonly SeriesHeader[], metadata: readonly MetricMetadata[]): void {
  const families = new Map(metadata.map((entry) => [entry.family, entry]));
  for (const header of series) {
    const suffix = COUNTER_SUFFIX.exec(header.displayName)?.[0] ?? '';
    const family =
      families.get(header.displayName) ??
      familyOfPart(families.get(header.displayName.slice(0, header.displayName.length - suffix.length)), suffix);
    if (family !== undefined) {
      header.description = family.help === '' ? null : family.help;
      // A count has no unit, whatever is counted.
      if (family.unit !== '' && suffix !== '_count' && suffix !== '_bucket') header.unit = family.unit;
    }
    header.type ??= typeFromFamily(family, suffix) ?? (suffix === '' ? null : 'counter');
  }
}

/** The family when it is of a kind that has series of that suffix. */
function familyOfPart(family: MetricMetadata | undefined, suffix: string): MetricMetadata | undefined {
  if (family === undefined) return undefined;
  if (suffix === '_total') return family.kind === 'counter' ? family : undefined;
  return ['histogram', 'gaugehistogram', 'summary'].includes(family.kind) ? family : undefined;
}

function typeFromFamily(family: MetricMetadata | undefined, suffix: string): MetricType | null {
  switch (family?.kind) {
    case 'counter':
      return 'counter';
    case 'histogram':
      return 'counter';
    case 'summary':
      return suffix === '' ? 'gauge' : 'counter';
    case 'gauge':
    case 'gaugehistogram':
    case 'info':
    case 'stateset':
      return 'gauge';
    default:
      return null;
  }
}
