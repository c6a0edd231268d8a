import { createRoute, createRouter } from '@tanstack/react-router';
import { type QueryClient } from '@tanstack/react-query';
import { rootRoute, shellRoute } from '../routing/root';
import { alertsRoutes } from '../features/alerts/alerts.routes';
import { anomaliesRoutes } from '../features/anomalies/anomalies.routes';
import { benchmarkRoutes } from '../features/benchmark/benchmark.routes';
import { incidentsRoutes } from '../features/incidents/incidents.routes';
import { metricsRoutes } from '../features/metrics/metrics.routes';
import { nowRoutes } from '../features/now/now.routes';
import { setupRoutes } from '../features/setup/setup.routes';
import { startRoutes } from '../features/start/start.routes';
import { teachRoutes } from '../features/teach/teach.routes';
import { PageFailed, PageMissing, PageSkeleton } from '../components/page-states';
import { signInRoutes } from '../features/sign-in/sign-in.routes';

/** Every page of the console. A feature lists its pages in `<feature>.routes.ts`. */
const routeTree = rootRoute.addChildren([
  ...signInRoutes,
  shellRoute.addChildren([
    ...nowRoutes,
    ...incidentsRoutes,
    ...anomaliesRoutes,
    ...metricsRoutes,
    ...teachRoutes,
    ...alertsRoutes,
    ...benchmarkRoutes,
    ...startRoutes,
    ...setupRoutes,
    // Any other address: the rail has links to pages. The route has no type, because otherwise links would accept any
    // address.
    createRoute({ getParentRoute: () => shellRoute, path: '$', component: PageMissing }) as never,
  ]),
]);

export function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingMs: 150,
    // A skeleton is replaced as soon as the page is ready; by default it would stay for half a second.
    defaultPendingMinMs: 0,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: PageFailed,
    defaultNotFoundComponent: PageMissing,
    scrollRestoration: true,
  });
}

/** Loads the files of the page in the address while the user is being determined, not afterwards. */
export function preloadPage(router: ReturnType<typeof makeRouter>): void {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  for (const { options } of routes)
    void (options.component as { preload?: () => Promise<void> } | undefined)?.preload?.();
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
  interface StaticDataRouteOption {
    /** The page shows times other than those of the top bar until the user selects others. */
    hasOwnWindow?: boolean;
    /** The page is also shown without an account. */
    isOpen?: boolean;
  }
}
