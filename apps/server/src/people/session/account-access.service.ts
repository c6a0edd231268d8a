import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { AccountLinksService } from '../user/account-links.service.js';
import { KnownClientsService } from './session-entry.service.js';
import { SessionService } from './session.service.js';

/** Means of access to an account apart from its password. */
@Injectable()
export class AccountAccessService {
  constructor(
    private readonly sessions: SessionService,
    private readonly clients: KnownClientsService,
    private readonly links: AccountLinksService,
  ) {}

  /** Ends all access: sessions end, clients become unknown, mailed links become invalid. */
  async endAllOf(userId: number, tx: Tx): Promise<void> {
    await this.endSessionsOf(userId, tx);
    await this.clients.forgetAllOf(userId, tx);
  }

  /** Ends sessions and mailed links. Known clients stay known, so that the next login needs no code. */
  async endSessionsOf(userId: number, tx: Tx): Promise<void> {
    await this.sessions.endAllOf(userId, undefined, tx);
    await this.links.revokeAllOf(userId, undefined, tx);
  }
}
