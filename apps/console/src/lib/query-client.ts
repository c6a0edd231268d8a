import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api';
import { isPassing, isRefused, unreachableCount } from './failures';
import { noteComplete } from './now';
import { sessionEnded } from './session-state';

function note(error: unknown): void {
  if (isRefused(error)) sessionEnded.set(true);
  if (error instanceof ApiError && error.status === 0) unreachableCount.set(unreachableCount.get() + 1);
}

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: note,
      // The query itself still counts as being loaded.
      onSuccess: () => {
        if (client.isFetching() <= 1) noteComplete();
      },
    }),
    mutationCache: new MutationCache({ onError: note }),
    defaultOptions: {
      queries: {
        // What browsers say about the network does not hold for a server on the same machine or in the same house.
        networkMode: 'always',
        staleTime: 15_000,
        retry: (count, error) => count < 2 && isPassing(error),
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
        // What was seen stays on the screen, marked as stale, when a later try fails.
        throwOnError: false,
      },
      // Fails at once and says so: a change that waits for the network in silence would surprise later.
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
