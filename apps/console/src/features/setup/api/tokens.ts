import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../lib/api';
import { isolated } from '../../../lib/isolated';
import { reloadQueries } from '../../../lib/reload';
import { type bodyOf } from '../token-form';
import { texts } from '../tokens.texts';

const POLL_MS = 30_000;

/** The tokens of the organisation, masked; newest last. */
export const tokensQuery = queryOptions({
  queryKey: ['org', 'tokens'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/org/tokens', { signal })),
  refetchInterval: POLL_MS,
});

type TokenBody = ReturnType<typeof bodyOf>;

/** Names a token without its secret. */
const pathOf = (ref: number) => ({ path: { token_id: `ref:${String(ref)}` } });

/** Creates a token. Only this answer contains it in full. */
export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: TokenBody) => unwrap(api.POST('/api/org/tokens', { body })),
    onSuccess: () => reloadQueries(client, tokensQuery.queryKey),
  });
}

export function useChangeToken(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ ref, body }: { ref: number; body: TokenBody }) =>
      unwrap(api.PUT('/api/org/tokens/{token_id}', { params: pathOf(ref), body })),
    onSuccess: ({ token }) => {
      onDone();
      notifications.show({ message: texts.changed(isolated(token.name)) });
      return reloadQueries(client, tokensQuery.queryKey);
    },
  });
}

export function useDeleteToken(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ ref }: Schema<'TokenDto'>) =>
      unwrap(api.DELETE('/api/org/tokens/{token_id}', { params: pathOf(ref) })),
    onSuccess: (_, { name }) => {
      onDone();
      notifications.show({ message: texts.deleted(isolated(name)) });
      return reloadQueries(client, tokensQuery.queryKey);
    },
  });
}
