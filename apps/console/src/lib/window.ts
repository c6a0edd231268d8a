import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useDataNow } from './now';
import { DEFAULT_WINDOW, type TimeWindow, type ViewSearch, windowAt } from './window-address';

export {
  DEFAULT_WINDOW,
  type TimeWindow,
  validateViewSearch,
  type ViewSearch,
  WINDOW_CHOICES,
  windowSeconds,
} from './window-address';

/** The window of the address. */
export function useWindow(fallback: string = DEFAULT_WINDOW): TimeWindow {
  const search: ViewSearch = useSearch({ strict: false });
  const { from, until, lastSeconds } = windowAt(search, useDataNow(), fallback);
  return useMemo(() => ({ from, until, lastSeconds }), [from, until, lastSeconds]);
}

/** Changes the window in the address: a length (`6h`) or fixed edges. */
export function useSetWindow(): (next: string | { from: number; until: number }) => void {
  const navigate = useNavigate();
  return (next) => {
    void navigate({
      to: '.',
      search: (current: Record<string, unknown>) => {
        const { w: _w, from: _from, until: _until, ...rest } = current;
        return typeof next === 'string'
          ? { ...rest, ...(next === DEFAULT_WINDOW ? {} : { w: next }) }
          : { ...rest, from: Math.floor(next.from), until: Math.ceil(next.until) };
      },
    } as never);
  };
}
