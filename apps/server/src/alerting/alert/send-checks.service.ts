import { Injectable } from '@nestjs/common';
import { type SendDecision, type OutgoingMessage } from './alert.types.js';

type SendCheck = (message: OutgoingMessage) => Promise<SendDecision>;

/**
 * Asks the areas that plan alerts whether a message is still wanted, just before it is sent: it may have waited behind
 * others, or for a failing destination.
 */
@Injectable()
export class SendChecksService {
  private readonly checks: SendCheck[] = [];

  register(check: SendCheck): void {
    this.checks.push(check);
  }

  async decide(message: OutgoingMessage): Promise<SendDecision> {
    for (const check of this.checks) {
      const decision = await check(message);
      if (decision.type !== 'send') return decision;
    }
    return { type: 'send' };
  }
}
