import { Injectable } from '@nestjs/common';
import { ALERT_CHANNELS } from '#libs/alerting';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type AuditActor, OPERATOR_ACTOR } from '../../platform/audit/audit.types.js';
import { giveUpSeconds } from './delivery-schedule.js';
import { type GivenUpFilter, type GivenUpMessage, GivenUpRepository } from './given-up.repository.js';

/** Actions of the operator, and of organisations for their own, on messages that were given up. */
@Injectable()
export class GivenUpMessagesService {
  constructor(
    private readonly messages: GivenUpRepository,
    private readonly audit: AuditTrailService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Newest first, with the total number. */
  async list(filter: GivenUpFilter, limit: number): Promise<{ messages: GivenUpMessage[]; total: number }> {
    const [messages, total] = await Promise.all([
      this.messages.listOfAll(filter, limit),
      this.messages.countOfAll(filter),
    ]);
    return { messages, total };
  }

  /** Sends them again, with all tries available. Returns them. */
  resend(filter: GivenUpFilter, actor: AuditActor = OPERATOR_ACTOR): Promise<GivenUpMessage[]> {
    const seconds = Object.fromEntries(ALERT_CHANNELS.map((channel) => [channel, giveUpSeconds(channel)]));
    return this.act('alert.resend', actor, (tx) => this.messages.requeueOfAll(filter, seconds, this.clock.now(), tx));
  }

  /** Deletes them. Returns them. */
  drop(filter: GivenUpFilter): Promise<GivenUpMessage[]> {
    return this.act('alert.drop', OPERATOR_ACTOR, (tx) => this.messages.deleteOfAll(filter, tx));
  }

  private act(
    action: string,
    actor: AuditActor,
    work: (tx: Tx) => Promise<GivenUpMessage[]>,
  ): Promise<GivenUpMessage[]> {
    return this.transactions.run(async (tx) => {
      const done = await work(tx);
      for (const { orgId, id, channel, title } of done) {
        const object = { type: 'alert_message', id: String(id), name: `${channel}: ${title}` };
        await this.audit.record({ orgId, actor, action, object }, tx);
      }
      return done;
    });
  }
}
