import { Injectable } from '@nestjs/common';
import { type LastWord, type LeavingMessage } from './alert.types.js';

type LastLook = (message: LeavingMessage) => Promise<LastWord>;

/**
 * Asks the areas that know whom to alert whether a message is still wanted, just before it is sent: it may have waited
 * behind others, or for a way that did not work.
 */
@Injectable()
export class LastLooks {
  private readonly looks: LastLook[] = [];

  register(look: LastLook): void {
    this.looks.push(look);
  }

  async at(message: LeavingMessage): Promise<LastWord> {
    for (const look of this.looks) {
      const word = await look(message);
      if (word.type !== 'send') return word;
    }
    return { type: 'send' };
  }
}
