import { defineService } from '../define-service.js';
import { TOKEN_PLACEHOLDER } from '../service-definition.types.js';
import { HISTOGRAM_FIELDS } from './histogram-fields.js';

export const PROMETHEUS = defineService({
  id: 'prometheus',
  name: 'Prometheus',
  provider: 'Prometheus',
  category: 'ingest',
  description: 'Takes remote write 1.0 and 2.0 of Prometheus, Grafana Alloy and others.',
  orgFields: HISTOGRAM_FIELDS,
  userFields: {},
  guide: ({ ingestUrl }) => ({
    instructions: 'Add this to `prometheus.yml` and reload. The token needs the permission `ingest`.',
    snippets: [
      {
        title: 'prometheus.yml',
        language: 'yaml',
        code: [
          'remote_write:',
          `  - url: ${ingestUrl}/api/v1/write`,
          '    authorization:',
          `      credentials: ${TOKEN_PLACEHOLDER}`,
        ].join('\n'),
      },
      {
        title: 'Grafana Alloy',
        language: 'alloy',
        code: [
          'prometheus.remote_write "plumbline" {',
          '  endpoint {',
          `    url          = "${ingestUrl}/api/v1/write"`,
          `    bearer_token = "${TOKEN_PLACEHOLDER}"`,
          '  }',
          '}',
        ].join('\n'),
      },
    ],
  }),
});
