import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent } from 'react';
import { Failed } from '../../../components/page-states';
import { ApiError } from '../../../lib/api';
import { useDraft } from '../../../lib/draft';
import { useMe } from '../../../lib/me';
import { useChangeAccount } from '../api/account';
import { servicesQuery } from '../api/integrations';
import { texts } from '../account.texts';
import { texts as setup } from '../setup.texts';
import { Section } from './section';

/** The channels that reach the person. */
export function ContactForm() {
  const me = useMe();
  const services = useQuery(servicesQuery);
  const [draft, setDraft] = useDraft('ways', {
    email_alerts: me.notifications.email_alerts,
    phone_number: me.phone_number ?? '',
    chat_member_id: me.chat_member_id ?? '',
  });
  const save = useChangeAccount(() => texts.savedWays);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    save.mutate({
      ...draft,
      phone_number: draft.phone_number.trim(),
      chat_member_id: draft.chat_member_id.trim(),
    });
  };
  const problemOf = (field: string): string | undefined =>
    save.error instanceof ApiError ? save.error.problemOf(field) : undefined;
  /** Additional information about a channel: a service that is not connected. */
  const hintOf = (service: string, hint: string): string => {
    const found = services.data?.services.find(({ id }) => id === service);
    return found === undefined || found.connected ? hint : `${hint} ${texts.notConnected(found.name)}`;
  };
  return (
    <Section title={texts.ways} text={texts.waysText}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" maw={420}>
          <Checkbox
            size="xs"
            label={texts.emailAlerts}
            description={hintOf('email', texts.emailAlertsHint)}
            checked={draft.email_alerts}
            onChange={({ currentTarget: { checked } }) =>
              setDraft((current) => ({ ...current, email_alerts: checked }))
            }
          />
          <TextInput
            type="tel"
            label={texts.phone}
            description={hintOf('sms', texts.phoneHint)}
            autoComplete="tel"
            maxLength={16}
            value={draft.phone_number}
            error={problemOf('phone_number')}
            onChange={({ currentTarget: { value } }) => setDraft((current) => ({ ...current, phone_number: value }))}
          />
          <TextInput
            label={texts.member}
            description={hintOf('chat', texts.memberHint)}
            maxLength={50}
            value={draft.chat_member_id}
            error={problemOf('chat_member_id')}
            onChange={({ currentTarget: { value } }) => setDraft((current) => ({ ...current, chat_member_id: value }))}
          />
          {save.error && <Failed error={save.error} />}
          <Group>
            <Button type="submit" loading={save.isPending}>
              {setup.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
