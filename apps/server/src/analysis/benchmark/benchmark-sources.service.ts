import { Injectable } from '@nestjs/common';
import { Permission, missingPermissions } from '#libs/contracts';
import { BodyTooLargeError, MalformedBodyError, parseCsv, parseLimits } from '#libs/protocols';
import { NotAuthenticatedError, PermissionDeniedError } from '../../common/auth/auth.errors.js';
import { type Caller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { DAY } from '../../common/time.js';
import { resolveWindow } from '../../common/window/window.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { inSlots, StoredSeries } from '../expectation/stored-series.service.js';
import { DataFileError, TooFewPointsError } from './benchmark.errors.js';
import { type BenchmarkSeries } from './benchmark.types.js';
import { type StartBenchmarkParams } from './dto/benchmark.params.js';
import { MOST_POINTS } from './dto/series.params.js';

const LEAST_POINTS = 100;
/** No file is too old to be tried. */
const LONG_AGO_SECONDS = 100 * 365 * DAY;
const TWO_COLUMNS = 'value';

/** A series to try models with, as its detector would read it. */
export interface TriedSeries extends BenchmarkSeries {
  isCounter: boolean;
  timezone: string;
  /** 0: every point is a slot. */
  slotSeconds: number;
  resolutionSeconds: number;
}

/** Where the series of a benchmark comes from: the request, a file, or a metric. */
@Injectable()
export class BenchmarkSources {
  constructor(
    private readonly metrics: MetricService,
    private readonly stored: StoredSeries,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  /** @throws TooFewPointsError, DataFileError; of a metric NotAuthenticatedError, PermissionDeniedError, not_found */
  async seriesOf(caller: Caller, params: StartBenchmarkParams): Promise<TriedSeries> {
    const timezone = caller.kind === 'anonymous' ? 'UTC' : caller.org.timezone;
    const tried =
      params.metric === undefined
        ? {
            ...(params.timeseries ?? this.seriesOfFile(params.data_file!, timezone)),
            slotSeconds: 0,
            isCounter: params.counter,
          }
        : await this.seriesOfMetric(caller, params.metric, params);
    const { isCounter } = tried;
    const sorted = inOrder(tried);
    const slotSeconds = params.resolution_seconds ?? tried.slotSeconds;
    const series =
      params.resolution_seconds === undefined
        ? sorted
        : inSlots(sorted, params.resolution_seconds, isCounter ? 'last' : 'avg');
    const points = series.timestamps.length;
    if (points < LEAST_POINTS) throw new TooFewPointsError(points, LEAST_POINTS);
    const resolutionSeconds = params.resolution_seconds ?? medianStep(series.timestamps);
    return { ...series, slotSeconds, isCounter, timezone, resolutionSeconds };
  }

  private seriesOfFile(bytes: Uint8Array, timezone: string): BenchmarkSeries {
    const { batch, refusals } = this.parsed(bytes, timezone);
    const names = new Set(batch.series.map(({ name }) => name));
    if (names.size > 1) throw new DataFileError('data_file must have one series, it has several');
    const [problem] = refusals.badLines;
    if (batch.count === 0 && problem)
      throw new DataFileError(`data_file has no points: line ${String(problem.line)}, ${problem.problem}`);
    return {
      timestamps: batch.timestamps.slice(0, batch.count).map(Math.floor),
      values: batch.values.slice(0, batch.count),
    };
  }

  private parsed(bytes: Uint8Array, timezone: string): ReturnType<typeof parseCsv> {
    const limits = parseLimits(this.clock.now(), {
      backfill: true,
      backfillMaxAgeSeconds: LONG_AGO_SECONDS,
      maxPoints: MOST_POINTS,
    });
    const parse = (metric: string | null): ReturnType<typeof parseCsv> => parseCsv(bytes, { metric, timezone }, limits);
    try {
      try {
        return parse(null);
      } catch (error) {
        // A time and a value in each line, and no name.
        if (!(error instanceof MalformedBodyError) || error.details[0]?.field !== 'metric') throw error;
        return parse(TWO_COLUMNS);
      }
    } catch (error) {
      if (error instanceof MalformedBodyError)
        throw new DataFileError(`data_file is no CSV with one series: ${error.message}`);
      if (error instanceof BodyTooLargeError) {
        throw new DataFileError(`data_file must have at most ${String(MOST_POINTS)} points`);
      }
      throw error;
    }
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
    const first = timestamps.length - Math.min(timestamps.length, MOST_POINTS);
    const isCounter = metric.type === 'counter';
    return { timestamps: timestamps.slice(first), values: values.slice(first), slotSeconds, isCounter };
  }
}

/** In the order of time, without points that have no value; of two points of one time the later one stays. */
function inOrder({ timestamps, values }: BenchmarkSeries): BenchmarkSeries {
  const rows = Array.from(timestamps.keys())
    .filter((row) => Number.isFinite(values[row]!))
    .sort((one, other) => timestamps[one]! - timestamps[other]! || one - other);
  const kept = rows.filter((row, index) => timestamps[row] !== timestamps[rows[index + 1] ?? -1]);
  return {
    timestamps: Float64Array.from(kept, (row) => timestamps[row]!),
    values: Float64Array.from(kept, (row) => values[row]!),
  };
}

function medianStep(timestamps: Float64Array): number {
  const steps = timestamps
    .slice(1)
    .map((timestamp, row) => timestamp - timestamps[row]!)
    .sort();
  return Math.max(1, Math.round(steps[steps.length >>> 1] ?? 1));
}
