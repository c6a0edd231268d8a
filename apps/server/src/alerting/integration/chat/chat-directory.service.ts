import { Injectable, Logger } from '@nestjs/common';
import { type ConversationsListResponse } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { Clock } from '../../../common/clock.js';
import { ChatFailedError, ChatNotConnectedError } from '../../../people/org/org.errors.js';
import { OrgService } from '../../../people/org/org.service.js';
import { ChatApiService, chatProblem } from './chat-api.service.js';

const KEPT_SECONDS = 600;
const MAX_KEPT = 1000;
const PAGE = 1000;
/** Maximum number of channels; the provider allows some twenty pages a minute. */
const MAX_PAGES = 10;
/** Maximum time that a user who names a channel waits for the provider. */
const TIMEOUT_MS = 3000;
/** Members, and conversations with one: they accept messages and are in no list of channels. */
const OF_A_PERSON = /^[UWD][A-Z0-9]{7,}$/;

export interface ListedChannel {
  id: string;
  /** Without `#`. */
  name: string;
  private: boolean;
  /** The bot is a member. */
  member: boolean;
}

export interface ListedChannels {
  /** By name. */
  channels: readonly ListedChannel[];
  /** False: there are more of them. */
  isWhole: boolean;
  /** Unix seconds. */
  fetchedAt: number;
}

/** The channels of the chats of organisations, as the provider lists them. */
@Injectable()
export class ChatDirectoryService {
  private readonly logger = new Logger(ChatDirectoryService.name);
  /** By organisation and sealed token: another token sees other channels. */
  private readonly known: LRUCache<string, ListedChannels>;
  private readonly pending = new Map<string, Promise<ListedChannels>>();

  constructor(
    private readonly orgs: OrgService,
    private readonly api: ChatApiService,
    private readonly clock: Clock,
  ) {
    const perf = { now: () => clock.now() * 1000 };
    this.known = new LRUCache({ max: MAX_KEPT, ttl: KEPT_SECONDS * 1000, ttlResolution: 0, perf });
  }

  /** At most ten minutes old. @throws ChatNotConnectedError, ChatFailedError */
  async list(orgId: number): Promise<ListedChannels> {
    return this.find(orgId, KEPT_SECONDS);
  }

  /**
   * The names and ids that the chat certainly does not have: none while it is not connected, cannot be reached, or has
   * more channels than are listed.
   * @param token used for the request instead of the stored one
   */
  async unknownOf(orgId: number, places: readonly string[], token?: string): Promise<string[]> {
    const named = places.filter((place) => !OF_A_PERSON.test(place));
    if (named.length === 0) return [];
    const missing = notAmong(await this.findOrNull(orgId, KEPT_SECONDS, token), named);
    // A channel may have been created since.
    return missing.length === 0 ? [] : notAmong(await this.findOrNull(orgId, 0, token), missing);
  }

  /** Null: the provider has not answered. */
  private async findOrNull(orgId: number, mostSeconds: number, token?: string): Promise<ListedChannels | null> {
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, TIMEOUT_MS, null);
    });
    try {
      return await Promise.race([this.find(orgId, mostSeconds, token), enough]);
    } catch (error) {
      if (error instanceof ChatFailedError || error instanceof ChatNotConnectedError) return null;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private async find(orgId: number, mostSeconds: number, given?: string): Promise<ListedChannels> {
    const org = await this.orgs.getById(orgId);
    const token = given ?? this.orgs.chatApiToken(org);
    if (token === '' || token === null) throw new ChatNotConnectedError();
    const key = `${String(orgId)} ${given === undefined ? (org.chatApiTokenSealed ?? '') : digestOf(given)}`;
    const kept = this.known.get(key);
    return kept !== undefined && this.clock.now() - kept.fetchedAt <= mostSeconds
      ? kept
      : this.fetchShared(key, orgId, token);
  }

  /** Requests in the meantime share the answer. */
  private fetchShared(key: string, orgId: number, token: string): Promise<ListedChannels> {
    const present = this.pending.get(key);
    if (present) return present;
    const request = this.fetch(orgId, token)
      .then((found) => {
        const known = { channels: found.channels, isWhole: found.isWhole, fetchedAt: this.clock.now() };
        this.known.set(key, known);
        return known;
      })
      .finally(() => this.pending.delete(key));
    this.pending.set(key, request);
    return request;
  }

  private async fetch(orgId: number, token: string): Promise<Omit<ListedChannels, 'fetchedAt'>> {
    const client = await this.api.client(token);
    const channels: ListedChannel[] = [];
    let cursor: string | undefined;
    try {
      for (let page = 0; page < MAX_PAGES && cursor !== ''; page++) {
        const answer: ConversationsListResponse = await client.conversations.list({
          types: 'public_channel,private_channel',
          exclude_archived: true,
          limit: PAGE,
          ...(cursor === undefined ? {} : { cursor }),
        });
        channels.push(...channelsOf(answer));
        cursor = answer.response_metadata?.next_cursor ?? '';
      }
    } catch (error) {
      const { reason } = await chatProblem(error);
      this.logger.warn(`The channels of organisation ${String(orgId)} could not be read: ${reason}`);
      throw new ChatFailedError(reason);
    }
    channels.sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
    return { channels, isWhole: cursor === '' };
  }
}

/** The cache key of a token that is not stored. */
const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64');

function notAmong(listed: ListedChannels | null, places: readonly string[]): string[] {
  if (!listed?.isWhole) return [];
  const known = new Set(listed.channels.flatMap(({ id, name }) => [id, name.toLowerCase()]));
  return places.filter((place) => !known.has(place) && !known.has(place.replace(/^#/, '').toLowerCase()));
}

function channelsOf({ channels = [] }: ConversationsListResponse): ListedChannel[] {
  return channels.flatMap(({ id, name, is_private: isPrivate, is_member: isMember }) =>
    id === undefined || name === undefined
      ? []
      : [{ id, name, private: isPrivate === true, member: isMember === true }],
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
