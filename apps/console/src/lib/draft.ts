import { useEffect, useState } from 'react';
import { useMe } from './me';

function read(key: string): unknown {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether something was being written under a key of `useDraft` when the page was last left by its tab. */
export function useHasDraft(key: string): boolean {
  const { id } = useMe();
  return read(`plumbline-draft ${String(id)} ${key}`) !== undefined;
}

/**
 * State of a form that outlives the loading of the page: who has to sign in again finds what was typed. Leaving the form
 * in any other way forgets it. `key` names the form and its record; values are JSON.
 */
export function useDraft<Value>(key: string, initial: Value): [Value, (change: (current: Value) => Value) => void] {
  const { id } = useMe();
  const place = `plumbline-draft ${String(id)} ${key}`;
  const [value, setValue] = useState<Value>(() => (read(place) as Value | undefined) ?? initial);
  const text = JSON.stringify(value);
  const isChanged = text !== JSON.stringify(initial);
  useEffect(() => {
    if (isChanged) sessionStorage.setItem(place, text);
    else sessionStorage.removeItem(place);
  }, [place, text, isChanged]);
  useEffect(() => () => sessionStorage.removeItem(place), [place]);
  return [value, setValue];
}
