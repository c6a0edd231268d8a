import { Injectable, Logger } from '@nestjs/common';
import { type Suppression } from '#libs/alerting';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { counted } from '../../common/display/display.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { StreamLogService } from '../../platform/stream-log/stream-log.service.js';
import { ClosedChannelsService } from '../channel/closed-channels.service.js';
import { findService } from '../integration/service-lookup.functions.js';
import { AlertDeliveryRepository, type PendingDelivery, type SettledDelivery } from './alert-delivery.repository.js';
import { type Attempt } from './delivery-attempt.service.js';
import { pauseAfter } from './delivery-schedule.js';
import { DeliveryTroublesService } from './delivery-troubles.service.js';

type Taken = Extract<Attempt, { result: 'taken' }>;
type Refused = Extract<Attempt, { result: 'refused' }>;

/** Seconds after which a failed repetition is retried. */
const REPEAT_AGAIN_SECONDS = 30;

/** Records the outcome of a message, and reports it to all listeners. */
@Injectable()
export class DeliverySettlingService {
  private readonly logger = new Logger(DeliverySettlingService.name);

  constructor(
    private readonly deliveries: AlertDeliveryRepository,
    private readonly transactions: Transactions,
    private readonly stream: StreamLogService,
    private readonly events: EventRecorderService,
    private readonly troubles: DeliveryTroublesService,
    private readonly closedChannels: ClosedChannelsService,
    private readonly clock: Clock,
  ) {}

  /** The service has accepted it. */
  async recordSent(delivery: PendingDelivery, { thread, repeatSeconds }: Taken): Promise<void> {
    const now = this.clock.now();
    if (delivery.state === 'sent') {
      await this.deliveries.repeatAt(delivery, now + (repeatSeconds ?? 0));
      return;
    }
    const wasInTrouble = await this.transactions.run(async (tx) => {
      const hadFailed = await this.deliveries.markSent(delivery, { thread, repeatSeconds, now }, tx);
      const { title } = delivery.content;
      this.recordEvent({ ...delivery, title }, `${describe(delivery.channel)}: ${title}`, undefined, tx);
      await this.stream.append([streamEvent('alert.sent', delivery)], tx);
      return hadFailed;
    });
    if (wasInTrouble) await this.troubles.report({ ...channelOf(delivery), reason: null, at: now });
  }

  /** The service has not accepted it: it is retried, or given up. */
  async recordRefusal(delivery: PendingDelivery, refused: Refused): Promise<'retried' | 'failed'> {
    const now = this.clock.now();
    const { kind, reason, retryAfterSeconds } = refused;
    if (delivery.state === 'sent') {
      await this.deliveries.repeatAt(delivery, now + Math.max(REPEAT_AGAIN_SECONDS, retryAfterSeconds ?? 0));
      return 'retried';
    }
    // The user who tests a channel waits for the answer, so a test is not retried.
    const isOver = kind !== 'later' || delivery.kind === 'test';
    const pause = isOver ? null : pauseAfter(delivery.channel, delivery.tries, retryAfterSeconds, Math.random());
    if (pause !== null) {
      this.logger.warn(
        `The alert message ${delivery.messageId} could not be sent, retrying in ${pause.toFixed(0)} s: ${reason}`,
      );
      await this.deliveries.markRetrying(delivery, { reason, sendAt: now + pause });
      return 'retried';
    }
    await this.recordFailure({ ...delivery, title: delivery.content.title }, reason);
    if (kind === 'gone') {
      const { orgId, channel, recipient, userId, mentions } = delivery;
      await this.closedChannels.reportClosed({ orgId, destination: { channel, recipient, userId, mentions }, reason });
    }
    return 'failed';
  }

  /** It is no longer wanted; the event follows as for all suppressed messages. */
  async recordSuppressed(delivery: PendingDelivery, reason: Suppression): Promise<void> {
    const now = this.clock.now();
    await this.transactions.run((tx) => this.deliveries.markSuppressed(delivery, { reason, now }, tx));
  }

  /** It must not be sent before a moment. Unix seconds. */
  postpone(delivery: PendingDelivery, until: number): Promise<void> {
    return this.deliveries.postpone(delivery, { until, now: this.clock.now() });
  }

  /** It is given up. */
  async recordFailure(delivery: SettledDelivery, reason: string): Promise<void> {
    const now = this.clock.now();
    const isThere = await this.transactions.run(async (tx) => {
      if (!(await this.deliveries.markFailed(delivery, { reason, now }, tx))) return false;
      this.recordEvent(delivery, `${describe(delivery.channel)}: ${delivery.title} (${reason})`, reason, tx);
      await this.stream.append([streamEvent('alert.failed', delivery)], tx);
      return true;
    });
    if (!isThere) return;
    this.logger.error(
      `The alert message ${delivery.messageId} was given up after ${counted(delivery.tries, 'attempt')}: ${reason}`,
    );
    // The result of a test is shown to the user who runs it.
    if (delivery.kind !== 'test') await this.troubles.report({ ...channelOf(delivery), reason, at: now });
  }

  private recordEvent(delivery: SettledDelivery, message: string, reason: string | undefined, tx: Tx): void {
    const { id, orgId, phase, channel, userId, anomalyId, watcherId, metricId, kind } = delivery;
    const isSent = reason === undefined;
    this.events.record(
      {
        orgId,
        type: isSent ? 'alert_sent' : 'alert_failed',
        level: isSent ? 'info' : 'warning',
        message,
        ...(userId === null ? {} : { userId }),
        ...(anomalyId === null ? {} : { anomalyId }),
        ...(watcherId === null ? {} : { watcherId }),
        ...(metricId === null ? {} : { metricId }),
        ref: { kind: 'alert', id: String(id) },
        details: { channel, phase, kind, ...(isSent ? {} : { reason }) },
      },
      tx,
    );
  }
}

const channelOf = ({ orgId, channel }: SettledDelivery | PendingDelivery) => ({ orgId, channel });

function streamEvent(type: 'alert.sent' | 'alert.failed', { orgId, id, metricId }: SettledDelivery | PendingDelivery) {
  return { orgId, type, subjectId: id, ...(metricId === null ? {} : { metricId }) };
}

/** The name of a channel in events. That of a demo belongs to no service. */
const describe = (channel: PendingDelivery['channel']): string =>
  channel === 'demo' ? 'Demo mailbox' : (findService(channel)?.name ?? channel);
