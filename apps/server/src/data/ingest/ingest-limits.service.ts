import { getHeapStatistics } from 'node:v8';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type ParseLimits, parseLimits } from '#libs/protocols';
import { Counter, Gauge } from 'prom-client';
import { Clock } from '../../common/clock.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { RateLimitedError, RateLimits, type RateLimitState } from '../../common/http/rate-limits.js';
import {
  INGEST_POINTS,
  INGEST_REQUESTS,
  INGEST_STRANGERS,
  ORG_INGEST_POINTS,
  ORG_INGEST_REQUESTS,
} from './ingest-limits.types.js';
import { OrgService } from '../../people/org/org.service.js';
import { IngestStorageService } from './ingest-storage.service.js';
import { IngestConfig } from './ingest.config.js';
import { type PointSender, type Sender } from './ingest.types.js';
import { FORGET_UNUSED_EVERY_MS, NameCaches } from './name-caches.js';
import { RefusalEventsService } from './refusal-events.service.js';

export interface ParseOptions {
  /** The whole body is history. */
  backfill: boolean;
  maxPoints: number;
}

/** Default share of the heap for spellings of names. */
const NAMES_PART = 1 / 4;
/** How long an organisation's settings are cached. */
const ORG_CACHE_MS = 4000;

/** Limits of the content of a body, and of the points that a sender may send. */
@Injectable()
export class IngestLimitsService {
  /** Recently received spellings of names. */
  private readonly names: NameCaches;
  private readonly backfillAgeOfOrg: LRUCache<number, number>;

  constructor(
    private readonly orgs: OrgService,
    private readonly rates: RateLimits,
    private readonly storage: IngestStorageService,
    private readonly clock: Clock,
    private readonly config: IngestConfig,
    private readonly refusals: RefusalEventsService,
    registry: MetricsRegistry,
  ) {
    const names = new NameCaches(config.maxNamesBytes ?? getHeapStatistics().heap_size_limit * NAMES_PART);
    this.names = names;
    showNames(names, registry);
    this.backfillAgeOfOrg = new LRUCache({ max: 10_000, ttl: ORG_CACHE_MS });
  }

  @Housekeeping({ everyMs: FORGET_UNUSED_EVERY_MS, failure: 'Unused names could not be forgotten' })
  forgetUnusedNames(): Promise<void> {
    this.names.forgetUnused();
    return Promise.resolve();
  }

  /** The limits for a parser. */
  async ofBody(orgId: number, { backfill, maxPoints }: ParseOptions): Promise<ParseLimits> {
    const { maxAgeSeconds, maxFutureSeconds } = this.config;
    let backfillMaxAgeSeconds = this.backfillAgeOfOrg.get(orgId);
    if (backfillMaxAgeSeconds === undefined) {
      const variables = await this.storage.attempt(() => this.orgs.getAnalysisVariables(orgId));
      backfillMaxAgeSeconds = variables.retention2PeriodSeconds;
      this.backfillAgeOfOrg.set(orgId, backfillMaxAgeSeconds);
    }
    const given = { maxPoints, maxAgeSeconds, maxFutureSeconds, backfillMaxAgeSeconds, backfill };
    return { ...parseLimits(this.clock.now(), given), names: this.names.of(orgId) };
  }

  /**
   * For streaming protocols: no body, no history, and any number of points.
   * @param orgId organisation of the stream; unknown until one of its tokens was valid, and until then no name is
   * cached
   */
  ofStream(orgId?: number): ParseLimits {
    const { maxAgeSeconds, maxFutureSeconds } = this.config;
    const given = { maxPoints: Infinity, maxAgeSeconds, maxFutureSeconds };
    const limits = parseLimits(this.clock.now(), given);
    return orgId === undefined ? limits : { ...limits, names: this.names.of(orgId) };
  }

  /** Counts points for the limits of the sender and its organisation. @throws RateLimitedError */
  async charge({ caller, limitKey }: PointSender, points: number): Promise<void> {
    if (points === 0) return;
    const orgId = caller.org.id;
    await this.reporting(orgId, async () => {
      // The sender first: a refused sender must not use the limit of the other tokens.
      await this.rates.consume(INGEST_POINTS, limitKey, points);
      await this.rates.consume(ORG_INGEST_POINTS, String(orgId), points);
    });
  }

  /**
   * Counts a request for the limits of the sender and its organisation; returns the state of the limit of the sender.
   * @throws RateLimitedError
   */
  async chargeRequest({ caller, limitKey }: Sender): Promise<RateLimitState> {
    const orgId = caller.org.id;
    return this.reporting(orgId, async () => {
      const state = await this.rates.consume(INGEST_REQUESTS, limitKey);
      await this.rates.consume(ORG_INGEST_REQUESTS, String(orgId));
      return state;
    });
  }

  /** Counts a request without a known token for its source address. @throws RateLimitedError */
  chargeUnauthenticated(address: string): Promise<RateLimitState> {
    return this.rates.consume(INGEST_STRANGERS, address);
  }

  /** Notifies the organisation when it has reached its limits. */
  private async reporting<T>(orgId: number, count: () => Promise<T>): Promise<T> {
    try {
      return await count();
    } catch (error) {
      if (error instanceof RateLimitedError) this.refusals.recordLimited(orgId);
      throw error;
    }
  }
}

/** Shows the memory of cached names, and whether it suffices, on the management port. */
function showNames(names: NameCaches, registry: MetricsRegistry): void {
  const registers = [registry.prometheus];
  new Gauge({
    name: 'plumbline_ingest_names_bytes',
    help: 'Memory that names as senders spell them take, estimated',
    registers,
    collect() {
      this.set(names.bytes);
    },
  });
  new Gauge({
    name: 'plumbline_ingest_names_max_bytes',
    help: 'Bound of plumbline_ingest_names_bytes (PLUMBLINE_INGEST_NAMES_BYTES)',
    registers,
    collect() {
      this.set(names.maxBytes);
    },
  });
  let shown = 0;
  new Counter({
    name: 'plumbline_ingest_name_misses_total',
    help: 'Names that were parsed because they were not in memory: new ones, and ones that were dropped because memory was full',
    registers,
    collect() {
      const { misses } = names;
      this.inc(misses - shown);
      shown = misses;
    },
  });
}
