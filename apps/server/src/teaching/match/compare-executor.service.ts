import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Candidate, type Shape } from '#libs/patterns';
import { createExecutor } from '../../common/workers/executor.js';
import { WorkerGoneError } from '../../common/workers/worker-channel.js';
import { type PatternSet } from '../../analysis/pattern/pattern.types.js';
import { type Compared, Comparer, type CompareRequest, type CompareResponse, KEPT_SETS } from './compare.js';

/** Number of candidates that the thread compares in one piece; other callers get their turn in between. */
const AT_A_STRETCH = 8;
/** Maximum number of requests for one comparison: the thread may first lack sets, then their shapes. */
const MAX_ASKING = 4;

/** A candidate and the shapes that it is compared with. */
export interface ComparedCandidate {
  set: PatternSet;
  candidate: Candidate;
  timezone: string;
}

type FindShapes = (ids: readonly number[]) => Promise<ReadonlyMap<number, Shape>>;

/** Compares candidates with patterns outside the thread that serves requests. */
@Injectable()
export class CompareExecutorService implements BeforeApplicationShutdown {
  private readonly thread = createExecutor<CompareRequest, CompareResponse>({
    entry: new URL('./compare-worker.js', import.meta.url),
    name: 'patterns',
    handler: () => {
      const comparer = new Comparer();
      return { handle: (request) => comparer.compare(request) };
    },
  });
  /** Stamps of the sets that were sent to the thread, by key. */
  private readonly sent = new LRUCache<number, string>({ max: KEPT_SETS });

  /**
   * Results in the order of the candidates.
   * @param findShapes shapes of patterns that the thread does not have yet
   * @throws WorkerGoneError
   */
  async compare(candidates: readonly ComparedCandidate[], findShapes: FindShapes): Promise<Compared[]> {
    const results: Compared[] = [];
    for (let first = 0; first < candidates.length; first += AT_A_STRETCH) {
      results.push(...(await this.compareSome(candidates.slice(first, first + AT_A_STRETCH), findShapes)));
    }
    return results;
  }

  private async compareSome(candidates: readonly ComparedCandidate[], findShapes: FindShapes): Promise<Compared[]> {
    const sets = new Map(candidates.map(({ set }) => [set.metricId, set]));
    const jobs = candidates.map(({ set: { metricId: key, stamp }, ...candidate }) => ({ key, stamp, ...candidate }));
    let wanted = [...sets.values()].filter(({ metricId, stamp }) => this.sent.get(metricId) !== stamp);
    let shapes: CompareRequest['shapes'] = [];
    for (let asked = 0; asked < MAX_ASKING; asked++) {
      const response = await this.request({ sets: wanted.map(toCompared), shapes, jobs });
      for (const { metricId, stamp } of wanted) this.sent.set(metricId, stamp);
      const { results, missingSets, missingShapes } = response;
      if (missingSets.length + missingShapes.length === 0) return results;
      // The thread has dropped some, or was restarted.
      wanted = missingSets.map((key) => sets.get(key)!);
      const found = missingShapes.length === 0 ? null : await findShapes(missingShapes);
      shapes = missingShapes.map((id) => ({ id, shape: found?.get(id) ?? null }));
    }
    throw new Error('The thread that compares patterns repeatedly dropped the patterns that it was sent');
  }

  private async request(request: CompareRequest): Promise<CompareResponse> {
    try {
      return await this.thread.call(request);
    } catch (error) {
      if (error instanceof WorkerGoneError) this.sent.clear();
      throw error;
    }
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}

const toCompared = ({ metricId, stamp, patterns }: PatternSet): CompareRequest['sets'][number] => ({
  key: metricId,
  stamp,
  patterns: [...patterns.values()].map(({ id, threshold, starts, habit }) => ({ id, threshold, starts, habit })),
});
