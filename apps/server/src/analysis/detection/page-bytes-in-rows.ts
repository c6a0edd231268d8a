import { type StoredPageRow } from './detection-checkpoint.repository.js';
import { StateElsewhereError } from './detection.errors.js';
import { type PartitionOwner } from './detection.types.js';
import { type PageBytes, type RestoredPage } from './page-bytes.js';
import { type TakenPage } from './shard-host.js';

/** The rows of the pages contain their bytes: saved in one transaction with everything else. */
export class PageBytesInRows implements PageBytes {
  readonly isApart = false;

  async place(_owner: PartitionOwner, { page, position, series, bytes }: TakenPage): Promise<StoredPageRow> {
    return { page, position, series, bytes, object: null };
  }

  forget(): void {
    // The row has only one value.
  }

  async read(_partition: number, rows: readonly StoredPageRow[]): Promise<RestoredPage[]> {
    return rows.map(({ object, ...page }) => {
      if (object !== null) throw new StateElsewhereError();
      return { ...page, lost: null };
    });
  }

  async removeUnreferenced(): Promise<number> {
    return 0;
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}
