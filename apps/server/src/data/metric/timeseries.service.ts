import { Inject, Injectable } from '@nestjs/common';
import { type CallerOrg } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { ValidationFailedError } from '../../common/errors/app-error.js';
import { type MetricRef } from '../metric-ref/metric-ref.js';
import { resolveWindow, type Window } from '../../common/window/window.js';
import { OrgService } from '../../people/org/org.service.js';
import { type AnalysisVariables } from '../../people/org/org.types.js';
import {
  SERIES_STORE,
  type SeriesColumns,
  type SeriesStore,
  type SlotLengths,
} from '../../platform/storage/storage.types.js';
import { type TimeseriesParams } from './dto/timeseries.params.js';
import { GatheredReads } from './gathered-reads.js';
import { MetricService } from './metric.service.js';
import { type MetricRecord } from './metric.types.js';
import { meanRates, ratesOf } from './rates.js';
import { type SeriesPoint, type TimeseriesRequest } from './timeseries.types.js';
import { type TimeseriesDto } from './timeseries.dto.js';

/** Maximum number of points of an answer, at any resolution. */
const MAX_POINTS = 10_000;
/** The point from which the first rate starts is searched for up to this many intervals before the window. */
const LOOK_BACK_POINTS = 5;

/** Stored values of a metric at any resolution. */
@Injectable()
export class TimeseriesService {
  constructor(
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    @Inject(SERIES_STORE) private readonly store: SeriesStore,
    private readonly clock: Clock,
  ) {}

  async find(org: CallerOrg, ref: MetricRef, query: TimeseriesParams): Promise<TimeseriesDto> {
    const variables = await this.orgs.getAnalysisVariables(org.id);
    const window = resolveWindow(query, this.clock.now(), variables.retention2PeriodSeconds);
    requireResolution(query.resolution, window, variables);
    const metric = await this.metrics.resolve(org.id, ref);
    return this.read(
      metric,
      {
        ...window,
        resolutionSeconds: query.resolution,
        maxPoints: query.max_points,
        function: query.function,
        envelope: query.envelope,
        derivative: query.derivative,
        fill: query.fill,
      },
      variables,
    );
  }

  /**
   * For areas that already have a metric and a valid window.
   * @param settings of the organisation
   */
  read(metric: MetricRecord, request: TimeseriesRequest, settings: AnalysisVariables): Promise<TimeseriesDto> {
    return this.readFrom(this.store, metric, request, settings);
  }

  /** Many metrics in the same order, with few statements. */
  readAll(
    wanted: readonly { metric: MetricRecord; request: TimeseriesRequest }[],
    settings: AnalysisVariables,
  ): Promise<TimeseriesDto[]> {
    const store = new GatheredReads(this.store);
    return Promise.all(wanted.map(({ metric, request }) => this.readFrom(store, metric, request, settings)));
  }

  private async readFrom(
    store: Pick<SeriesStore, 'read'>,
    metric: MetricRecord,
    request: TimeseriesRequest,
    variables: AnalysisVariables,
  ): Promise<TimeseriesDto> {
    const { resolution, grid, columns } = await this.bestColumns(store, metric, request, variables);
    const points = (values: ArrayLike<number>): SeriesPoint[] =>
      pointsOf({ timestamps: columns.timestamps, values }, grid, request.fill);
    const hasEnvelope = request.envelope && columns.aggregated;
    return {
      metric: metric.name,
      metric_id: metric.id,
      from: request.from,
      until: request.until,
      resolution_seconds: resolution,
      tier: columns.tier,
      aggregated: columns.aggregated,
      function: request.function,
      points: points(columns.values),
      points_min: hasEnvelope && columns.min ? points(columns.min) : null,
      points_max: hasEnvelope && columns.max ? points(columns.max) : null,
      derivative:
        (request.derivative ?? metric.type === 'counter')
          ? await this.rates(store, metric, grid, request.fill, variables)
          : null,
    };
  }

  /**
   * The stored values at the requested resolution, or at the finest that fits. If parts of the window turn out to be
   * stored in longer slots than expected (a changed retention, or a metric that was removed for a while), nothing finer
   * fits.
   */
  private async bestColumns(
    store: Pick<SeriesStore, 'read'>,
    metric: MetricRecord,
    request: TimeseriesRequest,
    variables: AnalysisVariables,
  ): Promise<{ resolution: number; grid: Grid; columns: SeriesColumns }> {
    const readAt = async (resolution: number) => {
      const grid = gridOf(request, resolution);
      const columns = await store.read({
        id: metric.id,
        from: grid.first,
        until: grid.last + resolution - 1,
        resolutionSeconds: resolution,
        function: request.function,
        envelope: request.envelope,
        slots: slotsOf(variables),
      });
      return { resolution, grid, columns };
    };
    if (request.resolutionSeconds !== undefined) return readAt(request.resolutionSeconds);
    const best = await readAt(finestResolution(metric, request, variables, this.clock.now()));
    const { longestSlotSeconds } = best.columns;
    if (longestSlotSeconds <= best.resolution) return best;
    return readAt(resolutionOf(paceOf(metric, variables), request, longestSlotSeconds));
  }

  /**
   * Rates are computed between slots as fine as a query may return and averaged over each point: resets within a point
   * then count, and a point that has only begun does not look slow. The first rate starts before the window.
   */
  private async rates(
    store: Pick<SeriesStore, 'read'>,
    metric: MetricRecord,
    grid: Grid,
    fill: TimeseriesRequest['fill'],
    variables: AnalysisVariables,
  ): Promise<SeriesPoint[]> {
    const step = fineStep(grid, variables, this.clock.now());
    const interval = Math.max(step, paceOf(metric, variables));
    const columns = await store.read({
      id: metric.id,
      from: grid.first - Math.ceil((LOOK_BACK_POINTS * interval) / step) * step,
      until: grid.last + grid.step - 1,
      resolutionSeconds: step,
      function: 'last',
      envelope: false,
      slots: slotsOf(variables),
    });
    const rates = ratesOf(columns, metric.type === 'counter');
    return pointsOf(meanRates(columns, rates, grid.step), grid, fill);
  }
}

function slotsOf(variables: AnalysisVariables): SlotLengths {
  return { tier1: variables.retention1ResolutionSeconds, tier2: variables.retention2ResolutionSeconds };
}

/** Slot starts of an answer, all within the window. Empty if `last` is before `first`. */
interface Grid {
  first: number;
  last: number;
  step: number;
}

function gridOf({ from, until }: Window, step: number): Grid {
  return { first: Math.ceil(from / step) * step, last: Math.floor(until / step) * step, step };
}

/**
 * @throws ValidationFailedError unless it is a multiple of a stored resolution and gives an acceptable number of
 *   points.
 */
function requireResolution(resolution: number | undefined, window: Window, variables: AnalysisVariables): void {
  if (resolution === undefined) return;
  const slot = variables.retention1ResolutionSeconds;
  const points = (window.until - window.from) / resolution;
  let message: string | undefined;
  if (resolution % slot !== 0)
    message = `resolution must be a multiple of ${String(slot)} seconds, got ${String(resolution)}`;
  else if (points > MAX_POINTS) {
    message = `resolution must be larger than ${String(resolution)} seconds: the window would have more than ${String(MAX_POINTS)} points`;
  }
  if (message !== undefined) throw new ValidationFailedError([{ field: 'resolution', code: 'out_of_range', message }]);
}

/**
 * The finest resolution that fits: a multiple of the tier that still contains the start of the window, and not finer
 * than the interval of the metric, which would leave every second slot empty.
 */
function finestResolution(
  metric: MetricRecord,
  request: TimeseriesRequest,
  variables: AnalysisVariables,
  now: number,
): number {
  const isInTier1 = isStillInTier1(request.from, variables, now);
  const slot = isInTier1 ? variables.retention1ResolutionSeconds : variables.retention2ResolutionSeconds;
  return resolutionOf(paceOf(metric, variables), request, slot);
}

/** Seconds between points; an assumption until two points have arrived. */
function paceOf(metric: MetricRecord, variables: AnalysisVariables): number {
  return metric.resolutionSeconds ?? variables.defaultDataFrequencySeconds;
}

/** The smallest multiple of a slot that fits. */
function resolutionOf(interval: number, { from, until, maxPoints }: TimeseriesRequest, slot: number): number {
  const pace = Math.max(1, Math.floor(interval / slot)) * slot;
  const fitting = Math.ceil((until - from + 1) / (maxPoints * slot)) * slot;
  return Math.max(pace, fitting);
}

/**
 * Tier 1 is dropped in whole days after its retention, so one more slot always exists. Without it, a window of exactly
 * the retention would leave the tier while its request is processed.
 */
function isStillInTier1(timestamp: number, variables: AnalysisVariables, now: number): boolean {
  return timestamp >= now - variables.retention1PeriodSeconds - variables.retention1ResolutionSeconds;
}

/** The smallest divisor of the step of a grid that is stored and keeps the number of rows acceptable. */
function fineStep({ first, last, step }: Grid, variables: AnalysisVariables, now: number): number {
  const { retention1ResolutionSeconds: slot1, retention2ResolutionSeconds: slot2 } = variables;
  const isInTier1 = isStillInTier1(first, variables, now);
  const slot = isInTier1 || step % slot2 !== 0 ? slot1 : slot2;
  const slots = Math.max(1, Math.floor(step / slot));
  for (let parts = slots; parts > 1; parts--) {
    const isWhole = slots % parts === 0;
    if (isWhole && ((last - first + step) / step) * parts <= MAX_POINTS) return step / parts;
  }
  return step;
}

/** Finite values as points; with fill `null` every slot of the grid has one. */
function pointsOf(
  { timestamps, values }: { timestamps: ArrayLike<number>; values: ArrayLike<number> },
  grid: Grid,
  fill: TimeseriesRequest['fill'],
): SeriesPoint[] {
  const points: SeriesPoint[] = [];
  let next = grid.first;
  for (let i = 0; i < timestamps.length; i++) {
    const timestamp = timestamps[i]!;
    const value = values[i]!;
    if (timestamp < grid.first || timestamp > grid.last || !Number.isFinite(value)) continue;
    for (; fill === 'null' && next < timestamp; next += grid.step) points.push([next, null]);
    points.push([timestamp, value]);
    next = timestamp + grid.step;
  }
  for (; fill === 'null' && next <= grid.last; next += grid.step) points.push([next, null]);
  return points;
}
