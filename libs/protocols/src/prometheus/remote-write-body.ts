import { BatchBuilder } from '../batch/batch-builder.js';
import { type ParseLimits } from '../batch/limits.js';
import { type ParsedBatch, type ParseResult } from '../batch/parsed-batch.js';
import { type BodyHistograms, type HistogramRows, type HistogramSeries } from '../histograms/body-histograms.js';
import { type HistogramFolding } from '../histograms/histogram-folder.js';
import { type HistogramPoint } from '../histograms/histogram-point.js';
import { type ParsedMetricName } from '../names/metric-name.js';
import { describeSeries, type MetricMetadata } from './metadata.js';
import { type SampleReader } from './wire-fields.js';

/** A series that its sender has ended. */
export interface EndedSeries {
  /** Canonical name. */
  name: string;
  /** Unix seconds of the marker. */
  timestamp: number;
}

export interface RemoteWriteResult extends ParseResult {
  /** Series ended by a staleness marker. Markers are neither points nor refusals. */
  ended: EndedSeries[];
  /** Metadata of the metric families of the body, one entry a family at most in version 2.0. */
  metadata: MetricMetadata[];
  /** Accepted items without a separate row: staleness markers, and buckets that are folded or dropped. */
  withoutRow: { samples: number; histograms: number };
  /** Rows of the batch that come from histograms; null if there are none. */
  histogramRows: HistogramRows | null;
  /** Call it if the batch is not stored (it failed, or was only a test): its histograms may be sent again. */
  discard(): void;
}

/** Counts in the headers of the answer for a sender of version 2.0. */
export interface WrittenCounts {
  samples: number;
  histograms: number;
  /** They are not stored. */
  exemplars: 0;
}

/** The written parts of a body, in the sender's units. `kept` is the stored batch, possibly reduced by dropSeries. */
export function countWritten(result: RemoteWriteResult, kept: ParsedBatch): WrittenCounts {
  const { withoutRow, histogramRows } = result;
  let samples = kept.count;
  let histograms = 0;
  if (histogramRows !== null) {
    const isKept = new Uint8Array(kept.series.length);
    for (let row = 0; row < kept.count; row++) isKept[kept.seriesIndex[row]!] = 1;
    isKept.forEach((is, series) => {
      samples -= is * histogramRows.rows[series]!;
      histograms += is * histogramRows.histograms[series]!;
    });
  }
  return { samples: samples + withoutRow.samples, histograms: histograms + withoutRow.histograms, exemplars: 0 };
}

/** Properties of a time series of a body, apart from its name. */
export interface SeriesFacts {
  /** Its counts may decrease: it belongs to a family of gauge histograms. */
  isGaugeHistogram: boolean;
}

/** The shared processing of both versions of remote write. */
export class RemoteWriteBody {
  readonly builder: BatchBuilder;
  readonly ended: EndedSeries[] = [];
  readonly metadata: MetricMetadata[] = [];
  private readonly histograms: BodyHistograms;
  private readonly histogramSeries = new Map<string, HistogramSeries>();
  private staleSamples = 0;
  private staleHistograms = 0;
  private foldedSamples = 0;

  constructor(
    private readonly limits: ParseLimits,
    { folder, scope, settings }: HistogramFolding,
  ) {
    this.builder = new BatchBuilder(limits);
    this.histograms = folder.begin(this.builder, scope, settings);
  }

  /** A sample of an ordinary series. */
  addSample(series: number, sample: SampleReader): void {
    if (sample.isStale) this.end(this.builder.header(series).name, sample.milliseconds / 1000);
    else this.builder.add(series, sample.milliseconds / 1000, sample.value);
  }

  /** The histogram and bound if the series is a bucket that is not stored unchanged. */
  bucketOf(parsed: ParsedMetricName): { histogram: HistogramSeries; bound: number } | null {
    const bucket = this.histograms.bucketOf(parsed);
    return bucket && { histogram: this.histogramOf(bucket.histogram), bound: bucket.bound };
  }

  addBucket(
    { name }: ParsedMetricName,
    { histogram, bound }: { histogram: HistogramSeries; bound: number },
    sample: SampleReader,
    { isGaugeHistogram }: SeriesFacts,
  ): void {
    const timestamp = sample.milliseconds / 1000;
    if (sample.isStale) {
      this.builder.countMarker();
      this.staleSamples++;
      if (bound === Infinity) this.endAll(this.histograms.endQuantiles(histogram), timestamp);
    } else if (this.histograms.addBucket(histogram, name, bound, timestamp, sample.value, isGaugeHistogram)) {
      this.foldedSamples++;
    }
  }

  addHistogram(parsed: ParsedMetricName, point: HistogramPoint, isStale: boolean, facts: SeriesFacts): void {
    const histogram = this.histogramOf(parsed);
    if (isStale) {
      this.builder.countMarker();
      this.staleHistograms++;
      this.endAll(this.histograms.end(histogram), point.timestamp);
      return;
    }
    if (facts.isGaugeHistogram) point.temporality = 'gauge';
    this.histograms.add(histogram, point);
  }

  finish(): RemoteWriteResult {
    this.histograms.finish();
    const result = this.builder.finish();
    describeSeries(result.batch.series, this.metadata);
    return {
      ...result,
      ended: this.ended,
      metadata: this.metadata,
      withoutRow: { samples: this.staleSamples + this.foldedSamples, histograms: this.staleHistograms },
      histogramRows: this.histograms.rowsOf(result.batch.series),
      discard: () => this.discard(),
    };
  }

  discard(): void {
    this.histograms.discard();
  }

  private histogramOf(parsed: ParsedMetricName): HistogramSeries {
    let histogram = this.histogramSeries.get(parsed.name);
    if (histogram === undefined) {
      histogram = this.histograms.series(parsed, this.limits.backfill);
      this.histogramSeries.set(parsed.name, histogram);
    }
    return histogram;
  }

  private end(name: string, timestamp: number): void {
    this.builder.countMarker();
    this.staleSamples++;
    this.ended.push({ name, timestamp });
  }

  private endAll(names: readonly string[], timestamp: number): void {
    for (const name of names) this.ended.push({ name, timestamp });
  }
}
