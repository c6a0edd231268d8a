import { Anchor, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MetricName } from '../../../components/metric-name';
import { Empty, Failed, RowsSkeleton } from '../../../components/page-states';
import { type Schema } from '../../../lib/api';
import { keepView } from '../../../lib/keep-view';
import { useNow } from '../../../lib/now';
import { countText } from '../../../lib/numbers';
import { durationText } from '../../../lib/time';
import { standingOf } from '../../../lib/learning';
import { newestQuery } from '../api/start';
import { readinessOf } from '../readiness';
import { texts } from '../start.texts';
import classes from './start.module.css';

const POINTS_TO_BEGIN = 100;
const ROWS = 20;
const STATES = ['collecting', 'learning', 'live', 'resting'] as const;

/** Points that a metric needs for its first verdict; after a restart of learning, from then on. */
const neededOf = ({ points_needed: points, judgement }: Schema<'MetricDto'>): number =>
  Math.max(points, judgement.values_needed);

/** The progress of the metrics. */
export function LearnStep() {
  const newest = useQuery(newestQuery);
  const now = useNow();
  if (newest.error && !newest.data)
    return <Failed error={newest.error} onRetry={() => void newest.refetch()} isOld={false} />;
  if (!newest.data) return <RowsSkeleton rows={5} />;
  const { metrics, total } = newest.data;
  if (total === 0) return <Empty title={texts.learnEmpty}>{texts.learnEmptyHint}</Empty>;
  const readiness = readinessOf(metrics, now);
  const isKnown = ({ readiness: { range, daily, weekly } }: Schema<'MetricDto'>): boolean =>
    range.ready && daily.ready && weekly.ready;
  const unfinished = metrics
    .filter((metric) => standingOf(metric) !== 'resting' && !isKnown(metric))
    .toSorted((a, b) => neededOf(b) - neededOf(a) || a.name.localeCompare(b.name));
  return (
    <Stack gap="sm">
      <Text size="sm">{texts.learnText}</Text>
      <dl className={classes.counts}>
        {STATES.filter((state) => state !== 'resting' || readiness.resting > 0).map((state) => (
          <div key={state}>
            <dt>
              <Text size="sm" span>
                {texts.states[state]}
              </Text>{' '}
              <Text size="xs" span className="dim">
                ({texts.stateHints[state]})
              </Text>
            </dt>
            <dd>{countText(readiness[state])}</dd>
          </div>
        ))}
      </dl>
      {total > metrics.length && (
        <Text size="xs" className="dim">
          {texts.ofNewest(metrics.length, total)}
        </Text>
      )}
      {unfinished.length > 0 && <ReadinessTable metrics={unfinished.slice(0, ROWS)} now={now} />}
      {unfinished.length > ROWS && (
        <Anchor component={Link} to="/metrics" search={keepView as never} size="sm">
          {texts.moreRows(unfinished.length - ROWS)}
        </Anchor>
      )}
    </Stack>
  );
}

function ReadinessTable({ metrics, now }: { metrics: readonly Schema<'MetricDto'>[]; now: number }) {
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={texts.steps.learn}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.metric}</Table.Th>
            <Table.Th>{texts.points}</Table.Th>
            <Table.Th>{texts.range}</Table.Th>
            <Table.Th>{texts.daily}</Table.Th>
            <Table.Th>{texts.weekly}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {metrics.map((metric) => {
            const { id, name, readiness } = metric;
            return (
              <Table.Tr key={id}>
                <Table.Td className={classes.name}>
                  <Anchor
                    component={Link}
                    to="/metric/$metricName"
                    params={{ metricName: name } as never}
                    search={keepView as never}
                    className="mono"
                  >
                    <MetricName name={name} />
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <Points needed={neededOf(metric)} />
                </Table.Td>
                <Table.Td>{readyText(readiness.range, now)}</Table.Td>
                <Table.Td>{readyText(readiness.daily, now)}</Table.Td>
                <Table.Td>{readyText(readiness.weekly, now)}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Points({ needed }: { needed: number }) {
  const have = Math.max(0, POINTS_TO_BEGIN - needed);
  return (
    <div className={classes.bar} role="img" aria-label={texts.pointsOf(have)} title={texts.pointsOf(have)}>
      <div className={classes.fill} style={{ width: `${String(have)}%` }} />
    </div>
  );
}

function readyText({ ready, expected_timestamp: at }: Schema<'ReadinessDto'>, now: number): string {
  if (ready) return texts.ready;
  return at === null || at <= now ? texts.notKnown : texts.inTime(durationText(at - now));
}
