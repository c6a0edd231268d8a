import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { DAY } from '../../common/time.js';
import { resolveWindow, type Window } from '../../common/window/window.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { TimeseriesService } from '../../data/metric/timeseries.service.js';
import { type SeriesPoint } from '../../data/metric/timeseries.types.js';
import { OrgService } from '../../people/org/org.service.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { ExpectationService } from '../expectation/expectation.service.js';
import { type Expectation } from '../expectation/expectation.types.js';
import { type SparklineDto, type SparklinesDto } from './dto/sparkline.dto.js';
import { type SparklinesParams } from './dto/sparkline.params.js';
import { SparklineRepository } from './sparkline.repository.js';

interface SparklineColumns {
  points: SeriesPoint[];
  lower: (number | null)[];
  upper: (number | null)[];
}

/**
 * Longer windows have no expected range: it is hardly visible in so small a graph, and would require replaying all of
 * it.
 */
const RANGE_UP_TO_SECONDS = 7 * DAY;
/**
 * Maximum number of lines computed at the same time: those of one call must not fill the queue of their organisation.
 */
const AT_ONCE = 4;
const MAX_ANOMALIES = 20;

/** Small graphs of many metrics, for lists: drawn from the roll-ups. */
@Injectable()
export class SparklineService {
  constructor(
    private readonly metrics: MetricService,
    private readonly timeseries: TimeseriesService,
    private readonly expectations: ExpectationService,
    private readonly anomalies: SparklineRepository,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailedError the window is too long; OverloadedError */
  async list({ org }: KnownCaller, params: SparklinesParams): Promise<SparklinesDto> {
    const settings = await this.orgs.getById(org.id);
    const window = resolveWindow(params, this.clock.now(), settings.retention2PeriodSeconds);
    const found = await this.metrics.findByIds(org.id, params.metric_ids);
    const byId = new Map(found.map((metric) => [metric.id, metric]));
    const metrics = params.metric_ids.flatMap((id) => byId.get(id) ?? []);
    const ids = metrics.map(({ id }) => id);
    const anomalies = await this.anomalies.listAnomalies(org.id, ids, window, MAX_ANOMALIES);
    const lines = await inTurn(metrics, (metric) => this.lineOf(metric, window, params.points, settings));
    const sparklines = lines.map((line) => ({
      ...line,
      anomalies: anomalies
        .filter(({ metricId }) => metricId === line.metric_id)
        .map(({ from, until, severity }) => ({ from, until, severity })),
    }));
    return { sparklines, ...window };
  }

  private async lineOf(
    metric: MetricRecord,
    window: Window,
    points: number,
    settings: SeriesSettings,
  ): Promise<Omit<SparklineDto, 'anomalies'>> {
    const rolled = settings.retention2ResolutionSeconds;
    const step = sparklineStep(window, points, settings.retention1ResolutionSeconds);
    const isLong = window.until - window.from > RANGE_UP_TO_SECONDS;
    if (step < rolled || isLong) {
      return { metric_id: metric.id, ...(await this.withoutRange(metric, window, points, settings)) };
    }
    const resolution = sparklineStep(window, points, rolled);
    const first = Math.floor(window.from / resolution) * resolution;
    const expectation = await this.expectations.getRolledExpectation(metric, first, window.until, settings);
    const line = sparklineOf(expectation, window, resolution);
    return { metric_id: metric.id, resolution_seconds: resolution, ...line };
  }

  private async withoutRange(
    metric: MetricRecord,
    window: Window,
    maxPoints: number,
    settings: SeriesSettings,
  ): Promise<SparklineColumns & { resolution_seconds: number }> {
    const series = await this.timeseries.read(
      metric,
      { ...window, maxPoints, function: 'avg', envelope: false, fill: 'null' },
      settings,
    );
    const points = series.derivative ?? series.points;
    const unknown = points.map(() => null);
    return { resolution_seconds: series.resolution_seconds, points, lower: unknown, upper: unknown };
  }
}

/** A few at the same time, the results in order. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let first = 0; first < items.length; first += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(first, first + AT_ONCE).map(work))));
  }
  return results;
}

/** Seconds between the points of a line: the shortest multiple of a stored slot that needs no more points than allowed. */
export function sparklineStep({ from, until }: Window, points: number, slotSeconds: number): number {
  return Math.max(1, Math.ceil((until - from) / points / slotSeconds)) * slotSeconds;
}

/** The line and its expected range: means over each step; null if there is no data. */
export function sparklineOf(
  { timestamps, values, lower, upper }: Pick<Expectation, 'timestamps' | 'values' | 'lower' | 'upper'>,
  { from, until }: Window,
  step: number,
): SparklineColumns {
  // Both ends of the window may be starts of points: then the first one is before it.
  const first = (Math.floor(from / step) + 1) * step;
  const count = Math.max(0, Math.floor((until - first) / step) + 1);
  const mean = (column: Float64Array): (number | null)[] => {
    const sums = new Float64Array(count);
    const counts = new Float64Array(count);
    for (const [row, timestamp] of timestamps.entries()) {
      const point = Math.floor((timestamp - first) / step);
      if (point < 0 || point >= count || !Number.isFinite(column[row]!)) continue;
      sums[point] = sums[point]! + column[row]!;
      counts[point] = counts[point]! + 1;
    }
    return Array.from(sums, (sum, point) => (counts[point] === 0 ? null : sum / counts[point]!));
  };
  return {
    points: mean(values).map((value, point) => [first + point * step, value]),
    lower: mean(lower),
    upper: mean(upper),
  };
}
