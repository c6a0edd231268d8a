import { type CheckpointPage, type StoredPageRow } from './detection-checkpoint.repository.js';
import { type PartitionOwner } from './detection.types.js';
import { type TakenPage } from './shard-host.js';

/** Injects the `PageBytes` of the process. */
export const PAGE_BYTES = Symbol('bytes of pages');

/** A page to be restored. */
export interface RestoredPage extends CheckpointPage {
  /** Why `bytes` are only the definitions. Null: they are the page. */
  lost: string | null;
}

/**
 * The store of the bytes of saved pages. The row of a page defines which bytes are valid; only the owner of the
 * partition can write it.
 *
 * Order of saving: `place` stores the bytes under a new name; a transaction that holds the ownership writes the row
 * that refers to them; `forget` removes the bytes that the row referred to before. An interrupted save leaves an object
 * that no row refers to, and `removeUnreferenced` removes it. A process that has lost the partition can still place
 * bytes, but can neither refer to any nor replace any.
 */
export interface PageBytes {
  /** True: `place` calls another program, which may be unavailable for a long time. */
  readonly isApart: boolean;
  /** Durable when it resolves, with the content of the row. */
  place(owner: PartitionOwner, page: TakenPage): Promise<StoredPageRow>;
  /** Called after the commit: the row no longer refers to the object. Never rejects, and does not wait. */
  forget(partition: number, object: string): void;
  /** @throws StateElsewhereError if this process has no settings of the store with the bytes */
  read(partition: number, rows: readonly StoredPageRow[]): Promise<RestoredPage[]>;
  /** Removes objects that no row refers to. Called by a new owner, before it places any. Returns their number. */
  removeUnreferenced(partition: number): Promise<number>;
  close(): Promise<void>;
}
