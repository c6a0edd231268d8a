import { Button, Group, Table, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { texts as shared } from '../../../components/components.texts';
import { Failed, RowsSkeleton } from '../../../components/page-states';
import rows from '../../../components/rows.module.css';
import { Ago } from '../../../components/times';
import { type Schema } from '../../../lib/api';
import { useRowKeys } from '../../../lib/row-keys';
import { sessionsQuery, signOut, useEndSession } from '../api/account';
import { texts } from '../account.texts';
import { clientText } from '../session-client';
import { Section } from './section';

/** The sessions of the person, with buttons to end each, all others, or all. */
export function SessionsPart() {
  const { data, isPending, error, refetch } = useQuery(sessionsQuery);
  const end = useEndSession();
  const everywhere = useMutation({ mutationFn: () => signOut(true) });
  const hasOthers = (data?.sessions.length ?? 0) > 1;
  return (
    <Section title={texts.sessions} text={hasOthers ? texts.othersText : texts.onlySession}>
      {error && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
      {isPending && <RowsSkeleton rows={2} />}
      {data && <SessionTable sessions={data.sessions} />}
      {everywhere.error && <Failed error={everywhere.error} />}
      {data && (
        <Group gap="sm">
          <Button variant="default" disabled={!hasOthers} loading={end.isPending} onClick={() => end.mutate('others')}>
            {texts.signOutOthers}
          </Button>
          <Button variant="default" loading={everywhere.isPending} onClick={() => everywhere.mutate()}>
            {texts.signOutAll}
          </Button>
        </Group>
      )}
    </Section>
  );
}

function SessionTable({ sessions }: { sessions: readonly Schema<'OwnSessionDto'>[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, shared.rows);
  return (
    <Table aria-label={texts.sessions}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.client}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.address}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.created}</Table.Th>
          <Table.Th>{texts.columns.used}</Table.Th>
          <Table.Th>{texts.columns.action}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody ref={body}>
        {sessions.map((session) => (
          <Row key={session.ref} session={session} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ session }: { session: Schema<'OwnSessionDto'> }) {
  const { ref, current, client, address, created_timestamp: createdAt, last_used_timestamp: used } = session;
  const end = useEndSession();
  const out = useMutation({ mutationFn: () => signOut(false) });
  const text = clientText(client);
  return (
    <Table.Tr className={rows.row} data-row-box>
      <Table.Td>
        <bdi title={client ?? undefined}>{text}</bdi>
        {current && (
          <Text span size="sm" className="dim">
            {' '}
            ({texts.current})
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm" className="mono">
        {address ?? texts.unknown}
      </Table.Td>
      <Table.Td visibleFrom="sm" className={rows.when}>
        <Ago at={createdAt} />
      </Table.Td>
      <Table.Td className={rows.when}>
        <Ago at={used} />
      </Table.Td>
      <Table.Td>
        <Button
          variant="default"
          size="compact-xs"
          data-row={ref}
          loading={end.isPending || out.isPending}
          aria-label={texts.signOutOf(current ? texts.current : text)}
          onClick={() => (current ? out.mutate() : end.mutate(ref))}
        >
          {texts.signOut}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
