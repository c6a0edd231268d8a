import { type ModuleMetadata } from '@nestjs/common';
import { AreaApp } from '../../../../../test/support/area-app.js';
import { anAlert, KeepingChannel, mailTo, to } from '../../../../../test/support/alerts.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { until } from '../../../../../test/support/product.js';
import { Transactions } from '../../common/database/transactions.js';
import { ComponentReports } from '../../common/telemetry/component-reports.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { ChannelRegistryService } from '../channel/channel-registry.service.js';
import { ChannelError } from '../channel/channel.errors.js';
import { type ClosedChannel, ClosedChannelsService } from '../channel/closed-channels.service.js';
import { AlertDeliveryModule } from './alert-delivery.module.js';
import { AlertDeliveryService } from './alert-delivery.service.js';
import { AlertDeliveryRepository } from './alert-delivery.repository.js';
import { AlertOutboxService } from './alert-outbox.service.js';
import { type AlertToSend, type DeliveryTrouble } from './alert.types.js';
import { DeliveryTroublesService } from './delivery-troubles.service.js';
import { SuppressionReportsService } from './suppression-reports.service.js';

class AlertApp extends AreaApp {
  static async create(database: TestDatabase, clock = new HandClock()): Promise<AlertApp> {
    const areas: NonNullable<ModuleMetadata['imports']> = [AlertDeliveryModule];
    return new AlertApp(await this.start(areas as never, { database, clock }), clock);
  }

  use(...channels: KeepingChannel[]): void {
    for (const channel of channels) this.get(ChannelRegistryService).register(channel);
  }

  enqueue(alert: AlertToSend): Promise<number> {
    return this.get(Transactions).run((tx) => this.get(AlertOutboxService).enqueue(alert, tx));
  }

  deliver(): Promise<void> {
    return this.get(AlertDeliveryService).deliverAll();
  }

  async count(name: string, labels: Record<string, string>): Promise<number> {
    const { values } = await this.get(MetricsRegistry).prometheus.getSingleMetric(name)!.get();
    const found = values.find((one) => Object.entries(labels).every(([key, value]) => one.labels[key] === value));
    return found?.value ?? 0;
  }
}

interface Row {
  channel: string;
  recipient: string;
  phase: string;
  sequence: number;
  state: string;
  suppressed_by: string | null;
  tries: number;
  message: string;
  sendAt: number | null;
}

let database: TestDatabase;
let app: AlertApp;
let orgId: number;
let mail: KeepingChannel;
let chat: KeepingChannel;
let webhook: KeepingChannel;
const others: AlertApp[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.dataSource.query('DELETE FROM org');
  app = await AlertApp.create(database);
  mail = new KeepingChannel('email', { isIdempotent: false });
  chat = new KeepingChannel('chat', { canUpdate: true });
  webhook = new KeepingChannel('webhook', { canUpdate: true });
  app.use(mail, chat, webhook);
  orgId = (await app.anOrg()).id;
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
  await app.close();
});

const rows = (org = orgId): Promise<Row[]> =>
  database.dataSource.query(
    `SELECT channel, recipient, phase, sequence, state, suppressed_by, tries, message,
            extract(epoch FROM due_at)::float8 AS "sendAt"
     FROM alert_delivery WHERE org_id = $1 ORDER BY id`,
    [org],
  );

/** Delivers until the row has `tries` tries and no process holds it. The application delivers too. */
async function tried(tries: number, by = app): Promise<Row> {
  for (;;) {
    await by.deliver();
    const [row] = await rows();
    if (row?.tries === tries && (row.sendAt === null || row.state === 'retrying')) return row;
  }
}

const later = (retryAfter: number | null = null) => new ChannelError('later', 'the service is away', retryAfter);

describe('an alert', () => {
  it('is sent once to each destination after its transaction commits, and never after a rollback', async () => {
    const failing = app.get(Transactions).run(async (tx) => {
      await app.get(AlertOutboxService).enqueue(anAlert(orgId, { key: 'never' }), tx);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const destinations = [mailTo('ann@example.org'), mailTo('bob@example.org'), to('chat', '#ops')];
    await app.enqueue(anAlert(orgId, { destinations }));
    // The test does not call the delivery: the commit notifies it.
    await until(
      'two mails and a message of the chat to be sent',
      async () => (mail.taken.length === 2 && chat.taken.length === 1) || undefined,
    );
    await app.deliver();
    expect((await rows()).map(({ state, tries, sendAt }) => [state, tries, sendAt])).toEqual(
      Array.from({ length: 3 }, () => ['sent', 1, null]),
    );
    expect((await app.eventTexts(orgId)).map(([type]) => type)).toEqual(['alert_sent', 'alert_sent', 'alert_sent']);
    const stream = await database.dataSource.query<{ type: string }[]>('SELECT type FROM stream_event ORDER BY id');
    expect(stream.map(({ type }) => type)).toEqual(['alert.sent', 'alert.sent', 'alert.sent']);
    expect(await app.count('plumbline_alert_messages_total', { channel: 'email', result: 'sent' })).toBe(2);
  });

  it('is sent when its hold time ends, with the latest content', async () => {
    await app.enqueue(anAlert(orgId, { holdSeconds: 2, title: 'one metric' }));
    await app.deliver();
    app.clock.seconds += 1;
    await app.enqueue(anAlert(orgId, { holdSeconds: 5, title: 'two metrics' }));
    app.clock.seconds += 4;
    await app.deliver();
    expect(mail.tries).toBe(0);
    app.clock.seconds += 1;
    await app.deliver();
    expect(mail.sentTitles).toEqual(['opened: two metrics']);
    expect(await rows()).toHaveLength(1);
  });

  it('keeps its first event type while it is held, so that receivers get the opening first', async () => {
    const destinations = [to('webhook')];
    const alertOfPhase = (phase: 'opened' | 'updated', type: string, count: number): AlertToSend => {
      const alert = anAlert(orgId, { phase, destinations, holdSeconds: 2 });
      return { ...alert, content: { ...alert.content, event: { type, data: { count } } } };
    };
    await app.enqueue(alertOfPhase('opened', 'incident.opened', 1));
    await app.enqueue(alertOfPhase('updated', 'incident.updated', 2));
    app.clock.seconds += 2;
    await app.deliver();
    expect(webhook.taken.map(({ content }) => content.event)).toEqual([
      { type: 'incident.opened', data: { count: 2 } },
    ]);
  });

  it('is updated only on a channel that can change messages, in the same thread', async () => {
    const destinations = [mailTo('ann@example.org'), to('chat', '#ops')];
    await app.enqueue(anAlert(orgId, { destinations, title: '2 metrics' }));
    await app.deliver();
    await app.enqueue(anAlert(orgId, { destinations, title: '9 metrics' }));
    await app.deliver();
    await app.enqueue(anAlert(orgId, { phase: 'recovered', destinations, title: 'over' }));
    await app.deliver();
    expect(mail.sentTitles).toEqual(['opened: 2 metrics', 'recovered: over']);
    expect(chat.sentTitles).toEqual(['opened: 2 metrics', 'updated: 9 metrics', 'recovered: over']);
    const [first] = chat.taken;
    expect(chat.taken.map(({ thread }) => thread)).toEqual([null, ...Array(2).fill(`thread of ${first!.id}`)]);
  });

  it('starts a new thread when it opens again', async () => {
    const destinations = [to('chat', '#ops')];
    for (const phase of ['opened', 'recovered', 'opened', 'recovered'] as const) {
      await app.enqueue(anAlert(orgId, { phase, destinations, title: phase }));
      await app.deliver();
    }
    expect(chat.taken.map(({ thread }) => thread === null)).toEqual([true, false, true, false]);
    expect((await rows()).map(({ phase, sequence }) => `${phase} ${String(sequence)}`)).toEqual([
      'opened 1',
      'recovered 1',
      'opened 2',
      'recovered 2',
    ]);
  });

  it('sends the recovery after the opening, also when the opening is retried', async () => {
    mail.onSend = () => {
      throw later();
    };
    await app.enqueue(anAlert(orgId));
    await tried(1);
    await app.enqueue(anAlert(orgId, { phase: 'recovered', title: 'over' }));
    await app.deliver();
    expect(mail.tries).toBe(1);
    mail.onSend = () => undefined;
    app.clock.seconds += 6;
    await app.deliver();
    expect(mail.sentTitles).toEqual(['opened: Latency of web-1 is too high', 'recovered: over']);
  });

  it('is deleted with its organisation, and after 90 days', async () => {
    await app.enqueue(anAlert(orgId));
    const other = (await app.anOrg()).id;
    await app.enqueue(anAlert(other));
    await app.deliver();
    await database.dataSource.query('DELETE FROM org WHERE id = $1', [other]);
    expect(await rows(other)).toEqual([]);
    app.clock.seconds += 90 * 86_400 - 1;
    await app.get(AlertDeliveryRepository).dropExpired(app.clock.now(), 1000);
    expect(await rows()).toHaveLength(1);
    app.clock.seconds += 2;
    await app.get(AlertDeliveryRepository).dropExpired(app.clock.now(), 1000);
    expect(await rows()).toEqual([]);
  });
});

describe('a message that the channel does not accept', () => {
  it('is retried after 5 s, 1, 5 and 30 min with the same id, then fails, and its recovery is dropped', async () => {
    const ids = new Set<string>();
    mail.onSend = ({ id }) => {
      ids.add(id);
      throw later();
    };
    const troubles: DeliveryTrouble[] = [];
    app.get(DeliveryTroublesService).onChange((trouble) => troubles.push(trouble));
    await app.enqueue(anAlert(orgId));
    for (const [index, pause] of [5, 60, 300, 1800].entries()) {
      const { sendAt } = await tried(index + 1);
      const waited = sendAt! - app.clock.now();
      expect(waited).toBeGreaterThanOrEqual(pause - 0.001);
      expect(waited).toBeLessThanOrEqual(1.1 * pause + 0.001);
      app.clock.seconds += Math.ceil(1.1 * pause);
    }
    await app.enqueue(anAlert(orgId, { phase: 'recovered' }));
    const given = await tried(5);
    expect(given).toMatchObject({ state: 'failed', message: 'the service is away' });
    expect(ids.size).toBe(1);
    expect(await rows()).toHaveLength(1);
    expect((await app.eventTexts(orgId)).map(([type]) => type)).toEqual(['alert_failed']);
    expect(troubles).toMatchObject([{ orgId, channel: 'email', reason: 'the service is away' }]);
    expect(await app.get(DeliveryTroublesService).list(orgId)).toMatchObject([{ channel: 'email' }]);

    mail.onSend = () => undefined;
    app.clock.seconds += 60;
    await app.enqueue(anAlert(orgId, { key: 'anomaly/2' }));
    await until('a mail to be sent', async () => {
      await app.deliver();
      return mail.taken.length > 0 || undefined;
    });
    await app.deliver();
    expect(troubles.at(-1)).toMatchObject({ channel: 'email', reason: null });
    expect(await app.get(DeliveryTroublesService).list(orgId)).toEqual([]);
  });

  it('is retried after the time that the service requests, together with other messages of its queue', async () => {
    mail.onSend = () => {
      throw later(120);
    };
    await app.enqueue(anAlert(orgId));
    const { sendAt } = await tried(1);
    expect(sendAt).toBeCloseTo(app.clock.now() + 120);
    await app.enqueue(anAlert(orgId, { key: 'anomaly/2' }));
    await app.deliver();
    expect(mail.tries).toBe(1);
  });

  it('fails immediately if no retry can help', async () => {
    mail.onSend = () => {
      throw new ChannelError('never', 'there is no such address');
    };
    await app.enqueue(anAlert(orgId));
    expect(await tried(1)).toMatchObject({ state: 'failed', message: 'there is no such address' });
  });

  it('reports the channel as closed when its destination is permanently gone', async () => {
    const closed: ClosedChannel[] = [];
    app.get(ClosedChannelsService).onClosed((channel) => Promise.resolve(void closed.push(channel)));
    webhook.onSend = () => {
      throw new ChannelError('gone', 'the address answers 410');
    };
    await app.enqueue(anAlert(orgId, { destinations: [to('webhook')] }));
    expect(await tried(1)).toMatchObject({ state: 'failed' });
    expect(closed).toMatchObject([{ orgId, destination: { channel: 'webhook' }, reason: 'the address answers 410' }]);
  });

  it('fails with the reason when the channel is not connected', async () => {
    chat.whatIsMissing = 'Slack is not connected';
    await app.enqueue(anAlert(orgId, { destinations: [to('chat', '#ops')] }));
    expect(await tried(1)).toMatchObject({ state: 'failed', message: 'Slack is not connected' });
    expect(chat.tries).toBe(0);
  });

  it('is not retried if it is a test, since its sender waits for the outcome', async () => {
    mail.onSend = () => {
      throw later();
    };
    const alertId = await app.enqueue(anAlert(orgId, { kind: 'test', key: 'test/1' }));
    expect(await app.get(AlertOutboxService).awaitOutcomes(orgId, alertId, 15)).toEqual([
      {
        destination: { channel: 'email', recipient: 'ann@example.org' },
        state: 'failed',
        message: 'the service is away',
      },
    ]);
  });
});

describe('a queue of messages', () => {
  it('pauses when its channel fails, and loses no message', async () => {
    webhook.onSend = () => {
      throw later();
    };
    const enqueue = (n: number) =>
      app.enqueue(anAlert(orgId, { key: `anomaly/${String(n)}`, destinations: [to('webhook')] }));
    for (let n = 0; n < 20; n++) await enqueue(n);
    await until('a queue to be paused', async () => {
      await app.deliver();
      return app.get(AlertDeliveryService).pausedQueues().length > 0 || undefined;
    });
    await app.deliver();
    // Fewer tries than messages: only those in progress and those that reopened the queue.
    expect(webhook.tries).toBeLessThan(10);
    const report = (await app.get(ComponentReports).collect()).get('notifications');
    expect(report!.message).toContain('1 route is failing');
    webhook.onSend = () => undefined;
    await until('20 webhooks to be sent', async () => {
      app.clock.seconds += 10;
      await app.deliver();
      return webhook.taken.length === 20 || undefined;
    });
    expect(new Set(webhook.taken.map(({ id }) => id)).size).toBe(20);
    expect(app.get(AlertDeliveryService).pausedQueues()).toEqual([]);
  });

  it('keeps messages no longer than all of their tries would take when the channel keeps failing', async () => {
    chat.onSend = () => {
      throw later(3600);
    };
    const enqueue = (n: number) =>
      app.enqueue(anAlert(orgId, { key: `anomaly/${String(n)}`, destinations: [to('chat', '#ops')] }));
    await enqueue(1);
    await tried(1);
    await enqueue(2);
    await enqueue(3);
    app.clock.seconds += 2900;
    await app.deliver();
    expect((await rows()).map(({ state, tries }) => [state, tries])).toEqual([
      ['retrying', 1],
      ['queued', 0],
      ['queued', 0],
    ]);
    app.clock.seconds += 100;
    await until('all to have failed', async () => {
      await app.deliver();
      return (await rows()).every(({ state }) => state === 'failed') || undefined;
    });
    expect((await rows()).map(({ message }) => message)).toEqual(Array(3).fill('the service is away'));
    expect(chat.tries).toBe(1);
  });

  it('delays no other channel and no other organisation when it stalls', async () => {
    // The statistics of the database are from the empty table: a plan for one row must not claim several.
    await database.dataSource.query('ANALYZE alert, alert_delivery');
    const neighbour = (await app.anOrg()).id;
    let release = (): void => undefined;
    const stalled = new Promise<void>((resolve) => (release = resolve));
    webhook.onSend = ({ orgId: org }) => (org === orgId ? stalled : undefined);
    for (let n = 0; n < 10; n++) {
      const destinations = [to('webhook'), mailTo('ann@example.org')];
      await app.enqueue(anAlert(orgId, { key: `anomaly/${String(n)}`, destinations }));
    }
    await app.enqueue(anAlert(neighbour, { destinations: [to('webhook')] }));
    await until(
      '10 mails and a webhook to be sent',
      async () => (mail.taken.length === 10 && webhook.taken.length === 1) || undefined,
    );
    expect(webhook.taken[0]!.orgId).toBe(neighbour);
    // An organisation gets only its share of concurrent tries.
    expect(webhook.tries).toBe(5);
    release();
    await until('11 webhooks to be sent', async () => webhook.taken.length === 11 || undefined);
  });
});

describe('several processes', () => {
  it('send each message once', async () => {
    const other = await AlertApp.create(database, app.clock);
    others.push(other);
    other.use(mail, chat, webhook);
    const recipients = Array.from({ length: 40 }, (_, n) => `user${String(n)}@example.org`);
    await Promise.all(
      recipients.map((one, n) =>
        [app, other][n % 2]!.enqueue(anAlert(orgId, { key: `anomaly/${String(n)}`, destinations: [mailTo(one)] })),
      ),
    );
    await until('40 mails to be sent', async () => mail.taken.length >= 40 || undefined);
    await Promise.all([app.deliver(), other.deliver()]);
    expect(mail.taken.map(({ destination }) => destination.recipient).sort()).toEqual([...recipients].sort());
  });

  it('queue a message and its update for the process that has the channel', async () => {
    const pagerduty = new KeepingChannel('pagerduty', { canUpdate: true });
    const destinations = [to('pagerduty')];
    await app.enqueue(anAlert(orgId, { destinations, title: 'one' }));
    await app.deliver();
    expect(await rows()).toMatchObject([{ state: 'queued', tries: 0 }]);
    const other = await AlertApp.create(database, app.clock);
    others.push(other);
    other.use(pagerduty);
    await other.deliver();
    await app.enqueue(anAlert(orgId, { destinations, title: 'two' }));
    await until('two events to be sent', async () => pagerduty.taken.length === 2 || undefined);
    expect(pagerduty.sentTitles).toEqual(['opened: one', 'updated: two']);
  });

  it('take over a message of a killed process once its claim expires, and count it', async () => {
    await app.enqueue(anAlert(orgId, { holdSeconds: 10 }));
    // The state after a process is killed between sending and recording the result.
    await database.dataSource.query(
      `UPDATE alert_delivery SET tries = 1, due_at = due_at + interval '50 s', claimed_until = due_at + interval '50 s'`,
    );
    app.clock.seconds += 30;
    await app.deliver();
    expect(mail.tries).toBe(0);
    app.clock.seconds += 31;
    await until('the mail to be tried', async () => {
      await app.deliver();
      return mail.tries === 1 || undefined;
    });
    await app.deliver();
    expect(await app.count('plumbline_alert_messages_taken_over_total', { channel: 'email' })).toBe(1);
  });
});

describe('a channel with a repeat interval', () => {
  let manager: KeepingChannel;
  beforeEach(() => {
    manager = new KeepingChannel('alertmanager', { canUpdate: true, repeatSeconds: 240 });
    app.use(manager);
  });
  const enqueue = (overrides: Parameters<typeof anAlert>[1]) =>
    app.enqueue(anAlert(orgId, { destinations: [to('alertmanager')], ...overrides }));

  it('resends an open alert without counting more messages, until it recovers', async () => {
    await enqueue({ title: 'one' });
    await app.deliver();
    for (let n = 0; n < 3; n++) {
      app.clock.seconds += 240;
      await app.deliver();
    }
    expect(manager.taken).toHaveLength(4);
    expect(await rows()).toMatchObject([{ state: 'sent', tries: 1 }]);
    await enqueue({ phase: 'recovered', title: 'over' });
    await app.deliver();
    app.clock.seconds += 1000;
    await app.deliver();
    expect(manager.sentTitles.slice(-2)).toEqual(['opened: one', 'recovered: over']);
    expect(manager.taken).toHaveLength(5);
    expect((await app.eventTexts(orgId)).length).toBe(2);
  });

  it('resends an open alert after an outage of the service', async () => {
    await enqueue({});
    await app.deliver();
    manager.onSend = () => {
      throw later();
    };
    app.clock.seconds += 240;
    await app.deliver();
    manager.onSend = () => undefined;
    app.clock.seconds += 30;
    await app.deliver();
    expect(manager.taken).toHaveLength(2);
    expect(await rows()).toMatchObject([{ state: 'sent', tries: 1 }]);
  });
});

describe('a suppressed alert', () => {
  const suppress = (alert: AlertToSend, reason: 'muted' | 'budget') =>
    app.get(Transactions).run((tx) => app.get(AlertOutboxService).suppress(alert, reason, tx));

  it('is recorded once per reason, with an event', async () => {
    const alert = anAlert(orgId, { destinations: [mailTo('ann@example.org'), to('chat', '#ops')] });
    await suppress(alert, 'muted');
    await suppress(alert, 'muted');
    await suppress(alert, 'budget');
    await app.deliver();
    expect((await rows()).map((row) => [row.state, row.suppressed_by, row.tries])).toEqual([
      ['suppressed', 'muted', 0],
      ['suppressed', 'muted', 0],
      ['suppressed', 'budget', 0],
      ['suppressed', 'budget', 0],
    ]);
    await until('two reports of suppressed alerts', async () => {
      await app.get(SuppressionReportsService).run();
      return (await app.eventTexts(orgId)).length === 2 || undefined;
    });
    expect((await app.eventTexts(orgId)).map(([, text]) => text).sort()).toEqual([
      'Latency of web-1 is too high: not sent, alerts are muted.',
      'Latency of web-1 is too high: not sent, the alert budget is used up.',
    ]);
    expect(mail.tries).toBe(0);
    // Without a sent opening there is no recovery.
    await app.enqueue(anAlert(orgId, { phase: 'recovered' }));
    await app.deliver();
    expect(mail.tries).toBe(0);
  });

  it('is removed from the queue by its key or with its only anomaly', async () => {
    const about = (key: string, ...anomalyIds: number[]) =>
      anAlert(orgId, { key, holdSeconds: 5, subjects: anomalyIds.map((anomalyId) => ({ metricId: 1, anomalyId })) });
    await app.enqueue(about('one', 7));
    await app.enqueue(about('two', 7, 8));
    await app.enqueue(about('three', 9));
    const silence = (subject: Parameters<AlertOutboxService['silence']>[1]) =>
      app.get(Transactions).run((tx) => app.get(AlertOutboxService).silence(orgId, subject, 'acknowledged', tx));
    expect(await silence({ anomalyIds: [7] })).toBe(1);
    expect(await silence({ key: 'three' })).toBe(1);
    app.clock.seconds += 5;
    await app.deliver();
    expect(mail.taken).toHaveLength(1);
    expect((await rows()).map(({ state }) => state)).toEqual(['suppressed', 'sent', 'suppressed']);
  });
});

it('a message that is being sent is completed before the process stops', async () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  mail.onSend = () => finished;
  const other = await AlertApp.create(database, app.clock);
  await app.enqueue(anAlert(orgId));
  await until('the mail to be tried', async () => mail.tries === 1 || undefined);
  const closing = app.close();
  finish();
  await closing;
  expect(await rows()).toMatchObject([{ state: 'sent' }]);
  app = other;
});
