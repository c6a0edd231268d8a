import { Injectable } from '@nestjs/common';
import { contextWindow, contextStep, type Stretch, stretchOf } from '#libs/patterns';
import { Clock } from '../../common/clock.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { TimeseriesService } from '../../data/metric/timeseries.service.js';
import { type SeriesSettings } from '../../people/org/org.types.js';

/** Slots of the context that are read before and after it, so that it can be moved a little. */
const AROUND = 2;

/** Series as shapes are cut from them and compared with: analysed values (of counters rates) in even slots. */
@Injectable()
export class PatternSeries {
  constructor(
    private readonly timeseries: TimeseriesService,
    private readonly clock: Clock,
  ) {}

  /** Slots in which the part of a shape is kept, seconds: those of the metric, as fine as they are still stored. */
  stepOf(metric: MetricRecord, from: number, settings: SeriesSettings): number {
    const { retention1ResolutionSeconds: fine, retention2ResolutionSeconds: coarse } = settings;
    const slot = from < this.clock.now() - settings.retention1PeriodSeconds ? coarse : fine;
    return Math.max(1, Math.round((metric.resolutionSeconds ?? slot) / slot)) * slot;
  }

  /** Slots that start within the window, Unix seconds. */
  async read(
    metric: MetricRecord,
    { from, until, step }: { from: number; until: number; step: number },
    settings: SeriesSettings,
  ): Promise<Stretch> {
    const start = Math.floor(from / step) * step;
    if (until < start) return { start, step, values: new Float32Array(0) };
    const request = {
      from: start,
      until,
      resolutionSeconds: step,
      maxPoints: 1,
      function: 'avg',
      envelope: false,
      fill: 'none',
    } as const;
    const { points, derivative } = await this.timeseries.read(metric, request, settings);
    return stretchOf(derivative ?? points, start, until, step);
  }

  /** The time before `start`, for shapes of a duration. */
  context(
    metric: MetricRecord,
    { start, duration, step }: { start: number; duration: number; step?: number },
    settings: SeriesSettings,
  ): Promise<Stretch> {
    const fine = this.stepOf(metric, start, settings);
    const bin = step ?? contextStep(duration, fine);
    const { from, until } = contextWindow(start, duration, bin);
    return this.read(metric, { from: from - AROUND * bin, until: until + AROUND * bin, step: bin }, settings);
  }
}
