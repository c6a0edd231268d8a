/** The identity of a person at a provider: the pair never changes and is never reused. */
export interface SsoIdentity {
  issuer: string;
  subject: string;
}

/** Validated claims of the provider about a person who has just logged in there. */
export interface SsoPerson extends SsoIdentity {
  /** Null if it gives none. */
  email: string | null;
  /** Whether the address is known to be theirs. */
  isEmailConfirmed: boolean;
  name: string;
  /** Null if no claim defines administrators. */
  isAdmin: boolean | null;
}

/** A login that is under way at the provider. */
export interface SsoAttempt {
  nonce: string;
  codeVerifier: string;
  /** Path of the console. */
  returnTo: string;
}

/** A person who has returned from the provider, and the page that they wanted. */
export interface SsoArrival {
  person: SsoPerson;
  /** Path of the console. */
  returnTo: string;
}
