import { existsSync } from 'node:fs';
import { type BeforeApplicationShutdown } from '@nestjs/common';
import { WorkerChannel } from '../../common/workers/worker-channel.js';
import { type ReplayRequest, type ReplayResult, Replays } from './replay.js';

/** Replays series away from the thread that answers requests, one after the other. */
export abstract class ReplayExecutor implements BeforeApplicationShutdown {
  abstract run(request: ReplayRequest): Promise<ReplayResult>;
  abstract beforeApplicationShutdown(): Promise<void>;
}

const WORKER_ENTRY = new URL('./replay-worker.js', import.meta.url);

/** A thread when the worker is compiled, else (TypeScript run from source) the calling thread. */
export function createReplayExecutor(): ReplayExecutor {
  return existsSync(WORKER_ENTRY) ? new ThreadedReplayExecutor() : new InlineReplayExecutor();
}

class ThreadedReplayExecutor extends ReplayExecutor {
  private readonly channel = new WorkerChannel<ReplayRequest, ReplayResult>(WORKER_ENTRY, 'replay');

  run(request: ReplayRequest): Promise<ReplayResult> {
    return this.channel.call(request);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.channel.close();
  }
}

class InlineReplayExecutor extends ReplayExecutor {
  private readonly replays = new Replays();

  async run(request: ReplayRequest): Promise<ReplayResult> {
    return this.replays.run(request);
  }

  async beforeApplicationShutdown(): Promise<void> {
    // Nothing runs between calls.
  }
}
