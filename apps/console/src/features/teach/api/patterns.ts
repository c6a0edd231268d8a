import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../lib/api';
import { reloadQueries } from '../../../lib/reload';

const MAX_MATCHES = 50;
const MAX_PATTERNS = 100;

/** Matches of all metrics that wait for a verdict, the newest first. */
export const waitingMatchesQuery = queryOptions({
  queryKey: ['matches', 'waiting'],
  queryFn: ({ signal }) =>
    unwrap(api.GET('/api/matches', { params: { query: { validated: 'none', limit: MAX_MATCHES } }, signal })),
});

/** Patterns of all metrics, most recently matched first. */
export const patternsQuery = queryOptions({
  queryKey: ['patterns', 'all'],
  queryFn: ({ signal }) =>
    unwrap(api.GET('/api/patterns', { params: { query: { order: 'last_match', limit: MAX_PATTERNS } }, signal })),
});

export const pendingQuery = queryOptions({
  queryKey: ['patterns', 'pending'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/patterns/pending', { signal })),
});

export const patternQuery = (id: number) =>
  queryOptions({
    queryKey: ['pattern', id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/pattern/{pattern_id}', { params: { path: { pattern_id: id } }, signal })),
  });

export const patternMatchesQuery = (id: number, validated?: 'true' | 'false' | 'none') =>
  queryOptions({
    queryKey: ['matches', 'of', id, validated ?? 'all'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/pattern/{pattern_id}/matches', {
          params: { path: { pattern_id: id }, query: { limit: MAX_MATCHES, validated } },
          signal,
        }),
      ),
  });

/** A match with its curve, and the part of the pattern with which it was compared. */
export const matchQuery = (id: number) =>
  queryOptions({
    queryKey: ['match', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/match/{match_id}', { params: { path: { match_id: id } }, signal })),
    staleTime: 60_000,
  });

/** `valid`: null undoes the verdict with its effects. */
export const judge = (id: number, valid: boolean | null): Promise<Schema<'MatchValidatedDto'>> =>
  unwrap(api.POST('/api/match/{match_id}/validate', { params: { path: { match_id: id } }, body: { valid } }));

export const changePattern = (
  id: number,
  body: { enabled?: boolean; children?: boolean; label?: string; positive?: boolean; validated?: boolean | null },
): Promise<Schema<'PatternChangedDto'>> =>
  unwrap(api.PUT('/api/pattern/{pattern_id}', { params: { path: { pattern_id: id } }, body }));

export async function reloadPatterns(client: QueryClient): Promise<void> {
  const keys = ['pattern', 'patterns', 'match', 'matches', 'metric', 'metrics', 'anomalies', 'anomaly'];
  await reloadQueries(client, ...keys.map((key) => [key]));
}
