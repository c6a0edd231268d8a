import { Injectable, Logger } from '@nestjs/common';
import { type WebClient } from '@slack/web-api';
import { type AlertContent, type Destination } from '#libs/alerting';
import { type Tx } from '../../../common/database/transactions.js';
import { ChannelError } from '../../channel/channel.errors.js';
import { type Channel, type ChannelMessage, type ChannelReceipt } from '../../channel/channel.types.js';
import { type ConnectedSettings, IntegrationSettingsService } from '../integration-settings.service.js';
import { ChatApiService, chatProblem } from './chat-api.service.js';
import { ChatDirectoryService } from './chat-directory.service.js';
import { chatBlocks, chatReply, type ChatText } from './chat-blocks.js';
import { ChatPicturesService } from './chat-pictures.service.js';

/** Errors after which the workspace no longer accepts the token. */
const GONE = new Set([
  'token_revoked',
  'token_expired',
  'invalid_auth',
  'account_inactive',
  'not_authed',
  'org_login_required',
]);
/** In the format of the provider. */
const LATER = new Set([
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  'message_limit_exceeded',
]);
/** The first message can no longer be changed. */
const UNCHANGEABLE = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed', 'update_failed']);

/**
 * Alerts as messages of a bot. The first message about a subject is changed as the subject grows and ends; its thread
 * contains later events and its picture.
 */
@Injectable()
export class ChatChannel implements Channel {
  private readonly logger = new Logger(ChatChannel.name);
  readonly id = 'chat';
  /** The provider has no key to recognise a repeated message. */
  readonly isIdempotent = false;
  readonly canUpdate = true;
  readonly repeatSeconds = null;

  constructor(
    private readonly settings: IntegrationSettingsService,
    private readonly api: ChatApiService,
    private readonly pictures: ChatPicturesService,
    private readonly directory: ChatDirectoryService,
  ) {}

  async missing(orgId: number, _destination?: Destination, tx?: Tx): Promise<string | null> {
    return (await this.settings.of(orgId, 'chat', tx)) === null ? 'its bot token is missing' : null;
  }

  unknownPlaces(orgId: number, places: readonly string[], token?: string): Promise<string[]> {
    return this.directory.unknownOf(orgId, places, token);
  }

  async send(message: ChannelMessage, signal: AbortSignal): Promise<ChannelReceipt> {
    const settings = await this.settings.connected(message.orgId, 'chat');
    const client = await this.api.client(settings.chat_api_token, signal);
    try {
      const thread = await this.deliver(client, message, settings);
      return { thread: writeThread(thread) };
    } catch (error) {
      throw await channelErrorOf(error);
    }
  }

  private async deliver(client: WebClient, message: ChannelMessage, settings: ChatSettings): Promise<ChatThread> {
    const { content, destination } = message;
    const first = readThread(message.thread);
    if (first === null) {
      const channel = destination.recipient === '' ? settings.default_chat_channel : destination.recipient;
      if (channel === null || channel === '') throw new ChannelError('never', 'no channel is chosen');
      const posted = await post(client, channel, chatBlocks(content, destination.mentions));
      await this.pictures.share(client, content, settings.threads ? posted : { ...posted, ts: null });
      return posted;
    }
    if (content.phase === 'opened' || content.phase === 'updated') {
      if (!(await change(client, first, content))) await post(client, first.channel, chatBlocks(content, []), first.ts);
      return first;
    }
    await post(client, first.channel, chatReply(content), settings.threads ? first.ts : undefined);
    // The message has been posted; if the first one cannot be updated, it is not posted again.
    await change(client, first, content).catch(async (error: unknown) => {
      const { reason } = await chatProblem(error);
      this.logger.warn(`A message in the chat could not be changed: ${reason}`);
    });
    return first;
  }
}

type ChatSettings = ConnectedSettings<'chat'>;

async function post(
  client: WebClient,
  channel: string,
  { text, blocks }: ChatText,
  threadTs?: string,
): Promise<ChatThread> {
  const answer = await client.chat.postMessage({
    channel,
    text,
    blocks,
    unfurl_links: false,
    unfurl_media: false,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
  });
  return { channel: answer.channel ?? channel, ts: answer.ts ?? '' };
}

/** False if the message no longer exists, or may not be changed. */
async function change(client: WebClient, { channel, ts }: ChatThread, content: AlertContent): Promise<boolean> {
  try {
    const { text, blocks } = chatBlocks(content, []);
    await client.chat.update({ channel, ts, text, blocks });
    return true;
  } catch (error) {
    const { code } = await chatProblem(error);
    if (UNCHANGEABLE.has(code ?? '')) return false;
    throw error;
  }
}

async function channelErrorOf(error: unknown): Promise<ChannelError> {
  if (error instanceof ChannelError) return error;
  const { code, status, retryAfterSeconds, reason } = await chatProblem(error);
  if (code !== null) return new ChannelError(GONE.has(code) ? 'gone' : LATER.has(code) ? 'later' : 'never', reason);
  const isRefused = status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429;
  return new ChannelError(isRefused ? 'never' : 'later', reason, retryAfterSeconds);
}

/** Location of the first message about a subject: the id of its channel, and its time stamp, which is its id there. */
interface ChatThread {
  channel: string;
  ts: string;
}

const writeThread = ({ channel, ts }: ChatThread): string => `${channel}:${ts}`;

/** Null for a text that `writeThread` did not write. */
function readThread(text: string | null): ChatThread | null {
  const found = /^([A-Z0-9]+):(\d+\.\d+)$/.exec(text ?? '');
  return found === null ? null : { channel: found[1]!, ts: found[2]! };
}
