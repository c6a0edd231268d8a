import { queryOptions, useMutation } from '@tanstack/react-query';
import { api, unwrap } from '../../../lib/api';

const POLL_MS = 15_000;

/** The state of the service; its parts are for administrators only. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/status', { signal })),
  refetchInterval: POLL_MS,
});

/** The data that is sent with a report, in addition to the input. */
const context = () => ({
  browser: navigator.userAgent,
  language: navigator.language,
  width: innerWidth,
  height: innerHeight,
});

export const useReportIssue = () =>
  useMutation({
    mutationFn: (report: { message: string; url: string }) =>
      unwrap(api.POST('/api/user/reportissue', { body: { ...report, context: context() } })),
  });
