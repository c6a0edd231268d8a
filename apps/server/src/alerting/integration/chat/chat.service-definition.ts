import { CHAT_CHANNEL_BOUNDS, CHAT_TOKEN_BOUNDS } from '../../../people/org/org.types.js';
import { CHAT_MEMBER_ID } from '../../../people/user/contact-fields.types.js';
import { defineChannelService } from '../define-service.js';
import { flag, ofKind, optionalText, requiredSecret } from '../service-fields.js';

export const CHAT = defineChannelService({
  id: 'chat',
  name: 'Chat',
  provider: 'Slack',
  description: 'Alerts as messages in channels, with one thread for each subject.',
  orgFields: {
    chat_api_token: requiredSecret(
      { label: 'Bot token', help: 'Token of the bot user of your app; it begins with xoxb-.' },
      CHAT_TOKEN_BOUNDS,
    ),
    default_chat_channel: optionalText(
      { label: 'Default channel', help: 'Channel of messages that name none, such as #ops.' },
      CHAT_CHANNEL_BOUNDS,
    ),
    threads: flag({ label: 'Threads', help: 'Later updates are posted in the thread of the first message.' }, true),
  },
  userFields: {
    chat_member_id: ofKind(
      { label: 'Member id', help: 'Your id in the chat, such as U012AB3CD, so that alerts can mention you.' },
      CHAT_MEMBER_ID,
    ),
  },
  guide: ({ apiUrl }) => ({
    instructions: [
      '1. Create an app for your workspace at https://api.slack.com/apps, from the manifest below.',
      '2. Install it and copy the *Bot User OAuth Token*.',
      '3. Enter the token here, and invite the bot into each private channel that it is to write to.',
    ].join('\n'),
    snippets: [
      {
        title: 'App manifest',
        language: 'yaml',
        code: [
          'display_information:',
          '  name: Plumbline',
          'features:',
          '  bot_user:',
          '    display_name: Plumbline',
          'oauth_config:',
          '  scopes:',
          '    bot:',
          '      - chat:write',
          '      - chat:write.public',
          '      - channels:read',
          '      - groups:read',
          '      - files:write',
          'settings:',
          '  interactivity:',
          '    is_enabled: true',
          `    request_url: ${apiUrl}/status`,
        ].join('\n'),
      },
    ],
  }),
});
