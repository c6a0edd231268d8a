import { Setting } from '../../../common/config/setting.decorator.js';

/** The chat that organisations connect. */
export class ChatConfig {
  @Setting({
    env: 'CHAT_API_BASE_URL',
    type: 'url',
    sentence: "Address of the chat provider's Web API. Change it if requests go through a proxy.",
  })
  apiBase = 'https://slack.com/api';
}
