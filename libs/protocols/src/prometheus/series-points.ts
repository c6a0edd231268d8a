import { type MetricNameProblem, type ParsedMetricName } from '../names/metric-name.js';
import { type ProtobufReader, Wire } from '../wire/protobuf-reader.js';
import { NativeHistogramReader } from './native-histogram.js';
import { type RemoteWriteBody, type SeriesFacts } from './remote-write-body.js';
import { field, SampleReader } from './wire-fields.js';

const SERIES_SAMPLE = field(2, Wire.Bytes);

/** The samples and histograms of a time series: the same messages in both versions of remote write. */
export class SeriesPoints {
  private readonly sample = new SampleReader();
  private readonly histogram = new NativeHistogramReader();

  /** @param histogramTag the only number that differs between the versions */
  constructor(
    private readonly reader: ProtobufReader,
    private readonly body: RemoteWriteBody,
    private readonly histogramTag: number,
    private readonly backfill: boolean,
  ) {}

  isPoint(tag: number): boolean {
    return tag === SERIES_SAMPLE || tag === this.histogramTag;
  }

  /** Reads the points from the reader's position to the end of the time series. */
  read(end: number, parsed: ParsedMetricName, facts: SeriesFacts, createdMilliseconds: number): void {
    const { reader, body, sample, histogram, histogramTag } = this;
    const bucket = body.bucketOf(parsed);
    let series = -1;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === SERIES_SAMPLE) {
        sample.read(reader, reader.lengthDelimitedEnd(end));
        if (bucket !== null) {
          body.addBucket(parsed, bucket, sample, facts);
        } else {
          if (series < 0) series = body.builder.series(parsed, this.backfill);
          body.addSample(series, sample);
        }
      } else if (tag === histogramTag) {
        histogram.read(reader, reader.lengthDelimitedEnd(end), createdMilliseconds);
        body.addHistogram(parsed, histogram.point, histogram.isStale, facts);
      } else {
        reader.skip(tag, end);
      }
    }
  }

  /** Counts the points of a time series without a valid name. */
  refuse(end: number, nameAsSent: string, { reason }: MetricNameProblem): void {
    const { reader } = this;
    const { builder } = this.body;
    while (reader.position < end) {
      const tag = reader.tag(end);
      // A histogram counts as a count and a sum.
      if (tag === SERIES_SAMPLE) builder.refuse(nameAsSent, reason);
      else if (tag === this.histogramTag) builder.refuse(nameAsSent, reason, 2);
      if (this.isPoint(tag)) reader.skipAll(reader.lengthDelimitedEnd(end));
      else reader.skip(tag, end);
    }
  }
}
