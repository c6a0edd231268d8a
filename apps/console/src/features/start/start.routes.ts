import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../lib/lazy-page';
import { onlyKnown } from '../../lib/search-params';
import { shellRoute } from '../../routing/root';
import { validateStartSearch } from './start-search';

/** Pages of this feature; each is loaded when it is first opened. */
export const startRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/start',
    validateSearch: onlyKnown(validateStartSearch),
    component: lazyPage(() => import('./start.page'), 'StartPage'),
  }),
];
