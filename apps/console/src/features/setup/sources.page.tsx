import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { texts as shared } from '../../components/components.texts';
import { ListFrame } from '../../components/list-frame';
import { Empty } from '../../components/page-states';
import rows from '../../components/rows.module.css';
import { Ago } from '../../components/times';
import { type Schema } from '../../lib/api';
import { keepView } from '../../lib/keep-view';
import { useListPage } from '../../lib/list-page';
import { useMe } from '../../lib/me';
import { useRowKeys } from '../../lib/row-keys';
import { sourcesQuery } from './api/sources';
import { AskAdmins } from '../../components/ask-admins';
import { SetupTabs } from './parts/setup-tabs';
import { SourceState } from './parts/source-state';
import { type Source } from './source-form';
import { texts } from './sources.texts';

const itemsOf = ({ sources }: Schema<'SourcesDto'>): readonly Source[] => sources;

/** Queries in other systems whose results are fetched. */
export function SourcesPage() {
  const list = useListPage({ query: useQuery(sourcesQuery), itemsOf, search: {} });
  const { admin: isAdmin } = useMe();
  return (
    <SetupTabs tab="sources">
      <Group justify="space-between" mb="xs" gap="xs">
        <Text size="sm" className="dim" flex="1 1 240px">
          {texts.intro} {list.items.length > 0 && texts.count(list.items.length)} <AskAdmins why={texts.onlyAdmins} />
        </Text>
        {isAdmin && (
          <Button
            renderRoot={(props: object) => <Link {...props} to="/setup/sources/new" search={keepView as never} />}
          >
            {texts.make}
          </Button>
        )}
      </Group>
      <ListFrame list={list} skeleton={3} empty={<Empty title={texts.none}>{texts.noneText}</Empty>}>
        {(sources) => <SourceTable sources={sources} />}
      </ListFrame>
    </SetupTabs>
  );
}

function SourceTable({ sources }: { sources: readonly Source[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, shared.rows);
  return (
    <Table aria-label={texts.title}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.name}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.type}</Table.Th>
          <Table.Th>{texts.columns.state}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.series}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.upTo}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody ref={body}>
        {sources.map((source) => (
          <Row key={source.id} source={source} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ source }: { source: Source }) {
  const { id, name, type, url, series_count: series, watermark_timestamp: upTo, last_error: failure } = source;
  return (
    <Table.Tr className={rows.row} data-row-box>
      <Table.Td>
        <Anchor
          size="sm"
          component={Link}
          to="/setup/sources/$sourceId"
          params={{ sourceId: String(id) } as never}
          search={keepView as never}
          data-row={id}
        >
          <bdi>{name}</bdi>
        </Anchor>
        <Text size="xs" className="dim" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">{texts.types[type]}</Table.Td>
      <Table.Td>
        <SourceState source={source} />
        {failure !== null && (
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {failure}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">{series ?? <span className="dim">{texts.notYet}</span>}</Table.Td>
      <Table.Td visibleFrom="sm" className={rows.when}>
        {upTo === null ? <span className="dim">{texts.notYet}</span> : <Ago at={upTo} />}
      </Table.Td>
    </Table.Tr>
  );
}
