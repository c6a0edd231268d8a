import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { type FairQueue } from '../../common/fair-share/fair-queue.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { createExecutor } from '../../common/workers/executor.js';
import { type ModelRequest, type ModelResult, runModel } from './run-model.js';

/** Maximum number of waiting models; there are never more than running benchmarks. */
const WAITING = 100;

/** Runs models in a separate thread, sequentially, in rotation between the callers. */
@Injectable()
export class ModelExecutor implements BeforeApplicationShutdown {
  private readonly thread = createExecutor<ModelRequest, ModelResult>({
    entry: new URL('./model-worker.js', import.meta.url),
    name: 'benchmarks',
    handler: () => ({ handle: runModel }),
  });

  private readonly turns: FairQueue;

  constructor(turns: FairQueueRegistry) {
    this.turns = turns.open('benchmarks', { slots: 1, waiting: WAITING, waitingPerParty: WAITING });
  }

  /** @throws WorkerGoneError if the thread has died, or the process stops */
  run(party: string, request: ModelRequest): Promise<ModelResult> {
    return this.turns.run(party, () => this.thread.call(request));
  }

  /** Aborts running work: another process, or the next one, repeats it. */
  beforeApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}
