/**
 * The first requests of the page, without any code for sending them: they are sent before everything else is loaded.
 */

interface Window {
  from: number;
  until: number;
}

/** Maximum number of incidents on the page; the list has all of them. */
const MAX_INCIDENTS = 12;
/** Maximum number of anomalies that the swim-lane requests. */
export const MAX_STRETCHES = 1000;

/** Currently open, worst first. */
export const OPEN_INCIDENTS: { state: ['open']; order: 'severity'; limit: number } = {
  state: ['open'],
  order: 'severity',
  limit: MAX_INCIDENTS,
};
export const LAST_ANOMALY = { limit: 1 };
export const RECENT_MATCHES = { limit: 100 };
export const mostAnomalous = ({ from, until }: Window) => ({ from, until, limit: 10 });
export const stretches = ({ from, until }: Window) => ({ from, until, limit: MAX_STRETCHES });

const address = (path: string, query: object): string =>
  `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()}`;

/** Addresses of the queries with these parameters, in the format of the API client. */
export const nowAddresses = (window: Window): string[] => [
  address('/api/incidents', OPEN_INCIDENTS),
  '/api/org/summary',
  address('/api/metrics/mostrecentlyanomalous', LAST_ANOMALY),
  address('/api/metrics/mostanomalous', mostAnomalous(window)),
  address('/api/dashboard/org/recentanomalies', stretches(window)),
  address('/api/metrics/mostrecentlymatched', RECENT_MATCHES),
];
