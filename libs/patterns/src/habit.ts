/**
 * How much the instances of a shape differ in length and height. One instance is little evidence: others are assumed to
 * be a fifth shorter or longer. The more are known, the less others may exceed them, but a tenth always.
 */
export interface Habit {
  /** Instances that are known, the shape itself included. */
  instances: number;
  /** Lengths and heights of these, as shares of the shape's own: 1 is among them. */
  shortest: number;
  longest: number;
  lowest: number;
  highest: number;
}

/** Of a shape that was seen once. */
export const AS_IT_WAS: Habit = { instances: 1, shortest: 1, longest: 1, lowest: 1, highest: 1 };

/** Share of the shape's length by which others may be beyond those that are known: of one, and whatever is known. */
const BEYOND_ONE = 0.2;
const BEYOND_MANY = 0.1;

/** Slots that the part of a shape may take. */
export interface HabitualSlots {
  least: number;
  most: number;
}

/** A slot more or less always: the part begins and ends within slots. */
export function habitualSlots(partSlots: number, { instances, shortest, longest }: Habit): HabitualSlots {
  const beyond = Math.max(BEYOND_MANY, BEYOND_ONE / Math.sqrt(Math.max(1, instances)));
  return {
    least: Math.max(1, Math.min(partSlots - 1, Math.floor(partSlots * (shortest - beyond)))),
    most: Math.max(partSlots + 1, Math.ceil(partSlots * (longest + beyond))),
  };
}

/** The habit of a shape whose part has so many slots, by other instances of it. */
export function habitOf(partSlots: number, others: readonly { slots: number; height: number }[]): Habit {
  const habit = { ...AS_IT_WAS, instances: 1 + others.length };
  for (const { slots, height } of others) {
    habit.shortest = Math.min(habit.shortest, slots / partSlots);
    habit.longest = Math.max(habit.longest, slots / partSlots);
    habit.lowest = Math.min(habit.lowest, height);
    habit.highest = Math.max(habit.highest, height);
  }
  return habit;
}
