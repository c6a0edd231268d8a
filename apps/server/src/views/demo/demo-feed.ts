import { demoSeries, type LabelledIncident, type SyntheticSeries } from '#libs/synthetic';
import { type PointBatch } from '#libs/point-log';
import { isNameProblem, parseMetricName, type SeriesHeader } from '#libs/protocols';

import { type DemoSeriesOptions } from './demo-themes.js';

export const SLOT_SECONDS = 60;

/** A simulated anomaly of a series, known because the series is generated. */
export interface DemoLabel extends LabelledIncident {
  metric: string;
  metricId: number;
}

/** The series of one demo organisation, and the progress of sending each. Free of I/O. */
export class DemoFeed {
  readonly series: readonly SyntheticSeries[];
  readonly headers: readonly SeriesHeader[];
  private ids: Uint32Array = new Uint32Array(0);
  /** Newest slot sent, per series. */
  private readonly sent: Float64Array;
  /** Newest sent slot with a value, per series: a silent series has sent nothing since. */
  private readonly valued: Float64Array;

  /**
   * @param startedAt Unix seconds at which the demo started; its simulated anomalies are scheduled around it
   * @param from slots after this are sent
   */
  constructor(startedAt: number, from: number, options: DemoSeriesOptions) {
    this.series = demoSeries({ ...options, epoch: floorToSlot(startedAt) });
    this.headers = this.series.map(headerOf);
    this.sent = new Float64Array(this.series.length).fill(floorToSlot(from));
    this.valued = new Float64Array(this.series.length);
  }

  /** Sets the metric id per series; `newest`: the newest slot that each has already stored, null for none. */
  attach(ids: Uint32Array, newest: readonly (number | null)[]): void {
    this.ids = ids;
    newest.forEach((slot, row) => (this.sent[row] = Math.max(this.sent[row]!, slot ?? 0)));
  }

  get metricIds(): readonly number[] {
    return [...this.ids];
  }

  /** True if all sent points are stored; `newest`: the newest stored slot per series, null for none. */
  isStored(newest: readonly (number | null)[]): boolean {
    return newest.every((slot, row) => (slot ?? 0) >= this.valued[row]!);
  }

  /** Simulated anomalies that start in (after, until], oldest first. */
  labels(after: number, until: number): DemoLabel[] {
    const labels = this.series.flatMap((series, row) =>
      series
        .incidents(after, until + 1)
        .filter(({ from }) => from > after && from <= until)
        .map((incident) => ({ ...incident, metric: series.name, metricId: this.ids[row]! })),
    );
    return labels.sort((a, b) => a.from - b.from);
  }

  /** Newest slot that all series have sent. */
  get sentUpTo(): number {
    return Math.min(...this.sent);
  }

  /** Slots in (sent, until] of all series, oldest first as they would have arrived; advances `sent`. */
  nextBatch(until: number): PointBatch {
    const ids: number[] = [];
    const timestamps: number[] = [];
    const values: number[] = [];
    for (let slot = this.sentUpTo + SLOT_SECONDS; slot <= until; slot += SLOT_SECONDS) {
      this.series.forEach((series, row) => {
        const value = slot > this.sent[row]! ? series.valueAt(slot) : null;
        if (value === null) return;
        this.valued[row] = slot;
        ids.push(this.ids[row]!);
        timestamps.push(slot);
        values.push(value);
      });
    }
    for (let row = 0; row < this.sent.length; row++) this.sent[row] = Math.max(this.sent[row]!, until);
    return {
      ids: Uint32Array.from(ids),
      timestamps: Float64Array.from(timestamps),
      values: Float64Array.from(values),
    };
  }
}

export const floorToSlot = (timestamp: number): number => Math.floor(timestamp / SLOT_SECONDS) * SLOT_SECONDS;

function headerOf(series: SyntheticSeries): SeriesHeader {
  const parsed = parseMetricName(series.name);
  if (isNameProblem(parsed)) throw new Error(`The demo series ${series.name} has no proper name`);
  const { type, unit, description, aggregation } = series;
  return { ...parsed, type, unit, description, aggregation, backfill: false };
}
