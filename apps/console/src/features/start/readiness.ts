import { type Schema } from '../../lib/api';
import { type Standing, standingOf } from '../../lib/learning';

/** The progress of a list of metrics. */
export interface Readiness {
  /** Fewer than 100 points; after a restart of learning, since then. */
  collecting: number;
  /** Judged for less than a day so far. */
  learning: number;
  live: number;
  /** Excluded or paused. */
  resting: number;
  /**
   * The metrics that are judged next, within ten minutes of each other, and the time at which the last of them is. Unix
   * seconds.
   */
  next: { count: number; at: number } | null;
}

const TOGETHER_SECONDS = 600;

type MetricStanding = Parameters<typeof standingOf>[0] & Pick<Schema<'MetricDto'>, 'readiness'>;

/** `now` in Unix seconds. */
export function readinessOf(metrics: readonly MetricStanding[], now: number): Readiness {
  const count = (standing: Standing): number => metrics.filter((metric) => standingOf(metric) === standing).length;
  const times = metrics
    .filter((metric) => standingOf(metric) === 'collecting')
    .flatMap(({ readiness }) => readiness.range.expected_timestamp ?? [])
    .filter((timestamp) => timestamp > now)
    .toSorted((a, b) => a - b);
  const together = times.filter((timestamp) => timestamp <= (times[0] ?? 0) + TOGETHER_SECONDS);
  const at = together.at(-1);
  return {
    collecting: count('collecting'),
    learning: count('learning'),
    live: count('live'),
    resting: count('resting'),
    next: at === undefined ? null : { count: together.length, at },
  };
}
