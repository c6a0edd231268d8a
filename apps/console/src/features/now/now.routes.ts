import { createRoute } from '@tanstack/react-router';
import { dataNow } from '../../lib/now';
import { onlyKnown } from '../../lib/search-params';
import { validateViewSearch, windowAt } from '../../lib/window-address';
import { shellRoute } from '../../routing/root';
import { askAhead } from './api/now.queries';
import { NowPage } from './now.page';

/** The first page: its file is that of the console itself. */
export const nowRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/',
    validateSearch: onlyKnown(({ lanes }): { lanes?: 'table' } => (lanes === 'table' ? { lanes: 'table' } : {})),
    loader: ({ context, location }) =>
      askAhead(context.queryClient, windowAt(validateViewSearch({ ...location.search }), dataNow())),
    component: NowPage,
  }),
];
