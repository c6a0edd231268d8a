import { defineService } from '../define-service.js';
import { TOKEN_PLACEHOLDER } from '../service-definition.types.js';

export const CSV = defineService({
  id: 'csv',
  name: 'CSV',
  provider: 'Any file',
  category: 'ingest',
  description: 'Takes files with times and values, such as history that you have already.',
  orgFields: {},
  userFields: {},
  guide: ({ ingestUrl }) => ({
    instructions:
      'A file counts as history: the detector learns from it, and it causes no alerts. Columns are `timestamp,metric,value`, or `timestamp` and one for each metric.',
    snippets: [
      {
        title: 'curl',
        language: 'bash',
        code: [
          `curl -i ${ingestUrl}/ingest/csv \\`,
          `     -H 'X-Auth-Token: ${TOKEN_PLACEHOLDER}' -H 'Content-Type: text/csv' --data-binary @history.csv`,
        ].join('\n'),
      },
      {
        title: 'history.csv',
        language: 'csv',
        code: [
          'timestamp,metric,value',
          '2026-01-05T10:00:00Z,shop.revenue,1850',
          '2026-01-05T10:01:00Z,shop.revenue,1900',
        ].join('\n'),
      },
    ],
  }),
});
