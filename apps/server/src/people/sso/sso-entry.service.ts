import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions.js';
import { Links } from '../../common/http/links.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { SessionEntry } from '../session/session-entry.service.js';
import { type LoginClient } from '../session/session.types.js';
import { type SsoSessionDto } from './dto/sso-answers.dto.js';
import { SsoAccounts } from './sso-accounts.service.js';
import { type SsoArrival } from './sso.types.js';

/** Begins the sessions of people who came back from the provider. */
@Injectable()
export class SsoEntry {
  constructor(
    private readonly accounts: SsoAccounts,
    private readonly sessions: SessionEntry,
    private readonly transactions: Transactions,
    private readonly events: EventRecorder,
    private readonly links: Links,
  ) {}

  /**
   * Lets somebody in: the client has a session afterwards.
   * @throws SsoRefusedError
   */
  async enter({ person, returnTo }: SsoArrival, client: LoginClient): Promise<SsoSessionDto> {
    const prepared = await this.transactions.run(async (tx) => {
      const { orgId, userId, events } = await this.accounts.admit(person, tx);
      for (const event of events) this.events.record(event, tx);
      return this.sessions.prepareLogin(client, orgId, userId, 'login.sso', tx);
    });
    const session = await this.sessions.complete(client, prepared);
    return {
      session,
      client_id: prepared.clientId,
      return_to: this.links.console(returnTo),
      message: 'OK',
    };
  }
}
