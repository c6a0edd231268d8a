import { defineChannelService } from '../define-service.js';
import { requiredSecret, urlOr } from '../service-fields.js';

export const PAGERDUTY = defineChannelService({
  id: 'pagerduty',
  name: 'PagerDuty',
  provider: 'PagerDuty Events API v2',
  description: 'Opens, acknowledges and resolves incidents in PagerDuty.',
  orgFields: {
    routing_key: requiredSecret(
      { label: 'Integration key', help: '32 characters, of an Events API v2 integration of your service.' },
      { max: 32, min: 32, pattern: /^[A-Za-z0-9]{32}$/, says: 'must be 32 letters and digits' },
    ),
    api_base_url: urlOr(
      { label: 'API address', help: 'Change it for the European region or a compatible service.' },
      'https://events.pagerduty.com',
    ),
  },
  userFields: {},
  guide: () => ({
    instructions: [
      '1. In PagerDuty, open the service, *Integrations*, *Add an integration*, and choose *Events API v2*.',
      '2. Enter the integration key here. Accounts of the European region use `https://events.eu.pagerduty.com`.',
    ].join('\n'),
    snippets: [],
  }),
});
