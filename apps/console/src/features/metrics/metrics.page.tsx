import { Anchor, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Empty, Failed, RowsSkeleton } from '../../components/page-states';
import { keepView } from '../../lib/keep-view';
import { timeText } from '../../lib/time';
import { useZone } from '../../lib/zone';
import { metricsQuery } from './api/metrics';
import { partOf } from './list-parts';
import { METRIC_ORDERS, METRIC_STATES, type MetricsSearch, validateMetricsSearch } from './metrics-search';
import { texts } from './metrics.texts';
import { ChipSearch } from './parts/chip-search';
import { MetricRows } from './parts/metric-rows';

/** All metrics, filtered by chips; two hundred thousand of them scroll as one list. */
export function MetricsPage() {
  const { chips, state, order }: MetricsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const search: MetricsSearch = { chips, state, order };
  const first = useQuery(metricsQuery(search, partOf(0, 0)));
  const change = (next: Partial<Record<keyof MetricsSearch, unknown>>): void =>
    void navigate({
      to: '.',
      replace: true,
      search: (current: Record<string, unknown>) => {
        const { chips: _chips, state: _state, order: _order, ...rest } = current;
        return { ...rest, ...validateMetricsSearch({ ...search, ...next }) };
      },
    } as never);
  const hasFilter = (chips?.length ?? 0) > 0 || state !== undefined;
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="baseline">
        <Title order={1}>{texts.title}</Title>
        <Group gap="xs">
          <Text size="sm" className="dim" role="status">
            {first.data ? texts.found(first.data.total) : ''}
          </Text>
          {first.data && order !== undefined && <OrderOf at={first.dataUpdatedAt / 1000} />}
        </Group>
      </Group>
      <Group gap="xs" align="flex-start">
        <ChipSearch chips={chips ?? []} onChange={(next) => change({ chips: next })} />
        <Select
          aria-label={texts.state}
          w={150}
          data={[
            { value: '', label: texts.anyState },
            ...METRIC_STATES.map((value) => ({ value, label: texts.states[value] })),
          ]}
          value={state ?? ''}
          allowDeselect={false}
          onChange={(value) => change({ state: value })}
        />
        <Select
          aria-label={texts.order}
          w={180}
          data={METRIC_ORDERS.map((value) => ({ value, label: texts.orders[value] }))}
          value={order ?? 'name'}
          allowDeselect={false}
          onChange={(value) => change({ order: value })}
        />
      </Group>
      {first.error && (
        <Failed error={first.error} onRetry={() => void first.refetch()} isOld={first.data !== undefined} />
      )}
      {first.isPending && <RowsSkeleton rows={14} height={36} />}
      {first.data?.total === 0 &&
        (hasFilter ? (
          <Empty title={texts.noMatch}>
            {texts.noMatchNext}{' '}
            <Anchor component="button" type="button" size="sm" onClick={() => change({ chips: [], state: '' })}>
              {texts.clear}
            </Anchor>
          </Empty>
        ) : (
          <Empty title={texts.none}>
            {texts.noneNext}
            <Anchor component={Link} to="/start" search={keepView as never} size="sm">
              {texts.noneLink}
            </Anchor>
          </Empty>
        ))}
      {first.data && first.data.total > 0 && (
        <MetricRows key={JSON.stringify(search)} search={search} total={first.data.total} />
      )}
    </Stack>
  );
}

/**
 * In orders that change with the data, the rows keep their positions: this part shows when they were read, and reloads
 * them.
 */
function OrderOf({ at }: { at: number }) {
  const client = useQueryClient();
  const zone = useZone();
  return (
    <Text size="sm" className="dim">
      {texts.orderOf(timeText(at, zone))}{' '}
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() => void client.resetQueries({ queryKey: ['metrics', 'list'] })}
      >
        {texts.orderAgain}
      </Anchor>
    </Text>
  );
}
