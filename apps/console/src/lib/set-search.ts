import { useNavigate } from '@tanstack/react-router';
import { withoutGaps } from './search-params';

/** Changes parameters of a page's address; those that become undefined leave it. */
export type SetSearch<Search> = (change: Search) => void;

/** `replace`: without a step to go back; `resetScroll`: false keeps the place on the page. */
export function useSetSearch(options: { replace?: boolean; resetScroll?: boolean } = {}): SetSearch<object> {
  const navigate = useNavigate();
  return (change) =>
    void navigate({
      to: '.',
      ...options,
      search: (current: Record<string, unknown>) => withoutGaps({ ...current, ...change }),
    } as never);
}

/** The same for the filters of a list: with others it begins with its first page. */
export function useSetFilters(options: { replace?: boolean } = {}): SetSearch<object> {
  const set = useSetSearch(options);
  return (change) => set({ ...change, page: undefined });
}
