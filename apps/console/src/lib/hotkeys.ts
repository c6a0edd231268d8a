import { useEffect } from 'react';
import { signal } from './signal';

export interface Hotkey {
  /** `j`, `/`, `g o`, `Enter`. */
  keys: string;
  /** Its description for the list at `?`. */
  label: string;
  /** Heading in that list. */
  group: string;
  run: () => void;
}

const registered = signal<readonly Hotkey[]>([]);

/** Keys of a page or part, while it is shown. Pass a list that is memoised or changes only with its actions. */
export function useHotkeyList(hotkeys: readonly Hotkey[]): void {
  useEffect(() => {
    registered.set([...registered.get(), ...hotkeys]);
    return () => registered.set(registered.get().filter((hotkey) => !hotkeys.includes(hotkey)));
  }, [hotkeys]);
}

export const useAllHotkeys = (): readonly Hotkey[] => registered.use();

const SEQUENCE_MS = 1200;

/** True where keys enter text: letters must reach the field. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.closest('[role="dialog"],[role="listbox"],[role="menu"]') !== null)
  );
}

/** Listens for the whole page. The newest registration of a key wins. */
export function listenForHotkeys(): () => void {
  let first: { key: string; at: number } | null = null;
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
    const sequence = first !== null && Date.now() - first.at < SEQUENCE_MS ? `${first.key} ${event.key}` : null;
    const find = (keys: string): Hotkey | undefined => registered.get().findLast((hotkey) => hotkey.keys === keys);
    // Enter on a button or link activates that button or link.
    const isOnControl = event.target instanceof Element && event.target.closest('a,button,[role="tab"]') !== null;
    if (event.key === 'Enter' && isOnControl) return;
    const hotkey = (sequence === null ? undefined : find(sequence)) ?? find(event.key);
    first = { key: event.key, at: Date.now() };
    if (!hotkey) return;
    event.preventDefault();
    first = null;
    hotkey.run();
  };
  window.addEventListener('keydown', onKey);
  return () => window.removeEventListener('keydown', onKey);
}
