import { type BatchBuilder } from '../batch/batch-builder.js';
import { composeMetricName, isNameProblem, type MetricNameProblem, type ParsedMetricName } from '../names/metric-name.js';
import { type HistogramMemory } from './histogram-memory.js';
import { type HistogramPoint } from './histogram-point.js';
import { type HistogramSettings } from './histogram-settings.js';

/** A histogram of a body: what its points are turned into. Made by `BodyHistograms.series`. */
export interface HistogramSeries {
  readonly parsed: ParsedMetricName;
  readonly backfill: boolean;
  readonly unit: string | null;
  readonly description: string | null;
}

/** Turns the histograms of one body into rows of its batch. */
export class BodyHistograms {
  constructor(
    private readonly memory: HistogramMemory,
    private readonly builder: BatchBuilder,
    private readonly scope: number,
    private readonly settings: HistogramSettings,
  ) {}

  /**
   * The histogram of a name (without `_count` and the like).
   * @param about unit and description for the series made of it; the count has no unit
   */
  series(
    parsed: ParsedMetricName,
    backfill: boolean,
    about: { unit: string | null; description: string | null } = { unit: null, description: null },
  ): HistogramSeries {
    return { parsed, backfill, unit: about.unit, description: about.description };
  }

  /** Adds the rows of a point: count and sum, then by mode quantiles, buckets or nothing. */
  add(series: HistogramSeries, point: HistogramPoint): void {
    this.addRow(series, '_count', point.timestamp, point.count);
    if (point.hasSum) this.addRow(series, '_sum', point.timestamp, point.sum);
  }

  /** Canonical names of the series that end when the sender says that a histogram has ended. */
  end(series: HistogramSeries): string[] {
    return ['_count', '_sum']
      .map((suffix) => suffixed(series.parsed, suffix))
      .flatMap((parsed) => (isNameProblem(parsed) ? [] : [parsed.name]));
  }

  /** Folds what has to wait for the whole body. Call it before `BatchBuilder.finish`. */
  finish(): void {
    return;
  }

  /** Forgets what this body taught: it was not stored (refused, failed, or only a test), so it may come again. */
  discard(): void {
    return;
  }

  private addRow(series: HistogramSeries, suffix: string, timestamp: number, value: number): void {
    const parsed = suffixed(series.parsed, suffix);
    if (isNameProblem(parsed)) this.builder.refuse(series.parsed.name, parsed.reason);
    else this.builder.add(this.builder.series(parsed, series.backfill), timestamp, value);
  }
}

function suffixed(parsed: ParsedMetricName, suffix: string): ParsedMetricName | MetricNameProblem {
  return composeMetricName(`${parsed.displayName}${suffix}`, Object.entries(parsed.labels));
}
