import { type RefObject, useMemo } from 'react';
import { useHotkeyList, type Hotkey } from './hotkeys';

/** Links of rows carry `data-row` with the id of the row. */
const rowsOf = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? []),
];

function step(list: HTMLElement | null, by: 1 | -1): void {
  const rows = rowsOf(list);
  const at = rows.findIndex((row) => row.closest('[data-row-box]')?.contains(document.activeElement));
  const next = at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by));
  rows[next]?.focus();
  rows[next]?.scrollIntoView({ block: 'nearest' });
}

/** Id of the focused row; of the first row if none is focused. */
export function rowInFocus(list: HTMLElement | null): string | undefined {
  const rows = rowsOf(list);
  const row = rows.find((one) => one.closest('[data-row-box]')?.contains(document.activeElement)) ?? rows[0];
  return row?.dataset.row;
}

/**
 * Moves the focus over the rows of a list with j and k; Enter follows the focused link. The box of a row has
 * `data-row-box`, the link in it `data-row={id}`. `more`: keys of the list, memoised.
 */
export function useRowKeys(
  list: RefObject<HTMLElement | null>,
  labels: { group: string; next: string; previous: string },
  more: readonly Hotkey[] = NONE,
): void {
  const { group, next, previous } = labels;
  const hotkeys = useMemo<Hotkey[]>(
    () => [
      { keys: 'j', label: next, group, run: () => step(list.current, 1) },
      { keys: 'k', label: previous, group, run: () => step(list.current, -1) },
      ...more,
    ],
    [list, group, next, previous, more],
  );
  useHotkeyList(hotkeys);
}

const NONE: readonly Hotkey[] = [];
