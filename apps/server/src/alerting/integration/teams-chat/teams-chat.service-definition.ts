import { defineChannelService } from '../define-service.js';
import { requiredSecretUrl } from '../service-fields.js';

export const TEAMS_CHAT = defineChannelService({
  id: 'teams_chat',
  name: 'Teams',
  provider: 'Microsoft Teams',
  description: 'Alerts as cards in a channel of Teams.',
  orgFields: {
    teams_chat_webhook: requiredSecretUrl({
      label: 'Workflow address',
      help: 'Address of a workflow that posts to a channel when a webhook request is received.',
    }),
  },
  userFields: {},
  guide: () => ({
    instructions: [
      '1. In Teams, open the channel, then *Workflows*, and choose *Post to a channel when a webhook request is received*.',
      '2. Copy the address of the workflow and enter it here.',
    ].join('\n'),
    snippets: [],
  }),
});
