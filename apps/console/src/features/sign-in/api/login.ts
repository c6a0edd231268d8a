import { queryOptions } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../lib/api';

export const demoOrgsQuery = queryOptions({
  queryKey: ['signup', 'demo-orgs'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/signup/demo-orgs', { signal })),
  staleTime: 5 * 60_000,
});

/** The user of this browser; null without a session. */
export const visitorQuery = queryOptions({
  queryKey: ['login', 'visitor'],
  queryFn: async ({ signal }): Promise<Schema<'UserDto'> | null> => {
    // Every visitor may request the tour, but only users have ids in it: no refused request appears in the log of the
    // browser.
    const { progress } = await unwrap(api.GET('/api/progress/demo', { signal }));
    if (progress.every(({ id }) => id === null)) return null;
    return (await unwrap(api.GET('/api/user/info', { signal }))).user;
  },
  retry: false,
  staleTime: 0,
});

export const login = (body: { email: string; password: string }) => unwrap(api.POST('/api/login', { body }));

export const validateClient = (body: { code: string; token?: string }) =>
  unwrap(api.POST('/api/login/validateclient', { body }));

export const forgotPassword = (body: { email: string }) => unwrap(api.POST('/api/login/forgotpassword', { body }));

/** The password is typed once, visibly, but the API requires it twice. */
export const resetPassword = (token: string, password: string) =>
  unwrap(api.POST('/api/login/resetpassword', { body: { token, new_password_1: password, new_password_2: password } }));

export const verify = (email: string, token: string, password: string) =>
  unwrap(
    api.POST('/api/signup/verify', {
      body: { email, verification_token: token, password_1: password, password_2: password },
    }),
  );

export const confirmEmail = (token: string) => unwrap(api.POST('/api/user/confirmemail', { body: { token } }));

export const signUp = (body: { email: string; user_name: string; org_name: string; timezone: string }) =>
  unwrap(api.POST('/api/signup/selfserve', { body: { ...body, test_data: false } }));

export const visitDemo = (orgId: number) =>
  unwrap(api.POST('/api/signup/demo', { body: { demo_org_id: orgId, user_name: '', consent: false } }));
