import { type UserCaller } from '../../common/auth/caller.js';
import { type ServerConfig } from '../../common/config/server.config.js';

/** A new session. The id exists only here: the database has its hash. */
export interface NewSession {
  id: string;
  userId: number;
}

/** A new session that has not been sent to its client yet. */
export interface BegunSession extends NewSession {
  orgId: number;
  /** Time that the client stores it. */
  keptSeconds: number;
}

/** The client that starts a session. */
export type SessionOrigin = Pick<LoginClient, 'address' | 'userAgent'>;

/** A live session in the form for its user. Times in Unix seconds. */
export interface LiveSession {
  /** Identifies it without revealing it. */
  ref: string;
  createdTimestamp: number;
  lastUsedTimestamp: number;
  address: string | null;
  client: string | null;
}

/** A session of a user with an account. */
export interface PreparedSession extends BegunSession {
  /** Id of the client, which is known from now on. */
  clientId: string;
}

/** The client of a login or logout, with any protocol. */
export interface LoginClient {
  /** Network address. */
  address: string | undefined;
  /** The User-Agent, shortened. */
  userAgent: string | undefined;
  /** Client id that it received at an earlier login. */
  clientId: string | undefined;
  /** Presented session that is still alive. */
  sessionId: string | undefined;
  /** Presented session id, valid or not. */
  presentedId: string | undefined;
  /**
   * Returns true if the request may act on the presented session: a session from a cookie counts only in same-site
   * requests.
   */
  mayUsePresented(config: ServerConfig): boolean;
  /** Sends it a session; the rest of the answer is for the new caller. */
  enter(caller: UserCaller, sessionSeconds: number): void;
  /** Sends it a client id, by which it is recognised later. */
  remember(clientId: string, clientSeconds: number): void;
  /** Sends it the id of a login that awaits its code; the client stays unknown. */
  awaitCode(sessionId: string, sessionSeconds: number): void;
  /** Removes the session. */
  signOut(): void;
}
