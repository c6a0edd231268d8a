import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../lib/api';
import { orgInfoQuery } from '../../../lib/org-info';
import { reloadQueries } from '../../../lib/reload';
import { offerUndo } from '../../../lib/undo';
import { type RecipientIds } from '../default-recipients';
import { texts } from '../recipients.texts';

const put = (body: Partial<RecipientIds>) => unwrap(api.PUT('/api/org', { body }));

const fail = (error: Error): void => {
  notifications.show({ color: 'red', message: texts.failed(error.message) });
};

/** Changes the default recipients of messages, and offers to undo that. */
export function useSaveRecipients() {
  const client = useQueryClient();
  const reload = () => reloadQueries(client, orgInfoQuery.queryKey, ['admin-alerts']);
  return useMutation({
    mutationFn: ({ body }: { before: RecipientIds; body: Partial<RecipientIds> }) => put(body),
    onSuccess: (_, { before, body }) => {
      const back = Object.fromEntries(Object.keys(body).map((list) => [list, before[list as keyof RecipientIds]]));
      offerUndo(texts.saved, texts.undo, async () => {
        await put(back).catch(fail);
        await reload();
      });
      return reload();
    },
  });
}
