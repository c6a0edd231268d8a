import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { createExecutor } from '../../common/workers/executor.js';
import { type ReplayRequest, type ReplayResult, Replays } from './replay.js';

/** Replays series away from the thread that answers requests, one after the other. */
@Injectable()
export class ReplayExecutor implements BeforeApplicationShutdown {
  private readonly thread = createExecutor<ReplayRequest, ReplayResult>({
    entry: new URL('./replay-worker.js', import.meta.url),
    name: 'replay',
    handler: () => {
      const replays = new Replays();
      return { handle: (request) => replays.replay(request) };
    },
  });

  replay(request: ReplayRequest): Promise<ReplayResult> {
    return this.thread.call(request);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}
