import { Anchor, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { MetricName } from '../../../components/metric-name';
import { Pairs } from '../../../components/pairs';
import { SeverityMark } from '../../../components/severity';
import { Lasted, Time } from '../../../components/times';
import { isOpen, stateText } from '../../../lib/anomaly-state';
import { type Schema } from '../../../lib/api';
import { deliveriesSearch } from '../../../lib/deliveries-link';
import { keepView } from '../../../lib/keep-view';
import { kindText } from '../../../lib/kinds';
import { valueText } from '../../../lib/numbers';
import { expectedText } from '../anomaly-sentence';
import { texts as shared } from '../../../components/components.texts';
import { texts } from '../anomaly.texts';
import classes from '../anomaly.module.css';

const facts = texts.facts;
const MAX_DELIVERIES = 8;

export function Facts({
  answer,
  unit,
  isNeverNegative,
}: {
  answer: Schema<'AnomalyAnswerDto'>;
  unit: string | null;
  isNeverNegative: boolean;
}) {
  const { anomaly, incident, alerts } = answer;
  const expected = expectedText(anomaly, isNeverNegative, unit);
  return (
    <section className={classes.block}>
      <Title order={2} size="h3">
        {facts.title}
      </Title>
      <Pairs
        pairs={[
          {
            name: facts.severity,
            value: (
              <>
                <SeverityMark severity={anomaly.severity_label} /> {anomaly.severity}
              </>
            ),
          },
          { name: facts.kind, value: kindText(anomaly.kind) },
          {
            name: facts.state,
            value: `${stateOf(anomaly)}${anomaly.positive ? `, ${texts.realProblem}` : ''}`,
          },
          { name: facts.began, value: <Time at={anomaly.timestamp} /> },
          { name: facts.lasted, value: <Lasted from={anomaly.timestamp} until={anomaly.out_until_timestamp} /> },
          anomaly.peak_value === null
            ? null
            : {
                name: facts.peak,
                value: (
                  <>
                    {valueText(anomaly.peak_value, unit)}, <Time at={anomaly.peak_timestamp} />
                  </>
                ),
              },
          expected === null ? null : { name: facts.expected, value: expected },
          incident && {
            name: facts.incident,
            value: (
              <>
                <Anchor size="sm" component={Link} to={`/incident/${String(incident.id)}`} search={keepView as never}>
                  <MetricName name={incident.title} />
                </Anchor>{' '}
                <span className="dim">({texts.members(incident.metrics_count)})</span>
              </>
            ),
          },
          { name: facts.notified, value: <Deliveries anomaly={anomaly} alerts={alerts} /> },
          anomaly.acknowledged_at === null
            ? null
            : {
                name: facts.acknowledged,
                value: (
                  <>
                    <bdi>{anomaly.acknowledged_by_display_name ?? ''}</bdi> <Time at={anomaly.acknowledged_at} />
                  </>
                ),
              },
          anomaly.acknowledge_note === null || anomaly.acknowledge_note === ''
            ? null
            : { name: facts.note, value: <bdi>{anomaly.acknowledge_note}</bdi> },
        ]}
      />
    </section>
  );
}

function stateOf(anomaly: Schema<'AnomalyDto'>): string {
  const reason = anomaly.close_reason === null ? null : texts.closedBy[anomaly.close_reason];
  if (!isOpen(anomaly)) return reason ?? stateText(anomaly);
  return reason === null ? texts.stillOpen : `${texts.stillOpen}; ${reason}`;
}

function Deliveries({
  anomaly,
  alerts,
}: {
  anomaly: Schema<'AnomalyDto'>;
  alerts: readonly Schema<'AlertDeliveryDto'>[];
}) {
  if (alerts.length === 0) return <Text size="sm">{texts.notNotified}</Text>;
  return (
    <ul className={classes.rows}>
      {alerts.slice(0, MAX_DELIVERIES).map((alert) => (
        <li key={alert.id}>
          <bdi>{alert.title}</bdi> ({shared.phases[alert.phase]}):{' '}
          {alert.channel === 'demo' && alert.state === 'sent' ? (
            texts.recordedInDemo
          ) : (
            <>
              {shared.channels[alert.channel]}
              {alert.channel !== 'demo' && (
                <>
                  {' '}
                  <bdi>{alert.recipient}</bdi>
                </>
              )}{' '}
              {texts.delivery[alert.state]}
            </>
          )}
          {alert.suppressed_by === null ? '' : ` (${shared.suppressedBy[alert.suppressed_by]})`},{' '}
          <Time at={alert.timestamp} />
          {alert.watcher_id !== null && alert.watcher_name !== null && (
            <>
              ,{' '}
              <Anchor
                size="sm"
                component={Link}
                to={`/watchers/${String(alert.watcher_id)}`}
                search={keepView as never}
              >
                <bdi>{alert.watcher_name}</bdi>
              </Anchor>
            </>
          )}
        </li>
      ))}
      {anomaly.id !== null && (
        <li>
          <Anchor
            size="sm"
            component={Link}
            to="/alerts/deliveries"
            search={deliveriesSearch({ anomaly: anomaly.id }, anomaly.timestamp) as never}
          >
            {texts.allDeliveries(alerts.length)}
          </Anchor>
        </li>
      )}
    </ul>
  );
}
