import { type QueryClient, type QueryKey } from '@tanstack/react-query';

/**
 * Loads again, after a change, what begins with one of these keys. An answer that is on its way may be from before the
 * change: it is given up first. Else a list that is being loaded for the first time would show that answer, and be done.
 */
export async function reloadQueries(client: QueryClient, ...keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => client.cancelQueries({ queryKey })));
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}
