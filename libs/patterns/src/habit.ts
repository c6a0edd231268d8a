/**
 * How much the instances of a shape differ in length and height. One instance is little evidence: others are assumed to
 * be up to a fifth shorter or longer. The more instances are known, the less others may exceed them, but always by a
 * tenth.
 */
export interface Habit {
  /** Number of known instances, including the shape itself. */
  instances: number;
  /** Lengths and heights of the instances, relative to those of the shape itself; the range always includes 1. */
  shortest: number;
  longest: number;
  lowest: number;
  highest: number;
}

/** The habit of a shape that was seen once. */
export const AS_IT_WAS: Habit = { instances: 1, shortest: 1, longest: 1, lowest: 1, highest: 1 };

/**
 * Share of the length of the shape by which others may exceed the known ones: with one known instance, and the minimum.
 */
const BEYOND_ONE = 0.2;
const BEYOND_MANY = 0.1;

/** Range of slots that the part of a shape may have. */
export interface HabitualSlots {
  least: number;
  most: number;
}

/** Always one slot more or less, because the part begins and ends within slots. */
export function habitualSlots(partSlots: number, { instances, shortest, longest }: Habit): HabitualSlots {
  const beyond = Math.max(BEYOND_MANY, BEYOND_ONE / Math.sqrt(Math.max(1, instances)));
  return {
    least: Math.max(1, Math.min(partSlots - 1, Math.floor(partSlots * (shortest - beyond)))),
    most: Math.max(partSlots + 1, Math.ceil(partSlots * (longest + beyond))),
  };
}

/** The habit of a shape whose part has this many slots, from other instances of it. */
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
