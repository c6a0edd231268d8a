import { Button, Group, Modal, MultiSelect, NumberInput, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ChannelField } from '../../../components/channel-field';
import { Failed } from '../../../components/page-states';
import { ApiError, type Schema } from '../../../lib/api';
import { areSound, bodyOf, choicesOf, draftOf, type RecipientsDraft, TIMES } from '../admin-recipients';
import { texts } from '../admin-alerts.texts';
import { useSetRecipients } from '../api/admin-alerts';
import { usersQuery } from '../api/watcher-editor';

const FIELDS = {
  email: 'email_users',
  sms: 'sms_users',
  chat: 'chat_channel',
  wait: 'wait_seconds',
  expiration: 'expiration_seconds',
} as const;
const LONGEST_CHANNEL = 100;

/** Changes the recipients of an admin alert. */
export function RecipientsDialog({ alert, onClose }: { alert: Schema<'AdminAlertDto'>; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={texts.recipientsOf(alert.name)}>
      <RecipientsForm alert={alert} onDone={onClose} />
    </Modal>
  );
}

function RecipientsForm({ alert, onDone }: { alert: Schema<'AdminAlertDto'>; onDone: () => void }) {
  const [draft, setDraft] = useState<RecipientsDraft>(() => draftOf(alert));
  const users = useQuery(usersQuery);
  const save = useSetRecipients(onDone);
  const change = (part: Partial<RecipientsDraft>): void => setDraft((current) => ({ ...current, ...part }));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (areSound(draft)) save.mutate({ alert, body: bodyOf(alert.id, draft) });
  };
  const problemOf = (field: keyof RecipientsDraft): string | undefined =>
    save.error instanceof ApiError ? save.error.problemOf(`admin_alerts.0.${FIELDS[field]}`) : undefined;
  const hasFieldProblem = (Object.keys(FIELDS) as (keyof RecipientsDraft)[]).some(
    (field) => problemOf(field) !== undefined,
  );
  const known = users.data?.users ?? [];
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {users.error && <Failed error={users.error} onRetry={() => void users.refetch()} />}
        <MultiSelect
          label={texts.mailTo}
          size="xs"
          searchable
          data-autofocus
          nothingFoundMessage={texts.noMatch}
          data={choicesOf(known, 'email', draft.email)}
          value={draft.email.map(String)}
          error={problemOf('email')}
          onChange={(ids) => change({ email: ids.map(Number) })}
        />
        <MultiSelect
          label={texts.smsTo}
          description={texts.smsHint}
          size="xs"
          searchable
          nothingFoundMessage={texts.noMatch}
          data={choicesOf(known, 'sms', draft.sms)}
          value={draft.sms.map(String)}
          error={problemOf('sms')}
          onChange={(ids) => change({ sms: ids.map(Number) })}
        />
        <ChannelField
          label={texts.chatTo}
          placeholder={texts.chatHint}
          size="xs"
          maxLength={LONGEST_CHANNEL}
          value={draft.chat}
          error={problemOf('chat')}
          onChange={(chat) => change({ chat })}
        />
        <Text size="xs" className="dim">
          {texts.defaultsHint}
        </Text>
        <Group gap="sm" align="flex-start">
          {(['wait', 'expiration'] as const).map((name) => (
            <NumberInput
              key={name}
              label={texts.times[name]}
              size="xs"
              w={200}
              allowDecimal={false}
              min={TIMES[name].min}
              max={TIMES[name].max}
              value={draft[name]}
              error={problemOf(name)}
              onChange={(minutes) => change({ [name]: minutes })}
            />
          ))}
        </Group>
        {save.error && !hasFieldProblem && <Failed error={save.error} />}
        <Group gap="sm">
          <Button type="submit" loading={save.isPending} disabled={users.data === undefined || !areSound(draft)}>
            {texts.save}
          </Button>
          <Button variant="default" onClick={onDone}>
            {texts.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
