export interface PendingText {
  /** One line in the imperative, as in `@ApiOperation`. */
  summary: string;
  /** What the call will do, in a sentence or two. */
  description: string;
}

/**
 * What the API description says of the calls in `NOT_IMPLEMENTED`, by their method and path there.
 * test/architecture/openapi.spec.ts holds both lists against each other.
 */
export const PENDING_TEXTS: Readonly<Record<string, PendingText | undefined>> = {
  'POST /source/test': {
    summary: 'Try a source without storing it',
    description: 'Runs the query once and answers the series that it found, or what went wrong.',
  },
  'POST /source': {
    summary: 'Create a source',
    description:
      'A query at another system whose results are fetched at an interval and analysed like points that are sent.',
  },
  'FETCH /source/:source_id': {
    summary: 'Get a source',
    description: 'Its query, interval and state, with the last success and the last error. Secrets are never shown.',
  },
  'PUT /source/:source_id': {
    summary: 'Change a source',
    description: 'Only the members that are sent change; secrets that are not sent stay.',
  },
  'DELETE /source/:source_id': {
    summary: 'Delete a source',
    description: 'Nothing more is fetched; the metrics that it brought stay.',
  },
  'FETCH /sources': {
    summary: 'List the sources',
    description: 'All queries that are fetched, with their state and the number of series.',
  },
};
