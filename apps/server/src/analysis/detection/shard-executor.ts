import { existsSync } from 'node:fs';
import { WorkerChannel } from '../../common/workers/worker-channel.js';
import { movableRequestBuffers, ShardHost, type ShardRequest, type ShardResponse } from './shard-host.js';

/** Runs the shards of partitions; calls for one partition are done in the order they are made. */
export abstract class ShardExecutor {
  /** Rejects with WorkerGoneError when the thread died: its partitions must be opened anew. */
  abstract call(request: ShardRequest): Promise<ShardResponse>;
  abstract close(): Promise<void>;
}

/** Partition p runs on thread p mod N. */
export class ThreadedShardExecutor extends ShardExecutor {
  private readonly channels: readonly WorkerChannel<ShardRequest, ShardResponse>[];

  constructor(entry: URL, threads: number) {
    super();
    this.channels = Array.from({ length: threads }, (_, i) => new WorkerChannel(entry, `detection-${String(i)}`));
  }

  call(request: ShardRequest): Promise<ShardResponse> {
    return this.channels[request.partition % this.channels.length]!.call(request, movableRequestBuffers(request));
  }

  async close(): Promise<void> {
    await Promise.all(this.channels.map((channel) => channel.close()));
  }
}

/** Runs shards in the calling thread: where no compiled worker exists, and in tests. */
export class InlineShardExecutor extends ShardExecutor {
  private readonly host = new ShardHost();

  async call(request: ShardRequest): Promise<ShardResponse> {
    return this.host.handle(request);
  }

  async close(): Promise<void> {
    // Nothing runs between calls.
  }
}

const WORKER_ENTRY = new URL('./detection-worker.js', import.meta.url);

/** Threads when the worker is compiled, else (TypeScript run from source) the calling thread. */
export function createShardExecutor(threads: number): ShardExecutor {
  return existsSync(WORKER_ENTRY) ? new ThreadedShardExecutor(WORKER_ENTRY, threads) : new InlineShardExecutor();
}
