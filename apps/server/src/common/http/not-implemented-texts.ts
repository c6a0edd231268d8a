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
  'FETCH /integration/list': {
    summary: 'List the integrations',
    description: 'Services that can send data, get alerts or show graphs, with their state of connection.',
  },
  'FETCH /integration/:service_id/orgconfig': {
    summary: 'Get the settings of an integration with instructions',
    description: 'The fields of the organisation, how to set the service up, and snippets that are ready to paste.',
  },
  'FETCH /integration/:service_id/orgproperties': {
    summary: 'Get the values of an integration',
    description: 'What the organisation has set. Secrets are masked for every caller.',
  },
  'PUT /integration/:service_id/orgproperties': {
    summary: 'Change the values of an integration',
    description:
      'Only the members that are sent change; an empty text clears one. A masked secret that is sent back stays as ' +
      'it is.',
  },
  'FETCH /integration/:service_id/userconfig': {
    summary: "Get the caller's settings of an integration",
    description: 'The fields that each user has of the service, such as a member id of the chat, with instructions.',
  },
  'FETCH /integration/:service_id/userproperties': {
    summary: "Get the caller's values of an integration",
    description: 'What the calling user has set for the service.',
  },
  'PUT /integration/:service_id/userproperties': {
    summary: "Change the caller's values of an integration",
    description: 'Only the members that are sent change; an empty text clears one.',
  },
  'POST /integration/:service_id/test': {
    summary: 'Send a test message over an integration',
    description: 'Tries the connection at once and answers what came of it, with the message of the service.',
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
  'OLD_FORM /watcher/create': {
    summary: 'Create a watcher (older form)',
    description: 'Does what `POST /watcher` does, also as GET.',
  },
  'POST /watcher': {
    summary: 'Create a watcher of anomalies',
    description:
      'Alerts the recipients of anomalies of the metrics that chips select, within the limits of severity, ' +
      'duration and frequency.',
  },
  'POST /watcher/preview': {
    summary: 'Try a watcher on the past',
    description:
      'Lists the alerts that it would have sent in the window, and those that it would have kept back. Nothing is ' +
      'sent or stored.',
  },
  'POST /watcher/threshold': {
    summary: 'Create a watcher with a threshold',
    description: 'Alerts when values cross a fixed limit, drop or stay away; such a breach is no anomaly.',
  },
  'PUT /watcher/threshold/:watcher_id': {
    summary: 'Change a watcher with a threshold',
    description: 'Only the members that are sent change, those of the threshold too.',
  },
  'FETCH /watcher/:watcher_id': {
    summary: 'Get a watcher',
    description:
      'One watcher with the names of its metrics and its latest alerts. A deleted one is answered for 30 days.',
  },
  'PUT /watcher/:watcher_id': {
    summary: 'Change a watcher',
    description: 'Only the members that are sent change. Names are unique among the watchers of the organisation.',
  },
  'DELETE /watcher/:watcher_id': {
    summary: 'Delete a watcher',
    description: 'It sends nothing more, and can be restored for 30 days.',
  },
  'OLD_FORM /watcher/:watcher_id/delete': {
    summary: 'Delete a watcher (older form)',
    description: 'Does what `DELETE /watcher/{watcher_id}` does, also as GET.',
  },
  'OLD_FORM_GET /watcher/:watcher_id/undelete': {
    summary: 'Restore a watcher (older form)',
    description: 'Does what `POST /watcher/{watcher_id}/undelete` does, as GET.',
  },
  'POST /watcher/:watcher_id/undelete': {
    summary: 'Restore a watcher',
    description: 'A watcher that was deleted in the last 30 days works again.',
  },
  'OLD_FORM /watcher/:watcher_id/update': {
    summary: 'Change a watcher (older form)',
    description: 'Does what `PUT /watcher/{watcher_id}` does, also as GET.',
  },
  'FETCH /watchers/chips': {
    summary: 'Complete a chip',
    description:
      'Chips that begin with the text or narrow the ones chosen already, with the number of metrics of each.',
  },
  'FETCH /watchers/list': {
    summary: 'List the watchers',
    description: 'Watchers page by page, of one type, or those of the metrics that chips select.',
  },
};
