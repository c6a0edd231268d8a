import { Injectable } from '@nestjs/common';
import { type Channel, type ChannelReceipt } from '../../channel/channel.types.js';

/**
 * The mailbox of a demo: takes every message, and nothing leaves the product. What was sent to it is the record of the
 * delivery alone. No service of the integrations: no one sets it up, and only watchers of demos lead to it.
 */
@Injectable()
export class DemoMailboxChannel implements Channel {
  readonly id = 'demo';
  readonly isIdempotent = true;
  readonly canUpdate = false;
  readonly repeatSeconds = null;

  missing(): Promise<null> {
    return Promise.resolve(null);
  }

  send(): Promise<ChannelReceipt> {
    return Promise.resolve({ thread: null });
  }
}
