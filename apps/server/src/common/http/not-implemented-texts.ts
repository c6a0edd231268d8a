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
  'POST /config/apply': {
    summary: 'Apply a configuration document',
    description:
      'Creates and changes watchers, exclusions and other settings until they are as the document says, all or ' +
      'nothing. `dry_run` only lists the differences.',
  },
  'FETCH /config/export': {
    summary: 'Export the configuration as a document',
    description:
      'Watchers, tunings, exclusions, sources, admin alerts and integrations as YAML or JSON, without secrets.',
  },
  'GET /org/adminalert/:alert_code': {
    summary: 'Get an admin alert and its state',
    description: 'Whether the alert, such as missing data, is raised, since when, and for which metrics.',
  },
  'POST /org/adminalert/:alert_code': {
    summary: 'Raise or clear an admin alert from outside',
    description: 'For programs that watch what the service cannot see. The recipients are notified of both.',
  },
  'GET /org/adminalerts': {
    summary: 'List the admin alerts',
    description: 'The five alerts about the service itself, with recipients, waiting times and state.',
  },
  'POST /org/adminalerts': {
    summary: 'Change the admin alerts (older form)',
    description: 'Does what `PUT /org/adminalerts` does; without parameters it only reads.',
  },
  'PUT /org/adminalerts': {
    summary: 'Change the admin alerts',
    description: 'Switches alerts on and off and sets recipients and waiting times; what is not sent stays.',
  },
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
  'POST /watcher/preview': {
    summary: 'Try a watcher on the past',
    description:
      'Lists the alerts that it would have sent in the window, and those that it would have kept back. Nothing is ' +
      'sent or stored.',
  },
};
