import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { MetricLink } from '../../../components/metric-link';
import { Failed } from '../../../components/page-states';
import { Ago } from '../../../components/times';
import { texts } from '../admin-alerts.texts';
import { adminAlertQuery } from '../api/admin-alerts';

/** Maximum number of affected metrics whose names are shown. */
const MAX_NAMES = 20;

/** The problem of the service, and the affected metrics. */
export function AdminAlertDetails({ code }: { code: string }) {
  const { data, error, refetch } = useQuery(adminAlertQuery(code));
  if (!data) return error ? <Failed error={error} onRetry={() => void refetch()} isOld={false} /> : null;
  const { since_timestamp: since, message, affected_count: count, affected_metrics: metrics } = data.alert;
  return (
    <>
      <Text size="xs" className="dim" component="div">
        {since !== null && (
          <>
            {texts.since} <Ago at={since} />.{' '}
          </>
        )}
        {message}
      </Text>
      {count > 0 && (
        <details>
          <Text size="xs" component="summary" className="dim">
            {texts.affected(count)}
          </Text>
          {metrics.slice(0, MAX_NAMES).map((metric) => (
            <div key={metric}>
              <MetricLink metric={metric} />
            </div>
          ))}
          {count > MAX_NAMES && (
            <Text size="xs" className="dim">
              {texts.more(count - MAX_NAMES)}
            </Text>
          )}
        </details>
      )}
    </>
  );
}
