import { Button, Group, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { texts as shared } from '../../components/components.texts';
import { ListFrame } from '../../components/list-frame';
import { Empty, Failed, RowsSkeleton } from '../../components/page-states';
import rows from '../../components/rows.module.css';
import { ApiError, type Schema } from '../../lib/api';
import { useListPage } from '../../lib/list-page';
import { useMayWrite } from '../../lib/me';
import { useNow } from '../../lib/now';
import { useRowKeys } from '../../lib/row-keys';
import { type SetSearch, useSetSearch } from '../../lib/set-search';
import { timeText } from '../../lib/time';
import { useZone } from '../../lib/zone';
import { texts as alerts } from './alerts.texts';
import { EXCLUSIONS_PAGE_SIZE, exclusionQuery, exclusionsQuery, useDeleteExclusion } from './api/exclusions';
import { endOf } from './exclusion-form';
import { type ExclusionsSearch } from './exclusions-search';
import { texts } from './exclusions.texts';
import { AlertsTabs } from './parts/alerts-tabs';
import { ExclusionCalendar } from './parts/exclusion-calendar';
import { EditExclusionForm, NewExclusionForm } from './parts/exclusion-form';

const itemsOf = ({ exclusions }: Schema<'ExclusionsDto'>) => exclusions;

/** When messages, learning or data are omitted: mostly planned work. */
export function ExclusionsPage() {
  const { page = 1, chips = [], edit }: ExclusionsSearch = useSearch({ strict: false });
  const list = useListPage({ query: useQuery(exclusionsQuery(page)), itemsOf, search: { page } });
  const mayWrite = useMayWrite();
  return (
    <>
      <Title order={1}>{alerts.title}</Title>
      <AlertsTabs tab="exclusions">
        {mayWrite && edit !== undefined && <Edited key={edit} id={edit} />}
        {mayWrite && edit === undefined && <NewExclusionForm chips={chips} />}
        {!mayWrite && (
          <>
            <Text size="sm" className="dim">
              {shared.demoReads}
            </Text>
            <ExclusionCalendar draft={null} />
          </>
        )}
        <Title order={2} mt="lg" mb={4}>
          {texts.title}
        </Title>
        <Text size="sm" className="dim" mb="xs">
          {!!list.total && texts.count(list.total)}
        </Text>
        <ListFrame
          list={list}
          size={EXCLUSIONS_PAGE_SIZE}
          skeleton={3}
          empty={<Empty title={texts.none}>{texts.noneText}</Empty>}
        >
          {(exclusions) => <ExclusionTable exclusions={exclusions} />}
        </ListFrame>
      </AlertsTabs>
    </>
  );
}

/** The form of an existing exclusion, once it is loaded. */
function Edited({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(exclusionQuery(id));
  const edit = useEdit();
  if (error instanceof ApiError && error.status === 404) {
    return (
      <>
        <Text size="sm" role="status" mb="sm">
          {texts.gone}
        </Text>
        <NewExclusionForm chips={[]} />
      </>
    );
  }
  const closeForm = (): void => {
    // Moves the focus back to the row before the form is removed: otherwise `z` would be typed into a field of the next
    // form.
    document.querySelector<HTMLElement>(`[data-row="${String(id)}"]`)?.focus();
    edit(undefined);
  };
  if (data) return <EditExclusionForm exclusion={data.exclusion} onDone={closeForm} />;
  return error ? <Failed error={error} onRetry={() => void refetch()} isOld={false} /> : <RowsSkeleton rows={8} />;
}

/** Sets the exclusion that is edited, in the address; undefined: none. */
function useEdit(): (id: number | undefined) => void {
  const set: SetSearch<ExclusionsSearch> = useSetSearch({ resetScroll: false });
  return (id) => set({ edit: id, chips: undefined });
}

function ExclusionTable({ exclusions }: { exclusions: readonly Schema<'ExclusionDto'>[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const mayWrite = useMayWrite();
  useRowKeys(body, shared.rows);
  return (
    <Table aria-label={texts.title}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.metrics}</Table.Th>
          <Table.Th>{texts.columns.when}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.type}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.reason}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.by}</Table.Th>
          {mayWrite && <Table.Th>{texts.columns.action}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody ref={body}>
        {exclusions.map((exclusion) => (
          <Row key={exclusion.id} exclusion={exclusion} mayWrite={mayWrite} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ exclusion, mayWrite }: { exclusion: Schema<'ExclusionDto'>; mayWrite: boolean }) {
  const { mutate, isPending } = useDeleteExclusion();
  const edit = useEdit();
  const now = useNow();
  const { id, chips, type, reason, metrics_count: count, until_timestamp: until, active } = exclusion;
  const isOver = until !== null && until < now;
  return (
    <Table.Tr className={rows.row} data-row-box>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <span className="mono">{chips.join('  ')}</span> <span className="dim">{texts.metrics(count)}</span>
      </Table.Td>
      <Table.Td>
        <When exclusion={exclusion} />{' '}
        {active ? <strong>{texts.isActive}</strong> : isOver && <span className="dim">{texts.isOver}</span>}
      </Table.Td>
      <Table.Td visibleFrom="sm">{texts.types[type]}</Table.Td>
      <Table.Td visibleFrom="md" style={{ overflowWrap: 'anywhere' }}>
        {reason}
      </Table.Td>
      <Table.Td visibleFrom="md">{exclusion.created_by_display_name}</Table.Td>
      {mayWrite && (
        <Table.Td>
          <Group gap={6}>
            <Button
              variant="default"
              size="compact-xs"
              data-row={id}
              aria-label={texts.changeOf(chips.join(' '))}
              onClick={() => edit(id)}
            >
              {texts.change}
            </Button>
            <Button
              variant="default"
              size="compact-xs"
              loading={isPending}
              aria-label={texts.removeOf(chips.join(' '))}
              onClick={() => mutate(exclusion)}
            >
              {texts.remove}
            </Button>
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  );
}

/** In words: once, every week, or always. */
function When({
  exclusion: { from_timestamp: from, until_timestamp: until, recurrence },
}: {
  exclusion: Schema<'ExclusionDto'>;
}) {
  const zone = useZone();
  const parts: string[] = [];
  if (recurrence) {
    const days = recurrence.days.map((day) => texts.dayNames[day]).join(', ');
    parts.push(texts.whenWeekly(days, recurrence.start, endOf(recurrence), recurrence.timezone));
  }
  if (from !== null && until !== null) parts.push(texts.whenOnce(timeText(from, zone), timeText(until, zone)));
  else if (from !== null) parts.push(texts.whenFrom(timeText(from, zone)));
  else if (until !== null) parts.push(texts.whenUntil(timeText(until, zone)));
  return parts.length === 0 ? texts.whenAlways : parts.join(', ');
}
