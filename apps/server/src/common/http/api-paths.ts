/** Section 5 of the contract: outside the API base, answered without envelope; bodies are read as streams. */
export const INGEST_PATHS = [
  '/ingest/*path',
  '/write',
  '/api/v1/write',
  '/api/v2/write',
  '/api/v1/import/prometheus',
  '/v1/metrics',
  '/ping',
  '/health',
  '/query',
];

const EXACT_INGEST_PATHS = new Set(INGEST_PATHS.filter((path) => !path.includes('*')));

/**
 * Calls of the API whose controllers name the whole path: without the base it would be that of an ingest path.
 */
export const WHOLE_API_PATHS = ['/api/ping'];

/** Below it are the calls of a retired service, whose clients have a header of their own for the token. */
export const SUBSCRIPTION_KEY_BASE = '/anomalydetector/';

/** Calls at the root that are answered in the forms of other protocols, without envelope. */
export const FOREIGN_PATHS = [
  '/mcp',
  '/anomalydetector/v1.1/timeseries/entire/detect',
  '/anomalydetector/v1.1/timeseries/last/detect',
  '/anomalydetector/v1.1/timeseries/change-point/detect',
  '/anomalydetector/v1.1/timeseries/changepoint/detect',
];

/** Paths that the controllers name as a whole: the base of the API is not put before them. */
export function isWholePath(path: string): boolean {
  return isIngestPath(path) || WHOLE_API_PATHS.includes(path) || FOREIGN_PATHS.includes(path);
}

/** Whether a path (as routed, without query) is one of the ingest paths. */
export function isIngestPath(path: string): boolean {
  return path.startsWith('/ingest/') || EXACT_INGEST_PATHS.has(path);
}
