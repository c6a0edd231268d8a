/** Somebody as a provider knows them: the pair is theirs for ever. */
export interface SsoIdentity {
  issuer: string;
  subject: string;
}

/** What a provider says, in checked form, of somebody who has just logged in there. */
export interface SsoPerson extends SsoIdentity {
  /** Null when it says none. */
  email: string | null;
  /** Whether the address is known to be theirs. */
  isEmailConfirmed: boolean;
  name: string;
  /** Null when administrators are not told by a claim. */
  isAdmin: boolean | null;
}

/** A login that is under way at the provider. */
export interface SsoAttempt {
  nonce: string;
  codeVerifier: string;
  /** Path of the console. */
  returnTo: string;
}

/** Somebody who is back from the provider, and where they were going. */
export interface SsoArrival {
  person: SsoPerson;
  /** Path of the console. */
  returnTo: string;
}
