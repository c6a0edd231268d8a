import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions.js';
import { Links } from '../../common/http/links.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { SessionEntryService } from '../session/session-entry.service.js';
import { type LoginClient } from '../session/session.types.js';
import { type SsoSessionDto } from './dto/sso-answers.dto.js';
import { SsoAccountsService } from './sso-accounts.service.js';
import { type SsoArrival } from './sso.types.js';

/** Starts the sessions of people who return from the provider. */
@Injectable()
export class SsoEntryService {
  constructor(
    private readonly accounts: SsoAccountsService,
    private readonly sessions: SessionEntryService,
    private readonly transactions: Transactions,
    private readonly events: EventRecorderService,
    private readonly links: Links,
  ) {}

  /**
   * Logs a person in, and sends the session to the client.
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
