import { Button, Select, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { FilterSelects } from '../../components/list-filters';
import { ListCount, ListFrame } from '../../components/list-frame';
import { Empty } from '../../components/page-states';
import rows from '../../components/rows.module.css';
import { type Schema } from '../../lib/api';
import { useListPage } from '../../lib/list-page';
import { idParam } from '../../lib/search-params';
import { type SetSearch, useSetFilters } from '../../lib/set-search';
import { useWindow } from '../../lib/window';
import { texts as alerts } from './alerts.texts';
import { DELIVERIES_PAGE_SIZE, deliveriesQuery } from './api/deliveries';
import { watchersQuery } from './api/watchers';
import { type DeliveriesSearch, validateDeliveriesSearch } from './deliveries-search';
import { texts } from './deliveries.texts';
import { NoneInWindow } from './parts/none-in-window';
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

const itemsOf = ({ deliveries }: Schema<'DeliveriesDto'>) => deliveries;
const idOf = ({ id }: Schema<'DeliveryDto'>): number => id;

/** Sent messages with their recipients, failed ones with the reason, and suppressed ones. */
export function DeliveriesPage() {
  const search = validateDeliveriesSearch(useSearch({ strict: false }));
  const window = useWindow();
  const query = useQuery(deliveriesQuery(search, window));
  const list = useListPage({ query, itemsOf, search, held: { idOf, window } });
  const set: SetSearch<DeliveriesSearch> = useSetFilters();
  const { page: _page, ...filters } = search;
  return (
    <>
      <Title order={1}>{alerts.title}</Title>
      <AlertsTabs tab="deliveries">
        <Filters search={search} onChange={set} />
        <ListCount list={list} text={texts.count} />
        <ListFrame
          list={list}
          size={DELIVERIES_PAGE_SIZE}
          skeleton={10}
          missing={<Empty title={texts.noSubject} />}
          empty={
            <NoneInWindow
              title={texts.none}
              text={texts.noneText}
              isFiltered={Object.keys(filters).length > 0}
              onClear={() => set(NO_FILTERS)}
            />
          }
        >
          {(items) => <DeliveryTable deliveries={items} label={texts.list} />}
        </ListFrame>
      </AlertsTabs>
    </>
  );
}

const ALL = 'all';

function Filters({ search, onChange }: { search: DeliveriesSearch; onChange: (change: DeliveriesSearch) => void }) {
  const { watcher, anomaly, incident } = search;
  const watchers = useQuery(watchersQuery(1)).data?.watchers ?? [];
  const known = watchers.map(({ id, name }) => ({ value: String(id), label: name }));
  if (watcher !== undefined && !watchers.some(({ id }) => id === watcher)) {
    known.push({ value: String(watcher), label: texts.oneWatcher(watcher) });
  }
  return (
    <div className={rows.filters}>
      <FilterSelects
        search={search}
        filters={[
          { name: 'state', label: texts.state, choices: { all: texts.anyState, ...texts.states } },
          { name: 'channel', label: texts.channel, choices: { all: texts.anyChannel, ...texts.channels } },
          { name: 'kind', label: texts.kind, choices: { all: texts.anyKind, ...texts.kinds } },
        ]}
        onChange={onChange}
      />
      <Select
        size="xs"
        w={200}
        searchable
        aria-label={texts.watcher}
        allowDeselect={false}
        value={watcher === undefined ? ALL : String(watcher)}
        data={[{ value: ALL, label: texts.anyWatcher }, ...known]}
        onChange={(value) => onChange({ watcher: idParam(value) })}
      />
      {anomaly !== undefined && (
        <Only text={texts.oneAnomaly(anomaly)} onRemove={() => onChange({ anomaly: undefined })} />
      )}
      {incident !== undefined && (
        <Only text={texts.oneIncident(incident)} onRemove={() => onChange({ incident: undefined })} />
      )}
    </div>
  );
}

/** A filter set by a link, with a button to remove it. */
function Only({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <Button variant="light" aria-label={texts.notOnly(text)} rightSection="×" onClick={onRemove}>
      {text}
    </Button>
  );
}
