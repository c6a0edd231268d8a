import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api, type Schema, unwrap } from './api';

/** Somebody who types goes on after less; only then is the server asked. */
const PAUSE_MS = 150;
const MOST = 20;

/** Chips that hold what was typed, with the count of metrics that each leaves. The name of the key: no event makes it stale. */
const completionQuery = (q: string, chips: readonly string[]) =>
  queryOptions({
    queryKey: ['completion', 'chips', q, chips],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/watchers/chips', { params: { query: { q, chips: [...chips], limit: MOST } }, signal })),
    staleTime: 60_000,
  });

/**
 * What completes a chip that is typed beside others. A question whose answer would come too late is given up; the last
 * answer stays until the next one is there. `isWanted`: somebody looks at it.
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
