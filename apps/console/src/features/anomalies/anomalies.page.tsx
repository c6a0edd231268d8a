import { Button, Select, Table, Text, TextInput, Title, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import { ChipsField } from '../../components/chips-field';
import { words as shared } from '../../components/components.words';
import { MetricName } from '../../components/metric-name';
import { MetricSparkline } from '../../components/metric-sparkline';
import { Nothing } from '../../components/nothing';
import { Empty, Failed, RowsSkeleton } from '../../components/page-states';
import { Pager } from '../../components/pager';
import rows from '../../components/rows.module.css';
import { SeverityMark } from '../../components/severity';
import { Lasted, Time } from '../../components/times';
import { useAcknowledgeRows } from '../../lib/acknowledge-keys';
import { ApiError, type Schema } from '../../lib/api';
import { saveFile } from '../../lib/csv';
import { useHeldList } from '../../lib/held-list';
import { keepView } from '../../lib/keep-view';
import { KIND_TEXT, kindText } from '../../lib/kinds';
import { rangeText, valueText } from '../../lib/numbers';
import { withoutGaps } from '../../lib/search-params';
import { useSparklines } from '../../lib/sparklines';
import { useWindow } from '../../lib/window';
import { type AnomaliesSearch, validateAnomaliesSearch } from './anomaly-list-search';
import { anomaliesCsv } from './anomaly-csv';
import { words } from './anomaly-list.words';
import { anomalyListQuery, loadAll, MOST_EXPORTED, PAGE_SIZE } from './api/anomaly-list';

type Anomaly = Schema<'AnomalyDto'>;

const idOf = ({ id, metric_id, timestamp }: Anomaly): string | number =>
  id ?? `${String(metric_id)} ${String(timestamp)}`;

/** Edges of a range, with three digits: the page of the anomaly has all. */

const options = (choices: Record<string, string>) =>
  Object.entries(choices).map(([value, label]) => ({ value, label }));

/** All anomalies of the window. */
export function AnomaliesPage() {
  const search: AnomaliesSearch = useSearch({ strict: false });
  const { state, kind, severity, acknowledged, order, chips, metric, page } = search;
  const filters = { state, kind, severity, acknowledged, order, chips, metric, page };
  const window = useWindow();
  const { data, isPending, error, refetch } = useQuery(anomalyListQuery(filters, window));
  const scope = JSON.stringify([filters, window.lastSeconds ?? window]);
  const { items, newCount, show } = useHeldList(data?.anomalies ?? [], idOf, scope);
  const navigate = useNavigate();
  const set = (change: AnomaliesSearch): void =>
    void navigate({
      to: '.',
      search: (current: Record<string, unknown>) => withoutGaps({ ...current, page: undefined, ...change }),
    } as never);
  const isFiltered = (state ?? kind ?? severity ?? acknowledged ?? chips ?? metric) !== undefined;
  const isMissing = error instanceof ApiError && error.status === 404 && metric !== undefined;
  return (
    <>
      <Title order={1}>{words.title}</Title>
      <Filters search={filters} onChange={set} />
      <div className={rows.filters}>
        {data && (
          <Text size="sm" className="dim">
            {words.count(data.total)}
          </Text>
        )}
        {newCount > 0 && (
          <Button variant="light" onClick={show}>
            {shared.showNew(newCount)}
          </Button>
        )}
        <Export search={filters} window={window} isEmpty={!data || data.total === 0} />
      </div>
      {isMissing && <Empty title={words.noMetric}>{words.metricHint}</Empty>}
      {error && !isMissing && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
      {isPending && <RowsSkeleton rows={12} />}
      {data?.total === 0 && (
        <Nothing isFiltered={isFiltered} title={words.none}>
          {isFiltered && (
            <Button variant="subtle" onClick={() => set(NO_FILTERS)}>
              {words.clear}
            </Button>
          )}
        </Nothing>
      )}
      {items.length > 0 && !isMissing && <AnomalyTable anomalies={items} />}
      {data && <Pager page={page ?? 1} size={PAGE_SIZE} total={data.total} />}
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
  const { state, kind, severity, acknowledged, order, chips, metric } = search;
  return (
    <div className={rows.filters}>
      <Select
        size="xs"
        w={150}
        aria-label={words.state}
        allowDeselect={false}
        value={state ?? 'all'}
        data={options(words.states)}
        onChange={(value) => onChange({ state: validateAnomaliesSearch({ state: value }).state })}
      />
      <Select
        size="xs"
        w={150}
        aria-label={words.severity}
        allowDeselect={false}
        value={severity ?? 'all'}
        data={options(words.severities)}
        onChange={(value) => onChange({ severity: validateAnomaliesSearch({ severity: value }).severity })}
      />
      <Select
        size="xs"
        w={160}
        aria-label={words.kind}
        allowDeselect={false}
        value={kind ?? 'all'}
        data={options({ all: words.kinds, ...KIND_TEXT })}
        onChange={(value) => onChange({ kind: validateAnomaliesSearch({ kind: value }).kind })}
      />
      <Select
        size="xs"
        w={185}
        aria-label={words.acknowledged}
        allowDeselect={false}
        value={acknowledged ?? 'all'}
        data={options(words.acknowledgedChoices)}
        onChange={(value) => onChange({ acknowledged: validateAnomaliesSearch({ acknowledged: value }).acknowledged })}
      />
      <Select
        size="xs"
        w={150}
        aria-label={words.order}
        allowDeselect={false}
        value={order ?? 'newest'}
        data={options(words.orders)}
        onChange={(value) => onChange({ order: validateAnomaliesSearch({ order: value }).order })}
      />
      <ChipsField value={chips ?? []} onChange={(next) => onChange({ chips: next.length === 0 ? undefined : next })} />
      <TextInput
        key={metric ?? ''}
        size="xs"
        w={220}
        aria-label={words.metric}
        placeholder={words.metricHint}
        defaultValue={metric}
        onBlur={({ currentTarget: { value } }) => {
          if (value.trim() !== (metric ?? '')) onChange({ metric: value.trim() || undefined });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
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
      saveFile(words.csvName(day), anomaliesCsv(anomalies));
    },
    onError: (error) => notifications.show({ color: 'red', message: words.csvFailed(error.message) }),
  });
  return (
    <Tooltip label={words.csvHint(MOST_EXPORTED)}>
      <Button variant="default" disabled={isEmpty} loading={isPending} onClick={() => mutate()}>
        {words.csv}
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
  useAcknowledgeRows(body, thingOf, { rows: shared.rows, group: words.group, label: words.keyAcknowledge });
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{words.columns.severity}</Table.Th>
          <Table.Th>{words.columns.metric}</Table.Th>
          <Table.Th visibleFrom="sm">{words.columns.kind}</Table.Th>
          <Table.Th visibleFrom="lg" className={rows.right}>
            {words.columns.value}
          </Table.Th>
          <Table.Th visibleFrom="lg">{words.columns.expected}</Table.Th>
          <Table.Th visibleFrom="md">{words.columns.line}</Table.Th>
          <Table.Th>{words.columns.began}</Table.Th>
          <Table.Th visibleFrom="sm">{words.columns.lasted}</Table.Th>
          <Table.Th visibleFrom="md">{words.columns.state}</Table.Th>
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
  const { id, metric, kind, state } = anomaly;
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
        <Lasted from={anomaly.timestamp} until={anomaly.until_timestamp} />
      </Table.Td>
      <Table.Td visibleFrom="md" className={state === 'open' ? undefined : 'dim'}>
        {words.stateOf[state]}
        {anomaly.acknowledged_at !== null && `, ${words.isAcknowledged}`}
        {anomaly.positive && `, ${words.isReal}`}
      </Table.Td>
    </Table.Tr>
  );
}
