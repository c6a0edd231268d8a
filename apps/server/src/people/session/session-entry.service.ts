import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { DAY, HOUR } from '../../common/time.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type SessionDto } from '../user/user.dto.js';
import { UserService } from '../user/user.service.js';
import { auditedUser, viewerOf } from '../user/user.functions.js';
import { SessionConfig } from './session.config.js';
import { LoginFailedError } from './session.errors.js';
import { SessionRepository } from './session.repository.js';
import { SessionService } from './session.service.js';
import { type BegunSession, type LoginClient, type PreparedSession } from './session.types.js';

const CLIENT_ID_BYTES = 32;
/** Time that a client stays known after a login. */
const CLIENT_VALID_SECONDS = 180 * DAY;
/** Programs that log in without presenting their client id become known again each time: only the newest are stored. */
const MAX_CLIENTS_PER_USER = 50;

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
      presentedId !== undefined && owner === userId ? presentedId : randomBytes(CLIENT_ID_BYTES).toString('base64url');
    const expiresAt = new Date(now.getTime() + CLIENT_VALID_SECONDS * 1000);
    const clientHash = this.hash(id);
    await this.sessions.rememberClient({ clientHash, userId, createdAt: now, expiresAt }, tx);
    await this.sessions.forgetClientsBeyond(userId, MAX_CLIENTS_PER_USER, clientHash, tx);
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
