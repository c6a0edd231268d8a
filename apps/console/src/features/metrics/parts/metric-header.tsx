import { Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { AnomalyLink } from '../../../components/anomaly-link';
import { ExcludeButton } from '../../../components/exclude-button';
import { MetricName } from '../../../components/metric-name';
import { Ago } from '../../../components/times';
import { type Schema } from '../../../lib/api';
import { keepView } from '../../../lib/keep-view';
import { useNow } from '../../../lib/now';
import { shownUnit, valueText } from '../../../lib/numbers';
import { durationText, timeText } from '../../../lib/time';
import { texts } from '../metrics.texts';
import { judgementText, readinessSentences } from '../readiness';
import { baseName } from '../series-window';
import classes from './metrics.module.css';

interface HeaderProps {
  metric: Schema<'MetricDto'>;
  /** For a counter: the newest per-second rate of the window; null while there is none. */
  rate: number | null;
  zone: string;
}

/** Name, labels and details of the metric, in words. */
export function MetricHeader({ metric, rate, zone }: HeaderProps) {
  const labels = Object.entries(metric.labels);
  const times = { timeOf: (at: number) => timeText(at, zone), now: useNow() };
  const sentences = readinessSentences(metric, times);
  return (
    <Stack gap={4}>
      <Group gap="xs" align="baseline">
        <Title order={1}>
          <span className="mono">
            <MetricName name={baseName(metric.name, metric.labels)} />
          </span>
        </Title>
        {metric.open_anomaly_id !== null && (
          <AnomalyLink anomalyId={metric.open_anomaly_id} size="sm">
            {texts.openNow}
          </AnomalyLink>
        )}
        <ExcludeButton metric={metric.name} group={texts.group} />
      </Group>
      {labels.length > 0 && (
        <Group gap={6}>
          {labels.map(([key, value]) => (
            <Link
              key={key}
              to="/metrics"
              search={
                ((view: Record<string, unknown>) => ({ ...keepView(view), chips: [chipOf(key, value)] })) as never
              }
              className="mono dim"
            >
              <bdi>{`${key}=${value}`}</bdi>
            </Link>
          ))}
        </Group>
      )}
      {metric.description && (
        <Text size="sm">
          <bdi>{metric.description}</bdi>
        </Text>
      )}
      <dl className={classes.facts}>
        <Fact name={texts.columns.state}>
          {metric.state !== 'active'
            ? texts.states[metric.state]
            : (judgementText(metric, times) ?? texts.analysis[metric.analysis_state])}
        </Fact>
        <Fact name={texts.facts.last}>
          {metric.last_timestamp === null ? (
            texts.noPoint
          ) : (
            <>
              {metric.type === 'counter' ? (
                <span title={texts.total(valueText(metric.last_value, metric.unit))}>
                  {valueText(rate, shownUnit(metric))}
                </span>
              ) : (
                valueText(metric.last_value, shownUnit(metric))
              )}
              , <Ago at={metric.last_timestamp} />
            </>
          )}
        </Fact>
        {metric.unit !== null && <Fact name={texts.facts.unit}>{metric.unit}</Fact>}
        <Fact name={texts.facts.type}>{texts.types[metric.type]}</Fact>
        {metric.resolution_seconds !== null && (
          <Fact name={texts.facts.every}>{durationText(metric.resolution_seconds)}</Fact>
        )}
      </dl>
      {sentences.length > 0 && (
        <Text size="sm" className="dim">
          {sentences.join(' ')}
        </Text>
      )}
    </Stack>
  );
}

/** The chip that selects metrics with this label; quoted, so that no character of the value has a special meaning. */
function chipOf(key: string, value: string): string {
  return `${key}:"${value.replace(/["\\]/g, '\\$&')}"`;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
