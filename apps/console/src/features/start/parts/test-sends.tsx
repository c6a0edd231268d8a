import { Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { MetricName } from '../../../components/metric-name';
import { Failed } from '../../../components/page-states';
import { type Schema } from '../../../lib/api';
import { countText, valueText } from '../../../lib/numbers';
import { testSendsQuery } from '../api/start';
import { texts } from '../start.texts';
import classes from './start.module.css';

/** Rows of each list. */
const ROWS = 20;

/** What requests with `X-Test-Only: true` would have stored in the last ten minutes. */
export function TestSends() {
  const tests = useQuery(testSendsQuery);
  const { data } = tests;
  return (
    <Stack gap="xs" component="section" aria-labelledby="test-sends">
      <Title order={3} size="h5" id="test-sends">
        {texts.tests}
      </Title>
      {tests.error && <Failed error={tests.error} onRetry={() => void tests.refetch()} isOld={data !== undefined} />}
      {hasAny(data) ? (
        <Tested data={data} />
      ) : (
        <Text size="sm" className="dim">
          {texts.testsNone}
        </Text>
      )}
    </Stack>
  );
}

type Tests = Schema<'TestMetricsDto'>;

const hasAny = (data: Tests | undefined): data is Tests =>
  data !== undefined && data.ingest_count + data.drop_count + data.no_values_count > 0;

function Tested({ data }: { data: Tests }) {
  const { metrics, ingest_count: stored, metric_details: details, dropped, drop_count: refused } = data;
  const { metrics_with_no_values: empty, no_values_count: emptyCount, quota_preview: quota } = data;
  return (
    <>
      <Text size="sm" role="status">
        {texts.testsFound(stored, refused)} {quota.fits ? '' : texts.testsOverQuota(quota.metric_limit ?? 0)}
      </Text>
      {stored > 0 && (
        <div className={classes.scroll} tabIndex={0} role="region" aria-label={texts.testsStored}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{texts.testsStored}</Table.Th>
                <Table.Th>{texts.type}</Table.Th>
                <Table.Th>{texts.points}</Table.Th>
                <Table.Th>{texts.lastValue}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {metrics.slice(0, ROWS).map((name) => (
                <Table.Tr key={name}>
                  <Table.Td className={classes.name}>
                    <span className="mono">
                      <MetricName name={name} />
                    </span>
                  </Table.Td>
                  <Table.Td>{details[name]?.type}</Table.Td>
                  <Table.Td>{countText(details[name]?.points ?? 0)}</Table.Td>
                  <Table.Td>{valueText(details[name]?.last_value)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      <NameList title={texts.testsRefused} count={refused}>
        {dropped.slice(0, ROWS).map(({ metric, reason }) => (
          <li key={`${reason} ${metric}`}>
            <span className="mono">
              <MetricName name={metric} />
            </span>
            : {texts.refusals[reason]}
          </li>
        ))}
      </NameList>
      <NameList title={texts.testsEmpty} count={emptyCount}>
        {empty.slice(0, ROWS).map((name) => (
          <li key={name}>
            <span className="mono">
              <MetricName name={name} />
            </span>
          </li>
        ))}
      </NameList>
    </>
  );
}

function NameList({ title, count, children }: { title: string; count: number; children: React.ReactNode }) {
  if (count === 0) return null;
  return (
    <Text size="sm" component="div">
      {title}
      <ul className={classes.names}>{children}</ul>
      {count > ROWS && texts.testsMore(count - ROWS)}
    </Text>
  );
}
