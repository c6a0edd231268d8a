import { Injectable } from '@nestjs/common';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { type AdvisoryLock, AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { pause } from './patience.js';

/** First key of the advisory locks; the second is the partition. */
const LOCK_SPACE = DATABASE_LOCKS.detectionPartition.number;
const ASK_AGAIN_MS = 2000;

/** Only one process works on a partition; the others wait until it ends. */
@Injectable()
export class PartitionLocks {
  constructor(private readonly locks: AdvisoryLocks) {}

  /** Waits for the partition. Undefined when `stop` was raised before. */
  async acquire(partition: number, stop: AbortSignal): Promise<AdvisoryLock | undefined> {
    while (!stop.aborted) {
      const lock = await this.locks.tryAcquire(LOCK_SPACE, partition);
      if (lock) return lock;
      await pause(ASK_AGAIN_MS, stop);
    }
    return undefined;
  }
}
