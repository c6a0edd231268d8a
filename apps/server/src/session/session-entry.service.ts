import { Injectable } from '@nestjs/common';
import { type Tx } from '../common/database/transactions.js';
import { UserService } from '../user/user.service.js';
import { type SessionDto, viewerOf } from '../user/user.types.js';
import { CLIENT_VALID_SECONDS, KnownClientsService } from './known-clients.service.js';
import { SessionConfig } from './session.config.js';
import { LoginFailedError } from './session.errors.js';
import { SessionService } from './session.service.js';
import { type LoginClient, type PreparedSession } from './session.types.js';

/** Lets in a client whose user has proven to be one: how it was proven is the caller's. */
@Injectable()
export class SessionEntry {
  constructor(
    private readonly users: UserService,
    private readonly sessions: SessionService,
    private readonly clients: KnownClientsService,
    private readonly config: SessionConfig,
  ) {}

  /** First step, within a transaction: ends the session that the client has, begins a new one, makes the client known. */
  async prepare(client: LoginClient, orgId: number, userId: number, tx: Tx): Promise<PreparedSession> {
    // First: the row lock lets the logins of one user count their sessions one after the other.
    await this.users.noteLogin(orgId, userId, tx);
    if (client.sessionId !== undefined) await this.sessions.end(client.sessionId, tx);
    const { id } = await this.sessions.begin(userId, tx);
    return { id, orgId, userId, clientId: await this.clients.remember(client.clientId, userId, tx) };
  }

  /**
   * Second step, after the commit: hands the session to the client.
   * @throws LoginFailedError when the user was disabled or removed meanwhile
   */
  async complete(client: LoginClient, { id, orgId, userId, clientId }: PreparedSession): Promise<SessionDto> {
    const caller = await this.sessions.find(id);
    if (typeof caller === 'string') throw new LoginFailedError();
    client.enter(caller, this.config.idleSeconds);
    client.remember(clientId, CLIENT_VALID_SECONDS);
    return { id, user: await this.users.record(orgId, userId, viewerOf(caller)) };
  }
}
