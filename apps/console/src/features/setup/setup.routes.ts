import { createRoute, redirect } from '@tanstack/react-router';
import { keepView } from '../../lib/keep-view';
import { lazyPage } from '../../lib/lazy-page';
import { meQuery } from '../../lib/me';
import { onlyKnown } from '../../lib/search-params';
import { shellRoute } from '../../routing/root';
import {
  validateAuditSearch,
  validateBillingSearch,
  validateConfigurationSearch,
  validateNewTokenSearch,
  validateOrganisationSearch,
  validatePeopleSearch,
  validateRemovalSearch,
  validateStatusSearch,
} from './setup-search';

/** Pages of this feature; each is loaded when it is first opened. */
export const setupRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup',
    beforeLoad: ({ context, search }) => {
      const isAdmin = context.queryClient.getQueryData(meQuery.queryKey)?.user.admin ?? false;
      throw redirect({ to: isAdmin ? '/setup/tokens' : '/setup/account', search: keepView({ ...search }) } as never);
    },
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup/tokens',
    component: lazyPage(() => import('./tokens.page'), 'TokensPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup/tokens/new',
    validateSearch: onlyKnown(validateNewTokenSearch),
    component: lazyPage(() => import('./new-token.page'), 'NewTokenPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup/sources',
    component: lazyPage(() => import('./sources.page'), 'SourcesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup/sources/new',
    component: lazyPage(() => import('./new-source.page'), 'NewSourcePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup/sources/$sourceId',
    component: lazyPage(() => import('./source.page'), 'SourcePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup/people',
    validateSearch: onlyKnown(validatePeopleSearch),
    component: lazyPage(() => import('./people.page'), 'PeoplePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup/account',
    component: lazyPage(() => import('./account.page'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup/integrations',
    component: lazyPage(() => import('./integrations.page'), 'IntegrationsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup/integrations/$serviceId',
    component: lazyPage(() => import('./integration.page'), 'IntegrationPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup/organisation',
    validateSearch: onlyKnown(validateOrganisationSearch),
    component: lazyPage(() => import('./organisation.page'), 'OrganisationPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup/audit',
    validateSearch: onlyKnown(validateAuditSearch),
    component: lazyPage(() => import('./audit.page'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup/configuration',
    validateSearch: onlyKnown(validateConfigurationSearch),
    component: lazyPage(() => import('./configuration.page'), 'ConfigurationPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup/billing',
    validateSearch: onlyKnown(validateBillingSearch),
    component: lazyPage(() => import('./billing.page'), 'BillingPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    // The return address for the payment provider.
    path: '/billing',
    validateSearch: onlyKnown(validateBillingSearch),
    beforeLoad: ({ search }) => {
      throw redirect({
        to: '/setup/billing',
        search: { ...keepView({ ...search }), ...validateBillingSearch({ ...search }) },
      } as never);
    },
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup/removal',
    validateSearch: onlyKnown(validateRemovalSearch),
    component: lazyPage(() => import('./removal.page'), 'RemovalPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/setup/status',
    validateSearch: onlyKnown(validateStatusSearch),
    component: lazyPage(() => import('./status.page'), 'StatusPage'),
  }),
];
