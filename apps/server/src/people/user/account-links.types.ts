/**
 * The act that a link allows. `verify`: confirm a sign-up; `invite`: accept an invitation; `reset`: choose a new
 * password; `email_change`: confirm a new address; `login_code`: finish a login, together with the code.
 */
export type LinkPurpose = 'verify' | 'invite' | 'reset' | 'email_change' | 'login_code';

export interface NewAccountLink {
  userId: number;
  purpose: LinkPurpose;
  validSeconds: number;
  /** `hex32`: 128 bits as 32 lower-case hex digits; `url43`: 256 bits as 43 url-safe characters. */
  form: 'hex32' | 'url43';
  /** Stored sealed and returned by `redeem`. */
  payload?: string;
}

export interface RedeemedLink {
  userId: number;
  purpose: LinkPurpose;
  payload: string | null;
}

/** A link whose code was right; passed to `AccountLinksService.use`. */
export interface OpenLink {
  userId: number;
  tokenHash: Buffer;
}

/** `expired`: it has expired, or was used or replaced; `unknown`: it never existed, or it was deleted. */
export type LinkFault = 'expired' | 'unknown';
