import { Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import { AcknowledgeIncident, canAcknowledge } from '../../components/acknowledge-button';
import { AnomalyLink } from '../../components/anomaly-link';
import { ChipsField } from '../../components/chips-field';
import { texts as shared } from '../../components/components.texts';
import { IncidentTitle } from '../../components/incident-title';
import { FilterSelects } from '../../components/list-filters';
import { ListCount, ListFrame } from '../../components/list-frame';
import { MetricName } from '../../components/metric-name';
import { MetricSparkline } from '../../components/metric-sparkline';
import { Nothing } from '../../components/nothing';
import { SeverityMark } from '../../components/severity';
import { Lasted, Time } from '../../components/times';
import rows from '../../components/rows.module.css';
import { useAcknowledgeRows } from '../../lib/acknowledge-keys';
import { type Schema } from '../../lib/api';
import { keepView } from '../../lib/keep-view';
import { useListPage } from '../../lib/list-page';
import { countText } from '../../lib/numbers';
import { type SetSearch, useSetFilters } from '../../lib/set-search';
import { useSparklines } from '../../lib/sparklines';
import { useWindow } from '../../lib/window';
import { incidentsQuery, PAGE_SIZE } from './api/incidents.queries';
import { type IncidentsSearch } from './incidents-search';
import { texts } from './incidents.texts';

const itemsOf = ({ incidents }: Schema<'IncidentsDto'>) => incidents;
const idOf = ({ id }: Schema<'IncidentDto'>): number => id;

const NO_FILTERS: IncidentsSearch = { state: undefined, severity: undefined, chips: undefined };

/** All incidents of the window. */
export function IncidentsPage() {
  const { state, severity, chips, order, page }: IncidentsSearch = useSearch({ strict: false });
  const window = useWindow();
  const filters = { state, severity, chips, order, page };
  const query = useQuery(incidentsQuery(filters, window));
  const list = useListPage({ query, itemsOf, search: filters, held: { idOf, window } });
  const set: SetSearch<IncidentsSearch> = useSetFilters();
  const isFiltered = (state ?? severity ?? chips) !== undefined;
  return (
    <>
      <Title order={1}>{texts.title}</Title>
      <div className={rows.filters}>
        <FilterSelects
          search={filters}
          filters={[
            { name: 'state', label: texts.state, choices: texts.states, w: 170 },
            { name: 'severity', label: texts.severity, choices: texts.severities },
            { name: 'order', label: texts.order, choices: texts.orders, w: 130 },
          ]}
          onChange={set}
        />
        <ChipsField value={chips ?? []} onChange={(next) => set({ chips: next.length === 0 ? undefined : next })} />
      </div>
      <ListCount list={list} text={texts.count} />
      <ListFrame
        list={list}
        size={PAGE_SIZE}
        skeleton={10}
        empty={<Nothing isFiltered={isFiltered} title={texts.none} onClear={() => set(NO_FILTERS)} />}
      >
        {(incidents) => <IncidentTable incidents={incidents} />}
      </ListFrame>
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
  useAcknowledgeRows(body, thingOf, { rows: shared.rows, group: texts.group, label: texts.keyAcknowledge });
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.columns.severity}</Table.Th>
          <Table.Th>{texts.columns.incident}</Table.Th>
          <Table.Th visibleFrom="lg">{texts.columns.origin}</Table.Th>
          <Table.Th visibleFrom="md">{texts.columns.line}</Table.Th>
          <Table.Th>{texts.columns.began}</Table.Th>
          <Table.Th visibleFrom="xs">{texts.columns.lasted}</Table.Th>
          <Table.Th visibleFrom="sm" className={rows.right}>
            {texts.columns.metrics}
          </Table.Th>
          <Table.Th visibleFrom="sm">{texts.columns.acknowledged}</Table.Th>
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
          <span className="dim">{texts.noOrigin}</span>
        )}
      </Table.Td>
      <Table.Td visibleFrom="md">
        {origin && <MetricSparkline line={line} metric={origin.metric} height={24} />}
      </Table.Td>
      <Table.Td className={rows.when}>
        <Time at={incident.started_timestamp} />
      </Table.Td>
      <Table.Td visibleFrom="xs" className={rows.when}>
        <Lasted from={incident.started_timestamp} until={incident.out_until_timestamp} />{' '}
        {incident.state === 'open' && <strong>{texts.isOpen}</strong>}
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
