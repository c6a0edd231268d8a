import { LRUCache } from 'lru-cache';
import {
  type Candidate,
  coarser,
  endOf,
  type Habit,
  habitualSlots,
  likeness,
  type Likeness,
  prepare,
  type PreparedShape,
  type Shape,
  startWindow,
  type StartWindow,
  TAIL_SLOTS,
} from '#libs/patterns';

/** Patterns that candidates of one metric are compared with. */
export interface ComparedSet {
  /** Sets with the same key and stamp contain the same patterns. */
  key: number;
  stamp: string;
  patterns: readonly { id: number; threshold: number; starts: readonly number[]; habit: Habit }[];
}

/** A candidate and the set that it is compared with. */
export interface CompareJob {
  key: number;
  stamp: string;
  candidate: Candidate;
  timezone: string;
}

/** Sets and shapes are sent once: shapes never change, and a changed set has another stamp. */
export interface CompareRequest {
  sets: readonly ComparedSet[];
  /** Null: the pattern no longer exists. */
  shapes: readonly { id: number; shape: Shape | null }[];
  jobs: readonly CompareJob[];
}

export interface Comparison extends Likeness {
  patternId: number;
  /** End of the last slot that can be compared, Unix seconds: until then the verdict may change. */
  completeAt: number;
}

export interface Compared {
  alike: Comparison[];
  /** Patterns that could not be compared: the slots of the series have become longer. */
  skipped: number[];
}

export interface CompareResponse {
  /** One result per job, in their order. */
  results: Compared[];
  /** Data that must be sent first; nothing was compared. Keys of sets, ids of patterns. */
  missingSets: number[];
  missingShapes: number[];
}

/** Maximum number of prepared shapes in a thread, of 2 to 10 KB each, and of sets. */
const KEPT_SHAPES = 20_000;
export const KEPT_SETS = 2000;

interface KeptSet extends ComparedSet {
  /** Allowed starts of patterns by zone; computed once. */
  windows: Map<string, StartWindow | null>;
}

/** Compares candidates with patterns. */
export class Comparer {
  private readonly prepared = new LRUCache<number, { shape: PreparedShape | null }>({ max: KEPT_SHAPES });
  private readonly sets = new LRUCache<number, KeptSet>({ max: KEPT_SETS });

  compare({ sets, shapes, jobs }: CompareRequest): CompareResponse {
    for (const set of sets) this.sets.set(set.key, { ...set, windows: new Map() });
    for (const { id, shape } of shapes) this.prepared.set(id, { shape: shape && prepare(shape) });
    const missingSets = new Set<number>();
    const missingShapes = new Set<number>();
    for (const { key, stamp } of jobs) {
      const set = this.sets.get(key);
      if (set?.stamp !== stamp) missingSets.add(key);
      else for (const { id } of set.patterns) if (!this.prepared.has(id)) missingShapes.add(id);
    }
    if (missingSets.size + missingShapes.size > 0) {
      return { results: [], missingSets: [...missingSets], missingShapes: [...missingShapes] };
    }
    const results = jobs.map((job) => this.compareOne(job, this.sets.get(job.key)!));
    return { results, missingSets: [], missingShapes: [] };
  }

  private compareOne({ candidate, timezone }: CompareJob, set: KeptSet): Compared {
    const bySteps = new Map<number, Candidate>();
    const skipped: number[] = [];
    const alike = set.patterns.flatMap((pattern) => {
      const shape = this.prepared.get(pattern.id)?.shape;
      if (shape == null) return [];
      const { step } = shape.shape.fine;
      if (step < candidate.fine.step) {
        skipped.push(pattern.id);
        return [];
      }
      let fitting = bySteps.get(step);
      if (fitting === undefined) bySteps.set(step, (fitting = inSteps(candidate, step)));
      const window = windowOf(set, pattern, timezone, step);
      const found = likeness(shape, fitting, { ...pattern, window, timezone });
      if (!found.alike) return [];
      const slots = habitualSlots(shape.partSlots, pattern.habit).most + TAIL_SLOTS;
      return [{ ...found, patternId: pattern.id, completeAt: found.onset + slots * step }];
    });
    return { alike, skipped };
  }
}

function windowOf(
  { windows }: KeptSet,
  { id, starts }: ComparedSet['patterns'][number],
  timezone: string,
  step: number,
): StartWindow | null {
  const key = `${String(id)} ${timezone}`;
  const known = windows.get(key);
  if (known !== undefined) return known;
  const window = startWindow(starts, timezone, step);
  windows.set(key, window);
  return window;
}

function inSteps(candidate: Candidate, step: number): Candidate {
  if (step === candidate.fine.step) return candidate;
  const fine = coarser(candidate.fine, step);
  return { ...candidate, fine, newest: Math.min(candidate.newest, endOf(fine) - step) };
}
