import { RecordPage, recordId } from '../../components/record-page';
import { Button, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { AcknowledgeIncident, canAcknowledge } from '../../components/acknowledge-button';
import { AnomalyLink } from '../../components/anomaly-link';
import { words as shared } from '../../components/components.words';
import { SeverityMark } from '../../components/severity';
import { Lasted, Time } from '../../components/times';
import { useAcknowledgeIncident } from '../../lib/acknowledge-keys';
import { type Schema } from '../../lib/api';
import { deliveriesSearch } from '../../lib/deliveries-link';
import { titleWithoutTimes } from '../../lib/incident-title';
import { keepView } from '../../lib/keep-view';
import { useMayWrite } from '../../lib/me';
import { useDataNow } from '../../lib/now';
import { withoutGaps } from '../../lib/search-params';
import { useWindow } from '../../lib/window';
import { incidentQuery } from './api/incidents.queries';
import { type IncidentSearch } from './incidents-search';
import { membersOf, windowAround } from './members';
import { words } from './incidents.words';
import { Members } from './parts/members';
import classes from './incident.module.css';

const ENTRIES_AT_FIRST = 30;

/** An incident: what began it, its metrics on one time axis, and its course. */
export function IncidentPage() {
  const { incidentId } = useParams({ strict: false });
  const id = recordId(incidentId);
  const query = useQuery({ ...incidentQuery(id ?? 0), enabled: id !== null });
  return (
    <RecordPage id={id} query={query} title={words.one(incidentId ?? '')}>
      {(answer) => <Incident answer={answer} />}
    </RecordPage>
  );
}

function Incident({ answer }: { answer: Schema<'IncidentAnswerDto'> }) {
  const { incident, anomalies, timeline } = answer;
  const { anomaly_id: markedId, span: chosenSpan }: IncidentSearch = useSearch({ strict: false });
  const pageWindow = useWindow();
  const now = useDataNow();
  const mayWrite = useMayWrite();
  const navigate = useNavigate();
  const { started_timestamp: started, ended_timestamp: ended } = incident;
  const span = chosenSpan ?? 'around';
  const window = span === 'page' ? pageWindow : windowAround({ started, ended }, now);
  const members = useMemo(() => membersOf(anomalies), [anomalies]);
  useAcknowledgeIncident(canAcknowledge(incident) ? incident.id : null, {
    group: words.group,
    label: words.keyAcknowledge,
  });
  return (
    <>
      <Title order={1}>
        <bdi>{titleWithoutTimes(incident.title)}</bdi>
      </Title>
      <div className={classes.facts}>
        <SeverityMark severity={incident.severity_label} />
        <strong>{incident.state === 'open' ? words.isOpen : words.isResolved}</strong>
        <span>
          {words.began} <Time at={started} />, {ended === null ? words.lasting : words.lasted}{' '}
          <Lasted from={started} until={ended} />
        </span>
        <span className="dim">
          {words.metrics(incident.metrics_count)}, {words.anomalies(incident.anomalies_count)}
        </span>
        <Link
          to="/alerts/deliveries"
          search={deliveriesSearch({ incident: incident.id }, incident.started_timestamp) as never}
        >
          {words.deliveries}
        </Link>
        <AcknowledgeIncident incident={incident} />
        {!mayWrite && <span className="dim">{shared.demoReads}</span>}
        {markedId !== undefined && <span className="dim">{words.fromMessage}</span>}
      </div>
      <div className={classes.page}>
        <div>
          <Members
            members={members}
            window={window}
            span={span}
            markedAnomalyId={markedId}
            onSpan={(next) =>
              void navigate({
                to: '.',
                replace: true,
                search: (current: Record<string, unknown>) =>
                  withoutGaps({ ...current, span: next === 'page' ? 'page' : undefined }),
              } as never)
            }
          />
          {incident.anomalies_count > anomalies.length && (
            <Text size="sm" className="dim" mt="xs">
              {words.someMembers(anomalies.length, incident.anomalies_count)}
            </Text>
          )}
        </div>
        <div>
          <Origins incident={incident} />
          <CommonLabels labels={incident.common_labels} />
          <Timeline entries={timeline} />
        </div>
      </div>
    </>
  );
}

function Origins({ incident }: { incident: Schema<'IncidentDto'> }) {
  return (
    <section aria-labelledby="origins">
      <Title order={2} id="origins">
        {words.origins}
      </Title>
      <Text size="xs" className="dim">
        {incident.origins.length === 0 ? words.noOrigins : words.originsNote}
      </Text>
      <ol className={classes.origins}>
        {incident.origins.map(({ rank, metric, metric_id, anomaly_id, likelihood, reason }) => (
          <li key={metric_id} className={classes.origin}>
            <span className="dim" aria-hidden="true">
              {words.rank(rank)}
            </span>
            <span>
              <Link
                to="/anomaly/$anomalyId"
                params={{ anomalyId: String(anomaly_id) }}
                search={keepView as never}
                className="mono"
              >
                <bdi>{metric}</bdi>
              </Link>
              <br />
              <span className="dim">
                <bdi>{reason}</bdi>
              </span>
            </span>
            <span title={words.likelihood}>{words.percent(likelihood)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function CommonLabels({ labels }: { labels: Record<string, string> }) {
  const entries = Object.entries(labels);
  return (
    <section aria-labelledby="common">
      <Title order={2} id="common">
        {words.common}
      </Title>
      <div className={classes.labels}>
        {entries.map(([key, value]) => (
          <span key={key} className={`mono ${classes.label ?? ''}`}>
            <bdi>{`${key}=${value}`}</bdi>
          </span>
        ))}
        {entries.length === 0 && (
          <Text size="sm" className="dim">
            {words.noCommon}
          </Text>
        )}
      </div>
    </section>
  );
}

function Timeline({ entries }: { entries: readonly Schema<'TimelineEntryDto'>[] }) {
  const [shown, setShown] = useState(ENTRIES_AT_FIRST);
  return (
    <section aria-labelledby="timeline">
      <Title order={2} id="timeline">
        {words.timeline}
      </Title>
      <Table layout="auto" fz="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.columnsTimeline.time}</Table.Th>
            <Table.Th>{words.columnsTimeline.what}</Table.Th>
            <Table.Th>{words.columnsTimeline.metric}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.slice(0, shown).map(({ timestamp, what, metric, anomaly_id }) => (
            <Table.Tr key={`${String(anomaly_id)}${what}`}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <Time at={timestamp} />
              </Table.Td>
              <Table.Td>{words.what[what]}</Table.Td>
              <Table.Td className="mono">
                <AnomalyLink anomalyId={anomaly_id} fz="xs" c="inherit">
                  <bdi>{metric}</bdi>
                </AnomalyLink>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {entries.length > shown && (
        <Button variant="subtle" onClick={() => setShown(shown + ENTRIES_AT_FIRST * 5)}>
          {words.more(Math.min(ENTRIES_AT_FIRST * 5, entries.length - shown))}
        </Button>
      )}
    </section>
  );
}
