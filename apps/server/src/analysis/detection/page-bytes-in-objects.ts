import { createHash } from 'node:crypto';
import { type Logger } from '@nestjs/common';
import { type StateObjects } from '#libs/state-objects';
import { messageOf } from '../../common/errors/message-of.js';
import { type DetectionCheckpointRepository, type StoredPageRow } from './detection-checkpoint.repository.js';
import { type PartitionOwner } from './detection.types.js';
import { type PageBytes, type RestoredPage } from './page-bytes.js';
import { type TakenPage } from './shard-host.js';

const HASH_DIGITS = 24;

/** Pages are objects outside the database; their rows contain a name and the definitions of the series. */
export class PageBytesInObjects implements PageBytes {
  readonly isApart = true;
  private readonly removals = new Set<Promise<void>>();

  constructor(
    private readonly objects: StateObjects,
    private readonly checkpoints: Pick<DetectionCheckpointRepository, 'objectsOf'>,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  async place(
    owner: PartitionOwner,
    { page, position, series, bytes, definitions }: TakenPage,
  ): Promise<StoredPageRow> {
    const object = nameOf(owner, page, bytes);
    await this.objects.put(owner.partition, object, bytes);
    return { page, position, series, bytes: definitions, object };
  }

  forget(partition: number, object: string): void {
    const removal = this.objects
      .remove(partition, object)
      // The next owner removes it.
      .catch((error: unknown) => {
        this.logger.warn(`A page of learnt state that was replaced stays behind: ${messageOf(error)}`);
      })
      .finally(() => this.removals.delete(removal));
    this.removals.add(removal);
  }

  read(partition: number, rows: readonly StoredPageRow[]): Promise<RestoredPage[]> {
    return Promise.all(
      rows.map(async ({ object, ...page }) => {
        const bytes = object === null ? page.bytes : await this.objects.get(partition, object);
        if (bytes) return { ...page, bytes: ofItsOwn(bytes), lost: null };
        return { ...page, lost: `${this.objects.place} has lost its object ${object!}` };
      }),
    );
  }

  async removeUnreferenced(partition: number): Promise<number> {
    return this.objects.keepOnly(partition, new Set(await this.checkpoints.objectsOf(partition)));
  }

  async close(): Promise<void> {
    await Promise.all(this.removals);
    await this.objects.close();
  }
}

/**
 * Different for each ownership, so that no earlier owner can replace it; equal for equal bytes, so that a repeated
 * attempt leaves nothing behind.
 */
function nameOf({ epoch }: PartitionOwner, page: number, bytes: Uint8Array): string {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_DIGITS);
  return `${String(page)}-${String(epoch)}-${hash}`;
}

/** A separate copy, which can move to another thread. */
const ofItsOwn = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
