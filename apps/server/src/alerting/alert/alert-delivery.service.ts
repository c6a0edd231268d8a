import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { ALERT_CHANNELS, type AlertChannel } from '#libs/alerting';
import { Clock } from '../../common/clock.js';
import { DatabaseNotifications } from '../../common/database/notifications.js';
import { type FairQueue } from '../../common/fair-share/fair-queue.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { CircuitBreakers, type PausedQueue } from '../../common/outbox/circuit-breakers.js';
import { OutboxDelivery } from '../../common/outbox/outbox-delivery.js';
import { type QueueSettings } from '../../common/outbox/outbox.types.js';
import { AlertDeliveryRepository, type PendingDelivery } from './alert-delivery.repository.js';
import { ALERT_DELIVERY_CHANNEL } from './alert.types.js';
import { DeliveryAttemptService } from './delivery-attempt.service.js';
import { DeliverySettlingService } from './delivery-settling.service.js';
import { partsOfQueue } from './delivery-queue.js';

/** Longer than one try can take. */
const LEASE_SECONDS = 60;
/** Messages of a channel that are sent at the same time: of all, and of one organisation. */
const SLOTS = 32;
const SLOTS_PER_ORG = 4;
/** Maximum number of messages given up in one statement, of those whose destination fails. */
const EXPIRED_AT_ONCE = 100;

/** Sends the messages of alerts, each channel independently. Several processes may do this at the same time. */
@Injectable()
export class AlertDeliveryService extends OutboxDelivery<PendingDelivery> {
  private readonly breakers = new CircuitBreakers();
  private readonly turns: ReadonlyMap<AlertChannel, FairQueue>;
  private readonly messages: Counter<'channel' | 'result'>;
  private readonly takenOver: Counter<'channel'>;
  private readonly waited: Histogram<'channel'>;

  constructor(
    private readonly deliveries: AlertDeliveryRepository,
    private readonly attempts: DeliveryAttemptService,
    private readonly settling: DeliverySettlingService,
    private readonly notifications: DatabaseNotifications,
    clock: Clock,
    turns: FairQueueRegistry,
    metrics: MetricsRegistry,
  ) {
    super(deliveries, clock, { failure: 'Queued alerts could not be read', leaseSeconds: LEASE_SECONDS });
    const options = { slots: SLOTS, slotsPerParty: SLOTS_PER_ORG, waiting: 0, waitingPerParty: 0 };
    this.turns = new Map(ALERT_CHANNELS.map((channel) => [channel, turns.open(`alerts ${channel}`, options)]));
    const registers = [metrics.prometheus];
    this.messages = new Counter({
      name: 'plumbline_alert_messages_total',
      help: 'Attempts to send a message of an alert, by channel: sent, repeated (an open alert refreshed), retried (will be retried), failed (given up: refused permanently, or too many attempts), suppressed (not wanted any more).',
      labelNames: ['channel', 'result'],
      registers,
    });
    this.takenOver = new Counter({
      name: 'plumbline_alert_messages_taken_over_total',
      help: 'Messages sent again because the process that was sending them ended before it recorded the result; a recipient may have got them twice where the service has no idempotency key.',
      labelNames: ['channel'],
      registers,
    });
    this.waited = new Histogram({
      name: 'plumbline_alert_delivery_seconds',
      help: 'Time from queueing a message of an alert, hold time included, until the service took it, by channel.',
      labelNames: ['channel'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200],
      registers,
    });
  }

  override onApplicationBootstrap(): unknown {
    if (this.isWanted()) this.notifications.listen(ALERT_DELIVERY_CHANNEL, () => this.wake());
    return super.onApplicationBootstrap();
  }

  override async run(): Promise<void> {
    await super.run();
    await this.failExpired();
  }

  /** Channels and servers that currently get no messages, because they failed several times in a row. */
  pausedQueues(): PausedQueue[] {
    return this.breakers.open();
  }

  protected override turnsOf(queue: string): QueueSettings | undefined {
    const { orgId, channel } = partsOfQueue(queue);
    const turns = this.turns.get(channel);
    const atOnce = this.breakers.allowed(queue, this.clock.now(), SLOTS_PER_ORG);
    if (turns === undefined || atOnce === 0 || !this.attempts.canSendBy(channel)) return undefined;
    return { turns, party: `org:${String(orgId)}`, atOnce };
  }

  protected override async deliver(delivery: PendingDelivery): Promise<void> {
    const { channel, queue } = delivery;
    if (delivery.isTakenOver) this.takenOver.inc({ channel });
    const attempt = await this.attempts.attempt(delivery, this.stopped.signal);
    if (attempt.result === 'taken') {
      this.breakers.recordSuccess(queue);
      this.messages.inc({ channel, result: delivery.state === 'sent' ? 'repeated' : 'sent' });
      if (delivery.state !== 'sent') this.waited.observe({ channel }, this.clock.now() - delivery.createdAt);
      await this.settling.recordSent(delivery, attempt);
      return;
    }
    if (attempt.result === 'unwanted') {
      this.messages.inc({ channel, result: 'suppressed' });
      await this.settling.recordSuppressed(delivery, attempt.reason);
      return;
    }
    if (attempt.result === 'early') {
      await this.settling.postpone(delivery, attempt.until);
      return;
    }
    const { kind, reason, retryAfterSeconds } = attempt;
    // A service that refuses a message has answered.
    if (kind === 'later') this.breakers.recordFailure(queue, this.clock.now(), reason, retryAfterSeconds);
    else this.breakers.recordSuccess(queue);
    this.messages.inc({ channel, result: await this.settling.recordRefusal(delivery, attempt) });
  }

  /** Gives up messages that have waited too long for a failing destination. */
  private async failExpired(): Promise<void> {
    const reasons = new Map(this.breakers.open().map(({ queue, reason }) => [queue, reason]));
    if (reasons.size === 0) return;
    await this.repeat(EXPIRED_AT_ONCE, async () => {
      const now = this.clock.now();
      const rows = await this.deliveries.claimExpiredOfAll([...reasons.keys()], now, LEASE_SECONDS, EXPIRED_AT_ONCE);
      for (const row of rows) {
        await this.settling.recordFailure(row, reasons.get(row.queue)!);
        this.messages.inc({ channel: row.channel, result: 'failed' });
      }
      return rows.length;
    });
  }
}
