import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../lib/lazy-page';
import { onlyKnown } from '../../lib/search-params';
import { shellRoute } from '../../routing/root';
import { validateMetricSearch, validateMetricsSearch } from './metrics-search';

/** Pages of this feature; each is loaded when it is first opened. */
export const metricsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/metrics',
    validateSearch: onlyKnown(validateMetricsSearch),
    component: lazyPage(() => import('./metrics.page'), 'MetricsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/metric/$metricName',
    validateSearch: onlyKnown(validateMetricSearch),
    component: lazyPage(() => import('./metric.page'), 'MetricPage'),
  }),
];
