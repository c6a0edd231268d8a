import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ServerConfig } from '../../common/config/server.config.js';
import { PartitionConsumersService } from './partition-consumers.service.js';
import { pause } from './retry.js';
import { ShardExecutor } from './partition-shard.js';

/** Slightly longer than consumers wait for an unavailable database. */
const STOP_TIMEOUT_MS = 15_000;
/** A hanging thread never finishes; the others get this much time. */
const STUCK_TIMEOUT_MS = 3000;

/** Starts and stops the `detect` role: its consumers and their threads. */
@Injectable()
export class DetectionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stop = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly consumers: PartitionConsumersService,
    private readonly executor: ShardExecutor,
    private readonly server: ServerConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.server.roles.includes('detect')) this.running = this.consumers.run(this.stop.signal);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    const deadline = new AbortController();
    const stopped = this.running.then(() => deadline.abort());
    await pause(this.consumers.stuck().size > 0 ? STUCK_TIMEOUT_MS : STOP_TIMEOUT_MS, deadline.signal);
    // Ends hanging threads, and with them the calls that consumers wait for.
    await this.executor.close();
    await stopped;
  }
}
