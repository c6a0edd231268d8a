import { Injectable } from '@nestjs/common';
import { type AlertChannel } from '#libs/alerting';
import { type Channel } from './channel.types.js';

/** The channels of this process; each registers itself when its module starts. */
@Injectable()
export class ChannelRegistryService {
  private readonly channels = new Map<AlertChannel, Channel>();

  register(channel: Channel): void {
    this.channels.set(channel.id, channel);
  }

  find(id: AlertChannel): Channel | undefined {
    return this.channels.get(id);
  }

  all(): readonly Channel[] {
    return [...this.channels.values()];
  }
}
