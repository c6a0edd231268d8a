import { Anchor, Button, Group, MultiSelect, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { texts as shared } from '../../components/components.texts';
import { Failed, RowsSkeleton } from '../../components/page-states';
import { Pairs } from '../../components/pairs';
import { Time } from '../../components/times';
import { ApiError, type Schema } from '../../lib/api';
import { isolated } from '../../lib/isolated';
import { keepView } from '../../lib/keep-view';
import { useMayWrite, useMe } from '../../lib/me';
import { useMute, useMutedUntil } from '../../lib/muting';
import { orgInfoQuery } from '../../lib/org-info';
import { choicesOf } from './admin-recipients';
import { texts as alerts } from './alerts.texts';
import { useSaveRecipients } from './api/recipients';
import { usersQuery } from './api/watcher-editor';
import {
  changedLists,
  idsOf,
  RECIPIENT_LISTS,
  type RecipientIds,
  type RecipientList,
  usersIn,
  channelOf,
} from './default-recipients';
import { AlertsTabs } from './parts/alerts-tabs';
import { texts } from './recipients.texts';

type Recipients = Schema<'AlertRecipientsDto'>;

/** The recipients for watchers without their own, and whether any messages are currently sent. */
export function RecipientsPage() {
  const { admin: isAdmin } = useMe();
  const { data, isPending, error, refetch } = useQuery(orgInfoQuery);
  return (
    <>
      <Title order={1}>{alerts.title}</Title>
      <AlertsTabs tab="recipients">
        <Stack gap="xl" maw={760}>
          <MutePart />
          <Stack gap="xs" component="section">
            <Title order={2}>{texts.defaults}</Title>
            <Text size="sm" className="dim">
              {texts.defaultsText} {!isAdmin && texts.onlyAdmins}
            </Text>
            {error && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
            {isPending && <RowsSkeleton rows={8} />}
            {data &&
              (isAdmin ? (
                // Restarts with the saved values, whether they were saved here or elsewhere.
                <RecipientsForm key={JSON.stringify(idsOf(data.alert_recipients))} recipients={data.alert_recipients} />
              ) : (
                <Pairs
                  isWide
                  pairs={RECIPIENT_LISTS.map((list) => ({
                    name: texts.fields[list],
                    value: namesIn(data.alert_recipients, list),
                  }))}
                />
              ))}
          </Stack>
        </Stack>
      </AlertsTabs>
    </>
  );
}

function namesIn(recipients: Recipients, list: RecipientList): string {
  const names = usersIn(recipients, list).map(({ name, email }) => isolated(name || email));
  return names.length === 0 ? texts.none : names.join(', ');
}

const LENGTHS = Object.entries(texts.lengths).map(([value, label]) => ({ value, label }));

function MutePart() {
  const until = useMutedUntil();
  const mayWrite = useMayWrite();
  const mute = useMute();
  const [minutes, setMinutes] = useState('60');
  return (
    <Stack gap="xs" component="section">
      <Title order={2}>{texts.mute}</Title>
      <Text size="sm" className="dim">
        {texts.muteText}
      </Text>
      <Text size="sm">
        {until === null ? (
          texts.notMuted
        ) : (
          <>
            <strong>{texts.isMuted}</strong> <Time at={until} />.
          </>
        )}{' '}
        {texts.oneOnly}{' '}
        <Anchor component={Link} to="/alerts/exclusions" search={keepView as never} size="sm">
          {texts.maintenance}
        </Anchor>
        .
      </Text>
      {mayWrite ? (
        <Group gap="sm" align="flex-end">
          <Select
            label={texts.length}
            size="xs"
            w={140}
            data={LENGTHS}
            value={minutes}
            allowDeselect={false}
            onChange={(next) => setMinutes(next ?? minutes)}
          />
          <Button variant="default" loading={mute.isPending} onClick={() => mute.mutate(Number(minutes))}>
            {until === null ? texts.muteButton : texts.muteAgain}
          </Button>
        </Group>
      ) : (
        <Text size="sm" className="dim">
          {shared.demoReads}
        </Text>
      )}
    </Stack>
  );
}

function RecipientsForm({ recipients }: { recipients: Recipients }) {
  const before = idsOf(recipients);
  const [draft, setDraft] = useState<RecipientIds>(before);
  const users = useQuery(usersQuery);
  const save = useSaveRecipients();
  const body = changedLists(before, draft);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    save.mutate({ before, body });
  };
  const problemOf = (list: RecipientList): string | undefined =>
    save.error instanceof ApiError ? save.error.problemOf(list) : undefined;
  const hasPlace = RECIPIENT_LISTS.some((list) => problemOf(list) !== undefined);
  // Selected users have names immediately, before all people are loaded.
  const known = users.data?.users ?? [
    ...new Map(RECIPIENT_LISTS.flatMap((list) => usersIn(recipients, list)).map((user) => [user.id, user])).values(),
  ];
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw={560}>
        {users.error && <Failed error={users.error} onRetry={() => void users.refetch()} isOld={false} />}
        {RECIPIENT_LISTS.map((list) => (
          <MultiSelect
            key={list}
            label={texts.fields[list]}
            description={texts.hints[list]}
            size="xs"
            searchable
            nothingFoundMessage={texts.noneAlike}
            data={choicesOf(known, channelOf(list), draft[list])}
            value={draft[list].map(String)}
            error={problemOf(list)}
            onChange={(ids) => setDraft((current) => ({ ...current, [list]: ids.map(Number) }))}
          />
        ))}
        {save.error && !hasPlace && <Failed error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={Object.keys(body).length === 0}>
            {texts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
