import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../lib/lazy-page';
import { onlyKnown } from '../../lib/search-params';
import { shellRoute } from '../../routing/root';
import { validateAnomaliesSearch } from './anomaly-list-search';
import { validateAnomalySearch } from './anomaly-search';

/** Pages of this feature; each is loaded when it is first opened. */
export const anomaliesRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/anomalies',
    validateSearch: onlyKnown(validateAnomaliesSearch),
    component: lazyPage(() => import('./anomalies.page'), 'AnomaliesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/anomaly/$anomalyId',
    staticData: { hasOwnWindow: true },
    validateSearch: onlyKnown(validateAnomalySearch),
    component: lazyPage(() => import('./anomaly.page'), 'AnomalyPage'),
  }),
];
