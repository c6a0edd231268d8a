import { Button, Table, Title, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import { ChipsField } from '../../components/chips-field';
import { texts as shared } from '../../components/components.texts';
import { FilterSelects, MetricFilter } from '../../components/list-filters';
import { ListCount, ListFrame } from '../../components/list-frame';
import { MetricName } from '../../components/metric-name';
import { MetricSparkline } from '../../components/metric-sparkline';
import { Nothing } from '../../components/nothing';
import { Empty } from '../../components/page-states';
import rows from '../../components/rows.module.css';
import { SeverityMark } from '../../components/severity';
import { Lasted, Time } from '../../components/times';
import { isOpen, stateText } from '../../lib/anomaly-state';
import { useAcknowledgeRows } from '../../lib/acknowledge-keys';
import { type Schema } from '../../lib/api';
import { saveFile } from '../../lib/csv';
import { keepView } from '../../lib/keep-view';
import { KIND_TEXT, kindText } from '../../lib/kinds';
import { useListPage } from '../../lib/list-page';
import { rangeText, valueText } from '../../lib/numbers';
import { type SetSearch, useSetFilters } from '../../lib/set-search';
import { useSparklines } from '../../lib/sparklines';
import { useWindow } from '../../lib/window';
import { type AnomaliesSearch } from './anomaly-list-search';
import { anomaliesCsv } from './anomaly-csv';
import { texts } from './anomaly-list.texts';
import { anomalyListQuery, loadAll, MAX_EXPORTED, PAGE_SIZE } from './api/anomaly-list';

type Anomaly = Schema<'AnomalyDto'>;

const idOf = ({ id, metric_id, timestamp }: Anomaly): string | number =>
  id ?? `${String(metric_id)} ${String(timestamp)}`;

const itemsOf = ({ anomalies }: Schema<'AnomaliesDto'>): readonly Anomaly[] => anomalies;

/** All anomalies of the window. */
export function AnomaliesPage() {
  const search: AnomaliesSearch = useSearch({ strict: false });
  const { state, kind, severity, acknowledged, order, chips, metric, page } = search;
  const filters = { state, kind, severity, acknowledged, order, chips, metric, page };
  const window = useWindow();
  const query = useQuery(anomalyListQuery(filters, window));
  const list = useListPage({ query, itemsOf, search: filters, held: { idOf, window } });
  const set: SetSearch<AnomaliesSearch> = useSetFilters();
  const isFiltered = (state ?? kind ?? severity ?? acknowledged ?? chips ?? metric) !== undefined;
  return (
    <>
      <Title order={1}>{texts.title}</Title>
      <Filters search={filters} onChange={set} />
      <ListCount list={list} text={texts.count}>
        <Export search={filters} window={window} isEmpty={!list.total} />
      </ListCount>
      <ListFrame
        list={list}
        size={PAGE_SIZE}
        skeleton={12}
        missing={metric !== undefined && <Empty title={shared.noMetric}>{shared.metricHint}</Empty>}
        empty={<Nothing isFiltered={isFiltered} title={texts.none} onClear={() => set(NO_FILTERS)} />}
      >
        {(anomalies) => <AnomalyTable anomalies={anomalies} />}
      </ListFrame>
    </>
  );
}

const NO_FILTERS: AnomaliesSearch = {
  state: undefined,
  kind: undefined,
  severity: undefined,
  acknowledged: undefined,
  chips: undefined,
  metric: undefined,
};

function Filters({ search, onChange }: { search: AnomaliesSearch; onChange: (change: AnomaliesSearch) => void }) {
  return (
    <div className={rows.filters}>
      <FilterSelects
        search={search}
        filters={[
          { name: 'state', label: texts.state, choices: texts.states },
          { name: 'severity', label: texts.severity, choices: texts.severities },
          { name: 'kind', label: texts.kind, choices: { all: texts.kinds, ...KIND_TEXT }, w: 160 },
          { name: 'acknowledged', label: texts.acknowledged, choices: texts.acknowledgedChoices, w: 185 },
          { name: 'order', label: texts.order, choices: texts.orders },
        ]}
        onChange={onChange}
      />
      <ChipsField
        value={search.chips ?? []}
        onChange={(next) => onChange({ chips: next.length === 0 ? undefined : next })}
      />
      <MetricFilter metric={search.metric} onChange={(metric) => onChange({ metric })} />
    </div>
  );
}

function Export({
  search,
  window,
  isEmpty,
}: {
  search: AnomaliesSearch;
  window: { from: number; until: number };
  isEmpty: boolean;
}) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => loadAll(search, window),
    onSuccess: (anomalies) => {
      const day = new Date(window.until * 1000).toISOString().slice(0, 10);
      saveFile(texts.csvName(day), anomaliesCsv(anomalies));
    },
    onError: (error) => notifications.show({ color: 'red', message: texts.csvFailed(error.message) }),
  });
  return (
    <Tooltip label={texts.csvHint(MAX_EXPORTED)}>
      <Button variant="default" disabled={isEmpty} loading={isPending} onClick={() => mutate()}>
        {texts.csv}
      </Button>
    </Tooltip>
  );
}

function AnomalyTable({ anomalies }: { anomalies: readonly Anomaly[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const window = useWindow();
  const lines = useSparklines(
    anomalies.map(({ metric_id }) => metric_id),
    window,
  );
  const thingOf = useCallback(
    (rowId: string) => {
      const anomaly = anomalies.find(({ id }) => String(id) === rowId);
      if (typeof anomaly?.id !== 'number' || anomaly.state !== 'open' || anomaly.acknowledged_at !== null) return null;
      return { anomalyId: anomaly.id };
    },
    [anomalies],
  );
  useAcknowledgeRows(body, thingOf, { rows: shared.rows, group: texts.group, label: texts.keyAcknowledge });
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.severity}</Table.Th>
          <Table.Th>{texts.columns.metric}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.kind}</Table.Th>
          <Table.Th visibleFrom="lg" className={rows.right}>
            {texts.columns.value}
          </Table.Th>
          <Table.Th visibleFrom="lg">{texts.columns.expected}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.line}</Table.Th>
          <Table.Th>{texts.columns.began}</Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.lasted}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.state}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody ref={body}>
        {anomalies.map((anomaly) => (
          <Row key={idOf(anomaly)} anomaly={anomaly} line={lines.get(anomaly.metric_id)} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ anomaly, line }: { anomaly: Anomaly; line: Schema<'SparklineDto'> | undefined }) {
  const { id, metric, kind } = anomaly;
  return (
    <Table.Tr className={rows.row} data-row-box>
      <Table.Td>
        <SeverityMark severity={anomaly.severity_label} />
      </Table.Td>
      <Table.Td>
        <Link
          to="/anomaly/$anomalyId"
          params={{ anomalyId: String(id) }}
          search={keepView as never}
          className={`mono ${rows.link ?? ''}`}
          data-row={id}
        >
          <MetricName name={metric} />
        </Link>
      </Table.Td>
      <Table.Td visibleFrom="sm" className={rows.when}>
        {kindText(kind)}
      </Table.Td>
      <Table.Td visibleFrom="lg" className={rows.right}>
        {valueText(anomaly.peak_value, anomaly.unit)}
      </Table.Td>
      <Table.Td visibleFrom="lg" className={`dim ${rows.when ?? ''}`}>
        {anomaly.expected_range_lower !== null &&
          rangeText(anomaly.expected_range_lower, anomaly.expected_range_upper, anomaly.unit)}
      </Table.Td>
      <Table.Td visibleFrom="md">
        <MetricSparkline line={line} metric={metric} width={110} height={24} />
      </Table.Td>
      <Table.Td className={rows.when}>
        <Time at={anomaly.timestamp} />
      </Table.Td>
      <Table.Td visibleFrom="sm" className={rows.when}>
        <Lasted from={anomaly.timestamp} until={anomaly.out_until_timestamp} />
      </Table.Td>
      <Table.Td visibleFrom="md" className={isOpen(anomaly) ? undefined : 'dim'}>
        {stateText(anomaly)}
        {anomaly.acknowledged_at !== null && `, ${texts.isAcknowledged}`}
        {anomaly.positive && `, ${texts.isReal}`}
      </Table.Td>
    </Table.Tr>
  );
}
