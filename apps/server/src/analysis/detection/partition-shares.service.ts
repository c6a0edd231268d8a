import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { messageOf } from '../../common/errors/message-of.js';
import { type PointLog } from '#libs/point-log';
import { POINT_LOG } from '../../platform/storage/storage.types.js';
import { DetectionMembersRepository } from './detection-members.repository.js';
import { pause } from './retry.js';

const REPORT_EVERY_MS = 1000;
/**
 * After this time without a report a process no longer counts; its locks may last longer, until its connection ends.
 */
const EXPIRE_SECONDS = 5;

/** A partition that this process works on. */
export interface Holding {
  /** Raised when the partition must be handed over to another process. */
  handOver: AbortSignal;
  /** Reports that the partition is no longer processed. */
  end(): void;
}

/**
 * Distributes the partitions among the detecting processes. It only decides how many a process may have; the lock of a
 * partition ensures that it has one owner.
 */
@Injectable()
export class PartitionSharesService {
  private readonly logger = new Logger('Detection');
  private readonly id = randomUUID();
  /** Partitions that this process processes, or tries to acquire. */
  private readonly held = new Map<number, AbortController>();
  /** Null until this process has reported itself for the first time. */
  private members: readonly string[] | null = null;
  private hasFailed = false;

  constructor(
    private readonly repository: DetectionMembersRepository,
    @Inject(POINT_LOG) private readonly log: Pick<PointLog, 'partitions'>,
  ) {}

  /** Reports this process for the first time, after which it has a share. Never rejects. */
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

  /** Reserves a partition within the share of this process; null if the share is used up. */
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
      // Without the database no process can acquire a partition; the previous list is still valid when the database is
      // available again.
      if (!this.hasFailed) this.logger.warn(`Other processes that detect cannot be listed: ${messageOf(error)}`);
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
 * Number of partitions in the share of a process: the same for every process, and one more for the first ones by id if
 * there is a remainder. Every process computes this from the same list, so no coordinator is needed.
 * @param members ids of all detecting processes, in any order, including `id`
 */
export function shareOf(id: string, members: readonly string[], partitions: number): number {
  const before = members.filter((other) => other < id).length;
  return Math.floor(partitions / members.length) + (before < partitions % members.length ? 1 : 0);
}
