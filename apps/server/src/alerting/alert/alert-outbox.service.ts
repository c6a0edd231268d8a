import { Injectable } from '@nestjs/common';
import {
  type AlertChannel,
  type AlertContent,
  type Destination,
  destinationKey,
  type Suppression,
} from '#libs/alerting';
import { type AlertDeliveryDto } from '../../analysis/alert-history/alert-history.types.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { ChannelRegistry } from '../channel/channel-registry.service.js';
import { AlertOutboxRepository, type AlertRow, type NewDelivery } from './alert-outbox.repository.js';
import { AlertRecords } from './alert-records.service.js';
import {
  type AlertState,
  type AlertSubject,
  type AlertToTell,
  type DeliveryFilter,
  type DeliveryOutcome,
} from './alert.types.js';
import { giveUpSeconds } from './delivery-schedule.js';
import { stepsOf } from './delivery-steps.js';
import { laneOf } from './lane.js';

const ASK_AGAIN_MS = 100;
/** Channels that change what they have sent, for processes that alert and do not send: they have no channels. */
const UPDATING: ReadonlySet<AlertChannel> = new Set(['chat', 'pagerduty', 'alertmanager', 'webhook']);

/**
 * How areas alert: what they tell is written in their transaction, and sent once that is committed. Each message goes
 * out once for each recipient, also when it is told again.
 */
@Injectable()
export class AlertOutbox {
  constructor(
    private readonly alerts: AlertOutboxRepository,
    private readonly records: AlertRecords,
    private readonly channels: ChannelRegistry,
    private readonly clock: Clock,
  ) {}

  /**
   * Queues a message for each destination. What is told again before it is sent says the new content; after that,
   * channels that can change a message do so, and others send one only when it is news. `acknowledged` and `recovered`
   * go to those of the destinations to which `opened` has gone, each once; after `recovered` the alert is over, and another `opened` begins anew.
   * @returns the id of the alert
   */
  async tell(alert: AlertToTell, tx: Tx): Promise<number> {
    const now = this.clock.now();
    const { orgId, content, phase, destinations, isNews } = alert;
    const stored = await this.alerts.upsert(rowOf(alert, stateAfter(alert)), now, tx);
    await this.alerts.addSubjects(orgId, stored.id, subjectsOf(alert), tx);
    const known = await this.alerts.lockDeliveries(orgId, stored, now, tx);
    const steps = stepsOf(
      {
        phase,
        destinations,
        canUpdate: (channel) => this.channels.find(channel)?.canUpdate ?? UPDATING.has(channel),
        ...(isNews === undefined ? {} : { isNews }),
      },
      known,
    );
    const dueAt = now + (alert.holdSeconds ?? 0);
    if (phase === 'recovered') await this.alerts.endRepeats(orgId, stored.id, tx);
    await this.alerts.replaceContent(orgId, steps.replace, content, dueAt, tx);
    await this.alerts.drop(orgId, steps.drop, tx);
    const added = steps.add.map((one) => newDelivery(orgId, { ...one, content, dueAt, suppressedBy: null }));
    await this.alerts.insertDeliveries(orgId, stored, added, now, tx);
    return stored.id;
  }

  /**
   * Records that each destination would have got this message, and why it does not. Sends nothing; the same reason for
   * the same message again adds nothing.
   */
  async suppress(alert: AlertToTell, reason: Suppression, tx: Tx): Promise<number> {
    const now = this.clock.now();
    const { orgId, phase } = alert;
    const stored = await this.alerts.ensure(rowOf(alert, 'closed'), now, tx);
    await this.alerts.addSubjects(orgId, stored.id, subjectsOf(alert), tx);
    const known = await this.alerts.lockDeliveries(orgId, stored, now, tx);
    const latest = new Map(known.map((one) => [destinationKey(one.destination), one]));
    const isNew = (destination: Destination): boolean => {
      const last = latest.get(destinationKey(destination));
      return last?.suppressedBy !== reason || last.phase !== phase;
    };
    const destinations = [...new Map(alert.destinations.map((one) => [destinationKey(one), one])).values()];
    const rows = destinations
      .filter(isNew)
      .map((destination) =>
        newDelivery(orgId, { destination, phase, content: null, dueAt: now, suppressedBy: reason }),
      );
    await this.alerts.insertDeliveries(orgId, stored, rows, now, tx);
    return stored.id;
  }

  /**
   * What is queued about the beginning or growth of something is not sent but recorded as suppressed; what a process is
   * sending at this moment goes out. With anomalies only alerts about nothing but these are meant.
   * @returns how many messages
   */
  silence(
    orgId: number,
    subject: { key: string } | { anomalyId: number } | { anomalyIds: readonly number[] },
    reason: Suppression,
    tx: Tx,
  ): Promise<number> {
    const meant = 'anomalyId' in subject ? { anomalyIds: [subject.anomalyId] } : subject;
    return this.alerts.suppressQueued(orgId, meant, reason, this.clock.now(), tx);
  }

  /** Messages of alerts, newest first; addresses and numbers of others are for administrators. */
  deliveriesOf(caller: KnownCaller, filter: DeliveryFilter, limit: number): Promise<AlertDeliveryDto[]> {
    return this.records.list(caller, filter, limit);
  }

  /**
   * What came of the messages of an alert: waits until each was tried, or for `patienceSeconds`. For tests, whose sender
   * wants to know.
   */
  async awaitOutcomes(orgId: number, alertId: number, patienceSeconds: number): Promise<DeliveryOutcome[]> {
    const deadline = Date.now() + 1000 * patienceSeconds;
    for (;;) {
      const outcomes = await this.records.listOutcomes(orgId, alertId);
      if (outcomes.every(({ state }) => state !== 'queued') || Date.now() >= deadline) return outcomes;
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }
}

/** Tests and summaries have no end that could be told. */
function stateAfter({ kind, phase }: AlertToTell): AlertState {
  return phase === 'recovered' || kind === 'test' || kind === 'summary' ? 'closed' : 'open';
}

function rowOf(alert: AlertToTell, state: AlertState): AlertRow {
  const { orgId, key, kind, anomalyId, incidentId, watcherId, watcherName, metricId, content } = alert;
  return { orgId, key, kind, state, anomalyId, incidentId, watcherId, watcherName, metricId, content };
}

function subjectsOf({ content, subjects, metricId, anomalyId }: AlertToTell): AlertSubject[] {
  const own = metricId === null ? [] : [{ metricId, anomalyId }];
  const items = content.items.map((item) => ({ metricId: item.metricId, anomalyId: item.anomalyId }));
  return [...own, ...items, ...(subjects ?? [])];
}

function newDelivery(
  orgId: number,
  one: Omit<NewDelivery, 'lane' | 'giveUpAt' | 'content'> & { content: AlertContent | null },
): NewDelivery {
  const { destination, dueAt } = one;
  return { ...one, lane: laneOf(orgId, destination), giveUpAt: dueAt + giveUpSeconds(destination.channel) };
}
