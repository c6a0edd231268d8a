import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';
import { type ParseLimits } from '../batch/limits.js';
import { type HistogramFolding, keepBuckets } from '../histograms/histogram-folder.js';
import { isNameProblem, type MetricNameProblem, type ParsedMetricName } from '../names/metric-name.js';
import { NameCache, type NameTable } from '../names/name-cache.js';
import { ProtobufReader, Wire } from '../wire/protobuf-reader.js';
import { LabelCollector } from './label-collector.js';
import { keptMetadata, kindOf, type MetricMetadata } from './metadata.js';
import { RemoteWriteBody, type RemoteWriteResult, type SeriesFacts } from './remote-write-body.js';
import { SeriesPoints } from './series-points.js';
import { field } from './wire-fields.js';

const REQUEST_TIMESERIES = field(1, Wire.Bytes);
const REQUEST_METADATA = field(3, Wire.Bytes);
/** Symbols and time series of a request of version 2.0: fields that version 1.0 does not have. */
const REQUEST_2_SYMBOLS = field(4, Wire.Bytes);
const REQUEST_2_TIMESERIES = field(5, Wire.Bytes);
const SERIES_LABEL = field(1, Wire.Bytes);
const SERIES_HISTOGRAM = field(4, Wire.Bytes);
const LABEL_NAME = field(1, Wire.Bytes);
const LABEL_VALUE = field(2, Wire.Bytes);
const METADATA_TYPE = field(1, Wire.Varint);
const METADATA_FAMILY = field(2, Wire.Bytes);
const METADATA_HELP = field(4, Wire.Bytes);
const METADATA_UNIT = field(5, Wire.Bytes);

/** This version sends the kind of a family in a separate message, mostly in another body. */
const NO_FACTS: SeriesFacts = { isGaugeHistogram: false };

/**
 * Reads a remote write 1.0 body, `prometheus.WriteRequest` in protobuf, after snappy decompression.
 * Labels become a canonical name (characters that names may not hold become `_`); other NaN than the staleness marker and
 * infinities are `not_finite`. Exemplars are skipped. Throws MalformedBodyError or BodyTooLargeError, nothing else.
 * Source: https://prometheus.io/docs/specs/prw/remote_write_spec/ and prometheus `prompb/types.proto`.
 *
 * @param folding how histograms are converted; without it all buckets stay unchanged
 */
export function parseRemoteWrite(
  bytes: Uint8Array,
  limits: ParseLimits,
  folding: HistogramFolding = keepBuckets(),
): RemoteWriteResult {
  const body = new RemoteWriteBody(limits, folding);
  try {
    new RemoteWriteParser(bytes, limits, body).parse();
    return body.finish();
  } catch (error) {
    body.discard();
    throw error;
  }
}

class RemoteWriteParser {
  private readonly reader: ProtobufReader;
  private readonly text: Buffer;
  private readonly names: NameTable;
  private readonly labels: LabelCollector;
  private readonly points: SeriesPoints;

  constructor(
    bytes: Uint8Array,
    private readonly limits: ParseLimits,
    private readonly body: RemoteWriteBody,
  ) {
    this.reader = new ProtobufReader(bytes);
    this.text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.names = (limits.names ?? new NameCache()).spelledAs('prometheus');
    this.labels = new LabelCollector(limits);
    this.points = new SeriesPoints(this.reader, body, SERIES_HISTOGRAM, limits.backfill);
  }

  parse(): void {
    const { reader } = this;
    const end = reader.bytes.length;
    let isVersion1 = false;
    let isVersion2 = false;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === REQUEST_TIMESERIES) {
        isVersion1 = true;
        this.readSeries(reader.lengthDelimitedEnd(end));
      } else if (tag === REQUEST_METADATA) {
        isVersion1 = true;
        this.readMetadata(reader.lengthDelimitedEnd(end));
      } else {
        if (tag === REQUEST_2_SYMBOLS || tag === REQUEST_2_TIMESERIES) isVersion2 = true;
        reader.skip(tag, end);
      }
    }
    if (isVersion2 && !isVersion1) {
      throw new MalformedBodyError('the body is of remote write 2.0, but its content type does not say so');
    }
  }

  /** Labels may be anywhere in the message, so they are found before the points are read. */
  private readSeries(end: number): void {
    const { reader } = this;
    this.points.enterSeries();
    const { bytes } = reader;
    const start = reader.position;
    // Nearly always all labels come first, each shorter than 128 bytes.
    while (reader.position + 1 < end && bytes[reader.position] === SERIES_LABEL && bytes[reader.position + 1]! < 0x80) {
      const next = reader.position + 2 + bytes[reader.position + 1]!;
      if (next > end) break;
      reader.position = next;
    }
    let labelsEnd = reader.position;
    let firstPoint = -1;
    let areLabelsFirst = true;
    while (reader.position < end) {
      const at = reader.position;
      const tag = reader.tag(end);
      reader.skip(tag, end);
      if (tag === SERIES_LABEL) {
        if (at !== labelsEnd) areLabelsFirst = false;
        labelsEnd = reader.position;
      } else if (firstPoint < 0 && this.points.isPoint(tag)) {
        firstPoint = at;
      }
    }
    if (firstPoint < 0) return;
    const parsed = areLabelsFirst ? this.knownName(start, labelsEnd) : this.readName(start, end);
    if (isNameProblem(parsed)) {
      this.readName(start, end);
      reader.position = firstPoint;
      this.points.refuse(end, this.labels.asSent(), parsed);
    } else {
      reader.position = firstPoint;
      this.points.read(end, parsed, NO_FACTS, 0);
    }
  }

  /** Senders repeat series: equal bytes of labels are parsed once. Latin-1 keeps distinct bytes distinct. */
  private knownName(start: number, end: number): ParsedMetricName | MetricNameProblem {
    const raw = this.text.toString('latin1', start, end);
    return this.names.get(raw) ?? this.names.keep(raw, this.readName(start, end));
  }

  private readName(start: number, end: number): ParsedMetricName | MetricNameProblem {
    const { reader } = this;
    this.labels.clear();
    reader.position = start;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === SERIES_LABEL) this.readLabel(reader.lengthDelimitedEnd(end));
      else reader.skip(tag, end);
    }
    return this.labels.compose();
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
    this.labels.add(name, value);
  }

  private readMetadata(end: number): void {
    const { reader, text, limits } = this;
    const { metadata } = this.body;
    const found: MetricMetadata = { family: '', kind: 'unknown', help: '', unit: '' };
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === METADATA_TYPE) {
        found.kind = kindOf(reader.varint(end));
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
    if (metadata.length >= limits.maxPoints) throw new BodyTooLargeError('metadata entries', limits.maxPoints);
    metadata.push(keptMetadata(found));
  }
}
