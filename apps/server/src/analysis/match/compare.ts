import { LRUCache } from 'lru-cache';
import {
  type Candidate,
  coarser,
  endOf,
  likeness,
  type Likeness,
  prepare,
  type PreparedShape,
  type Shape,
  startWindow,
} from '#libs/patterns';

/** What is to be compared. Shapes never change: those that the thread has seen are known by the id of their pattern. */
export interface CompareRequest {
  patterns: readonly { id: number; threshold: number; starts: readonly number[] }[];
  shapes: readonly { id: number; shape: Shape }[];
  candidate: Candidate;
  timezone: string;
}

export interface Comparison extends Likeness {
  patternId: number;
  /** End of the last slot that can be compared, Unix seconds: until then the verdict may change. */
  completeAt: number;
}

export interface CompareResponse {
  comparisons: Comparison[];
  /** Patterns whose shapes are to be sent: nothing was compared. */
  missing: number[];
}

/** Prepared shapes that a thread keeps, 2 to 10 KB each. */
const KEPT_SHAPES = 20_000;

/** Compares candidates with patterns. */
export class Comparer {
  private readonly prepared = new LRUCache<number, PreparedShape>({ max: KEPT_SHAPES });

  compare({ patterns, shapes, candidate, timezone }: CompareRequest): CompareResponse {
    for (const { id, shape } of shapes) this.prepared.set(id, prepare(shape));
    const missing = patterns.filter(({ id }) => !this.prepared.has(id)).map(({ id }) => id);
    if (missing.length > 0) return { comparisons: [], missing };
    const bySteps = new Map<number, Candidate>();
    const comparisons = patterns.flatMap(({ id, threshold, starts }) => {
      const shape = this.prepared.get(id)!;
      const { step } = shape.shape.fine;
      // Slots have become longer since it was made.
      if (step < candidate.fine.step) return [];
      let fitting = bySteps.get(step);
      if (fitting === undefined) bySteps.set(step, (fitting = inSteps(candidate, step)));
      const window = startWindow(starts, timezone, step);
      const found = likeness(shape, fitting, { threshold, window, timezone });
      return [{ ...found, patternId: id, completeAt: found.onset + shape.residuals.length * step }];
    });
    return { comparisons, missing: [] };
  }
}

function inSteps(candidate: Candidate, step: number): Candidate {
  if (step === candidate.fine.step) return candidate;
  const fine = coarser(candidate.fine, step);
  return { ...candidate, fine, newest: Math.min(candidate.newest, endOf(fine) - step) };
}
