import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type PointBatch, type PointLog, PointLogFullError } from '#libs/point-log';
import {
  dropSeries,
  type EndedSeries,
  type ParsedBatch,
  type ParseLimits,
  parseLimits,
  type ParseResult,
  type Refusals,
} from '#libs/protocols';
import { Clock } from '../common/clock.js';
import { RateLimits } from '../common/http/rate-limits.js';
import { ComponentReports } from '../common/telemetry/component-reports.js';
import { messageOf } from '../common/errors/message-of.js';
import { MetricRegistry } from '../metric/metric-registry.service.js';
import { OrgService } from '../org/org.service.js';
import { POINT_LOG } from '../storage/storage.types.js';
import { IngestTelemetry, type IngestProtocol } from './ingest-telemetry.service.js';
import { IngestConfig } from './ingest.config.js';
import { IngestQueueFullError, isPassing, parserError, PointsNotStoredError } from './ingest.errors.js';
import { type ReceivedBody } from './ingest.types.js';

/** What a parser found; some protocols also say that a series has ended. */
export type Found = ParseResult & { ended?: readonly EndedSeries[] };

/** What became of a body: `batch` is stored (or would be, in test mode), `refusals` are not. */
export interface Taken {
  batch: ParsedBatch;
  refusals: Refusals;
}

/** So long after a failure of the storage ingest is reported as not working. */
const FAILURE_SHOWN_SECONDS = 60;
/** Time between two log lines about a storage that is away. */
const REPORT_SECONDS = 10;

/** So long an organisation's settings are believed. */
const ORG_CACHE_MS = 60_000;

/** Takes the points of a body: names to metrics, limits, and the log. Resolves when they are durable. */
@Injectable()
export class IngestService {
  private readonly logger = new Logger(IngestService.name);
  private readonly backfillAgeOfOrg: LRUCache<number, number>;
  private readonly onboarded = new Set<number>();
  /** Unix seconds at which the storage last failed. */
  private lastFailureAt = -Infinity;
  /** Unix seconds at which the log last said so, and failures since then. */
  private reportedAt = -Infinity;
  private unreportedFailures = 0;

  constructor(
    @Inject(POINT_LOG) private readonly log: PointLog,
    private readonly registry: MetricRegistry,
    private readonly orgs: OrgService,
    private readonly limits: RateLimits,
    private readonly telemetry: IngestTelemetry,
    private readonly clock: Clock,
    private readonly config: IngestConfig,
    components: ComponentReports,
  ) {
    this.backfillAgeOfOrg = new LRUCache({ max: 10_000, ttl: ORG_CACHE_MS });
    components.register('ingest', () => {
      const ok = this.clock.now() - this.lastFailureAt > FAILURE_SHOWN_SECONDS;
      return { ok, ageSeconds: null, message: ok ? '' : 'points could not be stored within the last minute' };
    });
  }

  /**
   * Parses and stores a body; in test mode it only says what would become of it.
   * @throws AppError the whole body is refused: it is malformed, too large, too much, or cannot be stored at this moment
   */
  async take(received: ReceivedBody, protocol: IngestProtocol, parse: (limits: ParseLimits) => Found): Promise<Taken> {
    const orgId = received.caller.org.id;
    const limits = await this.parseLimits(orgId, received.backfill);
    const { batch: parsed, refusals, ended } = this.parse(parse, limits);
    if (received.test) {
      const { refused } = await this.storing(() => this.registry.probe(orgId, parsed.series));
      return { batch: dropSeries(parsed, refusals, refused), refusals };
    }
    if (parsed.count > 0) await this.limits.consume('ingestPoints', received.limitKey, parsed.count);
    const { ids, refused } = await this.storing(() => this.registry.resolve(orgId, SOURCES[protocol], parsed.series));
    const batch = dropSeries(parsed, refusals, refused);
    await this.storing(() => this.append(batch, ids));
    if (ended !== undefined && ended.length > 0) await this.storing(() => this.end(orgId, ended));
    this.telemetry.count(protocol, batch.count, refusals);
    if (batch.count > 0 && received.caller.org.onboardingStatusId === 1) await this.noteFirstData(orgId);
    return { batch, refusals };
  }

  private parse(parse: (limits: ParseLimits) => Found, limits: ParseLimits): Found {
    try {
      return parse(limits);
    } catch (error) {
      throw parserError(error);
    }
  }

  private async parseLimits(orgId: number, backfill: boolean): Promise<ParseLimits> {
    const { maxPoints, maxAgeSeconds, maxFutureSeconds } = this.config;
    let backfillMaxAgeSeconds = this.backfillAgeOfOrg.get(orgId);
    if (backfillMaxAgeSeconds === undefined) {
      const variables = await this.storing(() => this.orgs.analysisVariables(orgId));
      backfillMaxAgeSeconds = variables.retention2PeriodSeconds;
      this.backfillAgeOfOrg.set(orgId, backfillMaxAgeSeconds);
    }
    const now = this.clock.now();
    return parseLimits(now, { maxPoints, maxAgeSeconds, maxFutureSeconds, backfillMaxAgeSeconds, backfill });
  }

  /** Live points and history are records of different kinds. */
  private async append(batch: ParsedBatch, ids: Uint32Array): Promise<void> {
    if (batch.count === 0) return;
    const isHistory = Uint8Array.from(batch.series, (header) => (header.backfill ? 1 : 0));
    if (!isHistory.includes(1)) return this.log.append(columnsOf(batch, ids), 'live');
    const kinds = ['backfill', 'live'] as const;
    await Promise.all(
      kinds.map(async (kind) => {
        const columns = columnsOf(batch, ids, (series) => isHistory[series] === (kind === 'backfill' ? 1 : 0));
        if (columns.ids.length > 0) await this.log.append(columns, kind);
      }),
    );
  }

  /** Series that the sender has ended; those that were never stored need no end. */
  private async end(orgId: number, ended: readonly EndedSeries[]): Promise<void> {
    const idOf = await this.registry.idsOf(
      orgId,
      ended.map(({ name }) => name),
    );
    const known = ended.filter(({ name }) => idOf.has(name));
    if (known.length === 0) return;
    const batch: PointBatch = {
      ids: Uint32Array.from(known, ({ name }) => idOf.get(name)!),
      timestamps: Float64Array.from(known, ({ timestamp }) => timestamp),
      values: new Float64Array(known.length).fill(NaN),
    };
    await this.log.append(batch, 'live');
  }

  /**
   * Does what a body needs of the storage. Errors that pass by themselves ask the sender to come back; all others are
   * our own.
   * @throws IngestQueueFullError, PointsNotStoredError
   */
  async storing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PointLogFullError) throw new IngestQueueFullError();
      if (!isPassing(error)) throw error;
      this.noteFailure(error);
      throw new PointsNotStoredError();
    }
  }

  /** Senders come again and again while the storage is away: the counter has every body, the log a line once in a while. */
  private noteFailure(error: unknown): void {
    const now = this.clock.now();
    this.telemetry.notStored.inc();
    this.lastFailureAt = now;
    this.unreportedFailures++;
    if (now - this.reportedAt < REPORT_SECONDS) return;
    const reason = messageOf(error);
    const times =
      this.unreportedFailures === 1 ? '' : ` (${String(this.unreportedFailures)} bodies since the last such line)`;
    this.logger.error(`Points could not be stored${times}: ${reason}`);
    this.reportedAt = now;
    this.unreportedFailures = 0;
  }

  /** Once per organisation and process; the points are stored, so nothing here may fail the request. */
  private async noteFirstData(orgId: number): Promise<void> {
    if (this.onboarded.has(orgId)) return;
    this.onboarded.add(orgId);
    try {
      await this.orgs.advanceOnboarding(orgId, 100);
    } catch (error) {
      this.onboarded.delete(orgId);
      this.logger.warn(`The onboarding status of organisation ${String(orgId)} could not be raised`, error);
    }
  }
}

/** Service ids by which metrics remember their first sender. */
const SOURCES: Readonly<Record<IngestProtocol, string>> = {
  json: 'http',
  influx: 'influx',
  prometheus: 'prometheus',
};

function columnsOf(batch: ParsedBatch, ids: Uint32Array, isMeant?: (series: number) => boolean): PointBatch {
  const { seriesIndex, timestamps, values, count } = batch;
  if (!isMeant) {
    return { ids: Uint32Array.from(seriesIndex, (series) => ids[series]!), timestamps, values };
  }
  const rows: number[] = [];
  for (let row = 0; row < count; row++) if (isMeant(seriesIndex[row]!)) rows.push(row);
  return {
    ids: Uint32Array.from(rows, (row) => ids[seriesIndex[row]!]!),
    timestamps: Float64Array.from(rows, (row) => timestamps[row]!),
    values: Float64Array.from(rows, (row) => values[row]!),
  };
}
