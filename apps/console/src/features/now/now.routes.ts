import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../lib/lazy-page';
import { dataNow } from '../../lib/now';
import { onlyKnown } from '../../lib/search-params';
import { validateViewSearch, windowAt } from '../../lib/window-address';
import { shellRoute } from '../../routing/root';
import { prefetchPage } from './api/now.queries';

/** The first page. Loading of its file starts with the console itself (`ahead.ts`), except for users who sign in. */
export const nowRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/',
    validateSearch: onlyKnown(({ lanes }): { lanes?: 'table' } => (lanes === 'table' ? { lanes: 'table' } : {})),
    loader: ({ context, location }) =>
      prefetchPage(context.queryClient, windowAt(validateViewSearch({ ...location.search }), dataNow())),
    component: lazyPage(() => import('./now.page'), 'NowPage'),
  }),
];
