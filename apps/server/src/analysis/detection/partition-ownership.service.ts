import { Injectable, type Logger } from '@nestjs/common';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { type AdvisoryLock, AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { type Checkpoint, DetectionCheckpointRepository } from './detection-checkpoint.repository.js';
import { pause, persist, type Warner } from './patience.js';
import { type PartitionShard } from './partition-shard.js';

/** First key of the advisory locks; the second is the partition. */
const LOCK_SPACE = DATABASE_LOCKS.detectionPartition.number;
const ASK_AGAIN_MS = 2000;
const PAGES_AT_ONCE = 4;

/** Only one process works on a partition, the others wait until it ends; its owner goes on from what was saved of it. */
@Injectable()
export class PartitionOwnership {
  constructor(
    private readonly locks: AdvisoryLocks,
    private readonly checkpoints: DetectionCheckpointRepository,
  ) {}

  /** Waits for the partition. Undefined when `stop` was raised before. */
  acquire(partition: number, stop: AbortSignal, warner: Warner): Promise<AdvisoryLock | undefined> {
    const warn = warner('its lock cannot be acquired');
    return persist(() => this.waitForLock(partition, stop), stop, warn).catch(() => undefined);
  }

  /**
   * Takes the partition over and restores into its shard what was saved of it.
   * @param logger told which pages cannot be read
   */
  async restore(shard: PartitionShard, until: AbortSignal, logger: Logger, warner: Warner): Promise<Restored> {
    const { partition } = shard;
    const warn = warner('the checkpoint cannot be read');
    const checkpoint = await persist(() => this.checkpoints.takeOver(partition), until, warn);
    await shard.open(checkpoint.position, checkpoint.appliedPosition);
    let series = 0;
    for (let last = -1; ;) {
      const pages = await persist(() => this.checkpoints.pagesAfter(partition, last, PAGES_AT_ONCE), until, warn);
      if (pages.length === 0) return { checkpoint, series };
      last = pages.at(-1)!.page;
      const restored = await shard.call({ type: 'restore', partition, pages });
      series = restored.series;
      for (const { page, message, awaiting } of restored.unreadable) {
        const from =
          awaiting > 0 ? `${String(awaiting)} series relearn from stored points` : 'its series relearn from new points';
        logger.error(
          `Partition ${String(partition)}: page ${String(page)} of the checkpoint cannot be read, ${from}: ${message}`,
        );
      }
    }
  }

  private async waitForLock(partition: number, stop: AbortSignal): Promise<AdvisoryLock | undefined> {
    while (!stop.aborted) {
      const lock = await this.locks.tryAcquire(LOCK_SPACE, partition);
      if (lock) return lock;
      await pause(ASK_AGAIN_MS, stop);
    }
    return undefined;
  }
}

export interface Restored {
  checkpoint: Checkpoint;
  /** How many series were restored. */
  series: number;
}
