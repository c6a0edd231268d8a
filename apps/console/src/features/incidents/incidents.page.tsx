import { Button, Select, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import { AcknowledgeIncident, canAcknowledge } from '../../components/acknowledge-button';
import { AnomalyLink } from '../../components/anomaly-link';
import { ChipsField } from '../../components/chips-field';
import { words as shared } from '../../components/components.words';
import { IncidentTitle } from '../../components/incident-title';
import { MetricName } from '../../components/metric-name';
import { MetricSparkline } from '../../components/metric-sparkline';
import { Nothing } from '../../components/nothing';
import { Failed, RowsSkeleton } from '../../components/page-states';
import { Pager } from '../../components/pager';
import { SeverityMark } from '../../components/severity';
import { Lasted, Time } from '../../components/times';
import rows from '../../components/rows.module.css';
import { useAcknowledgeRows } from '../../lib/acknowledge-keys';
import { type Schema } from '../../lib/api';
import { useHeldList } from '../../lib/held-list';
import { keepView } from '../../lib/keep-view';
import { countText } from '../../lib/numbers';
import { withoutGaps } from '../../lib/search-params';
import { useSparklines } from '../../lib/sparklines';
import { useWindow } from '../../lib/window';
import { incidentsQuery, PAGE_SIZE } from './api/incidents.queries';
import { type IncidentsSearch } from './incidents-search';
import { words } from './incidents.words';

const idOf = ({ id }: Schema<'IncidentDto'>): number => id;

/** All incidents of the window. */
export function IncidentsPage() {
  const { state, severity, chips, order, page }: IncidentsSearch = useSearch({ strict: false });
  const window = useWindow();
  const filters = { state, severity, chips, order, page };
  const { data, isPending, error, refetch } = useQuery(incidentsQuery(filters, window));
  const scope = JSON.stringify([filters, window.lastSeconds ?? window]);
  const { items, newCount, show } = useHeldList(data?.incidents ?? [], idOf, scope);
  const navigate = useNavigate();
  const set = (change: IncidentsSearch): void =>
    void navigate({
      to: '.',
      search: (current: Record<string, unknown>) => withoutGaps({ ...current, page: undefined, ...change }),
    } as never);
  return (
    <>
      <Title order={1}>{words.title}</Title>
      <div className={rows.filters}>
        <Select
          size="xs"
          w={170}
          aria-label={words.state}
          allowDeselect={false}
          value={state ?? 'all'}
          data={Object.entries(words.states).map(([value, label]) => ({ value, label }))}
          onChange={(value) => set({ state: value === 'all' ? undefined : (value as IncidentsSearch['state']) })}
        />
        <Select
          size="xs"
          w={150}
          aria-label={words.severity}
          allowDeselect={false}
          value={severity ?? 'all'}
          data={Object.entries(words.severities).map(([value, label]) => ({ value, label }))}
          onChange={(value) => set({ severity: value === 'all' ? undefined : (value as IncidentsSearch['severity']) })}
        />
        <Select
          size="xs"
          w={130}
          aria-label={words.order}
          allowDeselect={false}
          value={order ?? 'newest'}
          data={Object.entries(words.orders).map(([value, label]) => ({ value, label }))}
          onChange={(value) => set({ order: value === 'severity' ? 'severity' : undefined })}
        />
        <ChipsField value={chips ?? []} onChange={(next) => set({ chips: next.length === 0 ? undefined : next })} />
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
      </div>
      {error && <Failed error={error} onRetry={() => void refetch()} isOld={data !== undefined} />}
      {isPending && <RowsSkeleton rows={10} />}
      {data?.total === 0 && (
        <Nothing isFiltered={(state ?? severity ?? chips) !== undefined} title={words.none}>
          {(state ?? severity ?? chips) !== undefined && (
            <Button variant="subtle" onClick={() => set({ state: undefined, severity: undefined, chips: undefined })}>
              {words.clear}
            </Button>
          )}
        </Nothing>
      )}
      {items.length > 0 && <IncidentTable incidents={items} />}
      {data && <Pager page={page ?? 1} size={PAGE_SIZE} total={data.total} />}
    </>
  );
}

function IncidentTable({ incidents }: { incidents: readonly Schema<'IncidentDto'>[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const window = useWindow();
  const lines = useSparklines(
    incidents.flatMap(({ origins }) => origins[0]?.metric_id ?? []),
    window,
  );
  const thingOf = useCallback(
    (rowId: string) => {
      const incident = incidents.find(({ id }) => String(id) === rowId);
      return incident && canAcknowledge(incident) ? { incidentId: incident.id } : null;
    },
    [incidents],
  );
  useAcknowledgeRows(body, thingOf, { rows: shared.rows, group: words.group, label: words.keyAcknowledge });
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{words.columns.severity}</Table.Th>
          <Table.Th>{words.columns.incident}</Table.Th>
          <Table.Th visibleFrom="lg">{words.columns.origin}</Table.Th>
          <Table.Th visibleFrom="md">{words.columns.line}</Table.Th>
          <Table.Th>{words.columns.began}</Table.Th>
          <Table.Th visibleFrom="xs">{words.columns.lasted}</Table.Th>
          <Table.Th visibleFrom="sm" className={rows.right}>
            {words.columns.metrics}
          </Table.Th>
          <Table.Th visibleFrom="sm">{words.columns.acknowledged}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody ref={body}>
        {incidents.map((incident) => (
          <Row key={incident.id} incident={incident} line={lines.get(incident.origins[0]?.metric_id ?? 0)} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ incident, line }: { incident: Schema<'IncidentDto'>; line: Schema<'SparklineDto'> | undefined }) {
  const origin = incident.origins[0];
  return (
    <Table.Tr className={rows.row} data-row-box>
      <Table.Td>
        <SeverityMark severity={incident.severity_label} />
      </Table.Td>
      <Table.Td>
        <Link
          to="/incident/$incidentId"
          params={{ incidentId: String(incident.id) }}
          search={keepView as never}
          className={rows.link}
          data-row={incident.id}
        >
          <IncidentTitle title={incident.title} />
        </Link>
      </Table.Td>
      <Table.Td visibleFrom="lg">
        {origin && incident.metrics_count > 1 ? (
          <AnomalyLink anomalyId={origin.anomaly_id} size="sm" c="inherit" className="mono">
            <MetricName name={origin.metric} />
          </AnomalyLink>
        ) : (
          <span className="dim">{words.noOrigin}</span>
        )}
      </Table.Td>
      <Table.Td visibleFrom="md">
        {origin && <MetricSparkline line={line} metric={origin.metric} height={24} />}
      </Table.Td>
      <Table.Td className={rows.when}>
        <Time at={incident.started_timestamp} />
      </Table.Td>
      <Table.Td visibleFrom="xs" className={rows.when}>
        <Lasted from={incident.started_timestamp} until={incident.ended_timestamp} />{' '}
        {incident.state === 'open' && <strong>{words.isOpen}</strong>}
      </Table.Td>
      <Table.Td visibleFrom="sm" className={rows.right}>
        {countText(incident.metrics_count)}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <AcknowledgeIncident incident={incident} />
      </Table.Td>
    </Table.Tr>
  );
}
