import { defineService } from '../define-service.js';
import { TOKEN_PLACEHOLDER } from '../service-definition.types.js';

export const HTTP = defineService({
  id: 'http',
  name: 'HTTP',
  provider: 'Any program',
  category: 'ingest',
  description: 'Takes JSON by HTTP, one point or many.',
  orgFields: {},
  userFields: {},
  guide: ({ ingestUrl }) => ({
    instructions:
      'Send one point a minute for each metric. The token needs the permission `ingest`; 204 means that the points are stored.',
    snippets: [
      {
        title: 'curl',
        language: 'bash',
        // One line: a terminal runs pasted text immediately.
        code:
          `curl -i ${ingestUrl}/ingest/metrics -H 'X-Auth-Token: ${TOKEN_PLACEHOLDER}' ` +
          `-H 'Content-Type: application/json' ` +
          `-d '{"metrics":[{"metric":"till.sales","value":42},{"metric":"till.visitors","labels":{"country":"de"},"value":130}]}'`,
      },
    ],
  }),
});
