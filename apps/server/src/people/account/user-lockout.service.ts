import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { SessionService } from '../session/session.service.js';
import { AccountLinksService } from '../user/account-links.service.js';

/** Ends the remaining access of a disabled user: sessions, and mailed links. */
@Injectable()
export class UserLockoutService {
  constructor(
    private readonly sessions: SessionService,
    private readonly links: AccountLinksService,
  ) {}

  async lockOut(userId: number, tx: Tx): Promise<void> {
    await this.sessions.endAllOf(userId, undefined, tx);
    await this.links.revokeAllOf(userId, undefined, tx);
  }
}
