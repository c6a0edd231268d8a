import { type Type } from '@nestjs/common';
import { type Channel } from '../channel/channel.types.js';
import { AlertmanagerChannel } from './alertmanager/alertmanager.channel.js';
import { ChatChannel } from './chat/chat.channel.js';
import { DemoMailboxChannel } from './demo-mailbox/demo-mailbox.channel.js';
import { EmailChannel } from './email/email.channel.js';
import { PagerdutyChannel } from './pagerduty/pagerduty.channel.js';
import { SmsChannel } from './sms/sms.channel.js';
import { TeamsChatChannel } from './teams-chat/teams-chat.channel.js';
import { WebhookChannel } from './webhook/webhook.channel.js';

/** The channels of the product. Each is in a separate folder; a new one is added here and to the list of services. */
export const CHANNELS: readonly Type<Channel>[] = [
  EmailChannel,
  ChatChannel,
  TeamsChatChannel,
  SmsChannel,
  PagerdutyChannel,
  AlertmanagerChannel,
  WebhookChannel,
  DemoMailboxChannel,
];
