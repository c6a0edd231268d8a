import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { composeTest, type Destination } from '#libs/alerting';
import { Clock } from '../../common/clock.js';
import { messageOf } from '../../common/errors/message-of.js';
import { Links } from '../../common/http/links.js';
import { OrgService } from '../../people/org/org.service.js';
import { ChannelError } from '../channel/channel.errors.js';
import { type Channel } from '../channel/channel.types.js';

const LONGEST_SECONDS = 15;

/** Sends the message with which a service is tested. */
@Injectable()
export class TestMessagesService {
  constructor(
    private readonly orgs: OrgService,
    private readonly links: Links,
    private readonly clock: Clock,
  ) {}

  /** Why it was not accepted; null if it was. */
  async send(orgId: number, channel: Channel, destination: Destination): Promise<string | null> {
    const now = Math.floor(this.clock.now());
    const { name, timezone } = await this.orgs.getById(orgId);
    const id = randomUUID();
    const content = composeTest({
      ...{ id, now, timezone, org: { id: orgId, name }, watcher: null, requestedBy: null, example: null },
      links: { console: this.links.console('/'), act: null, graph: null, image: null },
      event: { type: 'test', data: { title: `Test message of ${name}` } },
    });
    const message = { id, orgId, content, destination, thread: null, createdAt: now };
    try {
      await channel.send(message, AbortSignal.timeout(LONGEST_SECONDS * 1000));
      return null;
    } catch (error) {
      if (error instanceof ChannelError) return messageOf(error);
      if (error instanceof Error && error.name === 'AbortError') return 'no answer';
      throw error;
    }
  }
}
