import { type Tx } from './transactions.js';

/** Transactions that will be rolled back, with the last assigned id of each. */
const dryRuns = new WeakMap<Tx, number>();

/**
 * Marks the transaction as one that will be rolled back: its inserts must not use numbers of a sequence, which no
 * rollback returns.
 */
export function markDryRun(tx: Tx): void {
  dryRuns.set(tx, 0);
}

export const isDryRun = (tx: Tx | undefined): boolean => tx !== undefined && dryRuns.has(tx);

/**
 * Additional members of a row for its id: none, or in a dry run an id below zero instead of the next number of the
 * sequence.
 */
export function idFor(tx: Tx | undefined): { id?: number } {
  const last = tx === undefined ? undefined : dryRuns.get(tx);
  if (last === undefined) return {};
  dryRuns.set(tx!, last - 1);
  return { id: last - 1 };
}
