import { Injectable } from '@nestjs/common';
import { BASELINE_SLOTS, type Candidate, LEAD_SLOTS, SETTLE_SLOTS, type Stretch, TAIL_SLOTS } from '#libs/patterns';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { PatternSeriesService, type SeriesWindow } from '../../analysis/pattern/pattern-series.service.js';
import { type ShapeFrame } from '../../analysis/pattern/pattern.types.js';

/** Number of slots before and after the compared part. */
const AROUND_SLOTS = 12;

/** The part of a series that is compared with shapes. */
export interface WantedCandidate {
  metric: MetricRecord;
  /** First anomalous slot, and the last one, null while it continues; Unix seconds. */
  start: number;
  end: number | null;
  frames: Iterable<ShapeFrame>;
}

/** Reads the parts of series that are compared with shapes. */
@Injectable()
export class CandidateSeriesService {
  constructor(private readonly series: PatternSeriesService) {}

  /** The known slots of anomalies up to `now`, in the same order. The series are read together. */
  async readAll(
    wanted: readonly WantedCandidate[],
    { now, settings }: { now: number; settings: SeriesSettings },
  ): Promise<Candidate[]> {
    const windows: ({ metric: MetricRecord } & SeriesWindow)[] = [];
    const candidates = wanted.map(({ metric, start, end, frames }) => {
      const fineAt = windows.push(this.fineOf(metric, { start, end }, [...frames], { now, settings })) - 1;
      const contextsAt = new Map<number, number>();
      for (const { duration, contextStep: step } of frames) {
        if (contextsAt.has(duration)) continue;
        contextsAt.set(duration, windows.push({ metric, ...this.series.contextAround({ start, duration, step }) }) - 1);
      }
      return { start, end, fineAt, contextsAt };
    });
    const read = await this.series.readAll(windows, settings);
    return candidates.map(({ start, end, fineAt, contextsAt }) => {
      const fine = read[fineAt]!;
      const contexts = new Map([...contextsAt].map(([duration, at]) => [duration, read[at]!]));
      return { start, end, newest: newestOf(fine, start), fine, contexts };
    });
  }

  private fineOf(
    metric: MetricRecord,
    { start, end }: { start: number; end: number | null },
    frames: readonly ShapeFrame[],
    { now, settings }: { now: number; settings: SeriesSettings },
  ): { metric: MetricRecord } & SeriesWindow {
    const step = this.series.stepOf(metric, start - LEAD_SLOTS * 60, settings);
    const longestStep = Math.max(step, ...frames.map(({ fineStep }) => fineStep));
    const longest = Math.max(step, ...frames.map(({ partStart, partEnd }) => partEnd - partStart));
    const from = start - longest - (BASELINE_SLOTS + TAIL_SLOTS + AROUND_SLOTS) * longestStep;
    // An open anomaly is read until it has lasted longer than any shape allows.
    const last = end ?? start + SETTLE_SLOTS * longestStep;
    const until = Math.max(start, last) + 2 * longest + (TAIL_SLOTS + AROUND_SLOTS) * longestStep;
    return { metric, from, until: Math.min(now, until), step };
  }
}

/** The newest slot with data, but at least the start. */
function newestOf({ start, step, values }: Stretch, least: number): number {
  let slot = values.length - 1;
  while (slot > 0 && !Number.isFinite(values[slot]!)) slot--;
  return Math.max(least, start + slot * step);
}
