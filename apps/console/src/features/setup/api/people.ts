import { notifications } from '@mantine/notifications';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../lib/api';
import { reloadQueries } from '../../../lib/reload';
import { offerUndo } from '../../../lib/undo';
import { displayName } from '../person-text';
import { texts } from '../people.texts';
import { type PeopleSearch } from '../setup-search';
import { texts as setup } from '../setup.texts';

export const PAGE_SIZE = 100;
const POLL_MS = 30_000;

type User = Schema<'UserDto'>;

/** The people of the organisation, one page of them. */
export const peopleQuery = ({ page = 1, state }: PeopleSearch) =>
  queryOptions({
    queryKey: ['org', 'users', 'page', page, state ?? 'all'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/org/users', {
          params: { query: { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE, ...(state && { state: [state] }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });

const PEOPLE = [
  ['org', 'users'],
  ['org', 'info'],
] as const;

const pathOf = ({ id }: User) => ({ path: { user_id: id } });

export type UserChange = Partial<{ name: string; admin: boolean; state: 'active' | 'disabled' }>;

const change = (user: User, body: UserChange) =>
  unwrap(api.PUT('/api/org/users/{user_id}', { params: pathOf(user), body }));

const fail = (error: Error): void => {
  notifications.show({ color: 'red', message: setup.failed(error.message) });
};

/** Invites a person. If no mail can be sent, the answer contains the link. */
export function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; name: string; admin: boolean }) => unwrap(api.POST('/api/org/users', { body })),
    onSuccess: () => reloadQueries(client, ...PEOPLE),
  });
}

/** Resends the invitation of a person, with a new link. */
export function useResend() {
  return useMutation({
    mutationFn: (user: User) =>
      unwrap(api.PUT('/api/org/users/{user_id}', { params: pathOf(user), body: { resend_invite: true } })),
    onError: fail,
  });
}

/** Changes a person, and offers to undo that. */
export function useChangePerson(onDone: () => void) {
  const client = useQueryClient();
  const reload = () => reloadQueries(client, ...PEOPLE);
  return useMutation({
    mutationFn: ({ user, body }: { user: User; body: UserChange }) => change(user, body),
    onSuccess: (_, { user, body }) => {
      onDone();
      offerUndo(textOf(user, body), texts.undo, async () => {
        await change(user, before(user, body)).catch(fail);
        await reload();
      });
      return reload();
    },
  });
}

/** The change that undoes another change. */
function before(user: User, { name, admin, state }: UserChange): UserChange {
  return {
    ...(name === undefined ? {} : { name: user.name }),
    ...(admin === undefined ? {} : { admin: user.admin }),
    ...(state === undefined ? {} : { state: state === 'disabled' ? 'active' : 'disabled' }),
  };
}

function textOf(user: User, { name, admin, state }: UserChange): string {
  const shown = displayName(user);
  if (state !== undefined) return (state === 'disabled' ? texts.disabled : texts.enabled)(shown);
  if (admin !== undefined) return texts.changedRole(shown, admin ? texts.roles.admin : texts.roles.user);
  return texts.changedName(name ?? '');
}

/** Permanently removes a person. */
export function useRemovePerson(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (user: User) => unwrap(api.DELETE('/api/org/users/{user_id}', { params: pathOf(user) })),
    onSuccess: (_, user) => {
      onDone();
      notifications.show({ message: texts.removed(displayName(user)) });
      return reloadQueries(client, ...PEOPLE);
    },
  });
}
