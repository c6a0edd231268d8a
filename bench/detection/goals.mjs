import { median } from './statistics.mjs';

/** Goals by the id of a row; points per second are those of one core. */
const GOALS = {
  'hot-rows': { must: 400_000, aim: 1_500_000, isHigherBetter: true },
  'hot-shard': { must: 400_000, aim: 1_500_000, isHigherBetter: true },
  'round-robin': { must: 150_000, aim: 600_000, isHigherBetter: true },
  'memory-rss': { must: 8_000, aim: 2_000, isHigherBetter: false },
  restore: { must: 5, aim: 1, isHigherBetter: false },
};

/**
 * Goals of a row and which of them its median reaches: 'aim', 'must' or 'missed'; empty for a row without goals. Speed
 * is judged by processor time.
 */
export function judge({ id, samples, processor = samples }) {
  const goal = GOALS[id];
  if (goal === undefined) return {};
  const { must, aim, isHigherBetter } = goal;
  const reached = median(processor);
  const meets = (limit) => (isHigherBetter ? reached >= limit : reached <= limit);
  return { must, aim, reached: meets(aim) ? 'aim' : meets(must) ? 'must' : 'missed' };
}
