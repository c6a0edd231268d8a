import { enumKind, IntParam, ListParam } from '../../../common/validation/param.decorators.js';
import { WindowParams } from '../../../common/window/window.params.js';

const BUNDLE_PARTS = ['timeseries', 'yhat', 'anomalies', 'matches', 'patterns', 'watchers', 'related'] as const;
export type BundlePart = (typeof BUNDLE_PARTS)[number];

export class MetricBundleParams extends WindowParams {
  @ListParam(enumKind(BUNDLE_PARTS), {
    default: ['timeseries', 'yhat', 'anomalies', 'matches', 'patterns'],
    description: 'What the answer has',
  })
  include!: readonly BundlePart[];

  @IntParam({ min: 10, max: 10_000, default: 2000, description: 'Most points of values and expected range' })
  max_points!: number;
}
