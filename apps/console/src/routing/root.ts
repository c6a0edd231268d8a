import { type QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { Surroundings } from '../app/surroundings';
import { ApiError } from '../lib/api';
import { meQuery } from '../lib/me';
import { mayHaveSession, sessionEnded, withoutAccount } from '../lib/session-state';
import { validateViewSearch } from '../lib/window';

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()();

/**
 * Rail, top bar, live data: the frame of the pages of an account, which are its children. Open pages are also shown
 * without an account, in a frame without these parts.
 */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  validateSearch: validateViewSearch,
  beforeLoad: async ({ context, location, matches }) => {
    const isOpen = matches.some(({ staticData }) => staticData.isOpen === true);
    if (isOpen && !mayHaveSession()) {
      withoutAccount.set(true);
      return;
    }
    try {
      await context.queryClient.query({ ...meQuery, staleTime: 'static' });
      withoutAccount.set(false);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      if (!isOpen)
        throw redirect({ to: '/login', search: location.href === '/' ? {} : { return_to: location.href } } as never);
      // No session that this page needs has ended.
      sessionEnded.set(false);
      withoutAccount.set(true);
    }
  },
  component: Surroundings,
});
