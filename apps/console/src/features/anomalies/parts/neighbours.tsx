import { Anchor, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MetricName } from '../../../components/metric-name';
import { Sparkline } from '../../../components/sparkline';
import { Failed, RowsSkeleton } from '../../../components/page-states';
import { type Schema } from '../../../lib/api';
import { keepView } from '../../../lib/keep-view';
import { durationText } from '../../../lib/time';
import { relatedQuery } from '../api/neighbours';
import { sparklinesQuery } from '../api/series';
import { severityLabel } from '#libs/contracts';
import { texts } from '../anomaly.texts';
import classes from '../anomaly.module.css';

const MAX_ROWS = 8;

/**
 * Metrics that became anomalous at the same time as this one, and those that move with it, on the axis of the chart.
 */
export function Neighbours({
  answer,
  window,
}: {
  answer: Schema<'AnomalyAnswerDto'>;
  window: { from: number; until: number };
}) {
  const { anomaly, related_anomalies: all } = answer;
  const related = useQuery(relatedQuery(anomaly.metric, window));
  const distance = (other: { timestamp: number }): number => Math.abs(other.timestamp - anomaly.timestamp);
  const together = all
    .filter(({ metric_id }) => metric_id !== anomaly.metric_id)
    .toSorted((one, other) => distance(one) - distance(other))
    .slice(0, MAX_ROWS);
  const ids = new Set(together.map(({ metric_id }) => metric_id));
  const others = (related.data?.related ?? []).filter(({ metric_id }) => !ids.has(metric_id)).slice(0, MAX_ROWS);
  const lines = useQuery(sparklinesQuery([...ids, ...others.map(({ metric_id }) => metric_id)], window));
  const lineOf = (metricId: number) => lines.data?.sparklines.find(({ metric_id }) => metric_id === metricId);
  return (
    <>
      <section className={classes.block}>
        <Title order={2}>{texts.together}</Title>
        {together.length === 0 && (
          <Text size="sm" className="dim">
            {texts.together0}
          </Text>
        )}
        <ul className={classes.rows}>
          {together.map((other) => (
            <li key={other.id} className={classes.row}>
              <Anchor
                size="sm"
                className={`mono ${classes.name}`}
                component={Link}
                to={`/anomaly/${String(other.id)}`}
                search={keepView as never}
              >
                <MetricName name={other.metric} />
              </Anchor>
              <SmallLine metric={other.metric} line={lineOf(other.metric_id)} />
              <span className={classes.note}>{laterText(other.timestamp - anomaly.timestamp)}</span>
            </li>
          ))}
        </ul>
      </section>
      {related.isPending && <RowsSkeleton rows={3} />}
      {related.isError && (
        <Failed error={related.error} onRetry={() => void related.refetch()} isOld={related.data !== undefined} />
      )}
      {others.length > 0 && (
        <section className={classes.block}>
          <Title order={2}>{texts.movesWith}</Title>
          <ul className={classes.rows}>
            {others.map((other) => (
              <li key={other.metric_id} className={classes.row}>
                <Anchor
                  size="sm"
                  className={`mono ${classes.name}`}
                  component={Link}
                  to="/metric/$metricName"
                  params={{ metricName: other.metric } as never}
                  search={keepView as never}
                >
                  <MetricName name={other.metric} />
                </Anchor>
                <SmallLine metric={other.metric} line={lineOf(other.metric_id)} />
                <span className={classes.note}>{relationText(other)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function SmallLine({ metric, line }: { metric: string; line: Schema<'SparklineDto'> | undefined }) {
  if (!line) return <span />;
  return (
    <Sparkline
      points={line.points as [number, number | null][]}
      lower={line.lower}
      upper={line.upper}
      anomalies={line.anomalies.map((anomaly) => ({
        from: anomaly.from,
        until: anomaly.until,
        severity: severityLabel(anomaly.severity),
      }))}
      width={300}
      label={texts.sparkline(metric)}
    />
  );
}

function laterText(seconds: number): string {
  if (seconds === 0) return texts.sameTime;
  return seconds > 0 ? texts.laterBy(durationText(seconds)) : texts.earlierBy(durationText(-seconds));
}

function relationText({
  basis,
  lag_seconds: lag,
  shared_incidents: shared,
  strength,
}: Schema<'RelatedMetricDto'>): string {
  if (basis.includes('correlation')) {
    if (lag === 0) return texts.strength(Math.round(100 * strength));
    return lag > 0 ? texts.follows(durationText(lag)) : texts.leads(durationText(-lag));
  }
  return basis.includes('incidents') ? texts.sharedIncidents(shared) : texts.similarName;
}
