import { Injectable } from '@nestjs/common';
import { Permission, missingPermissions } from '#libs/contracts';
import { NotAuthenticatedError, PermissionDeniedError } from '../../common/auth/auth.errors.js';
import { type Caller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { resolveWindow } from '../../common/window/window.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { inSlots, StoredSeriesService } from '../expectation/stored-series.service.js';
import { TooFewPointsError } from './benchmark.errors.js';
import { type BenchmarkSeries, MAX_POINTS } from './benchmark.types.js';
import { type StartBenchmarkParams } from './dto/benchmark.params.js';
import { type SentSeries } from './read-series.js';
import { SeriesReaderService } from './series-reader.service.js';

const MIN_POINTS = 100;

/** A series for trying models, in the form that its detector would read. */
export interface TriedSeries extends BenchmarkSeries {
  isCounter: boolean;
  timezone: string;
  /** 0: every point is a slot. */
  slotSeconds: number;
  resolutionSeconds: number;
  /** The unreadable parts of the file; empty if there are none. */
  refused: string;
}

/** Reads the series of a benchmark from the request, a file, or a metric. */
@Injectable()
export class BenchmarkSourcesService {
  constructor(
    private readonly metrics: MetricService,
    private readonly stored: StoredSeriesService,
    private readonly orgs: OrgService,
    private readonly reader: SeriesReaderService,
    private readonly clock: Clock,
  ) {}

  /**
   * @param party whose turns it uses
   * @throws TooFewPointsError, DataFileError; for a metric NotAuthenticatedError, PermissionDeniedError, not_found;
   * OverloadedError, ClientGoneError
   */
  async seriesOf(caller: Caller, party: string, params: StartBenchmarkParams): Promise<TriedSeries> {
    const timezone = caller.kind === 'anonymous' ? 'UTC' : caller.org.timezone;
    const { metric } = params;
    const stored = metric === undefined ? null : await this.seriesOfMetric(caller, metric, params);
    const isCounter = stored?.isCounter ?? params.counter;
    const { series: sorted, step, refused } = await this.reader.read(party, stored ?? this.sentOf(params, timezone));
    const slotSeconds = params.resolution_seconds ?? stored?.slotSeconds ?? 0;
    const series =
      params.resolution_seconds === undefined
        ? sorted
        : inSlots(sorted, params.resolution_seconds, isCounter ? 'last' : 'avg');
    const points = series.timestamps.length;
    if (points < MIN_POINTS) throw new TooFewPointsError(points, MIN_POINTS);
    const resolutionSeconds = params.resolution_seconds ?? step;
    return { ...series, slotSeconds, isCounter, timezone, resolutionSeconds, refused };
  }

  /** The data in the form that moves to the reading thread. */
  private sentOf({ timeseries, data_file: file }: StartBenchmarkParams, timezone: string): SentSeries {
    return timeseries ?? { file: file!, timezone, now: this.clock.now() };
  }

  private async seriesOfMetric(
    caller: Caller,
    ref: MetricRef,
    params: StartBenchmarkParams,
  ): Promise<BenchmarkSeries & { slotSeconds: number; isCounter: boolean }> {
    if (caller.kind === 'anonymous') throw new NotAuthenticatedError();
    const [missing] = missingPermissions(caller.permissions, Permission.Read);
    if (missing !== undefined) throw new PermissionDeniedError(missing);
    const org = await this.orgs.getById(caller.org.id);
    const window = resolveWindow(params, this.clock.now(), org.retention2PeriodSeconds);
    const metric = await this.metrics.resolve(caller.org.id, ref, 'metric');
    const { timestamps, values, slotSeconds } = await this.stored.read(metric, org, window.from, window.until);
    const first = timestamps.length - Math.min(timestamps.length, MAX_POINTS);
    const isCounter = metric.type === 'counter';
    return { timestamps: timestamps.slice(first), values: values.slice(first), slotSeconds, isCounter };
  }
}
