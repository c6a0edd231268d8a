import { Anchor, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MetricName } from '../../../components/metric-name';
import { Empty, Failed, RowsSkeleton } from '../../../components/page-states';
import { PatternShape } from '../../../components/pattern-shape';
import { Time } from '../../../components/times';
import { keepView } from '../../../lib/keep-view';
import { countText } from '../../../lib/numbers';
import { durationText } from '../../../lib/time';
import { patternsQuery, pendingQuery } from '../api/patterns';
import { texts } from '../teach.texts';
import classes from '../teach.module.css';
import { patternName, stateOf } from './pattern-state';
import { ToAnomalies } from './to-anomalies';

/** Patterns of all metrics with their curves, and those that are being built. */
export function PatternsTab() {
  const { data, isPending, error, refetch } = useQuery(patternsQuery);
  const pending = useQuery(pendingQuery);
  // If they were shown separately, the rows would move.
  if (isPending || pending.isPending) return <RowsSkeleton rows={12} />;
  return (
    <section className={classes.block}>
      <Pending />
      {error && <Failed error={error} isOld={data !== undefined} onRetry={() => void refetch()} />}
      {data?.total === 0 && (
        <Empty title={texts.patternsNone}>
          {texts.patternsNoneText} <ToAnomalies />
        </Empty>
      )}
      {data && data.total > 0 && (
        <>
          {data.total > data.patterns.length && (
            <Text size="xs" className="dim">
              {texts.patternsPartial(data.patterns.length, data.total)}
            </Text>
          )}
          <div className={classes.tableBox}>
            <Table highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{texts.label}</Table.Th>
                  <Table.Th className={classes.wide}>{texts.shape}</Table.Th>
                  <Table.Th>{texts.metric}</Table.Th>
                  <Table.Th className={classes.wide}>{texts.length}</Table.Th>
                  <Table.Th className={classes.number}>{texts.matches}</Table.Th>
                  <Table.Th className={classes.wide}>{texts.lastMatch}</Table.Th>
                  <Table.Th>{texts.state}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.patterns.map((pattern) => (
                  <Table.Tr key={pattern.id}>
                    <Table.Td>
                      <Anchor
                        size="sm"
                        component={Link}
                        to={`/pattern/${String(pattern.id)}`}
                        search={keepView as never}
                      >
                        <bdi>{patternName(pattern)}</bdi>
                      </Anchor>
                    </Table.Td>
                    <Table.Td className={`${classes.shape} ${classes.wide}`}>
                      <PatternShape id={pattern.id} label={texts.shapeOf(patternName(pattern))} height={28} isBare />
                    </Table.Td>
                    <Table.Td className="mono">
                      <MetricName name={pattern.metric} />
                    </Table.Td>
                    <Table.Td className={classes.wide}>{durationText(pattern.duration)}</Table.Td>
                    <Table.Td className={classes.number}>{countText(pattern.matches)}</Table.Td>
                    <Table.Td className={classes.wide}>
                      {pattern.last_match_timestamp === null ? texts.never : <Time at={pattern.last_match_timestamp} />}
                    </Table.Td>
                    <Table.Td>{texts.states[stateOf(pattern)]}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        </>
      )}
    </section>
  );
}

function Pending() {
  const pending = useQuery(pendingQuery);
  if (pending.isError && !pending.data)
    return <Failed error={pending.error} onRetry={() => void pending.refetch()} isOld={false} />;
  const rows = pending.data?.pending_patterns ?? [];
  if (rows.length === 0) return null;
  return (
    <div className={classes.block}>
      <Title order={2} size="h3">
        {texts.pending}
      </Title>
      <ul className={classes.rows}>
        {rows.map((row) => (
          <li key={row.id} className={classes.short}>
            <span className="mono">
              <MetricName name={row.metric} />
            </span>
            <span>
              <bdi>{row.label}</bdi>
            </span>
            <span>{durationText(row.duration)}</span>
            <span>{texts.pendingStatus[row.status]}</span>
            {row.message !== null && <span className="dim">{row.message}</span>}
            <Anchor size="sm" component={Link} to={`/anomaly/${String(row.anomaly_id)}`} search={keepView as never}>
              {texts.openAnomaly}
            </Anchor>
          </li>
        ))}
      </ul>
    </div>
  );
}
