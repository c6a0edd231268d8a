import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../lib/lazy-page';
import { onlyKnown } from '../../lib/search-params';
import { shellRoute } from '../../routing/root';
import { validateBenchmarkSearch } from './benchmark-search';

/** Pages of this feature; each is loaded when it is first opened. */
export const benchmarkRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/benchmark',
    staticData: { isOpen: true },
    component: lazyPage(() => import('./new-benchmark.page'), 'NewBenchmarkPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/benchmark/$benchmarkId',
    // Its times are those of the series, until the user selects others.
    staticData: { isOpen: true, hasOwnWindow: true },
    validateSearch: onlyKnown(validateBenchmarkSearch),
    component: lazyPage(() => import('./benchmark.page'), 'BenchmarkPage'),
  }),
];
