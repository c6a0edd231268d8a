import { useNavigate } from '@tanstack/react-router';
import { withoutGaps } from './search-params';

/** Changes parameters in the address of a page; those that become undefined are removed. */
export type SetSearch<Search> = (change: Search) => void;

/** `replace`: does not add an entry to the history; `resetScroll`: false keeps the scroll position. */
export function useSetSearch(options: { replace?: boolean; resetScroll?: boolean } = {}): SetSearch<object> {
  const navigate = useNavigate();
  return (change) =>
    void navigate({
      to: '.',
      ...options,
      search: (current: Record<string, unknown>) => withoutGaps({ ...current, ...change }),
    } as never);
}

/** The same for the filters of a list: a change of filters returns to the first page. */
export function useSetFilters(options: { replace?: boolean } = {}): SetSearch<object> {
  const set = useSetSearch(options);
  return (change) => set({ ...change, page: undefined });
}
