import { type OnboardingFlags, type OnboardingStatusId } from '#libs/contracts';

/** Data about the caller's organisation for the edge. */
export interface CallerOrg {
  id: number;
  /** IANA name. */
  timezone: string;
  onboardingStatusId: OnboardingStatusId;
}

export interface UserCaller {
  kind: 'user';
  org: CallerOrg;
  /** Permission bits. */
  permissions: number;
  userId: number;
  admin: boolean;
  demo: boolean;
  onboardingFlags: OnboardingFlags;
  /** The session id as presented; never logged. */
  sessionId: string;
  /** Set if the cookie must be renewed: its new lifetime. */
  renewCookieSeconds?: number;
}

export interface TokenCaller {
  kind: 'token';
  org: CallerOrg;
  permissions: number;
  /** Number of the token within its organisation; 0 for the reader of a signed address, and for the service itself. */
  tokenRef: number;
}

export interface AnonymousCaller {
  kind: 'anonymous';
}

/** The service itself, when it performs actions of people through the services of the API. */
export function serviceCaller({ id, timezone, onboardingStatusId }: CallerOrg, permissions: number): TokenCaller {
  return { kind: 'token', org: { id, timezone, onboardingStatusId }, permissions, tokenRef: 0 };
}

/** A caller with a valid credential. */
export type KnownCaller = UserCaller | TokenCaller;
export type Caller = KnownCaller | AnonymousCaller;

export interface CredentialCheck {
  /** True (the default): the lookup is made for a request and counts as a use, which keeps a session alive. */
  isUse?: boolean;
}

/** Lookups of credentials for the edge; implemented by the session and token areas. */
export abstract class CredentialDirectory {
  /** A pending session (login awaiting its code) is `unknown`: it gives no access. */
  abstract findSession(sessionId: string, options?: CredentialCheck): Promise<UserCaller | 'ended' | 'unknown'>;
  abstract findToken(token: string): Promise<TokenCaller | 'expired' | 'unknown'>;
  /** The organisation of a signed address. */
  abstract findOrg(orgId: number): Promise<CallerOrg | 'unknown'>;
}
