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

/** True if there was unsaved input under a key of `useDraft` when the tab last left the page. */
export function useHasDraft(key: string): boolean {
  const { id } = useMe();
  return read(`plumbline-draft ${String(id)} ${key}`) !== undefined;
}

type Change<Value> = (change: (current: Value) => Value) => void;

/** State of a form in the storage of the tab, while it differs from `initial`. */
function useStored<Value>(place: string, initial: Value): [Value, Change<Value>] {
  const [value, setValue] = useState<Value>(() => (read(place) as Value | undefined) ?? initial);
  const text = JSON.stringify(value);
  const isChanged = text !== JSON.stringify(initial);
  useEffect(() => {
    if (isChanged) sessionStorage.setItem(place, text);
    else sessionStorage.removeItem(place);
  }, [place, text, isChanged]);
  return [value, setValue];
}

/**
 * State of a form that is kept when the page is reloaded: a user who has to sign in again finds the input. Leaving the
 * form in any other way deletes it. `key` names the form and its record; values are JSON.
 */
export function useDraft<Value>(key: string, initial: Value): [Value, Change<Value>] {
  const { id } = useMe();
  const place = `plumbline-draft ${String(id)} ${key}`;
  const [value, setValue] = useStored(place, initial);
  useEffect(() => () => sessionStorage.removeItem(place), [place]);
  return [value, setValue];
}

/** A draft that is restored whenever its tab returns to the form. */
export interface KeptDraft<Value> {
  value: Value;
  change: Change<Value>;
  /** True if it was started when the form was open before. */
  isTakenUp: boolean;
  /** Resets the draft, because it was saved or is not wanted. */
  forget: () => void;
}

/** The same for a form that takes a while to fill in: a user who leaves it by mistake also finds the input again. */
export function useKeptDraft<Value>(key: string, initial: Value): KeptDraft<Value> {
  const { id } = useMe();
  const place = `plumbline-draft ${String(id)} ${key}`;
  const [isTakenUp, setTakenUp] = useState(() => read(place) !== undefined);
  const [value, setValue] = useStored(place, initial);
  const forget = (): void => {
    // Also here: if the same action navigates away, the page is left before it renders again.
    sessionStorage.removeItem(place);
    setTakenUp(false);
    setValue(() => initial);
  };
  return { value, change: setValue, isTakenUp, forget };
}
