import { AS_IT_WAS, type Habit, habitOf } from './habit.js';
import { type Occurrence, occurrences } from './likeness.js';
import { prepare, type Shape } from './shape.js';
import { type Stretch } from './stretch.js';
import { isTimely, startWindow } from './timing.js';

/** Occurrences of a shape in its series: the times of its starts, and how its instances differ. */
export interface ShapeHistory {
  /** Unix seconds, ascending, including that of the shape. */
  starts: number[];
  habit: Habit;
}

/** An anomaly of the series. Unix seconds; `end`: null while it is open. */
export interface Opened {
  start: number;
  end: number | null;
  /** True if a person has confirmed it as a real problem. */
  isProblem: boolean;
}

/** Each round searches for instances that differ slightly more than those of the last one. */
const MAX_ROUNDS = 4;

/** For a shape whose series has no other known data. */
export const shapeHistoryAlone = ({ partStart }: Shape): ShapeHistory => ({ starts: [partStart], habit: AS_IT_WAS });

/**
 * Searches for other instances of a shape in the slots before it. Instances that opened an anomaly count only if they
 * started at the same time of day as the others and were not confirmed as problems.
 */
export function shapeHistoryIn(
  shape: Shape,
  fine: Stretch,
  opened: readonly Opened[],
  { threshold, timezone }: { threshold: number; timezone: string },
): ShapeHistory {
  const prepared = prepare(shape);
  let seen = shapeHistoryAlone(shape);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // The allowed difference between two instances: differences accumulate from one to the next.
    const habit = { ...seen.habit, instances: 1 };
    const found = occurrences(prepared, fine, { threshold, habit });
    const accepted = expectedOf(found, opened, shape, timezone);
    if (accepted.length < seen.starts.length) break;
    const starts = [...accepted.map(({ start }) => start), shape.partStart].sort((a, b) => a - b);
    seen = { starts, habit: habitOf(prepared.partSlots, accepted) };
  }
  return seen;
}

function expectedOf(
  found: readonly Occurrence[],
  opened: readonly Opened[],
  { partStart, fine: { step } }: Shape,
  timezone: string,
): Occurrence[] {
  const anomalies = found.map((one) =>
    opened.filter(({ start, end }) => start <= one.start + one.slots * step && (end ?? Infinity) >= one.start - step),
  );
  const isAccepted = anomalies.map((some) => some.length === 0);
  for (let before = -1, count = 0; before !== count;) {
    before = count;
    const starts = found.filter((_, i) => isAccepted[i]).map(({ start }) => start);
    const window = startWindow([partStart, ...starts], timezone, step);
    found.forEach(({ start }, i) => {
      isAccepted[i] ||= anomalies[i]!.every(({ isProblem }) => !isProblem) && isTimely(start, window, timezone);
    });
    count = isAccepted.filter(Boolean).length;
  }
  return found.filter((_, i) => isAccepted[i]);
}
