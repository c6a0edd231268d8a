import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../lib/lazy-page';
import { onlyKnown } from '../../lib/search-params';
import { shellRoute } from '../../routing/root';
import { validateDeliveriesSearch } from './deliveries-search';
import { validateEventsSearch } from './events-search';
import { validateExclusionsSearch } from './exclusions-search';
import { validateNewWatcherSearch, validateWatchersSearch } from './watchers-search';

/** Pages of this feature; each is loaded when it is first opened. */
export const alertsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/alerts',
    validateSearch: onlyKnown(validateWatchersSearch),
    component: lazyPage(() => import('./watchers.page'), 'WatchersPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/alerts/deliveries',
    validateSearch: onlyKnown(validateDeliveriesSearch),
    component: lazyPage(() => import('./deliveries.page'), 'DeliveriesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/alerts/events',
    validateSearch: onlyKnown(validateEventsSearch),
    component: lazyPage(() => import('./events.page'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/alerts/exclusions',
    validateSearch: onlyKnown(validateExclusionsSearch),
    component: lazyPage(() => import('./exclusions.page'), 'ExclusionsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/alerts/recipients',
    component: lazyPage(() => import('./recipients.page'), 'RecipientsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/alerts/admin',
    component: lazyPage(() => import('./admin-alerts.page'), 'AdminAlertsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/watchers/new',
    validateSearch: onlyKnown(validateNewWatcherSearch),
    component: lazyPage(() => import('./new-watcher.page'), 'NewWatcherPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/watchers/$watcherId',
    component: lazyPage(() => import('./watcher.page'), 'WatcherPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/watchers/$watcherId/edit',
    component: lazyPage(() => import('./edit-watcher.page'), 'EditWatcherPage'),
  }),
];
