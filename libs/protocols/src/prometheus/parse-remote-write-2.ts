import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';
import { type ParseLimits } from '../batch/limits.js';
import { type HistogramFolding, keepBuckets } from '../histograms/histogram-folder.js';
import { isNameProblem, type MetricNameProblem, type ParsedMetricName } from '../names/metric-name.js';
import { NameCache, type NameTable } from '../names/name-cache.js';
import { ProtobufReader, Wire } from '../wire/protobuf-reader.js';
import { LabelCollector } from './label-collector.js';
import { familyName, keptMetadata, kindOf } from './metadata.js';
import { RemoteWriteBody, type RemoteWriteResult, type SeriesFacts } from './remote-write-body.js';
import { SeriesPoints } from './series-points.js';
import { SymbolTable } from './symbol-table.js';
import { field } from './wire-fields.js';

const REQUEST_SYMBOLS = field(4, Wire.Bytes);
const REQUEST_TIMESERIES = field(5, Wire.Bytes);
/** Time series of a request of version 1.0: version 2.0 reserves the number, so that the two are never mistaken. */
const REQUEST_1_TIMESERIES = field(1, Wire.Bytes);
const SERIES_LABELS_REFS = field(1, Wire.Bytes);
const SERIES_LABELS_REF = field(1, Wire.Varint);
const SERIES_HISTOGRAM = field(3, Wire.Bytes);
const SERIES_METADATA = field(5, Wire.Bytes);
const SERIES_CREATED = field(6, Wire.Varint);
const METADATA_TYPE = field(1, Wire.Varint);
const METADATA_HELP = field(3, Wire.Varint);
const METADATA_UNIT = field(4, Wire.Varint);

/**
 * Reads a remote write 2.0 body, `io.prometheus.write.v2.Request` in protobuf, after snappy decompression. As
 * `parseRemoteWrite` does; the metadata of a family in its series is read from the first of them. A series whose labels
 * are not pairs, or are not symbols of the body, is refused (`bad_name`), the others are not. Source:
 * https://prometheus.io/docs/specs/prw/remote_write_spec_2_0/ and `prompb/io/prometheus/write/v2/types.proto`.
 *
 * @param folding how histograms are converted; without it all buckets stay unchanged
 */
export function parseRemoteWrite2(
  bytes: Uint8Array,
  limits: ParseLimits,
  folding: HistogramFolding = keepBuckets(),
): RemoteWriteResult {
  const body = new RemoteWriteBody(limits, folding);
  try {
    new RemoteWrite2Parser(bytes, limits, body).parse();
    return body.finish();
  } catch (error) {
    body.discard();
    throw error;
  }
}

const NO_SYMBOLS: MetricNameProblem = {
  problem: 'labels must be pairs of symbols of the body',
  reason: 'bad_name',
};

class RemoteWrite2Parser {
  private readonly reader: ProtobufReader;
  private readonly symbols: SymbolTable;
  private readonly names: NameTable;
  private readonly labels: LabelCollector;
  private readonly points: SeriesPoints;
  private readonly facts: SeriesFacts = { isGaugeHistogram: false };
  private readonly describedFamilies = new Set<string>();
  /** Symbols of the labels of the series being read: keys and values in turn. */
  private refs = new Uint32Array(64);
  private refCount = 0;

  constructor(
    bytes: Uint8Array,
    private readonly limits: ParseLimits,
    private readonly body: RemoteWriteBody,
  ) {
    this.reader = new ProtobufReader(bytes);
    this.symbols = new SymbolTable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.names = (limits.names ?? new NameCache()).spelledAs('prometheus2');
    this.labels = new LabelCollector(limits);
    this.points = new SeriesPoints(this.reader, body, SERIES_HISTOGRAM, limits.backfill);
  }

  parse(): void {
    const { reader } = this;
    const end = reader.bytes.length;
    // Symbols usually come first, but this is not required.
    let isVersion1 = false;
    let firstSeries = -1;
    while (reader.position < end) {
      const at = reader.position;
      const tag = reader.tag(end);
      if (tag === REQUEST_SYMBOLS) {
        const symbolEnd = reader.lengthDelimitedEnd(end);
        this.symbols.add(reader.position, symbolEnd);
        reader.position = symbolEnd;
      } else {
        if (tag === REQUEST_1_TIMESERIES) isVersion1 = true;
        if (tag === REQUEST_TIMESERIES && firstSeries < 0) firstSeries = at;
        reader.skip(tag, end);
      }
    }
    if (firstSeries < 0) {
      if (isVersion1) throw new MalformedBodyError('the body is of remote write 1.0, but its content type says 2.0');
      return;
    }
    reader.position = firstSeries;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === REQUEST_TIMESERIES) this.readSeries(reader.lengthDelimitedEnd(end));
      else reader.skip(tag, end);
    }
  }

  /** Metadata and the time of creation follow their points, so the message is walked twice. */
  private readSeries(end: number): void {
    const { reader } = this;
    this.points.enterSeries();
    this.refCount = 0;
    let firstPoint = -1;
    let metadataAt = -1;
    let createdMilliseconds = 0;
    while (reader.position < end) {
      const at = reader.position;
      const tag = reader.tag(end);
      if (tag === SERIES_LABELS_REFS) {
        const refsEnd = reader.lengthDelimitedEnd(end);
        while (reader.position < refsEnd) this.addRef(reader.varint(refsEnd));
      } else if (tag === SERIES_LABELS_REF) {
        this.addRef(reader.varint(end));
      } else if (tag === SERIES_CREATED) {
        createdMilliseconds = reader.int64(end);
      } else {
        if (tag === SERIES_METADATA) metadataAt = reader.position;
        else if (firstPoint < 0 && this.points.isPoint(tag)) firstPoint = at;
        reader.skip(tag, end);
      }
    }
    const parsed = this.readName();
    this.facts.isGaugeHistogram = false;
    if (metadataAt >= 0 && !isNameProblem(parsed)) {
      reader.position = metadataAt;
      this.readMetadata(reader.lengthDelimitedEnd(end), parsed);
    }
    if (firstPoint >= 0) {
      reader.position = firstPoint;
      if (isNameProblem(parsed)) {
        this.composeName();
        this.points.refuse(end, this.labels.asSent(), parsed);
      } else {
        this.points.read(end, parsed, this.facts, createdMilliseconds);
      }
    }
    reader.position = end;
  }

  private addRef(ref: number): void {
    if (this.refCount === this.refs.length) {
      const longer = new Uint32Array(this.refs.length * 2);
      longer.set(this.refs);
      this.refs = longer;
    }
    // Numbers that are too large for the column are not symbols either.
    this.refs[this.refCount++] = Math.min(ref, 0xffff_ffff);
  }

  private readName(): ParsedMetricName | MetricNameProblem {
    const { symbols, refs, refCount } = this;
    if (refCount % 2 !== 0) return NO_SYMBOLS;
    for (let i = 0; i < refCount; i++) if (refs[i]! >= symbols.size) return NO_SYMBOLS;
    const raw = symbols.keyOf(refs, refCount);
    if (raw === null) return this.composeName();
    return this.names.get(raw) ?? this.names.keep(raw, this.composeName());
  }

  private composeName(): ParsedMetricName | MetricNameProblem {
    const { refs, labels } = this;
    labels.clear();
    for (let i = 0; i + 1 < this.refCount; i += 2) labels.add(this.textOf(refs[i]!), this.textOf(refs[i + 1]!));
    return labels.compose();
  }

  /** Empty for a number that is not a symbol, as if the symbol were missing. */
  private textOf(ref: number): string {
    return ref < this.symbols.size ? this.symbols.text(ref) : '';
  }

  private readMetadata(end: number, { displayName }: ParsedMetricName): void {
    const { reader } = this;
    let kind = 'unknown';
    let help = 0;
    let unit = 0;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === METADATA_TYPE) kind = kindOf(reader.varint(end));
      else if (tag === METADATA_HELP) help = reader.varint(end);
      else if (tag === METADATA_UNIT) unit = reader.varint(end);
      else reader.skip(tag, end);
    }
    this.facts.isGaugeHistogram = kind === 'gaugehistogram';
    const family = familyName(displayName, kind);
    if (this.describedFamilies.has(family)) return;
    const found = keptMetadata({ family, kind, help: this.textOf(help), unit: this.textOf(unit) });
    if (kind === 'unknown' && found.help === '' && found.unit === '') return;
    const { maxPoints } = this.limits;
    if (this.describedFamilies.size >= maxPoints) throw new BodyTooLargeError('metadata entries', maxPoints);
    this.describedFamilies.add(family);
    this.body.metadata.push(found);
  }
}
