import { Injectable } from '@nestjs/common';
import { collectFetched, type ParseLimits } from '#libs/protocols';
import { HOUR, MINUTE } from '../../common/time.js';
import { OrgService } from '../../people/org/org.service.js';
import { type Found, PointIntakeService } from '../ingest/point-intake.service.js';
import { type ReadWindow, type SourceAnswer } from './reading/driver.types.js';
import { SeriesEnds } from './reading/series-ends.js';
import { namedSeries } from './reading/series-names.js';
import { type ClaimedSource, type SourceType } from './source.types.js';

/** Older points are history: their period is over. */
const HISTORY_AFTER_SECONDS = HOUR;
/**
 * A point that is named by the start of its slot arrives when the slot is over, and may wait this long to be stored.
 */
const LATE_SECONDS = 10 * MINUTE;

/** The protocol under which points of a type count; metrics store it as their source. */
const PROTOCOLS = {
  promql: 'prometheus',
  graphite: 'graphite',
  influxql: 'influx',
  sql: 'sql',
} as const satisfies Record<SourceType, string>;

/** Stores the fetched points, in the same way as all points. */
@Injectable()
export class SourceIntakeService {
  private readonly ends = new SeriesEnds();

  constructor(
    private readonly intake: PointIntakeService,
    private readonly orgs: OrgService,
  ) {}

  /**
   * Resolves when the points are durable, with their number.
   * @throws IngestBusyError, RateLimitedError, PointsNotStoredError, OrgNotFoundError
   */
  async store(
    source: ClaimedSource,
    { series, isPartial }: SourceAnswer,
    window: ReadWindow,
    now: number,
  ): Promise<number> {
    const { id, orgId, type, metricType, unit, isBackfilling } = source;
    const points = series.reduce((sum, { timestamps }) => sum + timestamps.length, 0);
    if (points === 0) return 0;
    const { timezone, onboardingStatusId } = await this.orgs.getById(orgId);
    const sender = {
      caller: { org: { id: orgId, timezone, onboardingStatusId } },
      limitKey: `source:${String(id)}`,
    };
    const liveSeconds = Math.max(HISTORY_AFTER_SECONDS, source.intervalSeconds + source.lagSeconds + LATE_SECONDS);
    const liveFrom = isBackfilling ? Infinity : now - liveSeconds;
    const named = series.map((one) => ({ ...one, ...namedSeries(one, source) }));
    const options = {
      type: metricType,
      // A series that results from a function has no name.
      isTypedByName: type === 'promql' && source.nameTemplate === '' && series.every(({ name }) => name !== null),
      unit,
      liveFrom,
    };
    const parse = (limits: ParseLimits): Found => {
      const maxAgeSeconds = Math.max(limits.maxAgeSeconds, liveSeconds);
      const found = collectFetched(named, options, { ...limits, maxAgeSeconds });
      if (type !== 'promql' || isBackfilling || isPartial) return found;
      return { ...found, ended: this.ends.endedIn(id, found.batch, window) };
    };
    return this.intake.takeParsed(sender, PROTOCOLS[type], points, parse, liveFrom);
  }

  /** Drops the cached data of its series. */
  forget(sourceId: number): void {
    this.ends.forget(sourceId);
  }
}
