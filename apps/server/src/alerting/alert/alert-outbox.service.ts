import { Injectable } from '@nestjs/common';
import {
  type AlertChannel,
  type AlertContent,
  type Destination,
  destinationKey,
  type Suppression,
  SUPPRESSIONS,
} from '#libs/alerting';
import { type AlertDeliveryDto } from '../../analysis/alert-history/alert-delivery.dto.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { ChannelRegistryService } from '../channel/channel-registry.service.js';
import {
  AlertOutboxRepository,
  type AlertRow,
  type NewDelivery,
  type StoredAlert,
  type StoredDelivery,
} from './alert-outbox.repository.js';
import { AlertRecordsService } from './alert-records.service.js';
import {
  type AlertState,
  type AlertSubject,
  type AlertToSend,
  type DeliveryFilter,
  type DeliveryOutcome,
  type OutboxStep,
  type PastStep,
} from './alert.types.js';
import { giveUpSeconds } from './delivery-schedule.js';
import { stepsOf } from './delivery-steps.js';
import { queueOf } from './delivery-queue.js';

const POLL_MS = 100;
/**
 * Prefix of the keys of alerts that were recorded afterwards, so that new events of the subject do not belong to them.
 */
const PAST_KEY = 'replay/';
/** Maximum numbers of alerts, and of their metrics, in one statement. */
const ALERTS_AT_ONCE = 200;
const SUBJECTS_AT_ONCE = 50_000;
/** Channels that can change sent messages, for processes that alert but do not send: they have no channels. */
const UPDATING: ReadonlySet<AlertChannel> = new Set(['chat', 'pagerduty', 'alertmanager', 'webhook']);

/**
 * Sends the alerts of areas: a message is written in the transaction of the area, and sent after its commit. Each
 * message is sent once to each recipient, even if it is queued again.
 */
@Injectable()
export class AlertOutboxService {
  constructor(
    private readonly alerts: AlertOutboxRepository,
    private readonly records: AlertRecordsService,
    private readonly channels: ChannelRegistryService,
    private readonly clock: Clock,
  ) {}

  /**
   * Queues a message for each destination. A message that is queued again before it is sent gets the new content; after
   * that, channels that can change a message do so, and others send one only if it contains changes. `acknowledged` and
   * `recovered` go to those of the destinations to which `opened` has gone, each once; after `recovered` the alert is
   * over, and another `opened` starts a new one.
   * @returns the id of the alert
   */
  async enqueue(alert: AlertToSend, tx: Tx): Promise<number> {
    const stored = await this.enqueueAll(alert.orgId, [alert], this.clock.now(), tx);
    return stored.get(alert.key)!.id;
  }

  /**
   * Records that each destination would have got this message, and why it does not. Sends nothing; repeating the same
   * reason for the same message has no effect.
   */
  async suppress(alert: AlertToSend, reason: Suppression, tx: Tx): Promise<number> {
    const stored = await this.suppressAll(alert.orgId, [{ alert, reason }], this.clock.now(), tx);
    return stored.get(alert.key)!.id;
  }

  /**
   * `enqueue`, `suppress` and `silence` for many alerts of an organisation, by a few statements for hundreds of them.
   * Steps of the same alert are applied in the given order.
   */
  async apply(orgId: number, steps: readonly OutboxStep[], tx: Tx): Promise<void> {
    for (const wave of wavesOf(steps)) {
      for (const reason of SUPPRESSIONS) {
        const keys = wave.flatMap((step) => (step.type === 'silence' && step.reason === reason ? step.key : []));
        if (keys.length > 0) await this.alerts.suppressQueued(orgId, { keys }, reason, this.clock.now(), tx);
      }
      for (const some of portionsOf(wave.filter((step) => step.type === 'suppress'))) {
        await this.suppressAll(orgId, some, this.clock.now(), tx);
      }
      for (const some of portionsOf(wave.filter((step) => step.type === 'enqueue'))) {
        await this.enqueueAll(
          orgId,
          some.map(({ alert }) => alert),
          this.clock.now(),
          tx,
        );
      }
    }
  }

  /**
   * Queued messages about an opening or an update are not sent but recorded as suppressed; a message that a process is
   * already sending is sent. With anomalies, this only concerns alerts that are about no others.
   * @returns how many messages
   */
  silence(
    orgId: number,
    subject: { key: string } | { anomalyIds: readonly number[] },
    reason: Suppression,
    tx: Tx,
  ): Promise<number> {
    const meant = 'anomalyIds' in subject ? subject : { keys: [subject.key] };
    return this.alerts.suppressQueued(orgId, meant, reason, this.clock.now(), tx);
  }

  /**
   * Records the messages that would have been sent and suppressed at moments of the past, with those times, and marks
   * each message. Nothing is sent, and no one is notified. To be called once for a watcher: see `hasPast`.
   * @param steps in order of time; messages that would have been silenced count as sent by then
   * @param note for people: that it is a replay
   */
  async recordPast(orgId: number, steps: readonly PastStep[], note: string, tx: Tx): Promise<void> {
    for (const { at, step } of steps) {
      if (step.type === 'silence') continue;
      const alert = { ...step.alert, key: `${PAST_KEY}${step.alert.key}` };
      const stored =
        step.type === 'enqueue'
          ? await this.enqueueAll(orgId, [alert], at, tx)
          : await this.suppressAll(orgId, [{ alert, reason: step.reason }], at, tx);
      await this.alerts.settlePast(orgId, stored.get(alert.key)!.id, { at, note }, tx);
    }
  }

  /** True if no recipient got a message of an alert, and none is queued; false if there is no such alert. */
  isUndelivered(orgId: number, key: string, tx: Tx): Promise<boolean> {
    return this.alerts.isUndelivered(orgId, key, tx);
  }

  /** True if past messages of a watcher were recorded. */
  hasPast(orgId: number, watcherId: number): Promise<boolean> {
    return this.records.hasAlerts(orgId, watcherId, PAST_KEY);
  }

  /** Messages of alerts, newest first; only administrators see addresses and numbers of others. */
  deliveriesOf(caller: KnownCaller, filter: DeliveryFilter, limit: number): Promise<AlertDeliveryDto[]> {
    return this.records.list(caller, filter, limit);
  }

  /**
   * The outcomes of the messages of an alert: waits until each was tried, or for `timeoutSeconds`. For tests, whose
   * sender wants to see the result.
   */
  async awaitOutcomes(orgId: number, alertId: number, timeoutSeconds: number): Promise<DeliveryOutcome[]> {
    const deadline = Date.now() + 1000 * timeoutSeconds;
    for (;;) {
      const outcomes = await this.records.listOutcomes(orgId, alertId);
      if (outcomes.every(({ state }) => state !== 'queued') || Date.now() >= deadline) return outcomes;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Keys must be unique. Returns the alerts by key. */
  private async enqueueAll(
    orgId: number,
    alerts: readonly AlertToSend[],
    now: number,
    tx: Tx,
  ): Promise<Map<string, StoredAlert>> {
    const rows = alerts.map((alert) => rowOf(alert, stateAfter(alert)));
    const stored = await this.alerts.upsert(orgId, rows, now, tx);
    const known = await this.prepare(orgId, alerts, stored, now, tx);
    const prepared = alerts.map((alert) => {
      const { key, phase, destinations, needsNewMessage, content, holdSeconds = 0 } = alert;
      const mine = stored.get(key)!;
      const steps = stepsOf(
        {
          phase,
          destinations,
          canUpdate: (channel) => this.channels.find(channel)?.canUpdate ?? UPDATING.has(channel),
          ...(needsNewMessage === undefined ? {} : { needsNewMessage }),
        },
        known.get(mine.id) ?? [],
      );
      return { alert: mine, phase, content, steps, sendAt: now + holdSeconds };
    });
    const over = prepared.filter(({ phase }) => phase === 'recovered').map(({ alert }) => alert);
    await this.alerts.endRepeats(orgId, over, tx);
    await this.alerts.replaceContent(
      orgId,
      prepared.map(({ steps, content, sendAt }) => ({ deliveries: steps.replace, content, sendAt })),
      tx,
    );
    await this.alerts.drop(
      orgId,
      prepared.flatMap(({ steps }) => steps.drop),
      tx,
    );
    const added = prepared.flatMap(({ alert, steps, sendAt }) =>
      steps.add.map((one) => newDelivery(orgId, { ...one, alert, sendAt, suppressedBy: null })),
    );
    const wanted = new Set(added.map(({ alert }) => alert.id));
    const contents = prepared
      .filter(({ alert }) => wanted.has(alert.id))
      .map(({ alert, content }) => [alert.id, content]);
    await this.alerts.insertDeliveries(orgId, added, new Map(contents as [number, AlertContent][]), now, tx);
    return stored;
  }

  /** Keys must be unique. Returns the alerts by key. */
  private async suppressAll(
    orgId: number,
    suppressed: readonly { alert: AlertToSend; reason: Suppression }[],
    now: number,
    tx: Tx,
  ): Promise<Map<string, StoredAlert>> {
    const alerts = suppressed.map(({ alert }) => alert);
    const stored = await this.alerts.ensure(
      orgId,
      alerts.map((alert) => rowOf(alert, 'closed')),
      now,
      tx,
    );
    const known = await this.prepare(orgId, alerts, stored, now, tx);
    const rows = suppressed.flatMap(({ alert: { key, phase, destinations }, reason }) => {
      const alert = stored.get(key)!;
      const latest = new Map((known.get(alert.id) ?? []).map((one) => [destinationKey(one.destination), one]));
      const isNew = (destination: Destination): boolean => {
        const last = latest.get(destinationKey(destination));
        return last?.suppressedBy !== reason || last.phase !== phase;
      };
      const different = [...new Map(destinations.map((one) => [destinationKey(one), one])).values()];
      return different
        .filter(isNew)
        .map((destination) => newDelivery(orgId, { alert, destination, phase, sendAt: now, suppressedBy: reason }));
    });
    await this.alerts.insertDeliveries(orgId, rows, new Map(), now, tx);
    return stored;
  }

  /** Records the subjects of the alerts; returns the known messages by alert. */
  private async prepare(
    orgId: number,
    alerts: readonly AlertToSend[],
    stored: ReadonlyMap<string, StoredAlert>,
    now: number,
    tx: Tx,
  ): Promise<Map<number, StoredDelivery[]>> {
    const subjects = alerts.map((alert) => ({ alertId: stored.get(alert.key)!.id, subjects: subjectsOf(alert) }));
    await this.alerts.addSubjects(orgId, subjects, tx);
    return this.alerts.lockDeliveries(orgId, [...stored.values()], now, tx);
  }
}

/** Groups steps in the given order, so that each wave has one step per alert. */
function wavesOf(steps: readonly OutboxStep[]): OutboxStep[][] {
  const waves: OutboxStep[][] = [];
  const stepsByKey = new Map<string, number>();
  for (const step of steps) {
    const key = step.type === 'silence' ? step.key : step.alert.key;
    const place = stepsByKey.get(key) ?? 0;
    stepsByKey.set(key, place + 1);
    (waves[place] ??= []).push(step);
  }
  return waves;
}

/** Divides steps into portions for one statement each. */
function portionsOf<Step extends { alert: AlertToSend }>(steps: readonly Step[]): Step[][] {
  const portions: Step[][] = [];
  let subjects = Infinity;
  for (const step of steps) {
    const mine = subjectsOf(step.alert).length;
    const last = portions.at(-1);
    if (last === undefined || last.length >= ALERTS_AT_ONCE || subjects + mine > SUBJECTS_AT_ONCE) {
      portions.push([step]);
      subjects = mine;
    } else {
      last.push(step);
      subjects += mine;
    }
  }
  return portions;
}

/** Tests and summaries have no end to report. */
function stateAfter({ kind, phase }: AlertToSend): AlertState {
  return phase === 'recovered' || kind === 'test' || kind === 'summary' ? 'closed' : 'open';
}

function rowOf(alert: AlertToSend, state: AlertState): AlertRow {
  const { key, kind, counts = true, anomalyId, incidentId, watcherId, watcherName, metricId, content } = alert;
  return { key, kind, state, counts, anomalyId, incidentId, watcherId, watcherName, metricId, content };
}

function subjectsOf({ content, subjects, metricId, anomalyId }: AlertToSend): AlertSubject[] {
  const own = metricId === null ? [] : [{ metricId, anomalyId }];
  const items = content.items.map((item) => ({ metricId: item.metricId, anomalyId: item.anomalyId }));
  return [...own, ...items, ...(subjects ?? [])];
}

function newDelivery(orgId: number, one: Omit<NewDelivery, 'queue' | 'giveUpAt'>): NewDelivery {
  const { destination, sendAt } = one;
  return { ...one, queue: queueOf(orgId, destination), giveUpAt: sendAt + giveUpSeconds(destination.channel) };
}
