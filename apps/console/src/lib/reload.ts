import { type QueryClient, type QueryKey } from '@tanstack/react-query';

/**
 * Reloads, after a change, the data whose keys start with one of these. A pending answer may be from before the change,
 * so it is aborted first. Otherwise a list that is being loaded for the first time would show that answer and not be
 * reloaded.
 */
export async function reloadQueries(client: QueryClient, ...keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => client.cancelQueries({ queryKey })));
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
}
