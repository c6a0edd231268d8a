import { Anchor, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type ChartBand, type ChartColumns } from '../../../components/chart/chart-props';
import { chartRows, fileName, rowsAsCsv } from '../../../components/chart/chart-rows';
import { ChartTable } from '../../../components/chart/chart-table';
import { MetricChart } from '../../../components/chart/metric-chart';
import { saveFile } from '../../../components/chart/save-file';
import { MetricName } from '../../../components/metric-name';
import { Empty, Failed, RowsSkeleton } from '../../../components/page-states';
import { SeverityMark } from '../../../components/severity';
import { Ago, Lasted, Time } from '../../../components/times';
import { stateText } from '../../../lib/anomaly-state';
import { type Schema } from '../../../lib/api';
import { keepView } from '../../../lib/keep-view';
import { loadedWindow, pointsFor } from '../../../lib/loaded-window';
import { countOf, rangeText, shownUnit, valueText } from '../../../lib/numbers';
import { durationText } from '../../../lib/time';
import { type TimeWindow } from '../../../lib/window';
import {
  anomaliesQuery,
  metricQuery,
  patternsQuery,
  relatedQuery,
  timeseriesQuery,
  tuningsQuery,
  yhatQuery,
} from '../api/metric';
import { texts } from '../metrics.texts';
import { columnsOf, stretchesOf } from './use-metric-data';
import classes from './metrics.module.css';

const POINTS_HEIGHT = 420;
const SMALL_HEIGHT = 120;

const worded = (text: string | null): string => (text ?? '').replaceAll('_', ' ');

export function AnomaliesTab({ metric, window }: { metric: Schema<'MetricDto'>; window: TimeWindow }) {
  const loaded = loadedWindow(window);
  const { data, error, refetch } = useQuery(anomaliesQuery(metric.name, loaded));
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} isOld={false} />;
  if (!data) return <RowsSkeleton rows={4} />;
  const unit = shownUnit(metric);
  const rows = data.anomalies.filter(
    ({ timestamp, out_until_timestamp: until }) => timestamp <= window.until && (until ?? Infinity) >= window.from,
  );
  if (rows.length === 0) return <Empty title={texts.anomalies.none}>{texts.anomalies.noneNext}</Empty>;
  return (
    <div className={classes.scroll}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.anomalies.severity}</Table.Th>
            <Table.Th>{texts.anomalies.kind}</Table.Th>
            <Table.Th>{texts.anomalies.since}</Table.Th>
            <Table.Th>{texts.anomalies.lasted}</Table.Th>
            <Table.Th>{texts.anomalies.peak}</Table.Th>
            <Table.Th>{texts.anomalies.expected}</Table.Th>
            <Table.Th>{texts.anomalies.state}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((anomaly) => (
            <Table.Tr key={anomaly.id}>
              <Table.Td>
                <SeverityMark severity={anomaly.severity_label} />
              </Table.Td>
              <Table.Td>
                <Anchor
                  component={Link}
                  to="/anomaly/$anomalyId"
                  params={{ anomalyId: String(anomaly.id) } as never}
                  search={keepView as never}
                  size="sm"
                >
                  {worded(anomaly.kind)}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <Time at={anomaly.timestamp} />
              </Table.Td>
              <Table.Td>
                <Lasted from={anomaly.timestamp} until={anomaly.out_until_timestamp} />
              </Table.Td>
              <Table.Td>{valueText(anomaly.peak_value, unit)}</Table.Td>
              <Table.Td>
                {anomaly.expected_range_lower === null && anomaly.expected_range_upper === null
                  ? valueText(null)
                  : rangeText(anomaly.expected_range_lower, anomaly.expected_range_upper, unit)}
              </Table.Td>
              <Table.Td>{stateText(anomaly)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {data.total > data.anomalies.length && (
        <Text size="xs" className="dim">
          {texts.anomalies.more(data.anomalies.length, data.total)}
        </Text>
      )}
    </div>
  );
}

export function PatternsTab({ name }: { name: string }) {
  const { data, error, refetch } = useQuery(patternsQuery(name));
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} isOld={false} />;
  if (!data) return <RowsSkeleton rows={4} />;
  if (data.patterns.length === 0) return <Empty title={texts.patterns.none}>{texts.patterns.noneNext}</Empty>;
  return (
    <div className={classes.scroll}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.patterns.name}</Table.Th>
            <Table.Th>{texts.patterns.origin}</Table.Th>
            <Table.Th>{texts.patterns.length}</Table.Th>
            <Table.Th>{texts.patterns.matches}</Table.Th>
            <Table.Th>{texts.patterns.last}</Table.Th>
            <Table.Th>{texts.patterns.state}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.patterns.map((pattern) => (
            <Table.Tr key={pattern.id}>
              <Table.Td>
                <Anchor
                  component={Link}
                  to="/pattern/$patternId"
                  params={{ patternId: String(pattern.id) } as never}
                  search={keepView as never}
                  size="sm"
                >
                  <bdi>{pattern.label === '' ? texts.patterns.unnamed(pattern.id) : pattern.label}</bdi>
                </Anchor>
              </Table.Td>
              <Table.Td>{texts.patterns.origins[pattern.origin]}</Table.Td>
              <Table.Td>{durationText(pattern.duration)}</Table.Td>
              <Table.Td>{pattern.matches}</Table.Td>
              <Table.Td>
                {pattern.last_match_timestamp === null ? (
                  texts.patterns.never
                ) : (
                  <Ago at={pattern.last_match_timestamp} />
                )}
              </Table.Td>
              <Table.Td>{pattern.enabled ? texts.patterns.enabled : texts.patterns.disabled}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

export function RelatedTab({ name, window, zone }: { name: string; window: TimeWindow; zone: string }) {
  const { data, error, refetch } = useQuery(relatedQuery(name, loadedWindow(window)));
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} isOld={false} />;
  if (!data) return <RowsSkeleton rows={3} height={SMALL_HEIGHT} />;
  if (data.related.length === 0) return <Empty title={texts.related.none}>{texts.related.noneNext}</Empty>;
  return (
    <Stack gap="md">
      {data.related.map((related) => (
        <RelatedMetric key={related.metric_id} related={related} window={window} zone={zone} />
      ))}
    </Stack>
  );
}

/** One of the small multiples: the same window, below each other. */
function RelatedMetric({
  related,
  window,
  zone,
}: {
  related: Schema<'RelatedMetricDto'>;
  window: TimeWindow;
  zone: string;
}) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const loaded = loadedWindow(window);
  const maxPoints = pointsFor(Math.round(width), window, loaded);
  const metric = useQuery(metricQuery(related.metric)).data?.metric;
  const values = useQuery({ ...timeseriesQuery(related.metric, loaded, maxPoints), enabled: width > 0 });
  const range = useQuery({ ...yhatQuery(related.metric, loaded, maxPoints), enabled: width > 0 });
  const anomalies = useQuery(anomaliesQuery(related.metric, loaded));
  const isRate = metric?.type === 'counter';
  const series = useMemo(
    () => ({
      name: related.metric,
      ...(values.data ? columnsOf(values.data, isRate) : { timestamps: [], values: [] }),
    }),
    [related.metric, values.data, isRate],
  );
  const expected = useMemo((): ChartBand | undefined => {
    if (!range.data?.available) return undefined;
    const { yhat } = range.data;
    return {
      timestamps: yhat.map(({ timestamp }) => timestamp),
      lower: yhat.map((point) => point.yhat_real_lower ?? point.yhat_lower),
      upper: yhat.map((point) => point.yhat_upper),
      yhat: yhat.map((point) => point.yhat),
    };
  }, [range.data]);
  const stretches = useMemo(() => stretchesOf(anomalies.data?.anomalies ?? []), [anomalies.data]);
  const lag =
    related.lag_seconds === 0
      ? []
      : [
          related.lag_seconds > 0
            ? texts.related.follows(durationText(related.lag_seconds))
            : texts.related.leads(durationText(-related.lag_seconds)),
        ];
  const facts = [
    texts.related.strength(Math.round(related.strength * 100)),
    ...related.basis.map((basis) => texts.related.basis[basis]),
    ...(related.basis.includes('correlation') ? lag : []),
  ];
  return (
    <div ref={ref} className={classes.related}>
      <Group justify="space-between" gap="xs">
        <Anchor
          component={Link}
          to="/metric/$metricName"
          params={{ metricName: related.metric } as never}
          search={keepView as never}
          size="sm"
          className="mono"
        >
          <MetricName name={related.metric} />
        </Anchor>
        <Text size="xs" className="dim">
          {facts.join(' · ')}
        </Text>
      </Group>
      <MetricChart
        title={texts.chartTitle(related.metric)}
        unit={(metric && shownUnit(metric)) ?? ''}
        isRate={isRate}
        zone={zone}
        window={window}
        series={series}
        expected={expected}
        anomalies={stretches}
        height={SMALL_HEIGHT}
      />
    </div>
  );
}

export function TuningTab({ name, unit }: { name: string; unit: string }) {
  const { data, error, refetch } = useQuery(tuningsQuery(name));
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} isOld={false} />;
  if (!data) return <RowsSkeleton rows={3} />;
  if (data.tunings.length === 0) {
    return (
      <Empty title={texts.tuning.none}>
        {texts.tuning.noneNext}
        <Anchor component={Link} to="/teach" search={keepView as never} size="sm">
          {texts.tuning.noneLink}
        </Anchor>
      </Empty>
    );
  }
  return (
    <Stack gap="sm">
      {data.tunings.map((tuning, i) => (
        <div key={tuning.id}>
          <Group gap="xs">
            <Anchor
              component={Link}
              to="/tuning/$tuningId"
              params={{ tuningId: String(tuning.id) } as never}
              search={keepView as never}
              size="sm"
            >
              <bdi>{tuning.name === '' ? tuning.chips.join(', ') : tuning.name}</bdi>
            </Anchor>
            {i === 0 && <Text size="xs">{texts.tuning.wins}</Text>}
          </Group>
          <Text size="sm" className="dim">
            {tuningFacts(tuning, unit).join(' · ')}
          </Text>
        </div>
      ))}
    </Stack>
  );
}

function tuningFacts(tuning: Schema<'TuningDto'>, unit: string): string[] {
  const { kinds, min_duration_seconds: lasting, period_seconds: period, minimum_size: size } = tuning;
  return [
    `${texts.tuning.sensitivity} ${valueText(tuning.sensitivity)}`,
    `${texts.tuning.direction} ${texts.tuning.directions[tuning.direction]}`,
    `${texts.tuning.kinds} ${kinds.length === 0 ? texts.tuning.allKinds : kinds.map(worded).join(', ')}`,
    ...(lasting > 0 ? [`${texts.tuning.lasting} ${durationText(lasting)}`] : []),
    `${texts.tuning.period} ${
      period === null ? texts.tuning.periodFound : period === 0 ? texts.tuning.periodNone : durationText(period)
    }`,
    ...(size === null ? [] : [`${texts.tuning.size} ${valueText(size, unit)}`]),
    ...(tuning.false_alarms_per_month === null
      ? []
      : [`${texts.tuning.budget} ${valueText(tuning.false_alarms_per_month)}`]),
    countOf(tuning.metrics_count, 'metric'),
  ];
}

export function WatchersTab({ answer }: { answer: Schema<'MetricAnswerDto'> }) {
  const { watchers, exclusions } = answer;
  return (
    <Stack gap="sm">
      {watchers.length === 0 ? (
        <Empty title={texts.watchers.none}>
          {texts.watchers.noneNext}
          <Anchor component={Link} to="/alerts" search={keepView as never} size="sm">
            {texts.watchers.noneLink}
          </Anchor>
        </Empty>
      ) : (
        <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={texts.watchers.watchers}>
          {watchers.map(({ id, name }) => (
            <li key={id}>
              <Anchor
                component={Link}
                to="/watchers/$watcherId"
                params={{ watcherId: String(id) } as never}
                search={keepView as never}
                size="sm"
              >
                <bdi>{name}</bdi>
              </Anchor>
            </li>
          ))}
        </Stack>
      )}
      {exclusions.length > 0 && (
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            {texts.watchers.exclusions}
          </Text>
          {exclusions.map((exclusion) => (
            <Text key={exclusion.id} size="sm">
              {worded(exclusion.type)}:{' '}
              <bdi>{exclusion.reason === '' ? texts.watchers.noReason : exclusion.reason}</bdi> (
              {exclusion.active ? texts.watchers.inForce : texts.watchers.notInForce})
            </Text>
          ))}
        </Stack>
      )}
    </Stack>
  );
}

interface PointsProps {
  metric: Schema<'MetricDto'>;
  series: ChartColumns & { name: string };
  expected: ChartBand | undefined;
  window: TimeWindow;
  zone: string;
}

export function PointsTab({ metric, series, expected, window, zone }: PointsProps) {
  const save = (): void => {
    const csv = rowsAsCsv(chartRows(series, expected, window));
    saveFile(new Blob([csv], { type: 'text/csv' }), fileName(metric.name, 'csv'));
  };
  return (
    <Stack gap="xs">
      <Group>
        <Button variant="default" onClick={save}>
          {texts.csv}
        </Button>
      </Group>
      <ChartTable
        title={metric.display_name}
        unit={shownUnit(metric) ?? ''}
        isRate={metric.type === 'counter'}
        zone={zone}
        series={series}
        expected={expected}
        window={window}
        height={POINTS_HEIGHT}
      />
    </Stack>
  );
}
