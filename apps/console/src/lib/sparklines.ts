import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { severityLabel } from '#libs/contracts';
import { type SparklineProps } from '../components/sparkline';
import { api, type Schema, unwrap } from './api';

/** Maximum number of metrics in one answer. */
const MAX_METRICS = 100;

/** Small lines of metrics by their ids, over a window in Unix seconds. */
export function sparklinesQuery(metricIds: readonly number[], window: { from: number; until: number }, points = 48) {
  const ids = [...new Set(metricIds)].slice(0, MAX_METRICS);
  const { from, until } = window;
  return queryOptions({
    queryKey: ['metrics', 'sparklines', ids, from, until, points],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/metrics/sparklines', { params: { query: { metric_ids: ids, from, until, points } }, signal }),
      ),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
}

/** Lines by metric id; empty while they are loading. */
export function useSparklines(
  metricIds: readonly number[],
  window: { from: number; until: number },
): ReadonlyMap<number, Schema<'SparklineDto'>> {
  const { data } = useQuery(sparklinesQuery(metricIds, window));
  return new Map((data?.sparklines ?? []).map((line) => [line.metric_id, line]));
}

/** Converts the answer of the API to the properties of the sparkline. */
export function sparklineProps(line: Schema<'SparklineDto'>): Omit<SparklineProps, 'label'> {
  return {
    points: line.points.map(([timestamp, value]) => [timestamp ?? 0, value ?? null] as const),
    lower: line.lower,
    upper: line.upper,
    anomalies: line.anomalies.map(({ from, until, severity }) => ({ from, until, severity: severityLabel(severity) })),
  };
}
