import { createExecutor, type Executor } from '../../common/workers/executor.js';
import { movableRequestBuffers, ShardHost, type ShardRequest, type ShardResponse } from './shard-host.js';

/** Runs the shards of partitions: partition p on thread p mod N. */
export class ShardExecutor {
  constructor(private readonly threads: readonly Executor<ShardRequest, ShardResponse>[]) {}

  /**
   * Calls for one partition are done in the order they are made.
   *
   * @throws WorkerGoneError when the thread died: its partitions must be opened again
   */
  call(request: ShardRequest): Promise<ShardResponse> {
    return this.threads[request.partition % this.threads.length]!.call(request, movableRequestBuffers(request));
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }
}

const WORKER_ENTRY = new URL('./detection-worker.js', import.meta.url);

export function createShardExecutor(threads: number): ShardExecutor {
  const handler = () => new ShardHost();
  return new ShardExecutor(
    Array.from({ length: threads }, (_, i) =>
      createExecutor({ entry: WORKER_ENTRY, name: `detection-${String(i)}`, handler }),
    ),
  );
}
