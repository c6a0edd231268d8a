import { Injectable } from '@nestjs/common';
import { type SendDecision, type OutgoingMessage } from './alert.types.js';

type LastLook = (message: OutgoingMessage) => Promise<SendDecision>;

/**
 * Asks the areas that plan alerts whether a message is still wanted, just before it is sent: it may have waited behind
 * others, or for a destination that did not work.
 */
@Injectable()
export class LastLooksService {
  private readonly looks: LastLook[] = [];

  register(look: LastLook): void {
    this.looks.push(look);
  }

  async at(message: OutgoingMessage): Promise<SendDecision> {
    for (const look of this.looks) {
      const decision = await look(message);
      if (decision.type !== 'send') return decision;
    }
    return { type: 'send' };
  }
}
