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
      // The query still counts as being loaded at this point.
      onSuccess: () => {
        if (client.isFetching() <= 1) noteComplete();
      },
    }),
    mutationCache: new MutationCache({ onError: note }),
    defaultOptions: {
      queries: {
        // The network state of the browser says nothing about a server on the same machine or in the same building.
        networkMode: 'always',
        staleTime: 15_000,
        retry: (count, error) => count < 2 && isPassing(error),
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
        // If a later attempt fails, shown data stays on the screen, marked as stale.
        throwOnError: false,
      },
      // Fails immediately: a change that silently waits for the network would surprise the user later.
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
