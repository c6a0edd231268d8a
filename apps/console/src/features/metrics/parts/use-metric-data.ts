import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  type ChartBand,
  type ChartColumns,
  type ChartMatchMark,
  type ChartStretch,
} from '../../../components/chart/chart-props';
import { stretchOf } from '../../../components/chart/stretch-of';
import { type Schema } from '../../../lib/api';
import { loadedWindow, pointsFor } from '../../../lib/loaded-window';
import { dateText } from '../../../lib/time';
import { type TimeWindow } from '../../../lib/window';
import { anomaliesQuery, matchesQuery, matchExtentQuery, timeseriesQuery, yhatQuery } from '../api/metric';
import { type Comparison, COMPARISONS } from '../metrics-search';
import { texts } from '../metrics.texts';

/** Columns of an answer: for counters the rates, because these are analysed. */
export function columnsOf(answer: Schema<'TimeseriesDto'>, isRate: boolean, shift = 0): ChartColumns {
  const points = (isRate ? answer.derivative : null) ?? answer.points;
  return {
    timestamps: points.map(([timestamp]) => (timestamp ?? 0) + shift),
    values: points.map(([, value]) => value ?? null),
  };
}

function bandOf({ yhat }: Schema<'YhatDto'>): ChartBand {
  return {
    timestamps: yhat.map(({ timestamp }) => timestamp),
    lower: yhat.map((point) => point.yhat_real_lower ?? point.yhat_lower),
    upper: yhat.map((point) => point.yhat_upper),
    yhat: yhat.map((point) => point.yhat),
  };
}

export function stretchesOf(anomalies: readonly Schema<'AnomalyDto'>[]): ChartStretch[] {
  return anomalies.map((anomaly) => ({
    ...stretchOf(anomaly),
    ...(anomaly.id === null ? {} : { href: `/anomaly/${String(anomaly.id)}` }),
  }));
}

/** Maximum number of matches whose extent is requested: a chart cannot distinguish more. */
const MAX_MATCHES = 12;
/** Minimum interval of reloads of a window that ends now. */
const MIN_REFETCH_SECONDS = 15;

/** The data for the chart of a metric, loaded with the surroundings of the window. */
export function useMetricData(name: string, { isRate, zone, window, pixels, vs }: MetricView): MetricData {
  const loaded = loadedWindow(window);
  const maxPoints = pointsFor(pixels, window, loaded);
  const refetchInterval =
    window.lastSeconds === null ? false : Math.max(MIN_REFETCH_SECONDS, window.lastSeconds / 200) * 1000;
  const isSized = pixels > 0;
  const values = useQuery({ ...timeseriesQuery(name, loaded, maxPoints), enabled: isSized, refetchInterval });
  const range = useQuery({ ...yhatQuery(name, loaded, maxPoints), enabled: isSized, refetchInterval });
  const anomalies = useQuery(anomaliesQuery(name, loaded));
  const matches = useQuery(matchesQuery(name, loaded));
  const extents = useQueries({
    queries: (matches.data ?? []).slice(0, MAX_MATCHES).map(({ id }) => matchExtentQuery(id)),
    combine: (results) => results.map(({ data }) => data),
  });
  const earlier = useQueries({
    queries: vs.map((comparison) => ({
      ...timeseriesQuery(
        name,
        { from: loaded.from - COMPARISONS[comparison], until: loaded.until - COMPARISONS[comparison] },
        maxPoints,
      ),
      placeholderData: keepPreviousData,
      enabled: isSized,
    })),
    combine: (results) => results.map(({ data }) => data),
  });
  const series = useMemo(
    () => ({ name, ...(values.data ? columnsOf(values.data, isRate) : { timestamps: [], values: [] }) }),
    [name, values.data, isRate],
  );
  const expected = useMemo(() => (range.data?.available ? bandOf(range.data) : undefined), [range.data]);
  const others = useMemo(
    () =>
      vs.flatMap((comparison, i) => {
        const answer = earlier[i];
        if (!answer) return [];
        const shifted = columnsOf(answer, isRate, COMPARISONS[comparison]);
        return [{ name: texts.comparisons[comparison], ...shifted }];
      }),
    [vs, earlier, isRate],
  );
  const stretches = useMemo(() => stretchesOf(anomalies.data?.anomalies ?? []), [anomalies.data]);
  const marks = useMemo(
    () =>
      extents.flatMap((extent, i): ChartMatchMark[] => {
        const match = matches.data?.[i];
        if (!match || !extent) return [];
        const { pattern_label: label } = match;
        return [
          {
            ...extent,
            label: label === '' ? texts.matchLabel(dateText(match.timestamp, zone)) : texts.matchNamed(label),
          },
        ];
      }),
    [extents, matches.data, zone],
  );
  return { values, range, anomalies, series, expected, others, stretches, marks };
}

interface MetricView {
  isRate: boolean;
  zone: string;
  window: TimeWindow;
  /** Width of the picture; 0 until it is known. */
  pixels: number;
  vs: readonly Comparison[];
}

interface MetricData {
  values: ReturnType<typeof useQuery<Schema<'TimeseriesDto'>>>;
  range: ReturnType<typeof useQuery<Schema<'YhatDto'>>>;
  anomalies: ReturnType<typeof useQuery<Schema<'MetricAnomaliesDto'>>>;
  series: ChartColumns & { name: string };
  expected: ChartBand | undefined;
  others: (ChartColumns & { name: string })[];
  stretches: ChartStretch[];
  marks: ChartMatchMark[];
}
