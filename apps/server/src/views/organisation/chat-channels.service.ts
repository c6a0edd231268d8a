import { Injectable, Logger } from '@nestjs/common';
import { type ConversationsListResponse } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../common/clock.js';
import { type AnswerHead } from '../../common/http/answer.js';
import { ChatApi, chatProblem } from '../../alerting/integration/chat/chat-api.service.js';
import { type ChannelDto, type ChannelsDto } from './dto/org-answers.dto.js';
import { ChatFailedError, ChatNotConnectedError } from '../../people/org/org.errors.js';
import { OrgService } from '../../people/org/org.service.js';

const KEPT_SECONDS = 600;
const MOST_KEPT = 1000;
const PAGE = 1000;
/** Larger workspaces are cut off here: the provider allows some twenty pages a minute. */
const MOST_PAGES = 10;

interface Known {
  channels: ChannelDto[];
  /** Unix seconds. */
  askedAt: number;
}

/** The channels of an organisation's chat. */
@Injectable()
export class ChatChannels {
  private readonly logger = new Logger(ChatChannels.name);
  /** By organisation and sealed token: another token sees other channels. */
  private readonly known: LRUCache<string, Known>;
  private readonly asking = new Map<string, Promise<Known>>();

  constructor(
    private readonly orgs: OrgService,
    private readonly api: ChatApi,
    private readonly clock: Clock,
  ) {
    const perf = { now: () => clock.now() * 1000 };
    this.known = new LRUCache({ max: MOST_KEPT, ttl: KEPT_SECONDS * 1000, ttlResolution: 0, perf });
  }

  /** @throws ChatNotConnectedError, ChatFailedError */
  async list(orgId: number, head: AnswerHead): Promise<ChannelsDto> {
    const org = await this.orgs.getById(orgId);
    const token = this.orgs.chatApiToken(org);
    if (token === '' || token === null) throw new ChatNotConnectedError();
    const key = `${String(orgId)} ${org.chatApiTokenSealed ?? ''}`;
    const kept = this.known.get(key);
    const { channels, askedAt } = kept ?? (await this.ask(key, orgId, token));
    head.usedCache(this.clock.now() - askedAt);
    return { channels };
  }

  /** Requests that come meanwhile share the answer. */
  private ask(key: string, orgId: number, token: string): Promise<Known> {
    const present = this.asking.get(key);
    if (present) return present;
    const question = this.fetch(orgId, token)
      .then((channels) => {
        const known = { channels, askedAt: this.clock.now() };
        this.known.set(key, known);
        return known;
      })
      .finally(() => this.asking.delete(key));
    this.asking.set(key, question);
    return question;
  }

  private async fetch(orgId: number, token: string): Promise<ChannelDto[]> {
    const client = this.api.client(token);
    const channels: ChannelDto[] = [];
    try {
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page++) {
        const answer = await client.conversations.list({
          types: 'public_channel,private_channel',
          exclude_archived: true,
          limit: PAGE,
          ...(cursor === undefined ? {} : { cursor }),
        });
        channels.push(...channelsOf(answer));
        cursor = answer.response_metadata?.next_cursor;
        if (cursor === undefined || cursor === '') break;
      }
    } catch (error) {
      const { reason } = chatProblem(error);
      this.logger.warn(`The channels of organisation ${String(orgId)} could not be read: ${reason}`);
      throw new ChatFailedError(reason);
    }
    return channels.sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
  }
}

function channelsOf({ channels = [] }: ConversationsListResponse): ChannelDto[] {
  return channels.flatMap(({ id, name, is_private: isPrivate, is_member: isMember }) =>
    id === undefined || name === undefined
      ? []
      : [{ id, name, private: isPrivate === true, member: isMember === true }],
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
