import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type ChartBand, type ChartColumns } from '../../../components/chart/chart-props';
import { api, unwrap } from '../../../lib/api';
import { loadedWindow, pointsFor } from '../../../lib/loaded-window';

/** Width of a wide picture, pixels: requests are not finer. */
const PIXELS = 800;

interface Stretch {
  from: number;
  until: number;
}

export const metricQuery = (name: string) =>
  queryOptions({
    queryKey: ['metric', name],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/metric/{metric_name}', { params: { path: { metric_name: name } }, signal })),
    staleTime: 60_000,
  });

/** The request for drawing a window; includes its surroundings, which are then available when the chart is moved. */
function askedFor(window: Stretch): { loaded: Stretch; maxPoints: number } {
  const loaded = loadedWindow(window);
  return { loaded, maxPoints: pointsFor(PIXELS, window, loaded) };
}

/**
 * Values around a window; for counters, the rate. `shift`, in seconds, moves them to the right, such as those of
 * yesterday into today.
 */
export const seriesQuery = (name: string, window: Stretch, shift = 0) => {
  const { loaded, maxPoints } = askedFor(window);
  return queryOptions({
    queryKey: ['metric', name, 'timeseries', loaded, maxPoints, shift],
    queryFn: async ({ signal }): Promise<ChartColumns> => {
      const query = { from: loaded.from - shift, until: loaded.until - shift, max_points: maxPoints };
      const answer = await unwrap(
        api.GET('/api/metric/{metric_name}/timeseries', { params: { path: { metric_name: name }, query }, signal }),
      );
      const points = (answer.derivative ?? answer.points) as (number | null)[][];
      return {
        timestamps: points.map(([timestamp]) => timestamp! + shift),
        values: points.map(([, value]) => value ?? null),
      };
    },
    placeholderData: keepPreviousData,
  });
};

/** The expected range around a window; null if the detector has none yet. */
export const bandQuery = (name: string, window: Stretch) => {
  const { loaded, maxPoints } = askedFor(window);
  return queryOptions({
    queryKey: ['metric', name, 'yhat', loaded, maxPoints],
    queryFn: async ({ signal }): Promise<ChartBand | null> => {
      const query = { ...loaded, max_points: maxPoints };
      const answer = await unwrap(
        api.GET('/api/metric/{metric_name}/yhat', { params: { path: { metric_name: name }, query }, signal }),
      );
      if (!answer.available || answer.yhat.length === 0) return null;
      return {
        timestamps: answer.yhat.map(({ timestamp }) => timestamp),
        lower: answer.yhat.map((point) => point.yhat_real_lower ?? point.yhat_lower),
        upper: answer.yhat.map((point) => point.yhat_upper),
        yhat: answer.yhat.map((point) => point.yhat),
      };
    },
    placeholderData: keepPreviousData,
  });
};

/** Sparklines of some metrics in a window. */
export const sparklinesQuery = (metricIds: readonly number[], { from, until }: Stretch, points = 120) =>
  queryOptions({
    queryKey: ['metrics', 'sparklines', metricIds, from, until, points],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/metrics/sparklines', {
          params: { query: { metric_ids: [...metricIds], from, until, points } },
          signal,
        }),
      ),
    enabled: metricIds.length > 0,
    placeholderData: keepPreviousData,
  });
