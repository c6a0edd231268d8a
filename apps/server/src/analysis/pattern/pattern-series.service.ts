import { Injectable } from '@nestjs/common';
import { contextWindow, contextStep, type Stretch, stretchOf } from '#libs/patterns';
import { Clock } from '../../common/clock.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { TimeseriesService } from '../../data/metric/timeseries.service.js';
import { type SeriesSettings } from '../../people/org/org.types.js';

/** Number of slots read before and after the context, so that it can be shifted slightly. */
const AROUND = 2;

/** Unix seconds; slots of `step` seconds. */
export interface SeriesWindow {
  from: number;
  until: number;
  step: number;
}

/** Series for cutting and comparing shapes: analysed values (for counters rates) in even slots. */
@Injectable()
export class PatternSeriesService {
  constructor(
    private readonly timeseries: TimeseriesService,
    private readonly clock: Clock,
  ) {}

  /** Slot length of the part of a shape, seconds: that of the metric, as fine as it is still stored. */
  stepOf(metric: MetricRecord, from: number, settings: SeriesSettings): number {
    const { retention1ResolutionSeconds: fine, retention2ResolutionSeconds: coarse } = settings;
    const slot = from < this.clock.now() - settings.retention1PeriodSeconds ? coarse : fine;
    return Math.max(1, Math.round((metric.resolutionSeconds ?? slot) / slot)) * slot;
  }

  /** Slots that start within the window, Unix seconds. */
  async read(metric: MetricRecord, window: SeriesWindow, settings: SeriesSettings): Promise<Stretch> {
    return (await this.readAll([{ metric, ...window }], settings))[0]!;
  }

  /** The same for many windows, in the same order, with few statements. */
  async readAll(
    wanted: readonly ({ metric: MetricRecord } & SeriesWindow)[],
    settings: SeriesSettings,
  ): Promise<Stretch[]> {
    const windows = wanted.map(({ from, until, step }) => ({ start: Math.floor(from / step) * step, until, step }));
    const requests = wanted.flatMap(({ metric }, i) => {
      const { start, until, step } = windows[i]!;
      if (until < start) return [];
      const request = {
        from: start,
        until,
        resolutionSeconds: step,
        maxPoints: 1,
        function: 'avg',
        envelope: false,
        fill: 'none',
      } as const;
      return [{ metric, request }];
    });
    const read = (await this.timeseries.readAll(requests, settings)).values();
    return windows.map(({ start, until, step }) => {
      if (until < start) return { start, step, values: new Float32Array(0) };
      const { points, derivative } = read.next().value!;
      return stretchOf(derivative ?? points, start, until, step);
    });
  }

  /** The time before `start`, for shapes of a duration. */
  context(
    metric: MetricRecord,
    { start, duration, step }: { start: number; duration: number; step?: number },
    settings: SeriesSettings,
  ): Promise<Stretch> {
    const bin = step ?? contextStep(duration, this.stepOf(metric, start, settings));
    return this.read(metric, this.contextAround({ start, duration, step: bin }), settings);
  }

  /** The range read before `start`, in slots of `step` seconds. */
  contextAround({ start, duration, step }: { start: number; duration: number; step: number }): SeriesWindow {
    const { from, until } = contextWindow(start, duration, step);
    return { from: from - AROUND * step, until: until + AROUND * step, step };
  }
}
