import { Injectable } from '@nestjs/common';
import { SessionExpiredError } from '../../common/auth/auth.errors.js';
import { type Tx } from '../../common/database/transactions.js';
import { AccountLinksService } from '../user/account-links.service.js';
import { SessionConfig } from './session.config.js';
import { SessionService } from './session.service.js';
import { type LoginClient, type NewSession } from './session.types.js';

/** Ends all sessions of a user and continues that of the calling client in a new one. */
@Injectable()
export class SessionRenewalService {
  constructor(
    private readonly sessions: SessionService,
    private readonly links: AccountLinksService,
    private readonly config: SessionConfig,
  ) {}

  /** First step, within a transaction: ends all sessions and mailed links. Known clients stay known. */
  async endAllOf(userId: number, tx: Tx): Promise<void> {
    await this.sessions.endAllOf(userId, undefined, tx);
    // A link that was requested with the old password becomes invalid.
    await this.links.revokeAllOf(userId, undefined, tx);
  }

  /** Second step, within the same transaction. */
  begin(userId: number, client: LoginClient, tx: Tx): Promise<NewSession> {
    return this.sessions.begin(userId, tx, undefined, client);
  }

  /** Third step, after the commit: hands the session to the client. @throws SessionExpiredError */
  async complete(client: LoginClient, { id }: NewSession): Promise<void> {
    const renewed = await this.sessions.find(id);
    // Disabled or removed in the meantime.
    if (typeof renewed === 'string') throw new SessionExpiredError();
    client.enter(renewed, this.config.idleSeconds);
  }
}
