import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { DAY, HOUR } from '../../common/time.js';
import { SessionRepository } from './session.repository.js';

const ID_BYTES = 32;
/** Time that a client stays known after a login. */
export const CLIENT_VALID_SECONDS = 180 * DAY;
/** Programs that log in without presenting their client id become known again each time: only the newest are stored. */
const MAX_PER_USER = 50;

/** Browsers and programs from which users have logged in before: they need no code. */
@Injectable()
export class KnownClientsService {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /**
   * @param userId null for an account that does not exist: no client is known to it, and the check takes equally long
   */
  async isKnown(clientId: string | undefined, userId: number | null): Promise<boolean> {
    if (clientId === undefined) return false;
    const owner = await this.sessions.findClient(this.hashes(clientId), this.now());
    return owner !== null && owner === userId;
  }

  /** Makes the client known for another 180 days and returns its id: the presented id if it belongs to this user. */
  async remember(presentedId: string | undefined, userId: number, tx?: Tx): Promise<string> {
    const now = this.now();
    const owner = presentedId === undefined ? null : await this.sessions.findClient(this.hashes(presentedId), now, tx);
    const id =
      presentedId !== undefined && owner === userId ? presentedId : randomBytes(ID_BYTES).toString('base64url');
    const expiresAt = new Date(now.getTime() + CLIENT_VALID_SECONDS * 1000);
    const clientHash = this.hash(id);
    await this.sessions.rememberClient({ clientHash, userId, createdAt: now, expiresAt }, tx);
    await this.sessions.forgetClientsBeyond(userId, MAX_PER_USER, clientHash, tx);
    return id;
  }

  /** Makes all clients of a user unknown. */
  async forgetAllOf(userId: number, tx?: Tx): Promise<void> {
    await this.sessions.forgetClientsOf(userId, tx);
  }

  @Housekeeping({ everyMs: HOUR * 1000, failure: 'Old known clients could not be erased' })
  async forgetExpired(): Promise<void> {
    await this.sessions.forgetExpiredClients(this.now());
  }

  private now(): Date {
    return new Date(this.clock.now() * 1000);
  }

  private hash(clientId: string): Buffer {
    return this.secrets.keyedHash('known client', clientId);
  }

  /** The hashes under which the client may be stored. */
  private hashes(clientId: string): readonly Buffer[] {
    return this.secrets.keyedHashes('known client', clientId);
  }
}
