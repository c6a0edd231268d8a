import { type QueryClient } from '@tanstack/react-query';
import { meQuery } from '../me';
import { sessionEnded } from '../session-state';

/**
 * Checks whether the session is still valid, or valid again. If another user is signed in now, the page is reloaded,
 * because it shows data of the previous user.
 */
export async function checkSession(client: QueryClient): Promise<void> {
  const known = client.getQueryData(meQuery.queryKey)?.user;
  const answer = await client.query({ ...meQuery, staleTime: 0, retry: false }).catch(() => null);
  if (answer === null || !sessionEnded.get()) return;
  const { user } = answer;
  if (known !== undefined && (known.id !== user.id || known.org.id !== user.org.id)) location.reload();
  else sessionEnded.set(false);
}
