/** The identity of a person at a provider: the pair never changes and is never reused. */
export interface SsoIdentity {
  issuer: string;
  subject: string;
}

/** Validated claims of the provider about a person who has just logged in there. */
export interface SsoPerson extends SsoIdentity {
  /** Null if the provider sends none. */
  email: string | null;
  /** True if the provider has confirmed the address. */
  isEmailConfirmed: boolean;
  name: string;
  /** Null if no claim defines administrators. */
  isAdmin: boolean | null;
}

/** A pending login at the provider. */
export interface SsoAttempt {
  nonce: string;
  codeVerifier: string;
  /** Path of the console. */
  returnTo: string;
}

/** A person who has returned from the provider, and the page that the person requested. */
export interface SsoArrival {
  person: SsoPerson;
  /** Path of the console. */
  returnTo: string;
}
