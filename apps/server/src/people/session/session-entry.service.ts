import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type SessionDto } from '../user/user.dto.js';
import { UserService } from '../user/user.service.js';
import { auditedUser, viewerOf } from '../user/user.functions.js';
import { CLIENT_VALID_SECONDS, KnownClientsService } from './known-clients.service.js';
import { SessionConfig } from './session.config.js';
import { LoginFailedError } from './session.errors.js';
import { SessionService } from './session.service.js';
import { type BegunSession, type LoginClient, type PreparedSession } from './session.types.js';

/** Type of the proof of identity, as named in the audit log. */
export type LoginAction = 'login.password' | 'login.code' | 'login.sso';

/** Starts sessions of clients whose user is authenticated; the caller does the authentication. */
@Injectable()
export class SessionEntryService {
  constructor(
    private readonly users: UserService,
    private readonly sessions: SessionService,
    private readonly clients: KnownClientsService,
    private readonly config: SessionConfig,
    private readonly audit: AuditTrailService,
  ) {}

  /**
   * First step, within a transaction: ends the current session of the client, creates a new one, makes the client
   * known.
   */
  async prepare(client: LoginClient, orgId: number, userId: number, tx: Tx): Promise<PreparedSession> {
    const begun = await this.begin(client, orgId, userId, tx);
    return { ...begun, clientId: await this.clients.remember(client.clientId, userId, tx) };
  }

  /** The same for a login to an existing account: it is recorded in the audit log. */
  async prepareLogin(
    client: LoginClient,
    orgId: number,
    userId: number,
    action: LoginAction,
    tx: Tx,
  ): Promise<PreparedSession> {
    const prepared = await this.prepare(client, orgId, userId, tx);
    const object = auditedUser(await this.users.getById(orgId, userId, tx));
    await this.audit.record({ orgId, actor: { type: 'user', userId }, action, object }, tx);
    return prepared;
  }

  /** The same for a visitor without account: the session ends after `visitSeconds`, and the client stays unknown. */
  prepareVisit(
    client: LoginClient,
    orgId: number,
    userId: number,
    visitSeconds: number,
    tx: Tx,
  ): Promise<BegunSession> {
    return this.begin(client, orgId, userId, tx, visitSeconds);
  }

  /**
   * Second step, after the commit: sends the session to the client.
   * @throws LoginFailedError if the user was disabled or removed in the meantime
   */
  async complete(client: LoginClient, begun: BegunSession | PreparedSession): Promise<SessionDto> {
    const { id, orgId, userId, keptSeconds } = begun;
    const caller = await this.sessions.enter(client, id, keptSeconds);
    if (caller === null) throw new LoginFailedError();
    if ('clientId' in begun) client.remember(begun.clientId, CLIENT_VALID_SECONDS);
    return { id, user: await this.users.record(orgId, userId, viewerOf(caller)) };
  }

  private async begin(
    client: LoginClient,
    orgId: number,
    userId: number,
    tx: Tx,
    visitSeconds?: number,
  ): Promise<BegunSession> {
    // First, because the row lock serialises the logins of one user, which count sessions.
    await this.users.noteLogin(orgId, userId, tx);
    if (client.sessionId !== undefined) await this.sessions.end(client.sessionId, tx);
    const { id } = await this.sessions.begin(userId, tx, visitSeconds, client);
    return { id, orgId, userId, keptSeconds: visitSeconds ?? this.config.idleSeconds };
  }
}
