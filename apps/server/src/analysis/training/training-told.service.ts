import { Injectable } from '@nestjs/common';
import { type EventType } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { Onboarding } from '../../people/progress/onboarding.service.js';
import { UserService } from '../../people/user/user.service.js';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { actorOf, type Json } from '../../platform/audit/audit.types.js';
import { byCaller } from '../../platform/event/event.types.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';

interface Told {
  id: number;
  metric_id: number;
  metric: string;
}

/** Writes down what people taught, and ticks it off their first steps. */
@Injectable()
export class TrainingTold {
  constructor(
    private readonly audit: AuditTrail,
    private readonly events: EventRecorder,
    private readonly users: UserService,
    private readonly onboarding: Onboarding,
  ) {}

  /** In the transaction of the act. */
  async record(
    caller: KnownCaller,
    action: string,
    anomaly: Told,
    members: Readonly<Record<string, Json>>,
    tx: Tx,
  ): Promise<void> {
    await this.audit.record(
      {
        orgId: caller.org.id,
        actor: actorOf(caller),
        action,
        object: { type: 'anomaly', id: String(anomaly.id), name: anomaly.metric },
        changes: Object.entries(members).map(([field, after]) => ({ field, before: null, after })),
      },
      tx,
    );
    if (caller.kind === 'user' && action === 'anomaly.train') {
      await this.users.setFlags(caller.org.id, caller.userId, { pattern_trained: true }, tx);
    }
  }

  /** Once it is committed. */
  async report(caller: KnownCaller, type: EventType, anomaly: Told, message: string): Promise<void> {
    const { id: anomalyId, metric_id: metricId } = anomaly;
    this.events.record({
      orgId: caller.org.id,
      type,
      level: 'info',
      message,
      anomalyId,
      metricId,
      ...byCaller(caller),
    });
    await this.onboarding.refresh(caller.org.id);
  }
}
