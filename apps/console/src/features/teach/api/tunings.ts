import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../lib/api';
import { reloadQueries } from '../../../lib/reload';
import { type TuningFields } from '../tuning-fields';

export const tuningsQuery = queryOptions({
  queryKey: ['tunings'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/tunings', { params: { query: { limit: 1000 } }, signal })),
});

export const tuningQuery = (id: number) =>
  queryOptions({
    queryKey: ['tunings', id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/tuning/{tuning_id}', { params: { path: { tuning_id: id } }, signal })),
  });

export const noisiestQuery = queryOptions({
  queryKey: ['metrics', 'noisiest'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/metrics/noisiest', { params: { query: { limit: 50 } }, signal })),
});

/** The effect of the settings, replayed over the last days. The replay is expensive, so it is cached for minutes. */
export const tuningPreviewQuery = (fields: Omit<TuningFields, 'name'>) =>
  queryOptions({
    queryKey: ['tunings', 'preview', fields],
    queryFn: ({ signal }) => unwrap(api.POST('/api/tuning/preview', { body: fields, signal })),
    enabled: fields.chips.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
    refetchOnWindowFocus: false,
  });

export const createTuning = (fields: TuningFields): Promise<Schema<'TuningChangedDto'>> =>
  unwrap(api.POST('/api/tuning', { body: fields }));

export const updateTuning = (id: number, fields: TuningFields): Promise<Schema<'TuningChangedDto'>> =>
  unwrap(api.PUT('/api/tuning/{tuning_id}', { params: { path: { tuning_id: id } }, body: fields }));

export const deleteTuning = (id: number): Promise<Schema<'TuningChangedDto'>> =>
  unwrap(api.DELETE('/api/tuning/{tuning_id}', { params: { path: { tuning_id: id } } }));

/** Settings affect lists, but not replays, because those are about the past. */
export const reloadTunings = (client: QueryClient): Promise<void> =>
  reloadQueries(client, ['tunings'], ['metrics', 'noisiest'], ['metric']);
