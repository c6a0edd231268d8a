import { signal } from './signal';

/** True from the first answer that refuses the session until a user signs in again. The page stays unchanged. */
export const sessionEnded = signal(false);

/** True while a page is shown to a reader without an account: there is no user, organisation or event stream. */
export const withoutAccount = signal(false);

/**
 * True after a sign-in without a reload of the page: the state of the session that the server sent with the page is no
 * longer valid.
 */
export const signedInHere = signal(false);

/** False if the browser is known to have no session: a request for its account would be refused. */
export function mayHaveSession(): boolean {
  return signedInHere.get() || document.querySelector<HTMLElement>('script[data-session]')?.dataset.session !== 'false';
}
