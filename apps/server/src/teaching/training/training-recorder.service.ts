import { Injectable } from '@nestjs/common';
import { type EventType } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { OnboardingService } from '../../people/progress/onboarding.service.js';
import { actorOf } from '../../platform/audit/audit-act.functions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type Json } from '../../platform/audit/audit.types.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { byCaller } from '../../platform/event/event.functions.js';
import { type EventText } from '../../platform/event/event.types.js';

interface TrainedAnomaly {
  id: number;
  metric_id: number;
  metric: string;
}

/** Records trainings, and completes their step of the onboarding. */
@Injectable()
export class TrainingRecorderService {
  constructor(
    private readonly audit: AuditTrailService,
    private readonly events: EventRecorderService,
    private readonly onboarding: OnboardingService,
  ) {}

  /** Called in the transaction of the act. */
  async record(
    caller: KnownCaller,
    action: string,
    anomaly: TrainedAnomaly,
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
  }

  /** Called once the act is committed. */
  async report(caller: KnownCaller, type: EventType, anomaly: TrainedAnomaly, message: EventText): Promise<void> {
    const { id: anomalyId, metric_id: metricId, metric } = anomaly;
    this.events.record({
      orgId: caller.org.id,
      type,
      level: 'info',
      message,
      anomalyId,
      metricId,
      metric,
      ...byCaller(caller),
    });
    if (type === 'anomaly_trained') await this.onboarding.noteDone(caller, 'pattern_trained');
  }
}
