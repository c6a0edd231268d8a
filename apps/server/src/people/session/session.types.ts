import { type UserCaller } from '../../common/auth/caller.js';
import { type ServerConfig } from '../../common/config/server.config.js';

/** A session that has just begun. The id is known nowhere else: the database has its hash. */
export interface NewSession {
  id: string;
  userId: number;
}

/** A session that has begun and is not yet handed to its client. */
export interface BegunSession extends NewSession {
  orgId: number;
  /** How long the client keeps it. */
  keptSeconds: number;
}

/** The client that begins a session. */
export type SessionOrigin = Pick<LoginClient, 'address' | 'userAgent'>;

/** A session that is alive, as its user sees it. Times in Unix seconds. */
export interface LiveSession {
  /** Names it without revealing it. */
  ref: string;
  createdTimestamp: number;
  lastUsedTimestamp: number;
  address: string | null;
  client: string | null;
}

/** A session of a user with an account. */
export interface PreparedSession extends BegunSession {
  /** Of the client, which is known from now on. */
  clientId: string;
}

/** The client at the other end of a login or log-out, with any protocol. */
export interface LoginClient {
  /** Network address. */
  address: string | undefined;
  /** The User-Agent, shortened. */
  userAgent: string | undefined;
  /** Client id that it was given at an earlier login. */
  clientId: string | undefined;
  /** Session that it presents and that is still alive. */
  sessionId: string | undefined;
  /** Session id that it presents, whether it is good for something or not. */
  presentedId: string | undefined;
  /**
   * Whether the request may act on the presented session: one that a browser sends along as cookie counts only on
   * requests of the own site.
   */
  mayUsePresented(config: ServerConfig): boolean;
  /** Hands it a session; the rest of the answer is for the new caller. */
  enter(caller: UserCaller, sessionSeconds: number): void;
  /** Hands it a client id, by which it is known later. */
  remember(clientId: string, clientSeconds: number): void;
  /** Hands it the id of a login that awaits its code; it stays a stranger. */
  awaitCode(sessionId: string, sessionSeconds: number): void;
  /** Removes the session. */
  signOut(): void;
}
