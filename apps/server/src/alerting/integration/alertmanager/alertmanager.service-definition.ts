import { defineChannelService } from '../define-service.js';
import { labels, optionalSecret, optionalText, requiredUrl } from '../service-fields.js';

export const ALERTMANAGER = defineChannelService({
  id: 'alertmanager',
  name: 'Alertmanager',
  provider: 'Prometheus Alertmanager',
  description: 'Alerts for an Alertmanager, which groups, silences and routes them.',
  orgFields: {
    url: requiredUrl({ label: 'Address', help: 'Such as https://alertmanager.example.org; without /api/v2/alerts.' }),
    username: optionalText(
      { label: 'User name', help: 'For basic authentication.' },
      { max: 200, pattern: /^[^:]+$/, says: 'must not contain a colon' },
    ),
    password: optionalSecret({ label: 'Password', help: 'For basic authentication.' }),
    bearer_token: optionalSecret({ label: 'Bearer token', help: 'Used in place of user name and password.' }),
    extra_labels: labels({ label: 'More labels', help: 'Added to every alert, such as team=payments.' }),
  },
  userFields: {},
  guide: () => ({
    instructions: [
      'Enter the address of your Alertmanager. Alerts have the labels `alertname` (`PlumblineAnomaly` or `PlumblineThreshold`),',
      '`metric`, `kind`, `severity`, `watcher` and those of the metric. They are sent again every 4 minutes while they last.',
    ].join(' '),
    snippets: [
      {
        title: 'A route for alertmanager.yml',
        language: 'yaml',
        code: [
          'route:',
          '  routes:',
          '    - matchers: [alertname=~"Plumbline.*", severity=~"critical|major"]',
          '      receiver: on-call',
          '      group_by: [watcher, severity]',
        ].join('\n'),
      },
    ],
  }),
});
