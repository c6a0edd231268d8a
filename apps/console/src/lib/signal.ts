import { useSyncExternalStore } from 'react';

/** A value outside React that components follow. */
export interface Signal<Value> {
  get(): Value;
  set(value: Value): void;
  use(): Value;
  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

export function signal<Value>(initial: Value): Signal<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const get = (): Value => value;
  return {
    get,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
    subscribe,
  };
}
