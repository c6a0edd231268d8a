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
 * The store of the bytes of saved pages. The row of a page defines which bytes count; only the owner of the partition
 * can write it.
 *
 * Order of saving: `place` puts the bytes under a name that is new; a transaction that holds the ownership writes the
 * row that names them; `forget` removes the bytes that the row named before. An interrupted save leaves an object that
 * no row names, and `removeUnreferenced` removes it. A process that has lost the partition can still place bytes, but can neither
 * name nor replace any.
 */
export interface PageBytes {
  /** True: `place` calls another program, which may be unavailable for long. */
  readonly isApart: boolean;
  /** Durable when it resolves, with the content of the row. */
  place(owner: PartitionOwner, page: TakenPage): Promise<StoredPageRow>;
  /** After the commit: the row names the object no longer. Never rejects, and does not wait. */
  forget(partition: number, object: string): void;
  /** @throws StateElsewhereError if this process has no settings of the store with the bytes */
  read(partition: number, rows: readonly StoredPageRow[]): Promise<RestoredPage[]>;
  /** Removes objects that no row names. Called by a new owner, before it places any. Returns their number. */
  removeUnreferenced(partition: number): Promise<number>;
  close(): Promise<void>;
}
