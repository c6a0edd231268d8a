import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api, type Schema, unwrap } from './api';

/** Longer than the pause between two typed characters; the server is only queried after this time. */
const PAUSE_MS = 150;
const MOST = 20;

/**
 * Chips that contain the typed text, with the number of metrics that each selects. No event makes queries with this key
 * stale.
 */
const completionQuery = (q: string, chips: readonly string[]) =>
  queryOptions({
    queryKey: ['completion', 'chips', q, chips],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/watchers/chips', { params: { query: { q, chips: [...chips], limit: MOST } }, signal })),
    staleTime: 60_000,
  });

/**
 * Completions of a chip that is typed next to others. A request whose answer would be too late is aborted; the last
 * answer stays until the next one arrives. `isWanted`: the list is visible.
 */
export function useChipCompletion(
  typed: string,
  chips: readonly string[],
  isWanted: boolean,
): readonly Schema<'ChipSuggestionDto'>[] {
  const [q] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const { data } = useQuery({
    ...completionQuery(q, chips),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });
  return (data?.chips ?? []).filter(({ chip }) => !chips.includes(chip));
}
