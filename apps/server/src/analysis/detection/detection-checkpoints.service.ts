import { Inject, Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import {
  type Checkpoint,
  DetectionCheckpointRepository,
  type StoredPageRow,
} from './detection-checkpoint.repository.js';
import { PartitionLostError } from './detection.errors.js';
import { type PartitionOwner } from './detection.types.js';
import { PAGE_BYTES, type PageBytes, type RestoredPage } from './page-bytes.js';
import { type TakenPage } from './shard-host.js';

/** The checkpoints of partitions: their rows, and the bytes of their pages in whichever store. */
@Injectable()
export class DetectionCheckpointsService {
  constructor(
    private readonly rows: DetectionCheckpointRepository,
    @Inject(PAGE_BYTES) private readonly bytes: PageBytes,
  ) {}

  /** True: placing a page may take a long time, and must not delay effects. */
  get placesApart(): boolean {
    return this.bytes.isApart;
  }

  /** Makes the caller the owner of a partition. */
  takeOver(partition: number): Promise<Checkpoint> {
    return this.rows.takeOver(partition);
  }

  /** Saved pages above a number, ascending. */
  async pagesAfter(partition: number, page: number, limit: number): Promise<RestoredPage[]> {
    return this.bytes.read(partition, await this.rows.pagesAfter(partition, page, limit));
  }

  /** Removes objects that no row refers to. Called by a new owner, before it places any. */
  removeUnreferenced(partition: number): Promise<number> {
    return this.bytes.removeUnreferenced(partition);
  }

  /** Stores the bytes of a page so that its row can refer to them. */
  place(owner: PartitionOwner, page: TakenPage): Promise<StoredPageRow> {
    return this.bytes.place(owner, page);
  }

  /**
   * Saves a placed page, and the position from which a restart reads. Returns the former object of the page, to be
   * forgotten after the commit.
   * @throws PartitionLostError
   */
  async save(
    { partition, epoch }: PartitionOwner,
    { page, replayAfter }: { page: StoredPageRow | null; replayAfter: number },
    tx: Tx,
  ): Promise<string | null> {
    const before = page && (await this.rows.savePage(partition, page, tx));
    const isOurs = await this.rows.saveReplayPosition(partition, epoch, replayAfter, tx);
    if (!isOurs) throw new PartitionLostError(partition);
    return before === page?.object ? null : before;
  }

  forget(partition: number, object: string): void {
    this.bytes.forget(partition, object);
  }

  /** @throws PartitionLostError */
  async markApplied({ partition, epoch }: PartitionOwner, position: number, tx?: Tx): Promise<void> {
    if (!(await this.rows.markApplied(partition, epoch, position, tx))) throw new PartitionLostError(partition);
  }

  /**
   * Keeps the owner the owner until the transaction ends.
   * @throws PartitionLostError
   */
  async lockOwnership({ partition, epoch }: PartitionOwner, tx: Tx): Promise<void> {
    if (!(await this.rows.lockOwnership(partition, epoch, tx))) throw new PartitionLostError(partition);
  }
}
