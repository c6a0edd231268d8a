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

/** No answer has more points, whatever resolution is asked for. */
const MAX_POINTS = 10_000;
/** So many intervals before the window the point is looked for that the first rate starts from. */
const LOOK_BACK_POINTS = 5;

/** Stored values of a metric in any resolution. */
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
   * For areas that have a metric and a sound window already.
   * @param settings of the organisation
   */
  read(metric: MetricRecord, request: TimeseriesRequest, settings: AnalysisVariables): Promise<TimeseriesDto> {
    return this.readFrom(this.store, metric, request, settings);
  }

  /** Many at once, in the same order, with few statements: for work that needs them all. */
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
   * What is stored at the resolution asked for, or at the finest that fits. When parts of the window turn out to be kept
   * in longer slots than expected (a retention was changed, a metric was removed for a while), nothing finer fits.
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
   * Rates are taken between slots as fine as a query may bring them, and averaged over each point: so resets inside a
   * point count, and a point that has only begun is not taken for a slow one. The first starts from before the window.
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

/** Slot starts of an answer, all inside the window. Empty when `last` lies before `first`. */
interface Grid {
  first: number;
  last: number;
  step: number;
}

function gridOf({ from, until }: Window, step: number): Grid {
  return { first: Math.ceil(from / step) * step, last: Math.floor(until / step) * step, step };
}

/** @throws ValidationFailedError unless it is a multiple of a stored resolution and leaves a sane number of points. */
function requireResolution(resolution: number | undefined, window: Window, variables: AnalysisVariables): void {
  if (resolution === undefined) return;
  const slot = variables.retention1ResolutionSeconds;
  const points = (window.until - window.from) / resolution;
  let message: string | undefined;
  if (resolution % slot !== 0) message = `resolution must be a multiple of ${String(slot)}`;
  else if (points > MAX_POINTS) {
    message = `resolution must be larger: the window would have more than ${String(MAX_POINTS)} points`;
  }
  if (message !== undefined) throw new ValidationFailedError([{ field: 'resolution', code: 'out_of_range', message }]);
}

/**
 * The finest resolution that fits: a multiple of the tier that still has the start of the window, and not finer than the
 * metric's own pace, which would make a gap of every second slot.
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

/** Seconds between points; assumed until two of them have come. */
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
 * Tier 1 is dropped in whole days, after its period: a slot more is always there. Without it a window of exactly the
 * period would leave the tier while its request is on the way.
 */
function isStillInTier1(timestamp: number, variables: AnalysisVariables, now: number): boolean {
  return timestamp >= now - variables.retention1PeriodSeconds - variables.retention1ResolutionSeconds;
}

/** The smallest part of a grid's step that is stored and keeps the number of rows sane. */
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
