import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { messageOf } from '../../common/errors/message-of.js';
import { type PointLog } from '#libs/point-log';
import { POINT_LOG } from '../../platform/storage/storage.types.js';
import { DetectionMembersRepository } from './detection-members.repository.js';
import { pause } from './retry.js';

const REPORT_EVERY_MS = 1000;
/**
 * A process that has not reported for this time no longer counts; its locks may outlive that until its connection ends.
 */
const EXPIRE_SECONDS = 5;

/** A partition that this process works on. */
export interface Holding {
  /** Raised when another process is to have the partition. */
  handOver: AbortSignal;
  /** The partition is no longer worked on. */
  end(): void;
}

/**
 * Distributes the partitions among the processes that detect. It only decides how many a process may have; the lock of
 * a partition ensures that it has one owner.
 */
@Injectable()
export class PartitionSharesService {
  private readonly logger = new Logger('Detection');
  private readonly id = randomUUID();
  /** Partitions that this process works on, or tries to take. */
  private readonly held = new Map<number, AbortController>();
  /** Null until this process has reported itself for the first time. */
  private members: readonly string[] | null = null;
  private hasFailed = false;

  constructor(
    private readonly repository: DetectionMembersRepository,
    @Inject(POINT_LOG) private readonly log: Pick<PointLog, 'partitions'>,
  ) {}

  /** Reports this process for the first time; only then it has a share. Never rejects. */
  join(): Promise<void> {
    return this.report();
  }

  /** Reports this process until `stop` is raised, and hands over partitions beyond its share. Never rejects. */
  async run(stop: AbortSignal): Promise<void> {
    for (;;) {
      await pause(REPORT_EVERY_MS, stop);
      if (stop.aborted) break;
      await this.report();
    }
    // The other processes immediately take over the released partitions.
    await this.repository.remove(this.id).catch(() => undefined);
  }

  /** A place for a partition within the share of this process; null if it has as many as it may have. */
  take(partition: number): Holding | null {
    if (this.held.has(partition) || this.held.size >= this.share) return null;
    const handOver = new AbortController();
    this.held.set(partition, handOver);
    return { handOver: handOver.signal, end: () => this.held.delete(partition) };
  }

  private get share(): number {
    return this.members === null ? 0 : this.shareAmong(this.members);
  }

  private async report(): Promise<void> {
    try {
      this.setMembers(await this.repository.report(this.id, EXPIRE_SECONDS));
      this.hasFailed = false;
    } catch (error) {
      // Without the database no process takes a partition; the previous list is still valid when it is available again.
      if (!this.hasFailed) this.logger.warn(`Other processes that detect cannot be asked for: ${messageOf(error)}`);
      this.hasFailed = true;
    }
  }

  private setMembers(members: readonly string[]): void {
    if (this.members !== null && members.length !== this.members.length) {
      this.logger.log(
        `${String(members.length)} processes detect; the share of this one is ${String(this.shareAmong(members))}`,
      );
    }
    this.members = members;
    const surplus = this.held.size - this.share;
    if (surplus <= 0) return;
    const last = [...this.held].sort(([one], [other]) => other - one).slice(0, surplus);
    for (const [, handOver] of last) handOver.abort();
  }

  private shareAmong(members: readonly string[]): number {
    return shareOf(this.id, members, this.log.partitions);
  }
}

/**
 * How many partitions are the share of a process: as many as of every other, the rest to those that come first in the order of
 * ids. Every process computes the same from the same list, so no one has to decide.
 * @param members ids of all processes that detect, in any order; `id` is one of them
 */
export function shareOf(id: string, members: readonly string[], partitions: number): number {
  const before = members.filter((other) => other < id).length;
  return Math.floor(partitions / members.length) + (before < partitions % members.length ? 1 : 0);
}
