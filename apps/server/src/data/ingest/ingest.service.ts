import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type PointBatch, type PointLog, PointLogFullError } from '#libs/point-log';
import {
  DEFAULT_HISTOGRAM_SETTINGS,
  dropSeries,
  type EndedSeries,
  HistogramFolder,
  type HistogramFolding,
  type MetricMetadata,
  NameCache,
  type ParsedBatch,
  type ParseLimits,
  parseLimits,
  type ParseResult,
  type Refusals,
} from '#libs/protocols';
import { Clock } from '../../common/clock.js';
import { RateLimits } from '../../common/http/rate-limits.js';
import { ComponentReports } from '../../common/telemetry/component-reports.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { messageOf } from '../../common/errors/message-of.js';
import { MetricRegistry } from '../metric/metric-registry.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { Onboarding } from '../../people/progress/onboarding.service.js';
import { PointCounts } from '../point-count/point-counts.service.js';
import { POINT_LOG } from '../../platform/storage/storage.types.js';
import { IngestTelemetry, type IngestProtocol } from './ingest-telemetry.service.js';
import { IngestConfig } from './ingest.config.js';
import { isPassing, parserError, PointsNotStoredError } from './ingest.errors.js';
import { IngestGate } from './ingest-gate.service.js';
import { INGEST_POINTS } from './ingest-limits.types.js';
import { type ReceivedBody, type Sender } from './ingest.types.js';
import { RefusalEvents } from './refusal-events.service.js';
import { TestSends } from './test-sends.service.js';

/** What a parser found; some protocols say more than points. */
export type Found = ParseResult & {
  /** Series that the sender has ended. */
  ended?: readonly EndedSeries[];
  /** What the sender says of families of metrics. */
  metadata?: readonly MetricMetadata[];
  /** To be called when the points are not stored. */
  discard?: () => void;
};

/** What became of a body: `batch` is stored (or would be, in test mode), `refusals` are not. */
export interface Taken {
  batch: ParsedBatch;
  refusals: Refusals;
}

/** What the log is given of a body, and what it is not. */
export interface Admitted extends Taken {
  orgId: number;
  /** Metric id by index into `batch.series`. */
  ids: Uint32Array;
  ended: readonly EndedSeries[];
}

export interface ParseOptions {
  /** The whole body is history. */
  backfill: boolean;
  maxPoints: number;
}

/** So long after a failure of the storage ingest is reported as not working. */
const FAILURE_SHOWN_SECONDS = 60;
/** Time between two log lines about a storage that is away. */
const REPORT_SECONDS = 10;

/** So long an organisation's settings are believed. */
const ORG_CACHE_MS = 4000;

/** Takes the points of a body: names to metrics, limits, and the log. Resolves when they are durable. */
@Injectable()
export class IngestService {
  private readonly logger = new Logger(IngestService.name);
  /** Spellings of names seen lately, of all organisations: what a spelling means is the same for all. */
  private readonly names = new NameCache();
  private readonly histograms = new HistogramFolder();
  private readonly backfillAgeOfOrg: LRUCache<number, number>;
  private readonly onboarded = new Set<number>();
  /** Unix seconds at which the storage last failed. */
  private lastFailureAt = -Infinity;
  /** Why the last body could not be stored; null when one has been stored since. */
  private failure: string | null = null;
  /** Unix seconds at which the log last said so, and failures since then. */
  private reportedAt = -Infinity;
  private unreportedFailures = 0;

  constructor(
    @Inject(POINT_LOG) private readonly log: PointLog,
    private readonly registry: MetricRegistry,
    private readonly orgs: OrgService,
    private readonly onboarding: Onboarding,
    private readonly limits: RateLimits,
    private readonly telemetry: IngestTelemetry,
    private readonly clock: Clock,
    private readonly config: IngestConfig,
    private readonly gate: IngestGate,
    private readonly refusalEvents: RefusalEvents,
    private readonly testSends: TestSends,
    private readonly pointCounts: PointCounts,
    components: ComponentReports,
    readiness: ReadinessRegistry,
  ) {
    this.backfillAgeOfOrg = new LRUCache({ max: 10_000, ttl: ORG_CACHE_MS });
    components.register('ingest', () => {
      const ok = this.clock.now() - this.lastFailureAt > FAILURE_SHOWN_SECONDS;
      return { ok, ageSeconds: null, message: ok ? '' : 'points could not be stored within the last minute' };
    });
    readiness.register('ingest', () => {
      // Who is not ready gets no bodies, and would never learn that the storage is back.
      const isRecent = this.clock.now() - this.lastFailureAt <= FAILURE_SHOWN_SECONDS;
      if (this.failure !== null && isRecent) throw new Error(`points cannot be stored: ${this.failure}`);
    });
  }

  /**
   * Parses and stores a body; in test mode it only says what would become of it.
   * @throws AppError the whole body is refused: it is malformed, too large, too much, or cannot be stored at this moment
   */
  async take<F extends Found>(
    received: ReceivedBody,
    protocol: IngestProtocol,
    parse: (limits: ParseLimits) => F,
  ): Promise<Taken & { found: F }> {
    const orgId = received.caller.org.id;
    const limits = await this.parseLimits(orgId, received);
    const found = this.parse(parse, limits);
    received.release();
    try {
      if (received.test) return { ...(await this.tryOut(orgId, protocol, found)), found };
      await this.charge(received, found.batch.count);
      const admitted = await this.admit(orgId, protocol, found);
      await this.commit(admitted);
      await this.noteStored(received, protocol, admitted);
      return { ...admitted, found };
    } catch (error) {
      found.discard?.();
      throw error;
    }
  }

  /** What becomes of the histograms of an organisation. */
  histogramFolding(orgId: number): HistogramFolding {
    return { folder: this.histograms, scope: orgId, settings: DEFAULT_HISTOGRAM_SETTINGS };
  }

  /** The limits that a parser is to keep to. */
  async parseLimits(orgId: number, { backfill, maxPoints }: ParseOptions): Promise<ParseLimits> {
    const { maxAgeSeconds, maxFutureSeconds } = this.config;
    let backfillMaxAgeSeconds = this.backfillAgeOfOrg.get(orgId);
    if (backfillMaxAgeSeconds === undefined) {
      const variables = await this.storing(() => this.orgs.getAnalysisVariables(orgId));
      backfillMaxAgeSeconds = variables.retention2PeriodSeconds;
      this.backfillAgeOfOrg.set(orgId, backfillMaxAgeSeconds);
    }
    const given = { maxPoints, maxAgeSeconds, maxFutureSeconds, backfillMaxAgeSeconds, backfill };
    return { ...parseLimits(this.clock.now(), given), names: this.names };
  }

  /** For protocols that are streams: no body, no history, and as many points as come. */
  streamLimits(): ParseLimits {
    const { maxAgeSeconds, maxFutureSeconds } = this.config;
    const given = { maxPoints: Infinity, maxAgeSeconds, maxFutureSeconds };
    return { ...parseLimits(this.clock.now(), given), names: this.names };
  }

  /** Counts points for the limit of the sender. @throws RateLimitedError */
  async charge({ limitKey }: Sender, points: number): Promise<void> {
    if (points > 0) await this.limits.consume(INGEST_POINTS, limitKey, points);
  }

  /**
   * The ids of what was found, without the points of metrics that may not be. May be called again after a failure.
   * @throws PointsNotStoredError
   */
  async admit(orgId: number, protocol: IngestProtocol, found: Found): Promise<Admitted> {
    const { batch, refusals, ended, metadata = [] } = found;
    if (metadata.length > 0) await this.storing(() => this.registry.applyMetadata(orgId, metadata));
    const { ids, refused } = await this.storing(() => this.registry.resolve(orgId, SOURCES[protocol], batch.series));
    return { orgId, ids, batch: dropSeries(batch, refusals, refused), refusals, ended: ended ?? [] };
  }

  /**
   * Writes points and ends of series to the log; resolves when they are durable. May be called again after a failure:
   * the same point twice is one point.
   * @throws IngestBusyError, PointsNotStoredError
   */
  async commit({ orgId, batch, ids, ended }: Admitted): Promise<void> {
    await this.storing(() => this.append(batch, ids));
    if (batch.count > 0) this.failure = null;
    if (ended.length > 0) await this.storing(() => this.end(orgId, ended));
  }

  /** What follows from points that are stored; never rejects. */
  async noteStored({ caller }: Sender, protocol: IngestProtocol, { orgId, batch, refusals }: Admitted): Promise<void> {
    this.telemetry.count(protocol, batch.count, refusals);
    this.refusalEvents.recordRefusals(orgId, protocol, refusals);
    this.pointCounts.record(orgId, batch.count);
    if (batch.count > 0 && caller.org.onboardingStatusId === 1) await this.noteFirstData(orgId);
  }

  private parse<F extends Found>(parse: (limits: ParseLimits) => F, limits: ParseLimits): F {
    try {
      return parse(limits);
    } catch (error) {
      throw parserError(error);
    }
  }

  private async tryOut(orgId: number, protocol: IngestProtocol, found: Found): Promise<Taken> {
    const { batch: parsed, refusals } = found;
    found.discard?.();
    const { refused } = await this.storing(() => this.registry.probe(orgId, parsed.series));
    const batch = dropSeries(parsed, refusals, refused);
    await this.storing(() => this.testSends.record(orgId, SOURCES[protocol], { ...found, batch }));
    return { batch, refusals };
  }

  /** Live points and history are records of different kinds. */
  private async append(batch: ParsedBatch, ids: Uint32Array): Promise<void> {
    if (batch.count === 0) return;
    const { series } = batch;
    const histories = series.reduce((count, { backfill }) => (backfill ? count + 1 : count), 0);
    if (histories === 0) return this.log.append(columnsOf(batch, ids), 'live');
    if (histories === series.length) return this.log.append(columnsOf(batch, ids), 'backfill');
    const kinds = ['backfill', 'live'] as const;
    await Promise.all(
      kinds.map(async (kind) => {
        const columns = columnsOf(batch, ids, (index) => series[index]!.backfill === (kind === 'backfill'));
        if (columns.ids.length > 0) await this.log.append(columns, kind);
      }),
    );
  }

  /** Series that the sender has ended; those that were never stored need no end. */
  private async end(orgId: number, ended: readonly EndedSeries[]): Promise<void> {
    const idOf = await this.registry.findIds(
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
   * @throws IngestBusyError, PointsNotStoredError
   */
  async storing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PointLogFullError) throw this.gate.recordFull(error);
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
    this.failure = messageOf(error);
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
      await this.onboarding.advance(orgId, 100);
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
  otlp: 'opentelemetry',
  csv: 'csv',
  graphite: 'graphite',
};

function columnsOf(batch: ParsedBatch, ids: Uint32Array, isMeant?: (series: number) => boolean): PointBatch {
  const { seriesIndex, timestamps, values, count } = batch;
  if (!isMeant) {
    const metricIds = new Uint32Array(count);
    for (let row = 0; row < count; row++) metricIds[row] = ids[seriesIndex[row]!]!;
    return { ids: metricIds, timestamps, values };
  }
  const rows: number[] = [];
  for (let row = 0; row < count; row++) if (isMeant(seriesIndex[row]!)) rows.push(row);
  return {
    ids: Uint32Array.from(rows, (row) => ids[seriesIndex[row]!]!),
    timestamps: Float64Array.from(rows, (row) => timestamps[row]!),
    values: Float64Array.from(rows, (row) => values[row]!),
  };
}
