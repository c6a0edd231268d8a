import { DEFAULT_RESOURCE_ATTRIBUTES } from '#libs/protocols';
import { defineService } from '../define-service.js';
import { TOKEN_PLACEHOLDER } from '../service-definition.types.js';
import { texts } from '../service-fields.js';
import { HISTOGRAM_FIELDS } from './histogram-fields.js';

const MAX_ATTRIBUTES = 20;

export const OPENTELEMETRY = defineService({
  id: 'opentelemetry',
  name: 'OpenTelemetry',
  provider: 'OpenTelemetry',
  category: 'ingest',
  description: 'Takes metrics by OTLP over HTTP, from a collector or an SDK.',
  orgFields: {
    ...HISTOGRAM_FIELDS,
    resource_attributes: texts(
      { label: 'Resource attributes', help: 'Those that become labels of metrics.' },
      {
        item: { max: 100, pattern: /^[\w.:/-]+$/, says: 'must contain only letters, digits and . _ - : /' },
        max: MAX_ATTRIBUTES,
        standard: DEFAULT_RESOURCE_ATTRIBUTES,
      },
    ),
  },
  userFields: {},
  guide: ({ ingestUrl }) => ({
    instructions:
      'Add the exporter to your collector, or set the variables for an SDK. The token needs the permission `ingest`.',
    snippets: [
      {
        title: 'Collector',
        language: 'yaml',
        code: [
          'exporters:',
          '  otlphttp/plumbline:',
          `    metrics_endpoint: ${ingestUrl}/v1/metrics`,
          '    headers:',
          `      X-Auth-Token: ${TOKEN_PLACEHOLDER}`,
          'service:',
          '  pipelines:',
          '    metrics:',
          '      receivers: [otlp]',
          '      exporters: [otlphttp/plumbline]',
        ].join('\n'),
      },
      {
        title: 'SDK',
        language: 'bash',
        code: [
          `export OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=${ingestUrl}/v1/metrics`,
          `export OTEL_EXPORTER_OTLP_METRICS_HEADERS=X-Auth-Token=${TOKEN_PLACEHOLDER}`,
          'export OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=http/protobuf',
        ].join('\n'),
      },
    ],
  }),
});
