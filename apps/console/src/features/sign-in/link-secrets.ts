/** Pages to which mails link, and the secrets in their links. */
const SECRETS_OF: Readonly<Record<string, readonly string[]>> = {
  '/login/validate': ['code', 'token'],
  '/verify': ['email', 'token'],
  '/reset-password': ['token'],
  '/confirm-email': ['token'],
};

export type LinkSecrets = Readonly<Partial<Record<'code' | 'token' | 'email', string>>>;

/** The secrets in the link to a page; empty for every other page. `search` starts with `?` or is empty. */
export function secretsOf(pathname: string, search: string): LinkSecrets {
  const names = SECRETS_OF[pathname.replace(/(.)\/$/, '$1')] ?? [];
  const parameters = new URLSearchParams(search);
  const entries = names.map((name) => [name, parameters.get(name) ?? ''] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

/**
 * Removes the secrets from the address bar and the history. Runs before the router reads the address, because it would
 * parse a code as a number. They are kept in memory only, so a reloaded page needs its link again.
 */
function takeSecrets(): LinkSecrets {
  const secrets = secretsOf(location.pathname, location.search);
  if (Object.keys(secrets).length > 0) history.replaceState(history.state, '', location.pathname);
  return secrets;
}

export const linkSecrets: LinkSecrets = typeof location === 'undefined' ? {} : takeSecrets();
