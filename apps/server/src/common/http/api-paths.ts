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

/** Prefix of the calls of a retired service, whose clients send the token in a different header. */
export const SUBSCRIPTION_KEY_BASE = '/anomalydetector/';

/** Calls in the languages of other products (`ForeignPaths`): outside the API base and without envelope, for readers. */
const PROMETHEUS_BASE = '/prometheus/';
const FOREIGN_BEGINNINGS = [PROMETHEUS_BASE, SUBSCRIPTION_KEY_BASE];
const MCP_PATH = '/mcp';
export const FOREIGN_PATHS = [MCP_PATH, ...FOREIGN_BEGINNINGS.map((beginning) => `${beginning}*path`)];

/** Calls of the API whose controllers declare the whole path: without the base it would be that of an ingest path. */
export const WHOLE_API_PATHS = ['/api/ping'];

/** True for a path (as routed, without query) in the protocol of another product. */
export function isForeignPath(path: string): boolean {
  return path === MCP_PATH || FOREIGN_BEGINNINGS.some((beginning) => path.startsWith(beginning));
}

/** True for a path (as routed, without query) of the Prometheus API. */
export function isPrometheusPath(path: string): boolean {
  return path.startsWith(PROMETHEUS_BASE);
}

/** Paths that the controllers declare as a whole: the API base is not prepended. */
export function isWholePath(path: string): boolean {
  return isIngestPath(path) || isForeignPath(path) || WHOLE_API_PATHS.includes(path);
}

/** True for an ingest path (as routed, without query). */
export function isIngestPath(path: string): boolean {
  return path.startsWith('/ingest/') || EXACT_INGEST_PATHS.has(path);
}
