import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../lib/api';
import { type EventsSearch, levelsFrom, typesOf } from '../events-search';

export const EVENTS_PAGE_SIZE = 50;

export const eventsQuery = (search: EventsSearch, { from, until }: { from: number; until: number }) => {
  const { what, level, metric, page = 1 } = search;
  const query = {
    from,
    until,
    limit: EVENTS_PAGE_SIZE,
    offset: (page - 1) * EVENTS_PAGE_SIZE,
    ...(what && { type: typesOf(what) }),
    ...(level && { level: levelsFrom(level) }),
    ...(metric !== undefined && { metric }),
  };
  return queryOptions({
    queryKey: ['events', 'list', search, from, until],
    queryFn: ({ signal }) => unwrap(api.GET('/api/org/events', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
};
