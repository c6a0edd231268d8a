import { type Schema } from './api';

type Metric = Schema<'MetricDto'>;

/** The standing of a metric: `resting` is excluded or paused. */
export type Standing = 'collecting' | 'learning' | 'live' | 'resting';

/**
 * Whether a metric is learnt. A metric that learns again, for example because its type has changed, has a long history
 * but too few values for a verdict: it counts as `collecting`, like a new one.
 */
export function standingOf({
  analysis_state: state,
  judgement,
}: Pick<Metric, 'analysis_state'> & { judgement: Pick<Metric['judgement'], 'values_needed'> }): Standing {
  if (state === 'excluded' || state === 'paused') return 'resting';
  return judgement.values_needed > 0 ? 'collecting' : state;
}
