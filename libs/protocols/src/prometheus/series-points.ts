import { pointProblem } from '../batch/point-problem.js';
import { quoted } from '../batch/quoted.js';
import { type MetricNameProblem, type ParsedMetricName } from '../names/metric-name.js';
import { dayOf } from '../time/unix-time.js';
import { type ProtobufReader, Wire } from '../wire/protobuf-reader.js';
import { NativeHistogramReader } from './native-histogram.js';
import { type RemoteWriteBody, type SeriesFacts } from './remote-write-body.js';
import { field, SampleReader } from './wire-fields.js';

const SERIES_SAMPLE = field(2, Wire.Bytes);

/** The samples and histograms of a time series: the same messages in both versions of remote write. */
export class SeriesPoints {
  private readonly sample = new SampleReader();
  private readonly histogram = new NativeHistogramReader();
  // The position of the point being read, for messages.
  private seriesIndex = -1;
  private sampleIndex = -1;
  private histogramIndex = -1;
  private isHistogram = false;

  /** @param histogramTag the only number that differs between the versions */
  constructor(
    private readonly reader: ProtobufReader,
    private readonly body: RemoteWriteBody,
    private readonly histogramTag: number,
    private readonly backfill: boolean,
  ) {
    const { builder } = body;
    builder.onRefused = (reason, backfill, timestamp, value) => {
      // Samples that are not finite are left out, which is no error of the sender.
      if (reason === 'not_finite') return;
      const place = this.isHistogram ? `histograms.${this.histogramIndex}` : `samples.${this.sampleIndex}`;
      const path = `timeseries.${this.seriesIndex}.${place}`;
      const day = reason === 'bad_timestamp' ? '' : `, taken for milliseconds: ${dayOf(timestamp)}`;
      const time = { member: `${path}.timestamp`, shown: `${Math.round(timestamp * 1000)}${day}` };
      const sent = { member: `${path}.value`, shown: String(value) };
      builder.refusals.addBadLine(reason, null, pointProblem(reason, time, sent, builder.limits, backfill));
    };
  }

  /** Call it for every time series of the body, also for those without points. */
  enterSeries(): void {
    this.seriesIndex++;
    this.sampleIndex = -1;
    this.histogramIndex = -1;
  }

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
        this.isHistogram = false;
        this.sampleIndex++;
        sample.read(reader, reader.lengthDelimitedEnd(end));
        if (bucket !== null) {
          body.addBucket(parsed, bucket, sample, facts);
        } else {
          if (series < 0) series = body.builder.series(parsed, this.backfill);
          body.addSample(series, sample);
        }
      } else if (tag === histogramTag) {
        this.isHistogram = true;
        this.histogramIndex++;
        histogram.read(reader, reader.lengthDelimitedEnd(end), createdMilliseconds);
        body.addHistogram(parsed, histogram.point, histogram.isStale, facts);
      } else {
        reader.skip(tag, end);
      }
    }
  }

  /** Counts the points of a time series without a valid name. */
  refuse(end: number, nameAsSent: string, { problem, reason }: MetricNameProblem): void {
    const { reader } = this;
    const { builder } = this.body;
    if (builder.refusals.takesLines) {
      const rule = `timeseries.${this.seriesIndex}.labels must be a metric name with labels`;
      builder.refusals.addBadLine(reason, null, `${rule}, got ${quoted(nameAsSent)}: ${problem}`);
    }
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
