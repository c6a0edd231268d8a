/** Number of rows of one page of the list. */
export const PAGE_SIZE = 200;
/** Maximum number of rows that a request may skip. */
const MAX_SKIPPED = 100_000;

/** A requested range of rows of the list; `reverse`: counted from its end. */
export interface ListPart {
  offset: number;
  limit: number;
  reverse: boolean;
}

/** The part to read for a page of a list of `total` rows: a page too far from the start is read from the end. */
export function partOf(page: number, total: number): ListPart {
  const first = page * PAGE_SIZE;
  if (first <= MAX_SKIPPED) return { offset: first, limit: PAGE_SIZE, reverse: false };
  const end = Math.min(first + PAGE_SIZE, total);
  return { offset: total - end, limit: end - first, reverse: true };
}

/** The number of reachable rows: all of them, or those up to the first that is too far from either end. */
export function reachableRows(total: number): number {
  const fromEitherEnd = 2 * (MAX_SKIPPED + PAGE_SIZE);
  return total <= fromEitherEnd ? total : MAX_SKIPPED + PAGE_SIZE;
}
