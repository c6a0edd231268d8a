import { Select, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ListFrame } from '../../components/list-frame';
import { Nothing } from '../../components/nothing';
import rows from '../../components/rows.module.css';
import { Time } from '../../components/times';
import { type Schema } from '../../lib/api';
import { useListPage } from '../../lib/list-page';
import { useMe } from '../../lib/me';
import { type SetSearch, useSetFilters } from '../../lib/set-search';
import { useWindow } from '../../lib/window';
import { actorsQuery, AUDIT_PAGE_SIZE, auditQuery } from './api/audit';
import { actorText, changeText, OBJECT_TYPES } from './audit-text';
import { texts } from './audit.texts';
import { AskAdmins } from '../../components/ask-admins';
import { SetupTabs } from './parts/setup-tabs';
import { displayName } from './person-text';
import { type AuditSearch } from './setup-search';

const DEBOUNCE_MS = 300;

const itemsOf = ({ entries }: Schema<'AuditEntriesDto'>) => entries;

/** The audit log. */
export function AuditPage() {
  const { admin: isAdmin } = useMe();
  return (
    <SetupTabs tab="audit">
      {isAdmin ? (
        <Log />
      ) : (
        <Text size="sm">
          <AskAdmins why={texts.onlyAdmins} />
        </Text>
      )}
    </SetupTabs>
  );
}

function Log() {
  const search: AuditSearch = useSearch({ strict: false });
  const { from, until } = useWindow();
  const list = useListPage({ query: useQuery(auditQuery(search, from, until)), itemsOf, search });
  const { action, object, user } = search;
  const isFiltered = action !== undefined || object !== undefined || user !== undefined;
  return (
    <>
      <Text size="sm" className="dim">
        {texts.intro} {list.total !== undefined && texts.count(list.total)}
      </Text>
      <Filters search={search} />
      <ListFrame
        list={list}
        size={AUDIT_PAGE_SIZE}
        skeleton={8}
        empty={<Nothing title={texts.none} isFiltered={isFiltered} />}
      >
        {(entries) => <EntryTable entries={entries} />}
      </ListFrame>
    </>
  );
}

function Filters({ search }: { search: AuditSearch }) {
  const actors = useQuery(actorsQuery);
  const [action, setAction] = useState(search.action ?? '');
  const change: SetSearch<AuditSearch> = useSetFilters({ replace: true });
  const seek = useDebouncedCallback((text: string) => change({ action: text.trim() || undefined }), DEBOUNCE_MS);
  return (
    <div className={rows.filters}>
      <TextInput
        size="xs"
        aria-label={texts.action}
        placeholder={texts.actionHint}
        maxLength={100}
        value={action}
        onChange={(event) => {
          setAction(event.currentTarget.value);
          seek(event.currentTarget.value);
        }}
      />
      <Select
        size="xs"
        aria-label={texts.object}
        placeholder={texts.anyObject}
        clearable
        data={OBJECT_TYPES}
        value={search.object ?? null}
        onChange={(object) => change({ object: object ?? undefined })}
      />
      <Select
        size="xs"
        aria-label={texts.user}
        placeholder={texts.anyUser}
        clearable
        searchable
        data={(actors.data?.users ?? []).map((user) => ({ value: String(user.id), label: displayName(user) }))}
        value={search.user === undefined ? null : String(search.user)}
        onChange={(id) => change({ user: id === null ? undefined : Number(id) })}
      />
    </div>
  );
}

function EntryTable({ entries }: { entries: readonly Schema<'AuditEntryDto'>[] }) {
  return (
    <Table aria-label={texts.title}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.time}</Table.Th>
          <Table.Th>{texts.columns.who}</Table.Th>
          <Table.Th>{texts.columns.action}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.changes}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.from}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ entry }: { entry: Schema<'AuditEntryDto'> }) {
  const { timestamp, actor, action, object, ip, request_id: request } = entry;
  return (
    <Table.Tr className={rows.row}>
      <Table.Td className={rows.when}>
        <Time at={timestamp} />
      </Table.Td>
      <Table.Td>{actorText(actor)}</Table.Td>
      <Table.Td>
        <span className="mono">{action}</span>
        <Text size="xs" className="dim">
          <bdi>{object.name || `${object.type} ${object.id}`}</bdi>
        </Text>
        <Text size="xs" hiddenFrom="md" component="div">
          <Changes changes={entry.changes} />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Changes changes={entry.changes} />
      </Table.Td>
      <Table.Td visibleFrom="md" className="mono" title={request === null ? undefined : texts.request(request)}>
        {ip ?? texts.unset}
      </Table.Td>
    </Table.Tr>
  );
}

const MAX_CHANGES = 6;

function Changes({ changes }: { changes: Schema<'AuditEntryDto'>['changes'] }) {
  return (
    <>
      {changes.slice(0, MAX_CHANGES).map((change) => (
        <div key={change.field}>
          <bdi>{changeText(change)}</bdi>
        </div>
      ))}
      {changes.length > MAX_CHANGES && <div className="dim">{texts.more(changes.length - MAX_CHANGES)}</div>}
    </>
  );
}
