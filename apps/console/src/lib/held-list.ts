import { useState } from 'react';

/** A list that does not move while it is read: new and moved rows are shown when `show` is called. */
export interface HeldList<Item> {
  items: readonly Item[];
  /** Number of rows of the newest list that are not shown. */
  newCount: number;
  show: () => void;
}

/**
 * Keeps the order of the shown rows and updates their contents. `scope` identifies the query (filters, page): if it
 * changes, the list starts with the newest rows.
 */
export function useHeldList<Item>(
  newest: readonly Item[],
  idOf: (item: Item) => string | number,
  scope: string,
): HeldList<Item> {
  const [held, setHeld] = useState<{ scope: string; ids: readonly (string | number)[] } | null>(null);
  const byId = new Map(newest.map((item) => [idOf(item), item]));
  if (newest.length > 0 && (held?.scope !== scope || !held.ids.some((id) => byId.has(id)))) {
    const next = { scope, ids: newest.map(idOf) };
    setHeld(next);
    return { items: newest, newCount: 0, show: () => undefined };
  }
  if (held?.scope !== scope) return { items: newest, newCount: 0, show: () => undefined };
  const shown = new Set(held.ids);
  const items = held.ids.flatMap((id) => byId.get(id) ?? []);
  const newCount = newest.filter((item) => !shown.has(idOf(item))).length;
  return { items, newCount, show: () => setHeld({ scope, ids: newest.map(idOf) }) };
}
