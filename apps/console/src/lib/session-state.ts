import { signal } from './signal';

/** True from the first answer that refuses the session, until a user signs in again. The page stays as it is. */
export const sessionEnded = signal(false);

/** True while a page is shown to a reader without an account: there is no user, organisation or event stream. */
export const withoutAccount = signal(false);

/**
 * True from a sign-in without loading the page again: what the server reported about its session is no longer valid.
 */
export const signedInHere = signal(false);

/** False if the browser is known to have no session: asking for its account would be refused. */
export function mayHaveSession(): boolean {
  return signedInHere.get() || document.querySelector<HTMLElement>('script[data-session]')?.dataset.session !== 'false';
}
