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

/** Whether a path (as routed, without query) is one of the ingest paths. */
export function isIngestPath(path: string): boolean {
  return path.startsWith('/ingest/') || EXACT_INGEST_PATHS.has(path);
}
