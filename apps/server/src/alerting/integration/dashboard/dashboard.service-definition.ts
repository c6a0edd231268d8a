import { defineService } from '../define-service.js';
import { TOKEN_PLACEHOLDER } from '../service-definition.types.js';

export const DASHBOARD = defineService({
  id: 'dashboard',
  name: 'Dashboards',
  provider: 'Grafana',
  category: 'dashboard',
  description: 'Anomalies and matches as annotations and tables in dashboards that read JSON.',
  orgFields: {},
  userFields: {},
  guide: ({ apiUrl }) => ({
    instructions: [
      '1. In Grafana, install the data source *Infinity*, and add one with the base address and header below. The token needs',
      'the permission `read`.',
      '2. Add an annotation query of type JSON with the address of the second snippet.',
    ].join('\n'),
    snippets: [
      {
        title: 'Data source, as provisioned',
        language: 'yaml',
        code: [
          'apiVersion: 1',
          'datasources:',
          '  - name: Plumbline',
          '    type: yesoreyeram-infinity-datasource',
          '    jsonData:',
          `      allowedHosts: ["${new URL(apiUrl).origin}"]`,
          '      httpHeaderName1: X-Auth-Token',
          '    secureJsonData:',
          `      httpHeaderValue1: ${TOKEN_PLACEHOLDER}`,
        ].join('\n'),
      },
      {
        title: 'Annotations of a metric',
        language: 'text',
        code: `${apiUrl}/dashboard/metric/METRIC/anomalies?from=\${__from}&to=\${__to}`,
      },
      {
        title: 'Try it',
        language: 'bash',
        code: `curl -H 'X-Auth-Token: ${TOKEN_PLACEHOLDER}' ${apiUrl}/dashboard/org/incidents`,
      },
    ],
  }),
});
