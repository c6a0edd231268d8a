import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../lib/lazy-page';
import { onlyKnown } from '../../lib/search-params';
import { shellRoute } from '../../routing/root';
import { validateNewTuningSearch, validateScaleSearch, validateTeachSearch } from './teach-search';

/** Pages of this feature; each is loaded when it is first opened. */
export const teachRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/teach',
    validateSearch: onlyKnown(validateTeachSearch),
    component: lazyPage(() => import('./teach.page'), 'TeachPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/pattern/$patternId',
    validateSearch: onlyKnown(validateScaleSearch),
    component: lazyPage(() => import('./pattern.page'), 'PatternPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/match/$matchId',
    validateSearch: onlyKnown(validateScaleSearch),
    component: lazyPage(() => import('./match.page'), 'MatchPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/tuning/new',
    validateSearch: onlyKnown(validateNewTuningSearch),
    component: lazyPage(() => import('./new-tuning.page'), 'NewTuningPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/tuning/$tuningId',
    component: lazyPage(() => import('./tuning.page'), 'TuningPage'),
  }),
];
