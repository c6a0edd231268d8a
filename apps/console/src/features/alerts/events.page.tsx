import { Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { texts as shared } from '../../components/components.texts';
import { FilterSelects, MetricFilter } from '../../components/list-filters';
import { ListCount, ListFrame } from '../../components/list-frame';
import { Empty } from '../../components/page-states';
import rows from '../../components/rows.module.css';
import { Time } from '../../components/times';
import { type Schema } from '../../lib/api';
import { deliveriesSearch } from '../../lib/deliveries-link';
import { keepView } from '../../lib/keep-view';
import { useListPage } from '../../lib/list-page';
import { useRowKeys } from '../../lib/row-keys';
import { type SetSearch, useSetFilters } from '../../lib/set-search';
import { useWindow } from '../../lib/window';
import { texts as alerts } from './alerts.texts';
import { EVENTS_PAGE_SIZE, eventsQuery } from './api/events';
import classes from './events.module.css';
import { type EventsSearch, validateEventsSearch } from './events-search';
import { texts } from './events.texts';
import { NoneInWindow } from './parts/none-in-window';
import { AlertsTabs } from './parts/alerts-tabs';

type Event = Schema<'EventDto'>;

const NO_FILTERS: EventsSearch = { what: undefined, level: undefined, metric: undefined };

const itemsOf = ({ events }: Schema<'EventsDto'>): readonly Event[] => events;
const idOf = ({ id }: Event): number => id;

/** Events, and suppressed alerts with the reason. */
export function EventsPage() {
  const search = validateEventsSearch(useSearch({ strict: false }));
  const window = useWindow();
  const query = useQuery(eventsQuery(search, window));
  const list = useListPage({ query, itemsOf, search, held: { idOf, window } });
  const set: SetSearch<EventsSearch> = useSetFilters();
  const { page: _page, ...filters } = search;
  return (
    <>
      <Title order={1}>{alerts.title}</Title>
      <AlertsTabs tab="events">
        <Filters search={search} onChange={set} />
        <ListCount list={list} text={texts.count} />
        <ListFrame
          list={list}
          size={EVENTS_PAGE_SIZE}
          skeleton={10}
          missing={<Empty title={shared.noMetric}>{shared.metricHint}</Empty>}
          empty={
            <NoneInWindow
              title={texts.none}
              text={texts.noneText}
              isFiltered={Object.keys(filters).length > 0}
              onClear={() => set(NO_FILTERS)}
            />
          }
        >
          {(items) => <EventTable events={items} />}
        </ListFrame>
      </AlertsTabs>
    </>
  );
}

function Filters({ search, onChange }: { search: EventsSearch; onChange: (change: EventsSearch) => void }) {
  return (
    <div className={rows.filters}>
      <FilterSelects
        search={search}
        filters={[
          { name: 'what', label: texts.what, choices: { all: texts.anything, ...texts.groups }, w: 230 },
          { name: 'level', label: texts.level, choices: texts.levels, w: 170 },
        ]}
        onChange={onChange}
      />
      <MetricFilter metric={search.metric} onChange={(metric) => onChange({ metric })} />
    </div>
  );
}

function EventTable({ events }: { events: readonly Event[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, shared.rows);
  return (
    <Table aria-label={texts.list}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.time}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.level}</Table.Th>
          <Table.Th>{texts.columns.event}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.suppressedBy}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.by}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody ref={body}>
        {events.map((event) => (
          <Table.Tr key={event.id} className={rows.row} data-row-box>
            <Table.Td className={rows.when}>
              <Time at={event.timestamp} />
            </Table.Td>
            <Table.Td visibleFrom="sm" className={classes.level} data-level={event.level}>
              {texts.levelNames[event.level]}
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

/** The link of an event to its subject. */
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

/** The reason why an alert was suppressed, with a link to the cause. */
function HeldBackBy({ event: { type, details, watcher_id: watcherId, anomaly_id: anomalyId } }: { event: Event }) {
  const { reason } = details;
  if (type !== 'alert_suppressed' || typeof reason !== 'string') return null;
  const text = texts.suppressed[reason] ?? reason;
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
