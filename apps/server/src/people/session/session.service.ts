import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { ALL_PERMISSIONS, Permission } from '#libs/contracts';
import { ActivityBuffer } from '../../common/activity/activity-buffer.js';
import { type CredentialCheck, type UserCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { DAY, dateOf, HOUR, exactSecondsOf, secondsOf } from '../../common/time.js';
import { toOnboardingFlags } from '../user/user.functions.js';
import { SessionConfig } from './session.config.js';
import { type OwnedSession, SessionRepository, type SessionRow } from './session.repository.js';
import { type LiveSession, type LoginClient, type NewSession, type SessionOrigin } from './session.types.js';

const ID_BYTES = 16;
const ID_FORM = /^[0-9a-f]{32}$/;
const MAX_PER_USER = 20;
const COOKIE_RENEWAL_SECONDS = DAY;
const WRITE_USES_EVERY_SECONDS = 30;
/** Time for which an ended session is remembered. */
const REMEMBERED_SECONDS = 30 * DAY;

/** Creates, finds and ends sessions. Times are in Unix seconds. */
@Injectable()
export class SessionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SessionService.name);
  /** Last uses, by hash in hexadecimal; written in batches. */
  readonly uses = new ActivityBuffer<string>((latest) =>
    this.sessions.noteUse([...latest].map(([hash, at]) => ({ idHash: Buffer.from(hash, 'hex'), at }))),
  );

  constructor(
    private readonly sessions: SessionRepository,
    private readonly secrets: Secrets,
    private readonly config: SessionConfig,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.uses.start(WRITE_USES_EVERY_SECONDS, (error) => this.reportUses(error));
  }

  async beforeApplicationShutdown(): Promise<void> {
    // Without these times sessions end a little early, which does not justify an unclean stop.
    await this.uses.stop().catch((error: unknown) => this.reportUses(error));
  }

  /**
   * Creates a session; beyond the twentieth, the user's least recently used one ends.
   * @param lifetimeSeconds its maximum duration
   * @param origin the client that starts it; its user sees it in the list of sessions
   */
  async begin(
    userId: number,
    tx?: Tx,
    lifetimeSeconds = this.config.lifetimeSeconds,
    { address, userAgent }: Partial<SessionOrigin> = {},
  ): Promise<NewSession> {
    const id = randomBytes(ID_BYTES).toString('hex');
    const now = this.clock.now();
    const at = dateOf(now);
    const idHash = this.hash(id);
    await this.sessions.insert(
      {
        idHash,
        userId,
        kind: 'full',
        createdAt: at,
        lastSeenAt: at,
        address: address ?? null,
        client: userAgent ?? null,
        cookieRenewedAt: at,
        expiresAt: dateOf(now + lifetimeSeconds),
      },
      tx,
    );
    await this.sessions.endBeyond(userId, MAX_PER_USER, idHash, at, tx);
    return { id, userId };
  }

  /**
   * Creates a session that gives no access and awaits its code for `validSeconds`. A user has only one: older ones end.
   */
  async beginPending(userId: number, validSeconds: number, tx?: Tx): Promise<NewSession> {
    const id = randomBytes(ID_BYTES).toString('hex');
    const now = this.clock.now();
    const at = dateOf(now);
    await this.sessions.endPendingOf(userId, at, tx);
    await this.sessions.insert(
      {
        idHash: this.hash(id),
        userId,
        kind: 'pending',
        createdAt: at,
        lastSeenAt: at,
        address: null,
        client: null,
        cookieRenewedAt: at,
        expiresAt: dateOf(now + validSeconds),
      },
      tx,
    );
    return { id, userId };
  }

  /** The user whose login awaits a code under this session id; `ended` if it has ended. */
  async findPending(sessionId: string): Promise<number | 'ended' | 'unknown'> {
    if (!ID_FORM.test(sessionId)) return 'unknown';
    const row = await this.sessions.find(this.hashes(sessionId));
    if (row?.kind !== 'pending') return 'unknown';
    return row.endedAt === null && this.clock.now() < exactSecondsOf(row.expiresAt) ? row.userId : 'ended';
  }

  /** Ends the logins of a user that await a code. */
  async endPendingOf(userId: number, tx?: Tx): Promise<void> {
    await this.sessions.endPendingOf(userId, dateOf(this.clock.now()), tx);
  }

  /**
   * Ends the session, if it exists. Its id is invalid from now on; for some weeks it is distinguished from an invented
   * one.
   */
  async end(sessionId: string, tx?: Tx): Promise<void> {
    if (!ID_FORM.test(sessionId)) return;
    await this.sessions.end(this.hashes(sessionId), dateOf(this.clock.now()), tx);
  }

  /** Ends all sessions of a user, or all but the given one. */
  async endAllOf(userId: number, exceptSessionId?: string, tx?: Tx): Promise<void> {
    const except = exceptSessionId === undefined ? [] : this.hashes(exceptSessionId);
    await this.sessions.endAllOf(userId, dateOf(this.clock.now()), except, tx);
  }

  /** The live sessions of a user, the most recently used first. */
  async listLive(userId: number): Promise<LiveSession[]> {
    const now = this.clock.now();
    const lastUse = (row: OwnedSession) =>
      Math.max(exactSecondsOf(row.lastSeenAt), this.uses.noted(row.idHash.toString('hex')) ?? -Infinity);
    return (await this.sessions.listOf(userId))
      .filter((row) => isFresh(row, now, lastUse(row), this.config.idleSeconds))
      .map((row) => ({
        ref: refOf(row.idHash),
        createdTimestamp: secondsOf(row.createdAt),
        lastUsedTimestamp: Math.floor(lastUse(row)),
        address: row.address,
        client: row.client,
      }))
      .sort((one, other) => other.lastUsedTimestamp - one.lastUsedTimestamp);
  }

  /** The handles that a session id may have in `listLive`. */
  refsOf(sessionId: string): readonly string[] {
    return this.hashes(sessionId).map(refOf);
  }

  /**
   * Ends the session of the user with this handle. The handle is still recognised for some weeks after the session has
   * ended.
   */
  async endByRef(userId: number, ref: string, tx: Tx): Promise<'ended' | 'had ended' | 'unknown'> {
    const found = (await this.sessions.listOf(userId, tx)).find(({ idHash }) => refOf(idHash) === ref);
    if (!found) return 'unknown';
    return (await this.sessions.end([found.idHash], dateOf(this.clock.now()), tx)) ? 'ended' : 'had ended';
  }

  /** The caller with this session id. Counts as a use unless `isUse` is false. */
  async find(sessionId: string, { isUse = true }: CredentialCheck = {}): Promise<UserCaller | 'ended' | 'unknown'> {
    if (!ID_FORM.test(sessionId)) return 'unknown';
    const row = await this.sessions.find(this.hashes(sessionId));
    if (row?.kind !== 'full') return 'unknown';
    const { idHash } = row;
    const now = this.clock.now();
    const key = idHash.toString('hex');
    if (!this.isAlive(row, now, this.uses.noted(key))) return 'ended';
    if (isUse) this.uses.record(key, now);
    const shouldRenewCookie = isUse && now - exactSecondsOf(row.cookieRenewedAt) >= COOKIE_RENEWAL_SECONDS;
    if (shouldRenewCookie) await this.sessions.noteCookie(idHash, dateOf(now));
    return {
      kind: 'user',
      org: { id: row.orgId, timezone: row.timezone, onboardingStatusId: row.onboardingStatusId },
      permissions: permissionsOf(row),
      userId: row.userId,
      admin: row.admin,
      demo: row.demo,
      onboardingFlags: toOnboardingFlags(row.onboardingFlags),
      sessionId,
      ...(shouldRenewCookie ? { renewCookieSeconds: this.config.idleSeconds } : {}),
    };
  }

  /**
   * Sends a new session to its client.
   * @param keptSeconds time that the client stores it without use
   * @returns the caller; null if the user was disabled or removed in the meantime
   */
  async enter(client: LoginClient, id: string, keptSeconds = this.config.idleSeconds): Promise<UserCaller | null> {
    const caller = await this.find(id);
    if (typeof caller === 'string') return null;
    client.enter(caller, keptSeconds);
    return caller;
  }

  /** Deletes sessions that ended long ago. */
  @Housekeeping({ everyMs: HOUR * 1000, failure: 'Old sessions could not be erased' })
  async forgetDead(): Promise<void> {
    const now = this.clock.now();
    await this.sessions.forget(
      dateOf(now - REMEMBERED_SECONDS),
      dateOf(now - REMEMBERED_SECONDS - this.config.idleSeconds),
    );
  }

  private reportUses(error: unknown): void {
    this.logger.warn({ err: error }, 'The times of last use of sessions could not be written.');
  }

  private isAlive(row: SessionRow, now: number, notedUse = -Infinity): boolean {
    const lastUse = Math.max(exactSecondsOf(row.lastSeenAt), notedUse);
    return row.state === 'active' && isFresh(row, now, lastUse, this.config.idleSeconds);
  }

  private hash(sessionId: string): Buffer {
    return this.secrets.keyedHash('session', sessionId);
  }

  /** The hashes under which the session may be stored. */
  private hashes(sessionId: string): readonly Buffer[] {
    return this.secrets.keyedHashes('session', sessionId);
  }
}

/** Times in Unix seconds. */
function isFresh(
  { endedAt, expiresAt }: Pick<SessionRow, 'endedAt' | 'expiresAt'>,
  now: number,
  lastUse: number,
  idleSeconds: number,
): boolean {
  return endedAt === null && now < exactSecondsOf(expiresAt) && now < lastUse + idleSeconds;
}

/** Identifies a session among those of its user. It is the start of a keyed hash: it does not reveal the id. */
const refOf = (idHash: Buffer): string => idHash.toString('hex', 0, 8);

function permissionsOf({ demo, admin }: Pick<SessionRow, 'demo' | 'admin'>): number {
  if (demo) return Permission.Read;
  return admin ? ALL_PERMISSIONS : Permission.Read | Permission.Write | Permission.Alert;
}
