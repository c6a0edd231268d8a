import { lazy, Suspense } from 'react';
import { Skeleton } from '@mantine/core';
import { type MetricChartProps } from './chart-props';

const load = () => import('./drawn-chart');
const Drawn = lazy(load);
// A page that knows charts shows one as soon as its data is there: the drawing code is loaded together with it, not
// after it.
load().catch(() => undefined);

/** Height of the tools above the picture, pixels; the skeleton reserves their space. */
export const TOOLS_HEIGHT = 28;

/** A metric over time in the one grammar of all pictures. */
export function MetricChart(props: MetricChartProps) {
  const hasTools = props.hasTools ?? props.onWindowChange !== undefined;
  return (
    <Suspense fallback={<Skeleton height={props.height + (hasTools ? TOOLS_HEIGHT : 0)} aria-busy="true" />}>
      <Drawn {...props} />
    </Suspense>
  );
}
