import { Injectable } from '@nestjs/common';
import { AlertRecordsService } from '../../alerting/alert/alert-records.service.js';
import { Clock } from '../../common/clock.js';
import { resolveWindow, type Window, type WindowInput } from '../../common/window/window.js';
import { DAY, HOUR } from '../../common/time.js';
import { OrgCountsRepository, type Stretches } from './org-counts.repository.js';
import { OrgService } from '../../people/org/org.service.js';
import {
  POINT_COUNT_SECONDS,
  POINT_COUNTS_FINE_SECONDS,
  PointCountsService,
} from '../../data/point-count/point-counts.service.js';
import { type CountSeriesName, type OrgCountsDto } from './org-counts.dto.js';

/** Possible lengths of an interval, ascending; each divides the day or is whole days. */
const LENGTHS = [300, 600, 900, 1800, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY];
const MAX_STRETCHES = 150;

type Counts = ReadonlyMap<number, number>;

/** Events of an organisation over time. */
@Injectable()
export class OrgCountsService {
  constructor(
    private readonly counts: OrgCountsRepository,
    private readonly pointCounts: PointCountsService,
    private readonly orgs: OrgService,
    private readonly alerts: AlertRecordsService,
    private readonly clock: Clock,
  ) {}

  /** Counts whole intervals that overlap the window. @throws ValidationFailedError as resolveWindow */
  async countOverTime(orgId: number, input: WindowInput, names: readonly CountSeriesName[]): Promise<OrgCountsDto> {
    const now = this.clock.now();
    const { retention2PeriodSeconds } = await this.orgs.getAnalysisVariables(orgId);
    const window = resolveWindow(input, now, retention2PeriodSeconds);
    const stretches = stretchesOf(window, now);
    const series = await Promise.all(
      names.map(async (name) => {
        const counts = await this.read(orgId, name, stretches);
        return { name, points: beginnings(stretches).map((at): [number, number] => [at, counts.get(at) ?? 0]) };
      }),
    );
    return { ...window, bucket_seconds: stretches.seconds, series };
  }

  private async read(orgId: number, name: CountSeriesName, stretches: Stretches): Promise<Counts> {
    const { from, until, seconds } = stretches;
    switch (name) {
      case 'anomalies':
        return toMap(await this.counts.countStarted('anomaly', orgId, stretches));
      case 'points':
        return toMap(await this.pointCounts.sumByStretch(orgId, from, until - 1, seconds));
      case 'metrics':
        return runningSum(toMap(await this.counts.metricsChanged(orgId, stretches)), stretches);
      case 'alerts':
        return toMap(await this.alerts.countByStretch(orgId, stretches));
      case 'matches':
        return toMap(await this.counts.countStarted('pattern_match', orgId, stretches));
    }
  }
}

/**
 * The shortest intervals within the maximum number, but not shorter than the counting intervals of points at that age.
 */
export function stretchesOf({ from, until }: Window, now: number): Stretches {
  const least = from < now - POINT_COUNTS_FINE_SECONDS ? HOUR : POINT_COUNT_SECONDS;
  const longest = LENGTHS[LENGTHS.length - 1]!;
  const seconds = LENGTHS.find((length) => length >= least && (until - from) / length <= MAX_STRETCHES) ?? longest;
  return { from: Math.floor(from / seconds) * seconds, until: until + 1, seconds };
}

function beginnings({ from, until, seconds }: Stretches): number[] {
  return Array.from({ length: Math.ceil((until - from) / seconds) }, (_, i) => from + i * seconds);
}

const toMap = (rows: readonly { timestamp: number; count: number }[]): Map<number, number> =>
  new Map(rows.map(({ timestamp, count }) => [timestamp, count]));

/** The totals at the end of each interval. */
function runningSum(changes: Counts, stretches: Stretches): Counts {
  let sum = changes.get(stretches.from - stretches.seconds) ?? 0;
  return new Map(
    beginnings(stretches).map((at) => {
      sum += changes.get(at) ?? 0;
      return [at, sum];
    }),
  );
}
