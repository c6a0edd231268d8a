import { Button, Select, Table, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { words as shared } from '../../components/components.words';
import { Empty, Failed, RowsSkeleton } from '../../components/page-states';
import { Pager } from '../../components/pager';
import rows from '../../components/rows.module.css';
import { Time } from '../../components/times';
import { ApiError, type Schema } from '../../lib/api';
import { deliveriesSearch } from '../../lib/deliveries-link';
import { useHeldList } from '../../lib/held-list';
import { keepView } from '../../lib/keep-view';
import { useRowKeys } from '../../lib/row-keys';
import { withoutGaps } from '../../lib/search-params';
import { useSetWindow, useWindow } from '../../lib/window';
import { words as alerts } from './alerts.words';
import { EVENTS_PAGE_SIZE, eventsQuery } from './api/events';
import classes from './events.module.css';
import { EVENT_GROUPS, type EventsSearch, validateEventsSearch } from './events-search';
import { words } from './events.words';
import { AlertsTabs } from './parts/alerts-tabs';

type Event = Schema<'EventDto'>;

const ALL = 'all';
const NO_FILTERS: EventsSearch = { what: undefined, level: undefined, metric: undefined };

/** What happened, and which alerts were held back by what. */
export function EventsPage() {
  const search = validateEventsSearch(useSearch({ strict: false }));
  const window = useWindow();
  const setWindow = useSetWindow();
  const { data, isPending, error, refetch } = useQuery(eventsQuery(search, window));
  const scope = JSON.stringify([search, window.lastSeconds ?? window]);
  const { items, newCount, show } = useHeldList(data?.events ?? [], ({ id }) => id, scope);
  const navigate = useNavigate();
  const set = (change: EventsSearch): void =>
    void navigate({
      to: '.',
      search: (current: Record<string, unknown>) => withoutGaps({ ...current, page: undefined, ...change }),
    } as never);
  const { page = 1, ...filters } = search;
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <>
      <Title order={1}>{alerts.title}</Title>
      <AlertsTabs tab="events">
        <Filters search={search} onChange={set} />
        <div className={rows.filters}>
          <Text size="sm" className="dim" role="status">
            {data && !isMissing && words.count(data.total)}
          </Text>
          {newCount > 0 && (
            <Button variant="light" onClick={show}>
              {shared.showNew(newCount)}
            </Button>
          )}
        </div>
        {isMissing && <Empty title={words.noMetric}>{words.metricHint}</Empty>}
        {error && !isMissing && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
        {isPending && <RowsSkeleton rows={10} />}
        {data?.total === 0 && !isMissing && (
          <Empty title={words.none}>
            {words.noneText}{' '}
            {Object.keys(filters).length > 0 && (
              <Button variant="subtle" onClick={() => set(NO_FILTERS)}>
                {words.clear}
              </Button>
            )}
            <Button variant="subtle" onClick={() => setWindow('30d')}>
              {words.longer}
            </Button>
          </Empty>
        )}
        {items.length > 0 && !isMissing && <EventTable events={items} />}
        {data && <Pager page={page} size={EVENTS_PAGE_SIZE} total={data.total} />}
      </AlertsTabs>
    </>
  );
}

function Filters({ search, onChange }: { search: EventsSearch; onChange: (change: EventsSearch) => void }) {
  const { what, level, metric } = search;
  const choose = (change: Record<string, unknown>): void =>
    onChange({ ...NO_FILTERS, ...validateEventsSearch({ ...search, ...change }) });
  return (
    <div className={rows.filters}>
      <Select
        size="xs"
        w={230}
        aria-label={words.what}
        allowDeselect={false}
        value={what ?? ALL}
        data={[
          { value: ALL, label: words.anything },
          ...EVENT_GROUPS.map((value) => ({ value, label: words.groups[value] })),
        ]}
        onChange={(value) => choose({ what: value })}
      />
      <Select
        size="xs"
        w={170}
        aria-label={words.level}
        allowDeselect={false}
        value={level ?? 'info'}
        data={Object.entries(words.levels).map(([value, label]) => ({ value, label }))}
        onChange={(value) => choose({ level: value })}
      />
      <TextInput
        key={metric ?? ''}
        size="xs"
        w={220}
        aria-label={words.metric}
        placeholder={words.metricHint}
        defaultValue={metric}
        onBlur={({ currentTarget: { value } }) => {
          if (value.trim() !== (metric ?? '')) choose({ metric: value });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
    </div>
  );
}

function EventTable({ events }: { events: readonly Event[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, shared.rows);
  return (
    <Table aria-label={words.list}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{words.columns.time}</Table.Th>
          <Table.Th visibleFrom="sm">{words.columns.level}</Table.Th>
          <Table.Th>{words.columns.event}</Table.Th>
          <Table.Th visibleFrom="sm">{words.columns.heldBackBy}</Table.Th>
          <Table.Th visibleFrom="md">{words.columns.by}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody ref={body}>
        {events.map((event) => (
          <Table.Tr key={event.id} className={rows.row} data-row-box>
            <Table.Td className={rows.when}>
              <Time at={event.timestamp} />
            </Table.Td>
            <Table.Td visibleFrom="sm" className={classes.level} data-level={event.level}>
              {words.levelNames[event.level]}
            </Table.Td>
            <Table.Td className={classes.text}>
              <About event={event}>
                <bdi>{event.title}</bdi>
              </About>
              {event.text !== event.title && (
                <Text size="xs" className="dim" component="div">
                  <bdi>{event.text}</bdi>
                </Text>
              )}
              <Text size="xs" hiddenFrom="sm" component="div">
                <HeldBackBy event={event} />
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="sm" className={classes.text}>
              <HeldBackBy event={event} />
            </Table.Td>
            <Table.Td visibleFrom="md" className={classes.text}>
              <bdi>{event.user_display_name}</bdi>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Where an event leads: to what it is about. */
function placeOf({ ref, anomaly_id: anomalyId, watcher_id: watcherId, metric }: Event): string | null {
  const pages: Readonly<Record<string, string>> = {
    incident: '/incident',
    anomaly: '/anomaly',
    watcher: '/watchers',
    pattern: '/pattern',
    match: '/match',
    tuning: '/tuning',
  };
  const page = ref === null ? undefined : pages[ref.kind];
  if (ref !== null && page !== undefined) return `${page}/${ref.id}`;
  if (ref?.kind === 'exclusion') return '/alerts/exclusions';
  if (anomalyId !== null) return `/anomaly/${String(anomalyId)}`;
  if (watcherId !== null) return `/watchers/${String(watcherId)}`;
  return metric === null ? null : `/metric/${encodeURIComponent(metric)}`;
}

function About({ event, children }: { event: Event; children: ReactNode }) {
  const place = placeOf(event);
  const look = { className: rows.link ?? '', 'data-row': event.id };
  return place === null ? (
    <span tabIndex={-1} {...look}>
      {children}
    </span>
  ) : (
    <Link to={place as never} search={keepView as never} {...look}>
      {children}
    </Link>
  );
}

/** What an alert was held back by, leading to it. */
function HeldBackBy({ event: { type, details, watcher_id: watcherId, anomaly_id: anomalyId } }: { event: Event }) {
  const { reason } = details;
  if (type !== 'alert_suppressed' || typeof reason !== 'string') return null;
  const text = words.suppressed[reason] ?? reason;
  if (reason === 'exclusion') {
    return (
      <Link to="/alerts/exclusions" search={keepView as never}>
        {text}
      </Link>
    );
  }
  if (reason === 'acknowledged' && anomalyId !== null) {
    return (
      <Link to="/anomaly/$anomalyId" params={{ anomalyId: String(anomalyId) }} search={keepView as never}>
        {text}
      </Link>
    );
  }
  if (watcherId === null) return text;
  if (reason === 'expiration') {
    return (
      <Link to="/alerts/deliveries" search={deliveriesSearch({ watcher: watcherId }) as never}>
        {text}
      </Link>
    );
  }
  return (
    <Link to="/watchers/$watcherId" params={{ watcherId: String(watcherId) }} search={keepView as never}>
      {text}
    </Link>
  );
}
