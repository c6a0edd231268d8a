import { type ComponentType, useCallback, useEffect, useState } from 'react';

/** By then, the first page has been visible for a long time. */
const LATER_MS = 10_000;

/**
 * A part that the first page does not need: loaded some seconds after it, or when `now` is called. Null until then, and
 * if loading fails; the next call then retries.
 */
export function useLoadedLater<Props>(
  load: () => Promise<ComponentType<Props>>,
): [part: ComponentType<Props> | null, now: () => Promise<boolean>] {
  const [part, setPart] = useState<ComponentType<Props> | null>(null);
  const now = useCallback(
    () =>
      load().then(
        (loaded) => {
          setPart(() => loaded);
          return true;
        },
        () => false,
      ),
    [load],
  );
  useEffect(() => {
    const timer = setTimeout(() => void now(), LATER_MS);
    return () => clearTimeout(timer);
  }, [now]);
  return [part, now];
}
