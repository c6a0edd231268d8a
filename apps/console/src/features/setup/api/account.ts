import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../lib/api';
import { meQuery } from '../../../lib/me';
import { reloadQueries } from '../../../lib/reload';
import { texts } from '../account.texts';
import { texts as setup } from '../setup.texts';

const POLL_MS = 30_000;

export const sessionsQuery = queryOptions({
  queryKey: ['user', 'sessions'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/user/sessions', { signal })),
  refetchInterval: POLL_MS,
});

export interface AccountChange {
  name?: string;
  email?: string;
  password?: string;
  phone_number?: string;
  chat_member_id?: string;
  email_alerts?: boolean;
}

/** Changes the user's own account. The answer states whether a new address waits for confirmation. */
export function useChangeAccount(done: (emailPending: string | null) => string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: AccountChange) => unwrap(api.PUT('/api/user', { body })),
    onSuccess: ({ email_pending: pending }) => {
      notifications.show({ message: done(pending) });
      return reloadQueries(client, meQuery.queryKey, ['org', 'users']);
    },
  });
}

/** The password is typed once, visibly, but the API requires it twice. */
export function useChangePassword(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ old, next }: { old: string; next: string }) =>
      unwrap(
        api.PUT('/api/user/password', { body: { old_password: old, new_password_1: next, new_password_2: next } }),
      ),
    onSuccess: () => {
      onDone();
      notifications.show({ message: texts.changed });
      return reloadQueries(client, sessionsQuery.queryKey);
    },
  });
}

/** Ends a session by its handle; `others`: all except this one. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ref: string) => unwrap(api.DELETE('/api/user/sessions/{ref}', { params: { path: { ref } } })),
    onSuccess: (_, ref) => {
      notifications.show({ message: ref === 'others' ? texts.endedOthers : texts.ended });
      return reloadQueries(client, sessionsQuery.queryKey);
    },
    onError: (error) => {
      notifications.show({ color: 'red', message: setup.failed(error.message) });
    },
  });
}

/** Ends this session, or all of them, and opens the sign-in. */
export async function signOut(isEverywhere: boolean): Promise<void> {
  if (isEverywhere) await unwrap(api.DELETE('/api/user/sessions/{ref}', { params: { path: { ref: 'others' } } }));
  await unwrap(api.POST('/api/user/logout', {}));
  location.assign('/login');
}

/** Removes the user's own account and opens the sign-in. */
export const removeOwnAccount = async (password: string): Promise<void> => {
  await unwrap(api.POST('/api/user/delete', { body: { password } }));
  location.assign('/login');
};
