import { Injectable } from '@nestjs/common';
import { type Destination } from '#libs/alerting';

/** A destination that its service has permanently closed. */
export interface ClosedChannel {
  orgId: number;
  destination: Destination;
  /** For people, without secrets and addresses. */
  reason: string;
}

/** Connects the delivery, which detects a closed destination, with the area that can switch it off. */
@Injectable()
export class ClosedChannelsService {
  private readonly listeners: ((channel: ClosedChannel) => Promise<void>)[] = [];

  /** `switchOff` is called for each message that was refused for this reason; it must be repeatable. */
  onClosed(switchOff: (channel: ClosedChannel) => Promise<void>): void {
    this.listeners.push(switchOff);
  }

  async reportClosed(channel: ClosedChannel): Promise<void> {
    for (const listener of this.listeners) await listener(channel);
  }
}
