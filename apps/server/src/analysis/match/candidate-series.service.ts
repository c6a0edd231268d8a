import { Injectable } from '@nestjs/common';
import { BASELINE_SLOTS, type Candidate, LEAD_SLOTS, type Shape, type Stretch, TAIL_SLOTS } from '#libs/patterns';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { PatternSeries } from '../pattern/pattern-series.service.js';

/** Slots before and after what is compared. */
const AROUND_SLOTS = 12;

/** Reads what of a series is compared with shapes. */
@Injectable()
export class CandidateSeries {
  constructor(private readonly series: PatternSeries) {}

  /**
   * What is known of an anomaly up to `now`, as it is compared with some shapes.
   * @param start first anomalous slot; `end` the last one, null while it goes on; Unix seconds
   */
  async read(
    metric: MetricRecord,
    { start, end }: { start: number; end: number | null },
    shapes: readonly Shape[],
    { now, settings }: { now: number; settings: SeriesSettings },
  ): Promise<Candidate> {
    const step = this.series.stepOf(metric, start - LEAD_SLOTS * 60, settings);
    const longestStep = Math.max(step, ...shapes.map(({ fine }) => fine.step));
    const longest = Math.max(step, ...shapes.map(({ partStart, partEnd }) => partEnd - partStart));
    const from = start - longest - (BASELINE_SLOTS + TAIL_SLOTS + AROUND_SLOTS) * longestStep;
    const until = Math.max(start, end ?? start) + 2 * longest + (TAIL_SLOTS + AROUND_SLOTS) * longestStep;
    const fine = await this.series.read(metric, { from, until: Math.min(now, until), step }, settings);
    const contexts = new Map<number, Stretch>();
    for (const { duration, context } of shapes) {
      if (contexts.has(duration)) continue;
      contexts.set(duration, await this.series.context(metric, { start, duration, step: context.step }, settings));
    }
    return { start, end, newest: newestOf(fine, start), fine, contexts };
  }
}

/** The newest slot with data, and never before the start. */
function newestOf({ start, step, values }: Stretch, least: number): number {
  let slot = values.length - 1;
  while (slot > 0 && !Number.isFinite(values[slot]!)) slot--;
  return Math.max(least, start + slot * step);
}
