import { Button, Group, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { stretchOf } from '../../../components/chart/stretch-of';
import { MetricChart, TOOLS_HEIGHT } from '../../../components/chart/metric-chart';
import { Empty, Failed } from '../../../components/page-states';
import { type Schema } from '../../../lib/api';
import { timeText } from '../../../lib/time';
import { bandQuery, metricQuery, seriesQuery } from '../api/series';
import { useAnomalySearch, useSetAnomalySearch } from '../anomaly-search';
import { texts } from '../anomaly.texts';
import classes from '../anomaly.module.css';

const SHIFTS = { day: 86_400, week: 7 * 86_400 } as const;
const HEIGHT = 320;

/** The values around an anomaly with the expected range, and those of another day on demand. */
export function AnomalyChart({
  answer,
  window,
  zone,
  isMoved,
  onWindowChange,
  onReset,
}: {
  answer: Schema<'AnomalyAnswerDto'>;
  window: { from: number; until: number };
  zone: string;
  /** True if the window is not the one around the anomaly. */
  isMoved: boolean;
  onWindowChange: (window: { from: number; until: number }) => void;
  onReset: () => void;
}) {
  const { anomaly } = answer;
  const { compare } = useAnomalySearch();
  const setSearch = useSetAnomalySearch();
  const metric = useQuery(metricQuery(anomaly.metric));
  const series = useQuery(seriesQuery(anomaly.metric, window));
  const band = useQuery(bandQuery(anomaly.metric, window));
  const shift = compare === undefined ? 0 : SHIFTS[compare];
  const other = useQuery({ ...seriesQuery(anomaly.metric, window, shift), enabled: shift > 0 });
  const isRate = metric.data?.metric.type === 'counter';
  // The chart is drawn again when the identity of one of these objects changes.
  const line = useMemo(
    () => ({ name: anomaly.metric, ...(series.data ?? { timestamps: [], values: [] }) }),
    [anomaly.metric, series.data],
  );
  const others = useMemo(
    () =>
      compare !== undefined && other.data
        ? [{ name: compare === 'day' ? texts.compareDay : texts.compareWeek, ...other.data }]
        : undefined,
    [compare, other.data],
  );
  const stretches = useMemo(() => [stretchOf(anomaly)], [anomaly]);
  const matches = useMemo(
    () => answer.related_matches.flatMap((match) => chartMatch(match, anomaly.metric)),
    [answer.related_matches, anomaly.metric],
  );
  return (
    <section className={classes.block} aria-label={texts.chartTitle(anomaly.metric)}>
      <div className={classes.tools}>
        <Text size="xs" className="dim">
          {texts.windowOf(timeText(window.from, zone), timeText(window.until, zone), zone)}
        </Text>
        <Group gap={8}>
          {isMoved && (
            <Button variant="default" onClick={onReset}>
              {texts.around}
            </Button>
          )}
          <SegmentedControl
            size="xs"
            aria-label={texts.compare}
            value={compare ?? 'none'}
            onChange={(value) => setSearch({ compare: value === 'none' ? undefined : value })}
            data={[
              { value: 'none', label: texts.compareNone },
              { value: 'day', label: texts.compareDay },
              { value: 'week', label: texts.compareWeek },
            ]}
          />
        </Group>
      </div>
      {series.isPending && <Skeleton height={HEIGHT + TOOLS_HEIGHT} />}
      {series.isError && (
        <Failed error={series.error} onRetry={() => void series.refetch()} isOld={series.data !== undefined} />
      )}
      {line.timestamps.length === 0 && series.data && <Empty title={texts.noPoints} />}
      {line.timestamps.length > 0 && (
        <MetricChart
          title={texts.chartTitle(anomaly.metric)}
          unit={anomaly.unit ?? ''}
          isRate={isRate}
          zone={zone}
          window={window}
          series={line}
          expected={band.data ?? undefined}
          others={others}
          anomalies={stretches}
          matches={matches}
          height={HEIGHT}
          onWindowChange={onWindowChange}
        />
      )}
      {(band.data === null || (band.isError && band.data === undefined)) && (
        <Text size="xs" className="dim">
          {texts.noRange}
        </Text>
      )}
    </section>
  );
}

function chartMatch(match: unknown, metric: string): { from: number; until: number; label: string }[] {
  const { metric: name, timestamp, pattern_label: label } = match as Record<string, unknown>;
  if (name !== metric || typeof timestamp !== 'number') return [];
  return [{ from: timestamp, until: timestamp, label: typeof label === 'string' ? label : '' }];
}
