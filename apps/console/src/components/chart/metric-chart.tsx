import { lazy, Suspense } from 'react';
import { Skeleton } from '@mantine/core';
import { type MetricChartProps } from './chart-props';

const load = () => import('./drawn-chart');
const Drawn = lazy(load);
// A page that contains charts shows one as soon as its data has arrived: the drawing code is loaded together with the
// data, not after it.
load().catch(() => undefined);

/** Height of the tools above the picture, pixels; the skeleton reserves their space. */
export const TOOLS_HEIGHT = 28;

/** A metric over time, drawn like all pictures of metrics. */
export function MetricChart(props: MetricChartProps) {
  const hasTools = props.hasTools ?? props.onWindowChange !== undefined;
  return (
    <Suspense fallback={<Skeleton height={props.height + (hasTools ? TOOLS_HEIGHT : 0)} aria-busy="true" />}>
      <Drawn {...props} />
    </Suspense>
  );
}
