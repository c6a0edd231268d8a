import { Injectable, type Logger } from '@nestjs/common';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { type AdvisoryLock, AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { type Checkpoint } from './detection-checkpoint.repository.js';
import { DetectionCheckpointsService } from './detection-checkpoints.service.js';
import { messageOf } from '../../common/errors/message-of.js';
import { StateElsewhereError } from './detection.errors.js';
import { pause, retry, type Warner } from './retry.js';
import { type PartitionShard } from './partition-shard.js';
import { PartitionSharesService } from './partition-shares.service.js';

/** First key of the advisory locks; the second is the partition. */
const LOCK_SPACE = DATABASE_LOCKS.detectionPartition.number;
/** Partly random, so that several processes and partitions do not retry at the same time. */
const retryPauseMs = () => 500 + Math.random() * 500;
const PAGES_AT_ONCE = 4;

/** The right to work on a partition. */
export interface Ownership {
  /** Raised when the lock is lost: another process may already own the partition. */
  lost: AbortSignal;
  /** Raised when the partition must be saved and released, because it belongs to the share of another process. */
  handOver: AbortSignal;
  release(): Promise<void>;
}

/**
 * Only one process works on a partition; the others wait until it ends or hands over the partition. The new owner
 * continues from the saved state.
 */
@Injectable()
export class PartitionOwnershipService {
  constructor(
    private readonly locks: AdvisoryLocks,
    private readonly checkpoints: DetectionCheckpointsService,
    private readonly shares: PartitionSharesService,
  ) {}

  /** Registers this process as detecting. Await it before the first `acquire`. */
  join(): Promise<void> {
    return this.shares.join();
  }

  /** Keeps this process registered, and its share up to date, until `stop` is raised. */
  keepShare(stop: AbortSignal): Promise<void> {
    return this.shares.run(stop);
  }

  /** Waits for the partition. Undefined if `stop` was raised before. */
  acquire(partition: number, stop: AbortSignal, warner: Warner): Promise<Ownership | undefined> {
    const warn = warner('its lock cannot be acquired');
    return retry(() => this.waitForLock(partition, stop), stop, warn).catch(() => undefined);
  }

  /**
   * Takes over the partition and restores its saved state into its shard.
   * @param logger receives the pages that cannot be read
   * @throws StateElsewhereError if this process has no settings of the store with the bytes of pages
   */
  async restore(shard: PartitionShard, until: AbortSignal, logger: Logger, warner: Warner): Promise<Restored> {
    const { partition } = shard;
    const warn = warner('the checkpoint cannot be read');
    const checkpoint = await retry(() => this.checkpoints.takeOver(partition), until, warn);
    await shard.open(checkpoint.position, checkpoint.appliedPosition);
    let series = 0;
    for (let last = -1; ;) {
      const read = () => this.checkpoints.pagesAfter(partition, last, PAGES_AT_ONCE);
      const pages = await retry(read, until, warn, (error) => error instanceof StateElsewhereError);
      if (pages.length === 0) break;
      last = pages.at(-1)!.page;
      const lost = new Map(pages.map(({ page, lost: reason }) => [page, reason]));
      const restored = await shard.call({ type: 'restore', partition, pages });
      series = restored.series;
      for (const { page, message, awaiting } of restored.unreadable) {
        const from =
          awaiting > 0 ? `${String(awaiting)} series relearn from stored points` : 'its series relearn from new points';
        const reason = lost.get(page) ?? message;
        logger.error(
          `Partition ${String(partition)}: page ${String(page)} of the checkpoint cannot be read, ${from}: ${reason}`,
        );
      }
    }
    await this.removeUnreferenced(partition, logger);
    return { checkpoint, series };
  }

  /** Leftover objects use space, but are harmless. */
  private async removeUnreferenced(partition: number, logger: Logger): Promise<void> {
    try {
      await this.checkpoints.removeUnreferenced(partition);
    } catch (error) {
      logger.warn(`Partition ${String(partition)}: replaced pages of learnt state stay behind: ${messageOf(error)}`);
    }
  }

  private async waitForLock(partition: number, stop: AbortSignal): Promise<Ownership | undefined> {
    while (!stop.aborted) {
      const ownership = await this.tryLock(partition);
      if (ownership) return ownership;
      await pause(retryPauseMs(), stop);
    }
    return undefined;
  }

  private async tryLock(partition: number): Promise<Ownership | null> {
    const holding = this.shares.take(partition);
    if (!holding) return null;
    let lock: AdvisoryLock | null = null;
    try {
      lock = await this.locks.tryAcquire(LOCK_SPACE, partition);
    } finally {
      if (!lock) holding.end();
    }
    if (!lock) return null;
    const { lost } = lock;
    const release = async (): Promise<void> => {
      await lock.release();
      holding.end();
    };
    return { lost, handOver: holding.handOver, release };
  }
}

export interface Restored {
  checkpoint: Checkpoint;
  /** Number of restored series. */
  series: number;
}
