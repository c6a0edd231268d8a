import { Injectable } from '@nestjs/common';
import { type ErrorDetail } from '#libs/contracts';
import { ChannelRegistryService } from './channel-registry.service.js';

/** A channel of the chat in a parameter. */
export interface NamedChannel {
  field: string;
  channel: string;
}

/** Compares named channels with those of the chat of their organisation. */
@Injectable()
export class NamedChannelsService {
  constructor(private readonly channels: ChannelRegistryService) {}

  /**
   * The problems of named channels: none while the chat is not connected or does not answer; a message that cannot be
   * posted is reported later. It sends a request to the provider, so do not call it within a transaction.
   * @param token a new token, to be used instead of the stored one
   */
  async problems(orgId: number, named: readonly NamedChannel[], token?: string): Promise<ErrorDetail[]> {
    if (named.length === 0) return [];
    const asked = [...new Set(named.map(({ channel }) => channel))];
    const unknown = new Set(await this.channels.find('chat')?.unknownPlaces?.(orgId, asked, token));
    return named
      .filter(({ channel }) => unknown.has(channel))
      .map(({ field, channel }) => ({
        field,
        code: 'unknown_channel',
        message: `${field}: the chat has no channel ${channel}; to use a private one, invite the bot first`,
      }));
  }
}
