import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../lib/lazy-page';
import { onlyKnown } from '../../lib/search-params';
import { shellRoute } from '../../routing/root';
import { validateIncidentSearch, validateIncidentsSearch } from './incidents-search';

/** Pages of this feature; each is loaded when it is first opened. */
export const incidentsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/incidents',
    validateSearch: onlyKnown(validateIncidentsSearch),
    component: lazyPage(() => import('./incidents.page'), 'IncidentsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/incident/$incidentId',
    validateSearch: onlyKnown(validateIncidentSearch),
    component: lazyPage(() => import('./incident.page'), 'IncidentPage'),
  }),
];
