import { Anchor, Button, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { MetricChart } from '../../components/chart/metric-chart';
import { Empty, Failed, PageSkeleton } from '../../components/page-states';
import { ApiError, type Schema } from '../../lib/api';
import { keepView } from '../../lib/keep-view';
import { useDataNow } from '../../lib/now';
import { shownUnit } from '../../lib/numbers';
import { useSetWindow, useWindow } from '../../lib/window';
import { useZone } from '../../lib/zone';
import { metricQuery } from './api/metric';
import { type Comparison, COMPARISONS, METRIC_TABS, type MetricSearch, type MetricTab } from './metrics-search';
import { texts } from './metrics.texts';
import classes from './parts/metrics.module.css';
import { MetricHeader } from './parts/metric-header';
import { AnomaliesTab, PatternsTab, PointsTab, RelatedTab, TuningTab, WatchersTab } from './parts/metric-tabs';
import { MonthStrip } from './parts/month-strip';
import { useMetricData } from './parts/use-metric-data';

const CHART_HEIGHT = 380;
const NO_COMPARISON: readonly Comparison[] = [];

/** One metric: a tall chart, a strip for dragging its window, and its details. */
export function MetricPage() {
  const { metricName = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(metricQuery(metricName));
  if (!data) {
    if (error instanceof ApiError && error.status === 404) {
      return (
        <Stack gap="xs">
          <Title order={1}>
            <span className="mono">{metricName}</span>
          </Title>
          <Empty title={texts.missing}>
            {texts.missingNext}{' '}
            <Anchor component={Link} to="/metrics" search={keepView as never} size="sm">
              {texts.allMetrics}
            </Anchor>
          </Empty>
        </Stack>
      );
    }
    return error ? (
      <>
        <Title order={1}>
          <bdi className="mono">{metricName}</bdi>
        </Title>
        <Failed error={error} onRetry={() => void refetch()} isOld={false} />
      </>
    ) : (
      <PageSkeleton />
    );
  }
  return <LoadedMetric key={data.metric.id} answer={data} />;
}

function LoadedMetric({ answer }: { answer: Schema<'MetricAnswerDto'> }) {
  const { metric } = answer;
  const search: MetricSearch = useSearch({ strict: false });
  const vs: readonly Comparison[] = search.vs ?? NO_COMPARISON;
  const tab: MetricTab = search.tab ?? 'anomalies';
  const { ref, width } = useElementSize<HTMLDivElement>();
  const navigate = useNavigate();
  const window = useWindow();
  const setWindow = useSetWindow();
  const zone = useZone();
  const now = useStillNow(window);
  const isRate = metric.type === 'counter';
  const unit = shownUnit(metric) ?? '';
  const data = useMetricData(metric.name, { isRate, zone, window, pixels: Math.round(width), vs });
  const change = (next: MetricSearch): void =>
    void navigate({
      to: '.',
      search: (current: Record<string, unknown>) => ({ ...current, ...next }),
    } as never);
  const toggle = (comparison: Comparison): void => {
    const next = vs.includes(comparison) ? vs.filter((kept) => kept !== comparison) : [...vs, comparison];
    change({ vs: next.length > 0 ? next : undefined });
  };
  const hasOld = data.values.data !== undefined;
  return (
    <Stack gap="sm">
      <MetricHeader metric={metric} rate={isRate ? newestOf(data.series.values) : null} zone={zone} />
      <Group gap="xs">
        <Text size="sm" className="dim">
          {texts.compare}
        </Text>
        {(Object.keys(COMPARISONS) as Comparison[]).map((comparison) => (
          <Button
            key={comparison}
            size="compact-xs"
            variant={vs.includes(comparison) ? 'filled' : 'default'}
            aria-pressed={vs.includes(comparison)}
            onClick={() => toggle(comparison)}
          >
            {texts.comparisons[comparison]}
          </Button>
        ))}
        <Text size="xs" className={`dim ${classes.status ?? ''}`} role="status">
          {data.range.isLoading
            ? texts.loadingRange
            : data.range.data?.reason
              ? texts.noRange[data.range.data.reason]
              : ''}
        </Text>
      </Group>
      {data.values.error && (
        <Failed error={data.values.error} onRetry={() => void data.values.refetch()} isOld={hasOld} />
      )}
      <div ref={ref} aria-busy={data.values.isFetching}>
        <MetricChart
          title={texts.chartTitle(metric.display_name)}
          unit={unit}
          isRate={isRate}
          zone={zone}
          window={window}
          now={now}
          series={data.series}
          expected={data.expected}
          others={data.others}
          anomalies={data.stretches}
          matches={data.marks}
          height={CHART_HEIGHT}
          onWindowChange={setWindow}
        />
      </div>
      <MonthStrip name={metric.name} isRate={isRate} window={window} zone={zone} onChange={setWindow} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => change({ tab: next === 'anomalies' ? undefined : (next as MetricSearch['tab']) })}
      >
        <Tabs.List>
          {METRIC_TABS.map((value) => (
            <Tabs.Tab key={value} value={value}>
              {texts.tabs[value]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="sm">
          <TabOf tab={tab} answer={answer} data={data} window={window} zone={zone} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

interface TabProps {
  tab: MetricTab;
  answer: Schema<'MetricAnswerDto'>;
  data: ReturnType<typeof useMetricData>;
  window: ReturnType<typeof useWindow>;
  zone: string;
}

function TabOf({ tab, answer, data, window, zone }: TabProps) {
  const { metric } = answer;
  if (tab === 'anomalies') return <AnomaliesTab metric={metric} window={window} />;
  if (tab === 'patterns') return <PatternsTab name={metric.name} />;
  if (tab === 'related') return <RelatedTab name={metric.name} window={window} zone={zone} />;
  if (tab === 'tuning') return <TuningTab name={metric.name} unit={shownUnit(metric) ?? ''} />;
  if (tab === 'watchers') return <WatchersTab answer={answer} />;
  return <PointsTab metric={metric} series={data.series} expected={data.expected} window={window} zone={zone} />;
}

/** The current time, for the line of the chart: it advances only if the change would be visible. */
function useStillNow({ from, until }: { from: number; until: number }): number {
  const now = useDataNow();
  const step = Math.max(10, Math.round((until - from) / 500));
  return useMemo(() => Math.floor(now / step) * step, [now, step]);
}

const newestOf = (values: readonly (number | null)[]): number | null =>
  values.findLast((value) => value !== null) ?? null;
