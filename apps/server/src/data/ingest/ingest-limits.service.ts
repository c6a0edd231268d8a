import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { NameCache, type ParseLimits, parseLimits } from '#libs/protocols';
import { Clock } from '../../common/clock.js';
import { RateLimits } from '../../common/http/rate-limits.js';
import { INGEST_POINTS } from './ingest-limits.types.js';
import { OrgService } from '../../people/org/org.service.js';
import { IngestStorage } from './ingest-storage.service.js';
import { IngestConfig } from './ingest.config.js';
import { type Sender } from './ingest.types.js';

export interface ParseOptions {
  /** The whole body is history. */
  backfill: boolean;
  maxPoints: number;
}

/** So long an organisation's settings are believed. */
const ORG_CACHE_MS = 4000;

/** What a body may contain, and how many points a sender may send. */
@Injectable()
export class IngestLimits {
  /** Spellings of names seen lately, of all organisations: what a spelling means is the same for all. */
  private readonly names = new NameCache();
  private readonly backfillAgeOfOrg: LRUCache<number, number>;

  constructor(
    private readonly orgs: OrgService,
    private readonly rates: RateLimits,
    private readonly storage: IngestStorage,
    private readonly clock: Clock,
    private readonly config: IngestConfig,
  ) {
    this.backfillAgeOfOrg = new LRUCache({ max: 10_000, ttl: ORG_CACHE_MS });
  }

  /** The limits that a parser is to keep to. */
  async ofBody(orgId: number, { backfill, maxPoints }: ParseOptions): Promise<ParseLimits> {
    const { maxAgeSeconds, maxFutureSeconds } = this.config;
    let backfillMaxAgeSeconds = this.backfillAgeOfOrg.get(orgId);
    if (backfillMaxAgeSeconds === undefined) {
      const variables = await this.storage.attempt(() => this.orgs.getAnalysisVariables(orgId));
      backfillMaxAgeSeconds = variables.retention2PeriodSeconds;
      this.backfillAgeOfOrg.set(orgId, backfillMaxAgeSeconds);
    }
    const given = { maxPoints, maxAgeSeconds, maxFutureSeconds, backfillMaxAgeSeconds, backfill };
    return { ...parseLimits(this.clock.now(), given), names: this.names };
  }

  /** For protocols that are streams: no body, no history, and as many points as come. */
  ofStream(): ParseLimits {
    const { maxAgeSeconds, maxFutureSeconds } = this.config;
    const given = { maxPoints: Infinity, maxAgeSeconds, maxFutureSeconds };
    return { ...parseLimits(this.clock.now(), given), names: this.names };
  }

  /** Counts points for the limit of the sender. @throws RateLimitedError */
  async charge({ limitKey }: Sender, points: number): Promise<void> {
    if (points > 0) await this.rates.consume(INGEST_POINTS, limitKey, points);
  }
}
