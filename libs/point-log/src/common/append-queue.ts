import { type PointBatch, PointLogFullError, type PointLogStats, type RecordKind } from '../point-log.js';
import { type QueuedAppend } from './group.js';

interface WaitingAppend extends QueuedAppend {
  resolve: () => void;
  reject: (error: Error) => void;
}

export interface AppendQueueOptions {
  /** Maximum number of points waiting for a commit. More are refused with PointLogFullError. */
  maxQueuedPoints?: number | undefined;
  /** How long the first append of a group waits for others. */
  commitDelayMs?: number | undefined;
}

const MAX_COMMIT_POINTS = 500_000;

/**
 * Queue of appends in front of a log. Appends that arrive during a commit share the next one; a failed commit rejects
 * only its own appends.
 */
export class AppendQueue {
  private readonly queue: WaitingAppend[] = [];
  private queuedPoints = 0;
  private flushing: Promise<void> | undefined;
  private isClosed = false;
  private readonly maxQueuedPoints: number;
  private readonly commitDelayMs: number;

  /** @param commit resolves when the appends are durable, in this order */
  constructor(
    { maxQueuedPoints = 1_000_000, commitDelayMs = 2 }: AppendQueueOptions,
    private readonly commit: (group: readonly QueuedAppend[]) => Promise<void>,
  ) {
    this.maxQueuedPoints = maxQueuedPoints;
    this.commitDelayMs = commitDelayMs;
  }

  /** Like PointLog.append. */
  add(batch: PointBatch, kind: RecordKind): Promise<void> {
    const points = batch.ids.length;
    if (batch.timestamps.length !== points || batch.values.length !== points) {
      return Promise.reject(new RangeError('The columns of a batch must have the same length'));
    }
    if (this.isClosed) return Promise.reject(new Error('The point log is closed'));
    if (points === 0 && kind !== 'tick') return Promise.resolve();
    // An append larger than the whole queue is accepted if the queue is empty: otherwise it could never be accepted.
    if (this.queuedPoints > 0 && this.queuedPoints + points > this.maxQueuedPoints) {
      return Promise.reject(new PointLogFullError(this.queuedPoints));
    }
    this.queuedPoints += points;
    const durable = new Promise<void>((resolve, reject) => {
      this.queue.push({ batch, kind, resolve, reject });
    });
    this.flushing ??= this.flush();
    return durable;
  }

  stats(): PointLogStats {
    return { queuedAppends: this.queue.length, queuedPoints: this.queuedPoints };
  }

  /** Accepts no more appends; resolves when those already accepted are settled. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.flushing;
  }

  /** Commits the queue group by group until it is empty. Never rejects: errors go to the appends of their group. */
  private async flush(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.commitDelayMs));
    while (this.queue.length > 0) {
      const group = this.takeGroup();
      try {
        await this.commit(group);
        this.settle(group, (append) => append.resolve());
      } catch (error) {
        const reason = error instanceof Error ? error : new Error(String(error));
        this.settle(group, (append) => append.reject(reason));
      }
    }
    this.flushing = undefined;
  }

  private takeGroup(): WaitingAppend[] {
    let points = 0;
    let size = 0;
    while (size < this.queue.length) {
      points += this.queue[size]!.batch.ids.length;
      if (size > 0 && points > MAX_COMMIT_POINTS) break;
      size++;
    }
    return this.queue.splice(0, size);
  }

  private settle(group: readonly WaitingAppend[], how: (append: WaitingAppend) => void): void {
    for (const append of group) {
      this.queuedPoints -= append.batch.ids.length;
      how(append);
    }
  }
}
