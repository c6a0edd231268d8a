import { Skeleton } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../lib/api';
import { Failed } from './page-states';
import { EDGES_HEIGHT, ShapeOverlay } from './shape-overlay';

const MAX_POINTS = 400;

/** The curve of a pattern as it is compared. */
export const patternCurveQuery = (id: number) =>
  queryOptions({
    queryKey: ['pattern', id, 'timeseries'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/pattern/{pattern_id}/timeseries', {
          params: { path: { pattern_id: id }, query: { max_points: MAX_POINTS } },
          signal,
        }),
      ),
    staleTime: 60_000,
  });

/** The shape of a pattern, without other curves. */
export function PatternShape({
  id,
  label,
  unit,
  height = 60,
  isBare = false,
}: {
  id: number;
  label: string;
  unit?: string | null;
  height?: number;
  /** Without the text of its span, for rows of lists. */
  isBare?: boolean;
}) {
  const curve = useQuery(patternCurveQuery(id));
  if (curve.isPending) return <Skeleton height={isBare ? height : height + EDGES_HEIGHT} />;
  if (!curve.data) return <Failed error={curve.error} onRetry={() => void curve.refetch()} isOld={false} />;
  return (
    <ShapeOverlay
      curves={[{ id, name: label, points: curve.data.timeseries, tone: 'main' }]}
      label={label}
      unit={unit}
      height={height}
      hasKey={false}
      isBare={isBare}
    />
  );
}
