import { type CheckpointPage, type StoredPageRow } from './detection-checkpoint.repository.js';
import { type PartitionOwner } from './detection.types.js';
import { type TakenPage } from './shard-host.js';

/** Injects the `PageBytes` of the process. */
export const PAGE_BYTES = Symbol('bytes of pages');

/** A page that is to be restored. */
export interface RestoredPage extends CheckpointPage {
  /** Why `bytes` are the definitions alone. Null: they are the page. */
  lost: string | null;
}

/**
 * Where the bytes of saved pages are. Which bytes count is said by the row of the page, which only the owner of the
 * partition can write.
 *
 * Order of saving: `place` puts the bytes under a name that is new; a transaction that holds the ownership writes the row
 * that names them; `forget` removes what the row named before. Whatever is interrupted leaves an object that no row
 * names, for `tidy`. A process that has lost the partition can place, and neither names nor replaces anything.
 */
export interface PageBytes {
  /** True: `place` asks another program, which may be away for long. */
  readonly isApart: boolean;
  /** Durable when it resolves, with what the row is to have. */
  place(owner: PartitionOwner, page: TakenPage): Promise<StoredPageRow>;
  /** After the commit: the row names the object no longer. Never rejects, and does not wait. */
  forget(partition: number, object: string): void;
  /** @throws StateElsewhereError where this process is not told where the bytes are */
  read(partition: number, rows: readonly StoredPageRow[]): Promise<RestoredPage[]>;
  /** Removes what no row names. By a new owner, before it places anything. Returns how much that was. */
  tidy(partition: number): Promise<number>;
  close(): Promise<void>;
}
