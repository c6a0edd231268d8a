import { type QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { Shell } from '../app/shell';
import { ApiError } from '../lib/api';
import { meQuery } from '../lib/me';
import { validateViewSearch } from '../lib/window';

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()();

/** Everything that needs an account: rail, top bar, live data. Pages are its children. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  validateSearch: validateViewSearch,
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.query({ ...meQuery, staleTime: 'static' });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      throw redirect({ to: '/login', search: location.href === '/' ? {} : { return_to: location.href } } as never);
    }
  },
  component: Shell,
});
