import { Button, Group, Switch, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { texts as shared } from '../../components/components.texts';
import { ListFrame } from '../../components/list-frame';
import { Empty } from '../../components/page-states';
import rows from '../../components/rows.module.css';
import { Ago } from '../../components/times';
import { type Schema } from '../../lib/api';
import { isolated } from '../../lib/isolated';
import { keepView } from '../../lib/keep-view';
import { useListPage } from '../../lib/list-page';
import { useMayWrite } from '../../lib/me';
import { countText } from '../../lib/numbers';
import { useRowKeys } from '../../lib/row-keys';
import { type SetSearch, useSetFilters } from '../../lib/set-search';
import { texts } from './alerts.texts';
import { PAGE_SIZE, watchersQuery } from './api/watchers';
import { AlertsTabs } from './parts/alerts-tabs';
import { PauseButton } from './parts/pause-button';
import { Watched } from './parts/watched';
import { conditionsOf, destinationsOf } from './watcher-text';
import { type WatchersSearch } from './watchers-search';

const itemsOf = ({ watchers }: Schema<'WatchersDto'>) => watchers;

/** The list of watchers. */
export function WatchersPage() {
  const { page = 1, deleted }: WatchersSearch = useSearch({ strict: false });
  const query = useQuery(watchersQuery(page, deleted === 'yes'));
  const list = useListPage({ query, itemsOf, search: { page } });
  const set: SetSearch<WatchersSearch> = useSetFilters();
  const mayWrite = useMayWrite();
  return (
    <>
      <Title order={1}>{texts.title}</Title>
      <AlertsTabs tab="watchers">
        <Group justify="space-between" mb="xs">
          <Text size="sm" className="dim">
            {list.total !== undefined && texts.count(list.total)}
            {!mayWrite && ` ${shared.demoReads}`}
          </Text>
          <Switch
            size="xs"
            ml="auto"
            label={texts.showDeleted}
            checked={deleted === 'yes'}
            onChange={(event) => set({ deleted: event.currentTarget.checked ? 'yes' : undefined })}
          />
          {mayWrite && (
            <Button renderRoot={(props: object) => <Link {...props} to="/watchers/new" search={keepView as never} />}>
              {texts.newWatcher}
            </Button>
          )}
        </Group>
        <ListFrame list={list} size={PAGE_SIZE} skeleton={5} empty={<Empty title={texts.none}>{texts.noneText}</Empty>}>
          {(watchers) => <WatcherTable watchers={watchers} />}
        </ListFrame>
      </AlertsTabs>
    </>
  );
}

function WatcherTable({ watchers }: { watchers: readonly Schema<'WatcherDto'>[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, shared.rows);
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.name}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.watches}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.when}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.to}</Table.Th>
          <Table.Th visibleFrom="xs" className={rows.right}>
            {texts.columns.week}
          </Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.last}</Table.Th>
          <Table.Th>{texts.columns.alert}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody ref={body}>
        {watchers.map((watcher) => (
          <Row key={watcher.id} watcher={watcher} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ watcher }: { watcher: Schema<'WatcherDto'> }) {
  const { id, name, budget, alerts_last_7_days: sent, last_alert_timestamp: last } = watcher;
  const destinations = destinationsOf(watcher);
  const week = budget ? texts.weekOf(sent, budget.wanted) : countText(sent);
  return (
    <Table.Tr className={rows.row} data-row-box>
      <Table.Td>
        <Link
          to="/watchers/$watcherId"
          params={{ watcherId: String(id) }}
          search={keepView as never}
          className={rows.link}
          data-row={id}
        >
          <bdi>{name}</bdi>
        </Link>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Watched watcher={watcher} />
      </Table.Td>
      <Table.Td visibleFrom="md">{conditionsOf(watcher).join(', ')}</Table.Td>
      <Table.Td visibleFrom="md" className={destinations.length === 0 ? 'dim' : undefined}>
        {destinations.length === 0 ? texts.noChannel : destinations.map(isolated).join(', ')}
      </Table.Td>
      <Table.Td visibleFrom="xs" className={rows.right}>
        <Link
          to="/alerts/deliveries"
          search={(current: Record<string, unknown>) => ({ ...keepView(current), watcher: id, w: '7d' })}
          aria-label={`${texts.sentOf(name)}: ${week}`}
        >
          {week}
        </Link>
      </Table.Td>
      <Table.Td visibleFrom="sm" className={rows.when}>
        {last === null ? <span className="dim">{texts.never}</span> : <Ago at={last} />}
      </Table.Td>
      <Table.Td>
        {watcher.deleted ? <span className="dim">{texts.isDeleted}</span> : <PauseButton watcher={watcher} />}
      </Table.Td>
    </Table.Tr>
  );
}
