import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../lib/api';
import { type AuditSearch } from '../setup-search';

export const AUDIT_PAGE_SIZE = 100;
const MAX_USERS = 200;

/** Entries of a window, newest first. Unix seconds. */
export const auditQuery = ({ page = 1, action, object, user }: AuditSearch, from: number, until: number) => {
  const query = {
    from,
    until,
    limit: AUDIT_PAGE_SIZE,
    offset: (page - 1) * AUDIT_PAGE_SIZE,
    ...(action !== undefined && { action }),
    ...(object !== undefined && { object_type: object }),
    ...(user !== undefined && { user_id: user }),
  };
  return queryOptions({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => unwrap(api.GET('/api/audit', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
};

/** The users who may occur in the log. */
export const actorsQuery = queryOptions({
  queryKey: ['org', 'users', 'actors'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/org/users', { params: { query: { limit: MAX_USERS } }, signal })),
  staleTime: 60_000,
});
