import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../lib/api';
import { SEVERITY_MIN } from '../../../lib/search-params';
import { type AnomaliesSearch } from '../anomaly-list-search';

export const PAGE_SIZE = 50;
/** Maximum number of rows of a file. More are rarely needed, and they are held in memory. */
export const MAX_EXPORTED = 10_000;
const EXPORT_PAGE = 1000;

interface Window {
  from: number;
  until: number;
}

function load(
  { state, kind, severity, acknowledged, order, chips, metric }: AnomaliesSearch,
  { from, until }: Window,
  page: { limit: number; offset: number },
  signal?: AbortSignal,
) {
  const query = {
    from,
    until,
    ...page,
    ...(state && { state: [state] }),
    ...(kind && { kind: [kind] }),
    ...(severity && { severity_min: SEVERITY_MIN[severity] }),
    ...(acknowledged && { acknowledged: acknowledged === 'yes' }),
    ...(chips && { chips }),
    ...(metric !== undefined && metric !== '' && { metric }),
    order: order ?? ('newest' as const),
  };
  return unwrap(api.GET('/api/anomalies', { params: { query }, signal }));
}

export const anomalyListQuery = (search: AnomaliesSearch, window: Window) =>
  queryOptions({
    queryKey: ['anomalies', 'list', search, window.from, window.until],
    queryFn: ({ signal }) =>
      load(search, window, { limit: PAGE_SIZE, offset: ((search.page ?? 1) - 1) * PAGE_SIZE }, signal),
    placeholderData: keepPreviousData,
  });

/** All anomalies that match the filters, up to the maximum of a file, page by page. */
export async function loadAll(search: AnomaliesSearch, window: Window): Promise<Schema<'AnomalyDto'>[]> {
  const all: Schema<'AnomalyDto'>[] = [];
  while (all.length < MAX_EXPORTED) {
    const { anomalies } = await load(search, window, { limit: EXPORT_PAGE, offset: all.length });
    all.push(...anomalies);
    if (anomalies.length < EXPORT_PAGE) break;
  }
  return all;
}
