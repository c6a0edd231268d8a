import { Anchor, Button, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import { AcknowledgeIncident, canAcknowledge } from '../../../components/acknowledge-button';
import { AnomalyLink } from '../../../components/anomaly-link';
import { texts as shared } from '../../../components/components.texts';
import { IncidentTitle } from '../../../components/incident-title';
import { MetricName } from '../../../components/metric-name';
import { MetricSparkline } from '../../../components/metric-sparkline';
import { SeverityMark } from '../../../components/severity';
import { Lasted, Time } from '../../../components/times';
import { useAcknowledgeRows } from '../../../lib/acknowledge-keys';
import { type Schema } from '../../../lib/api';
import { titleWithoutTimes } from '../../../lib/incident-title';
import { keepView } from '../../../lib/keep-view';
import { useMayWrite } from '../../../lib/me';
import { useSparklines } from '../../../lib/sparklines';
import { timeText } from '../../../lib/time';
import { useWindow } from '../../../lib/window';
import { useZone } from '../../../lib/zone';
import { sentAboutQuery } from '../api/now.queries';
import { texts } from '../now.texts';
import classes from '../now.module.css';

type Incident = Schema<'IncidentDto'>;

const originOf = ({ origins }: Incident) => origins[0];

/** The open incidents, worst first; j and k move, Enter opens, a acknowledges. */
export function OpenIncidents({ incidents, total }: { incidents: readonly Incident[]; total: number }) {
  const list = useRef<HTMLUListElement>(null);
  const window = useWindow();
  const mayWrite = useMayWrite();
  const lines = useSparklines(
    incidents.flatMap((incident) => originOf(incident)?.metric_id ?? []),
    window,
  );
  const sent = useQueries({
    queries: incidents.map((incident) => ({
      ...sentAboutQuery(originOf(incident)?.anomaly_id ?? 0),
      enabled: originOf(incident) !== undefined,
    })),
  });
  const thingOf = useCallback(
    (rowId: string) => {
      const incident = incidents.find(({ id }) => String(id) === rowId);
      return incident && canAcknowledge(incident) ? { incidentId: incident.id } : null;
    },
    [incidents],
  );
  useAcknowledgeRows(list, thingOf, { rows: shared.rows, group: texts.group, label: texts.keyAcknowledge });
  return (
    <>
      <ul className={classes.rows} aria-label={texts.incidents} ref={list}>
        {incidents.map((incident, i) => {
          const origin = originOf(incident);
          return (
            <li key={incident.id} className={classes.row} data-row-box>
              <SeverityMark severity={incident.severity_label} />
              <div className={classes.what}>
                <Link
                  to="/incident/$incidentId"
                  params={{ incidentId: String(incident.id) }}
                  search={keepView as never}
                  className={classes.title}
                  data-row={incident.id}
                >
                  <IncidentTitle title={incident.title} />
                </Link>
                <Facts incident={incident} sent={sent[i]?.data} />
              </div>
              <span className={classes.line}>
                {origin && <MetricSparkline line={lines.get(origin.metric_id)} metric={origin.metric} width={160} />}
              </span>
              <Text size="sm" className={`dim ${classes.long ?? ''}`}>
                <Lasted from={incident.started_timestamp} until={incident.out_until_timestamp} />
              </Text>
              <div className={classes.actions}>
                <AcknowledgeIncident incident={incident} />
                <Button
                  variant="default"
                  aria-label={texts.openIncident(titleWithoutTimes(incident.title))}
                  renderRoot={(props: object) => (
                    <Link
                      {...props}
                      to="/incident/$incidentId"
                      params={{ incidentId: String(incident.id) }}
                      search={keepView as never}
                    />
                  )}
                >
                  {texts.open}
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
      {total > incidents.length && (
        <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/incidents" search={OPEN as never} />}>
          {texts.allIncidents(total)}
        </Anchor>
      )}
      {!mayWrite && (
        <Text size="xs" className="dim" mt={4}>
          {shared.demoReads}
        </Text>
      )}
    </>
  );
}

const OPEN = (current: Record<string, unknown>) => ({ ...keepView(current), state: 'open' });

/** Its origin, its extent, and the notified people. */
function Facts({ incident, sent }: { incident: Incident; sent: readonly Schema<'AlertDeliveryDto'>[] | undefined }) {
  const zone = useZone();
  const origin = originOf(incident);
  const first = sent?.at(-1);
  return (
    <Text size="sm" className="dim">
      {origin && incident.metrics_count > 1 ? (
        <>
          {texts.origin}{' '}
          <span className="mono">
            <MetricName name={origin.metric} />
          </span>
          , <Time at={incident.started_timestamp} />: {origin.reason}. {texts.members(incident.metrics_count)}.{' '}
        </>
      ) : (
        <>
          {texts.since} <Time at={incident.started_timestamp} />.{' '}
        </>
      )}
      {sent !== undefined &&
        (first
          ? texts.notified([...new Set(sent.map(({ channel }) => channel))], timeText(first.timestamp, zone))
          : texts.notNotified)}{' '}
      {origin && <AnomalyLink anomalyId={origin.anomaly_id}>{texts.why}</AnomalyLink>}
    </Text>
  );
}
