import { Button, Select, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { words as shared } from '../../components/components.words';
import { Empty, Failed, RowsSkeleton } from '../../components/page-states';
import { Pager } from '../../components/pager';
import rows from '../../components/rows.module.css';
import { ApiError } from '../../lib/api';
import { useHeldList } from '../../lib/held-list';
import { withoutGaps } from '../../lib/search-params';
import { useSetWindow, useWindow } from '../../lib/window';
import { words as alerts } from './alerts.words';
import { DELIVERIES_PAGE_SIZE, deliveriesQuery } from './api/deliveries';
import { watchersQuery } from './api/watchers';
import {
  DELIVERY_CHANNELS,
  DELIVERY_KINDS,
  DELIVERY_STATES,
  type DeliveriesSearch,
  validateDeliveriesSearch,
} from './deliveries-search';
import { words } from './deliveries.words';
import { AlertsTabs } from './parts/alerts-tabs';
import { DeliveryTable } from './parts/delivery-table';

const NO_FILTERS: DeliveriesSearch = {
  state: undefined,
  channel: undefined,
  kind: undefined,
  watcher: undefined,
  anomaly: undefined,
  incident: undefined,
};

/** What was sent to whom, what failed and why, and what was held back. */
export function DeliveriesPage() {
  const search = validateDeliveriesSearch(useSearch({ strict: false }));
  const window = useWindow();
  const setWindow = useSetWindow();
  const { data, isPending, error, refetch } = useQuery(deliveriesQuery(search, window));
  const scope = JSON.stringify([search, window.lastSeconds ?? window]);
  const { items, newCount, show } = useHeldList(data?.deliveries ?? [], ({ id }) => id, scope);
  const navigate = useNavigate();
  const set = (change: DeliveriesSearch): void =>
    void navigate({
      to: '.',
      search: (current: Record<string, unknown>) => withoutGaps({ ...current, page: undefined, ...change }),
    } as never);
  const { page = 1, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <>
      <Title order={1}>{alerts.title}</Title>
      <AlertsTabs tab="deliveries">
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
        {isMissing && <Empty title={words.noSubject} />}
        {error && !isMissing && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
        {isPending && <RowsSkeleton rows={10} />}
        {data?.total === 0 && !isMissing && (
          <Empty title={words.none}>
            {words.noneText}{' '}
            {isFiltered && (
              <Button variant="subtle" onClick={() => set(NO_FILTERS)}>
                {words.clear}
              </Button>
            )}
            <Button variant="subtle" onClick={() => setWindow('30d')}>
              {words.longer}
            </Button>
          </Empty>
        )}
        {items.length > 0 && !isMissing && <DeliveryTable deliveries={items} label={words.list} />}
        {data && <Pager page={page} size={DELIVERIES_PAGE_SIZE} total={data.total} />}
      </AlertsTabs>
    </>
  );
}

const ALL = 'all';

/** The choices of a filter; the first one is that nothing is filtered. */
function choices<Word extends string>(all: string, list: readonly Word[], names: Readonly<Record<Word, string>>) {
  return [{ value: ALL, label: all }, ...list.map((value) => ({ value, label: names[value] }))];
}

function Filters({ search, onChange }: { search: DeliveriesSearch; onChange: (change: DeliveriesSearch) => void }) {
  const { state, channel, kind, watcher, anomaly, incident } = search;
  const watchers = useQuery(watchersQuery(1)).data?.watchers ?? [];
  const known = watchers.map(({ id, name }) => ({ value: String(id), label: name }));
  if (watcher !== undefined && !watchers.some(({ id }) => id === watcher)) {
    known.push({ value: String(watcher), label: words.oneWatcher(watcher) });
  }
  const choose = (change: Record<string, unknown>): void =>
    onChange({ ...NO_FILTERS, ...validateDeliveriesSearch({ ...search, ...change }) });
  return (
    <div className={rows.filters}>
      <Select
        size="xs"
        w={130}
        aria-label={words.state}
        allowDeselect={false}
        value={state ?? ALL}
        data={choices(words.anyState, DELIVERY_STATES, words.states)}
        onChange={(value) => choose({ state: value })}
      />
      <Select
        size="xs"
        w={140}
        aria-label={words.channel}
        allowDeselect={false}
        value={channel ?? ALL}
        data={choices(words.anyChannel, DELIVERY_CHANNELS, words.channels)}
        onChange={(value) => choose({ channel: value })}
      />
      <Select
        size="xs"
        w={130}
        aria-label={words.kind}
        allowDeselect={false}
        value={kind ?? ALL}
        data={choices(words.anyKind, DELIVERY_KINDS, words.kinds)}
        onChange={(value) => choose({ kind: value })}
      />
      <Select
        size="xs"
        w={200}
        searchable
        aria-label={words.watcher}
        allowDeselect={false}
        value={watcher === undefined ? ALL : String(watcher)}
        data={[{ value: ALL, label: words.anyWatcher }, ...known]}
        onChange={(value) => choose({ watcher: value })}
      />
      {anomaly !== undefined && (
        <Only text={words.oneAnomaly(anomaly)} onRemove={() => onChange({ anomaly: undefined })} />
      )}
      {incident !== undefined && (
        <Only text={words.oneIncident(incident)} onRemove={() => onChange({ incident: undefined })} />
      )}
    </div>
  );
}

/** A filter that a link has set, to be taken away. */
function Only({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <Button variant="light" aria-label={words.notOnly(text)} rightSection="×" onClick={onRemove}>
      {text}
    </Button>
  );
}
