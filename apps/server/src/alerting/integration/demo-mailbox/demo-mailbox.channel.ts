import { Injectable } from '@nestjs/common';
import { type Channel, type ChannelReceipt } from '../../channel/channel.types.js';

/**
 * The mailbox of a demo: accepts every message, and nothing is sent outside the product. The record of the delivery is
 * all that is kept. It is not a service of the integrations: no one sets it up, and only watchers of demos use it.
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
