import { uniform } from '#libs/detection/testing';

/**
 * The detector's promises as cells: each is measured over many seeded series and compared with a goal. A scene creates
 * one seeded world (a series that was learnt, a column of verdicts), on which several cells measure something.
 */

/** The goal of a cell, as a condition on the sum of `hits` over the sum of `of`. */
export type Goal =
  /** Share of trials (or of tries) that succeeded. */
  | { kind: 'share'; atLeast: number }
  /** Events per observed day. */
  | { kind: 'rate'; atMost: number }
  /** Ratio of two sums. */
  | { kind: 'ratio'; atMost: number }
  /** Events per observed month: the requested number, within a factor of two. */
  | { kind: 'asked'; aMonth: number }
  /** Share of points. */
  | { kind: 'band'; from: number; to: number }
  /** No goal: the figure is only reported. */
  | { kind: 'none'; of: 'day' | 'month' | 'point' | 'trial' };

/** At least this share of the trials succeeds. */
export const atLeast = (share: number): Goal => ({ kind: 'share', atLeast: share });
/** Every trial succeeds. */
export const ALWAYS: Goal = atLeast(1);
export const atMostADay = (rate: number): Goal => ({ kind: 'rate', atMost: rate });
export const ratioAtMost = (ratio: number): Goal => ({ kind: 'ratio', atMost: ratio });
export const between = (from: number, to: number): Goal => ({ kind: 'band', from, to });
export const aboutAMonth = (asked: number): Goal => ({ kind: 'asked', aMonth: asked });
export const reportOnly = (of: 'day' | 'month' | 'point' | 'trial'): Goal => ({ kind: 'none', of });

/**
 * The measurement of one trial: `hits` out of `of`. Both are sums: found and tried events, alarms and days, points
 * inside and all points.
 */
export interface Outcome {
  hits: number;
  of: number;
  /** The observed behaviour, in a few words; the most frequent notes are shown with a cell that fails. */
  note?: string;
}

/** One try that succeeded or failed. */
export const yes = (cameOut: boolean, otherwise?: string): Outcome =>
  cameOut || otherwise === undefined ? { hits: cameOut ? 1 : 0, of: 1 } : { hits: 0, of: 1, note: otherwise };

/** A measurement on the world of a scene. `chance` returns uniform numbers in [0, 1) that belong to the cell. */
export interface Cell<World> {
  name: string;
  goal: Goal;
  measure(world: World, chance: () => number): Outcome;
}

export function cell<World>(name: string, goal: Goal, measure: Cell<World>['measure']): Cell<World> {
  return { name, goal, measure };
}

/** A scene without the type of its world, which no other code needs. */
export interface Scene {
  name: string;
  /** Full names: scene and cell. */
  cells: readonly { name: string; goal: Goal }[];
  /** Creates the world of a trial and returns a measurement for each cell, in order. */
  begin(trial: number): readonly (() => Outcome)[];
}

/** Defines a scene: `prepare` creates its world from a seed; the cells that `with` receives must leave it unchanged. */
export function scene<World>(
  name: string,
  prepare: (seed: number) => World,
): { with(cells: readonly Cell<World>[]): Scene } {
  const fullName = (own: string): string => `${name}: ${own}`;
  return {
    with: (cells) => ({
      name,
      cells: cells.map((one) => ({ name: fullName(one.name), goal: one.goal })),
      begin: (trial) => {
        const world = prepare(seedOf(name, trial));
        return cells.map((one) => () => one.measure(world, uniform(seedOf(fullName(one.name), trial))));
      },
    }),
  };
}

/**
 * Derives a seed (32 bits) from words and numbers: the same parts yield the same seed. Source: FNV-1a, Fowler, Noll and
 * Vo.
 */
function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const character of parts.join('\u0000')) {
    hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  }
  return hash;
}
