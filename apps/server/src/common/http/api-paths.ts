/** Section 5 of the contract: outside the API base, read as streams, answered without envelope. */
export const INGEST_PATHS = ['/ingest/*path', '/write', '/api/v1/write', '/api/v2/write', '/v1/metrics'];

const EXACT_INGEST_PATHS = new Set(INGEST_PATHS.filter((path) => !path.includes('*')));

/** Whether a path (as routed, without query) is one of the ingest paths. */
export function isIngestPath(path: string): boolean {
  return path.startsWith('/ingest/') || EXACT_INGEST_PATHS.has(path);
}
