import { IncidentTitle } from '../../components/incident-title';
import { RecordPage, recordId } from '../../components/record-page';
import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { AcknowledgeIncident, canAcknowledge } from '../../components/acknowledge-button';
import { texts as shared } from '../../components/components.texts';
import { MetricName } from '../../components/metric-name';
import { SeverityMark } from '../../components/severity';
import { Lasted, Time } from '../../components/times';
import { useAcknowledgeIncident } from '../../lib/acknowledge-keys';
import { type Schema } from '../../lib/api';
import { keepView } from '../../lib/keep-view';
import { useMayWrite } from '../../lib/me';
import { useDataNow } from '../../lib/now';
import { withoutGaps } from '../../lib/search-params';
import { timeText } from '../../lib/time';
import { useWindow } from '../../lib/window';
import { useZone } from '../../lib/zone';
import { incidentQuery, messagesQuery } from './api/incidents.queries';
import { type IncidentSearch } from './incidents-search';
import { inOrder, type Member, membersOf, windowAround } from './members';
import { texts } from './incidents.texts';
import { Course } from './parts/course';
import { SHOWN_AT_FIRST, StoryChart } from './parts/story-chart';
import { type StoryEntry, storyOf } from './story';
import { plainText, sentenceOf } from './story-text';
import classes from './incident.module.css';

/** An incident as a story: its events on one time axis and as text, and its likely origins. */
export function IncidentPage() {
  const { incidentId } = useParams({ strict: false });
  const id = recordId(incidentId);
  const query = useQuery({ ...incidentQuery(id ?? 0), enabled: id !== null });
  return (
    <RecordPage
      id={id}
      record={{ kind: 'incident', id: incidentId ?? '' }}
      query={query}
      title={texts.one(incidentId ?? '')}
    >
      {(answer) => <Incident answer={answer} />}
    </RecordPage>
  );
}

function Incident({ answer }: { answer: Schema<'IncidentAnswerDto'> }) {
  const { incident, anomalies } = answer;
  const { anomaly_id: markedId, span: chosenSpan, members: many }: IncidentSearch = useSearch({ strict: false });
  const pageWindow = useWindow();
  const zone = useZone();
  const now = useDataNow();
  const mayWrite = useMayWrite();
  const navigate = useNavigate();
  const { started_timestamp: started, ended_timestamp: ended, out_until_timestamp: outUntil } = incident;
  const span = chosenSpan ?? 'around';
  const around = useMemo(() => windowAround({ started, ended }, now), [started, ended, now]);
  const messages = useQuery(messagesQuery(incident.id, started));
  const story = useMemo(
    () => storyOf(incident, anomalies, messages.data?.deliveries ?? []),
    [incident, anomalies, messages.data],
  );
  const members = useMembers(answer);
  const edges = useMemo(() => (ended === null ? [started] : [started, ended]), [started, ended]);
  const [chosen, setChosen] = useState<StoryEntry | null>(null);
  const reader = { zone, now };
  const isMarkedBelow =
    members.findIndex((member) => member.anomalies.some(({ id }) => id === markedId)) >= SHOWN_AT_FIRST;
  const choose = (changed: IncidentSearch): void =>
    void navigate({
      to: '.',
      replace: true,
      search: (current: Record<string, unknown>) => withoutGaps({ ...current, ...changed }),
    } as never);
  useAcknowledgeIncident(canAcknowledge(incident) ? incident.id : null, {
    group: texts.group,
    label: texts.keyAcknowledge,
  });
  return (
    <>
      <Title order={1}>
        <IncidentTitle title={incident.title} />
      </Title>
      <div className={classes.facts}>
        <SeverityMark severity={incident.severity_label} />
        <strong>{incident.state === 'open' ? texts.isOpen : texts.isResolved}</strong>
        <span>
          {texts.began} <Time at={started} />, {outUntil === null ? texts.lasting : texts.lasted}{' '}
          <Lasted from={started} until={outUntil} />
        </span>
        <span className="dim">
          {texts.metrics(incident.metrics_count)}, {texts.anomalies(incident.anomalies_count)}
        </span>
        <AcknowledgeIncident incident={incident} />
        {!mayWrite && <span className="dim">{shared.demoReads}</span>}
        {markedId !== undefined && <span className="dim">{texts.fromMessage}</span>}
      </div>
      <StoryChart
        members={members}
        origins={incident.origins}
        entries={story}
        textOf={(entry) => texts.mark(timeText(entry.at, zone), plainText(sentenceOf(entry, incident, reader)))}
        window={span === 'page' ? pageWindow : around}
        edges={edges}
        span={span}
        onSpan={(next) => choose({ span: next === 'page' ? 'page' : undefined })}
        isWhole={many === 'all' || isMarkedBelow}
        onWhole={(isWhole) => choose({ members: isWhole ? 'all' : undefined })}
        markedAnomalyId={markedId}
        onEntry={(entry) => setChosen({ ...entry })}
      />
      {incident.anomalies_count > anomalies.length && (
        <Text size="sm" className="dim" mt="xs">
          {texts.someMembers(anomalies.length, incident.anomalies_count)}
        </Text>
      )}
      <div className={classes.page}>
        <Course
          incident={incident}
          entries={story}
          chosen={chosen}
          openMetrics={members.filter((member) => member.anomalies.some(({ state }) => state === 'open')).length}
          messages={{ shown: messages.data?.deliveries.length ?? 0, total: messages.data?.total ?? 0 }}
          error={messages.error}
          onRetry={() => void messages.refetch()}
          reader={reader}
        />
        <div>
          <Origins incident={incident} />
          <CommonLabels labels={incident.common_labels} />
        </div>
      </div>
    </>
  );
}

/** The metrics, in an order that is stable while the page is open. */
function useMembers({ incident, anomalies }: Schema<'IncidentAnswerDto'>): Member[] {
  const [shown, setShown] = useState<{ incident: number; ids: readonly number[] }>({ incident: incident.id, ids: [] });
  const members = useMemo(
    () => inOrder(membersOf(anomalies), incident.origins, shown.incident === incident.id ? shown.ids : []),
    [anomalies, incident, shown],
  );
  if (shown.incident !== incident.id || members.some(({ metricId }) => !shown.ids.includes(metricId)))
    setShown({ incident: incident.id, ids: members.map(({ metricId }) => metricId) });
  return members;
}

function Origins({ incident }: { incident: Schema<'IncidentDto'> }) {
  return (
    <section aria-labelledby="origins">
      <Title order={2} id="origins">
        {texts.origins}
      </Title>
      <Text size="xs" className="dim">
        {incident.origins.length === 0 ? texts.noOrigins : texts.originsNote}
      </Text>
      <ol className={classes.origins}>
        {incident.origins.map(({ rank, metric, metric_id, anomaly_id, likelihood, reason }) => (
          <li key={metric_id} className={classes.rankedOrigin}>
            <span className="dim" aria-hidden="true">
              {texts.rank(rank)}
            </span>
            <span>
              <Link
                to="/anomaly/$anomalyId"
                params={{ anomalyId: String(anomaly_id) }}
                search={keepView as never}
                className="mono"
              >
                <MetricName name={metric} />
              </Link>
              <br />
              <span className="dim">
                <bdi>{reason}</bdi>
              </span>
            </span>
            <span title={texts.likelihood}>{texts.percent(likelihood)}</span>
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
        {texts.common}
      </Title>
      <div className={classes.labels}>
        {entries.map(([key, value]) => (
          <span key={key} className={`mono ${classes.label ?? ''}`}>
            <bdi>{`${key}=${value}`}</bdi>
          </span>
        ))}
        {entries.length === 0 && (
          <Text size="sm" className="dim">
            {texts.noCommon}
          </Text>
        )}
      </div>
    </section>
  );
}
