import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ActivityBuffer } from '../../common/activity/activity-buffer.js';
import { type TokenCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { exactSecondsOf } from '../../common/time.js';
import { DeletedOrgsService } from '../org/deleted-orgs.service.js';
import { type TokenCredential, TokenRepository } from './token.repository.js';

/** Prefix and 43 url-safe characters. */
const FORM = /^pl_[\w-]{43}$/;
/** A removed token must be rejected by every process within 5 s. */
const CACHE_MS = 4000;
const WRITE_USES_EVERY_SECONDS = 30;
const MAX_KNOWN = 10_000;
/** A separate limit, so that invented tokens cannot evict the real ones. */
const MAX_UNKNOWN = 1000;

/**
 * Finds the owner of a presented token. Results are cached for some seconds: agents send the same token many times per
 * second.
 */
@Injectable()
export class TokenDirectoryService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(TokenDirectoryService.name);
  /** Last uses, by ref; written in batches. */
  readonly uses = new ActivityBuffer<number>((latest) => this.tokens.noteUse(latest));
  private readonly known: LRUCache<string, TokenCredential>;
  private readonly unknown: LRUCache<string, true>;
  private readonly pending = new Map<string, Promise<TokenCredential | null>>();

  constructor(
    private readonly tokens: TokenRepository,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly deletedOrgs: DeletedOrgsService,
  ) {
    const perf = { now: () => clock.now() * 1000 };
    const options = { ttl: CACHE_MS, ttlResolution: 0, perf };
    this.known = new LRUCache({ ...options, max: MAX_KNOWN });
    this.unknown = new LRUCache({ ...options, max: MAX_UNKNOWN });
  }

  onApplicationBootstrap(): void {
    this.uses.start(WRITE_USES_EVERY_SECONDS, (error) => this.reportUses(error));
  }

  async beforeApplicationShutdown(): Promise<void> {
    // Times of use are only displayed; losing them does not justify an unclean stop.
    await this.uses.stop().catch((error: unknown) => this.reportUses(error));
  }

  /** Counts as a use. */
  async find(token: string): Promise<TokenCaller | 'expired' | 'unknown'> {
    if (!FORM.test(token)) return 'unknown';
    const credential = await this.lookUp(this.hashes(token));
    if (!credential || this.deletedOrgs.has(credential.orgId)) return 'unknown';
    const now = this.clock.now();
    if (credential.validUntil !== null && exactSecondsOf(credential.validUntil) <= now) return 'expired';
    this.uses.record(credential.ref, now);
    return {
      kind: 'token',
      org: {
        id: credential.orgId,
        timezone: credential.timezone,
        onboardingStatusId: credential.onboardingStatusId,
      },
      permissions: credential.permissions,
      tokenRef: credential.ref,
    };
  }

  /** The hash under which a new token is stored. */
  hash(token: string): Buffer {
    return this.secrets.keyedHash('token', token);
  }

  /** The hashes under which a token may be stored. */
  hashes(token: string): readonly [Buffer, ...Buffer[]] {
    return this.secrets.keyedHashes('token', token);
  }

  /** Drops the cached token: this process queries the database at its next use. */
  forget(ref: number): void {
    for (const [key, credential] of this.known.entries()) if (credential.ref === ref) this.known.delete(key);
    // Any running lookup may be for this token.
    this.pending.clear();
  }

  private async lookUp(hashes: readonly [Buffer, ...Buffer[]]): Promise<TokenCredential | null> {
    const key = hashes[0].toString('base64url');
    const known = this.known.get(key);
    if (known) return known;
    if (this.unknown.has(key)) return null;
    return this.pending.get(key) ?? this.fetchShared(key, hashes);
  }

  /** Concurrent requests share one query of the database. */
  private async fetchShared(key: string, hashes: readonly Buffer[]): Promise<TokenCredential | null> {
    const lookup = this.tokens.findCredential(hashes);
    this.pending.set(key, lookup);
    // A result from before `forget` must not be cached.
    const isCurrent = () => this.pending.get(key) === lookup;
    try {
      const credential = await lookup;
      if (credential && isCurrent()) this.known.set(key, credential);
      if (!credential && isCurrent()) this.unknown.set(key, true);
      return credential;
    } finally {
      if (isCurrent()) this.pending.delete(key);
    }
  }

  private reportUses(error: unknown): void {
    this.logger.warn({ err: error }, 'The times of last use of tokens could not be written.');
  }
}
