import { type UserCaller } from '../common/auth/caller.js';

/** A session that has just begun. The id is known nowhere else: the database has its hash. */
export interface NewSession {
  id: string;
  userId: number;
}

/** A session that has begun and is not yet handed to its client. */
export interface PreparedSession extends NewSession {
  orgId: number;
  /** Of the client, which is known from now on. */
  clientId: string;
}

/** The client at the other end of a login or log-out, whatever protocol it speaks. */
export interface LoginClient {
  /** Network address. */
  address: string | undefined;
  /** Client id that it was given at an earlier login. */
  clientId: string | undefined;
  /** Session that it presents and that is still alive. */
  sessionId: string | undefined;
  /** Hands it a session and a client id; lifetimes in seconds. */
  enter(caller: UserCaller, sessionSeconds: number, clientId: string, clientSeconds: number): void;
  /** Takes the session back. */
  leave(): void;
}
