import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { MetricName } from './metric-name';
import { keepView } from '../lib/keep-view';

/** The name of a metric, linked to its page in the same window and zone. */
export function MetricLink({ metric }: { metric: string }) {
  return (
    <Anchor
      size="sm"
      className="mono"
      component={Link}
      to="/metric/$metricName"
      params={{ metricName: metric } as never}
      search={keepView as never}
    >
      <MetricName name={metric} />
    </Anchor>
  );
}
