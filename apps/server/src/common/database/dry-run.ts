import { type Tx } from './transactions.js';

/** Transactions that will be rolled back, and the last id that was given in each. */
const dryRuns = new WeakMap<Tx, number>();

/** From here on the transaction is one that is taken back: what it inserts must use up no number of a sequence, which no rollback gives back. */
export function markDryRun(tx: Tx): void {
  dryRuns.set(tx, 0);
}

export const isDryRun = (tx: Tx | undefined): boolean => tx !== undefined && dryRuns.has(tx);

/** What a row besides says of its id: nothing, or in a dry run an id below zero in place of the next of the sequence. */
export function idFor(tx: Tx | undefined): { id?: number } {
  const last = tx === undefined ? undefined : dryRuns.get(tx);
  if (last === undefined) return {};
  dryRuns.set(tx!, last - 1);
  return { id: last - 1 };
}
