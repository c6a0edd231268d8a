import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { type Candidate } from '#libs/patterns';
import { createExecutor } from '../../common/workers/executor.js';
import { WorkerGoneError } from '../../common/workers/worker-channel.js';
import { type ComparablePattern } from '../pattern/pattern.types.js';
import { Comparer, type CompareRequest, type CompareResponse, type Comparison } from './compare.js';

/** Compares candidates with patterns away from the thread that answers requests, one after the other. */
@Injectable()
export class CompareExecutor implements BeforeApplicationShutdown {
  private readonly thread = createExecutor<CompareRequest, CompareResponse>({
    entry: new URL('./compare-worker.js', import.meta.url),
    name: 'patterns',
    handler: () => {
      const comparer = new Comparer();
      return { handle: (request) => comparer.compare(request) };
    },
  });
  /** Patterns whose shapes the thread has been sent. */
  private readonly sent = new Set<number>();

  /** @throws WorkerGoneError */
  async compare(patterns: readonly ComparablePattern[], candidate: Candidate, timezone: string): Promise<Comparison[]> {
    const wanted = patterns.map(({ id, threshold, starts }) => ({ id, threshold, starts }));
    const ask = async (isNew: (id: number) => boolean): Promise<CompareResponse> => {
      const shapes = patterns.filter(({ id }) => isNew(id)).map(({ id, shape }) => ({ id, shape }));
      const response = await this.thread.call({ patterns: wanted, shapes, candidate, timezone });
      for (const { id } of shapes) this.sent.add(id);
      return response;
    };
    try {
      const first = await ask((id) => !this.sent.has(id));
      if (first.missing.length === 0) return first.comparisons;
      // The thread has forgotten some, or was started anew.
      const missing = new Set(first.missing);
      return (await ask((id) => missing.has(id))).comparisons;
    } catch (error) {
      if (error instanceof WorkerGoneError) this.sent.clear();
      throw error;
    }
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}
