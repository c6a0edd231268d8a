import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { equalInConstantTime, Secrets } from '../../common/secrets/secrets.js';
import { DAY, dateOf, HOUR } from '../../common/time.js';
import { AccountLinksRepository, type FoundLink } from './account-links.repository.js';
import {
  type LinkFault,
  type LinkPurpose,
  type NewAccountLink,
  type OpenLink,
  type RedeemedLink,
} from './account-links.types.js';

const SECRET = 'account link';
/** Time for which an ended link is remembered. */
const REMEMBERED_SECONDS = 30 * DAY;
/** Maximum number of attempts to enter a code; after that the link is invalid. */
const MAX_CODE_TRIES = 5;

/** Links that are mailed to users and valid for one act. Only hashes of their tokens are stored. */
@Injectable()
export class AccountLinksService {
  constructor(
    private readonly links: AccountLinksRepository,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a link and returns its token, which is not stored. Older unused links of the user with this purpose become
   * invalid.
   */
  async create({ userId, purpose, validSeconds, form, payload }: NewAccountLink, tx?: Tx): Promise<string> {
    const token = form === 'hex32' ? randomBytes(16).toString('hex') : randomBytes(32).toString('base64url');
    const tokenHash = this.hash(token);
    const now = this.clock.now();
    await this.links.revoke(userId, purpose, dateOf(now), tx);
    const payloadSealed = payload === undefined ? null : this.secrets.seal(SECRET, boundTo(tokenHash), payload);
    await this.links.insert(
      { tokenHash, userId, purpose, createdAt: dateOf(now), expiresAt: dateOf(now + validSeconds), payloadSealed },
      tx,
    );
    return token;
  }

  /** Consumes a link; a second time it is `expired`. A rollback of the transaction undoes the use. */
  async redeem(
    purposes: LinkPurpose | readonly LinkPurpose[],
    token: string,
    tx?: Tx,
  ): Promise<RedeemedLink | LinkFault> {
    const allowed = typeof purposes === 'string' ? [purposes] : purposes;
    const found = await this.links.consume(this.hashes(token), allowed, dateOf(this.clock.now()), tx);
    return typeof found === 'string' ? found : this.opened(found);
  }

  /**
   * Compares a code with the payload of a link, found by its token or as the latest of its user. Every attempt is
   * counted immediately, whatever the caller does next; a link allows five. The right code does not consume the link:
   * `use` does.
   * @param codes the forms in which the right code may be stored
   */
  async tryCode(
    purpose: LinkPurpose,
    by: { token: string } | { userId: number },
    codes: readonly string[],
  ): Promise<OpenLink | 'wrong' | LinkFault> {
    const key = 'token' in by ? { tokenHashes: this.hashes(by.token) } : by;
    const found = await this.links.countTry(key, purpose, MAX_CODE_TRIES, dateOf(this.clock.now()));
    if (typeof found === 'string') return found;
    const { userId, tokenHash } = found;
    const payload = this.opened(found).payload ?? '';
    return codes.some((code) => equalInConstantTime(payload, code)) ? { userId, tokenHash } : 'wrong';
  }

  /** Consumes a link that `tryCode` has returned. False if another request was faster. */
  async use(purpose: LinkPurpose, { tokenHash }: OpenLink, tx?: Tx): Promise<boolean> {
    return typeof (await this.links.consume([tokenHash], [purpose], dateOf(this.clock.now()), tx)) === 'object';
  }

  /** The user of a link, valid or not. */
  holderOf(purpose: LinkPurpose, token: string): Promise<number | null> {
    return this.links.holderOf(this.hashes(token), purpose);
  }

  /** Invalidates the unused links of a user, of one purpose or of all. */
  async revokeAllOf(userId: number, purpose?: LinkPurpose, tx?: Tx): Promise<void> {
    await this.links.revoke(userId, purpose, dateOf(this.clock.now()), tx);
  }

  /** Deletes links that ended long ago. */
  @Housekeeping({ everyMs: HOUR * 1000, failure: 'Old links could not be erased' })
  async forgetExpired(): Promise<void> {
    await this.links.forgetExpired(dateOf(this.clock.now() - REMEMBERED_SECONDS));
  }

  private opened({ tokenHash, userId, purpose, payloadSealed }: FoundLink): RedeemedLink {
    const payload = payloadSealed === null ? null : this.secrets.open(SECRET, boundTo(tokenHash), payloadSealed);
    return { userId, purpose, payload };
  }

  private hash(token: string): Buffer {
    return this.secrets.keyedHash(SECRET, token);
  }

  /** The hashes under which the token may be stored. */
  private hashes(token: string): readonly Buffer[] {
    return this.secrets.keyedHashes(SECRET, token);
  }
}

const boundTo = (tokenHash: Buffer): string => `account link/${tokenHash.toString('hex')}`;
