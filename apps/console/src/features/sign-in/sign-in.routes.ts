import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../lib/lazy-page';
import { onlyKnown } from '../../lib/search-params';
import { rootRoute } from '../../routing/root';
// Imported here, not only in its pages, because it must run before the router reads the address.
import './link-secrets';
import { validateLoginSearch } from './login-search';

/** Pages of this feature; each is loaded when it is first opened. */
export const signInRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    validateSearch: onlyKnown(validateLoginSearch),
    component: lazyPage(() => import('./login.page'), 'LoginPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login/validate',
    component: lazyPage(() => import('./validate.page'), 'ValidatePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/verify',
    component: lazyPage(() => import('./verify.page'), 'VerifyPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset-password',
    component: lazyPage(() => import('./reset-password.page'), 'ResetPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/confirm-email',
    component: lazyPage(() => import('./confirm-email.page'), 'ConfirmEmailPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/signup',
    component: lazyPage(() => import('./sign-up.page'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/demo',
    component: lazyPage(() => import('./demo.page'), 'DemoPage'),
  }),
];
