import { anAlert, KeepingChannel, mailTo } from '../../../../../test/support/alerts.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { PlannedOrg } from '../../../../../test/support/planned-org.js';
import { until } from '../../../../../test/support/product.js';
import { Transactions } from '../../common/database/transactions.js';
import { OrgService } from '../../people/org/org.service.js';
import { AlertDeliveryModule } from '../alert/alert-delivery.module.js';
import { AlertDeliveryService } from '../alert/alert-delivery.service.js';
import { AlertOutboxService } from '../alert/alert-outbox.service.js';
import { type AlertToSend } from '../alert/alert.types.js';
import { ChannelRegistryService } from '../channel/channel-registry.service.js';
import { ChannelError } from '../channel/channel.errors.js';
import { WatcherModule } from './watcher.module.js';

const ANN = mailTo('ann@example.org');
/** How long a mail is held before it is sent. */
const HELD_SECONDS = 10;

let app: MetricApp;
let org: PlannedOrg;
let mail: KeepingChannel;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [AlertDeliveryModule, WatcherModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  mail = new KeepingChannel('email', { isIdempotent: false });
  app.get(ChannelRegistryService).register(mail);
  org = new PlannedOrg(app, (await app.anOrg()).id);
});

const aWatcher = (): Promise<number> => org.aWatcher({ webhook: false });

const enqueue = (alert: Partial<AlertToSend>): Promise<number> =>
  app
    .get(Transactions)
    .run((tx) =>
      app
        .get(AlertOutboxService)
        .enqueue(anAlert(org.id, { kind: 'threshold', destinations: [ANN], holdSeconds: HELD_SECONDS, ...alert }), tx),
    );

const messages = (): Promise<{ phase: string; state: string; by: string | null; tries: number }[]> =>
  org.query('SELECT phase, state, suppressed_by AS by, tries FROM alert_delivery WHERE org_id = $1 ORDER BY id', [
    org.id,
  ]);
const sentTitles = async (): Promise<string[]> =>
  (await messages()).map(({ phase, state, by }) => [phase, state, by].filter(Boolean).join(' '));

/** Advances the clock. The application delivers by itself, too. */
async function after(seconds: number, what: string, expected: readonly string[]): Promise<void> {
  app.clock.seconds += seconds;
  await until(what, async () => {
    await app.get(AlertDeliveryService).deliverAll();
    const now = await sentTitles();
    if (now.join() === expected.join()) return true;
    throw new Error(now.join());
  });
}

const muted = (seconds: number | null): Promise<void> =>
  app.get(OrgService).update(org.id, {
    alertsMutedUntil: seconds === null ? null : new Date((app.clock.seconds + seconds) * 1000),
  });

describe('a held message', () => {
  it.each(['threshold', 'anomaly'] as const)('is suppressed when its watcher is deleted (%s)', async (kind) => {
    const watcherId = await aWatcher();
    await enqueue({ kind, watcherId });
    await org.query('UPDATE watcher SET deleted_at = now() WHERE id = $1', [watcherId]);
    await after(HELD_SECONDS, 'the message to be suppressed', ['opened suppressed filter']);
    expect(mail.tries).toBe(0);
  });

  it('is suppressed with its recovery when its watcher no longer alerts', async () => {
    const watcherId = await aWatcher();
    await enqueue({ watcherId });
    await enqueue({ watcherId, phase: 'recovered', holdSeconds: 0 });
    await org.query('UPDATE watcher SET alert = false WHERE id = $1', [watcherId]);
    await after(HELD_SECONDS, 'the messages to be gone', ['opened suppressed filter']);
    expect(mail.tries).toBe(0);
  });

  it('is suppressed when its watcher is deleted between two tries', async () => {
    const watcherId = await aWatcher();
    mail.onSend = () => {
      throw new ChannelError('later', 'the server is away');
    };
    await enqueue({ watcherId, holdSeconds: 0 });
    await after(0, 'the first try', ['opened retrying']);
    mail.onSend = () => undefined;
    await org.query('UPDATE watcher SET deleted_at = now() WHERE id = $1', [watcherId]);
    await after(3600, 'the message to be suppressed', ['opened suppressed filter']);
    expect(mail.tries).toBe(1);
  });

  it('is sent if it is the recovery of a sent alert, although its watcher no longer alerts', async () => {
    const watcherId = await aWatcher();
    await enqueue({ watcherId, holdSeconds: 0 });
    await after(0, 'the first message', ['opened sent']);
    await enqueue({ watcherId, phase: 'recovered' });
    await org.query('UPDATE watcher SET alert = false WHERE id = $1', [watcherId]);
    await after(HELD_SECONDS, 'the end to be sent', ['opened sent', 'recovered sent']);
  });

  it('is postponed while alerts are muted, and sent afterwards with all of its tries', async () => {
    const watcherId = await aWatcher();
    await enqueue({ watcherId });
    await muted(3600);
    app.clock.seconds += HELD_SECONDS;
    await app.get(AlertDeliveryService).deliverAll();
    await until('the message to be postponed', async () => {
      const [row] = await org.query<{ wait: number }>(
        'SELECT extract(epoch FROM due_at)::float8 - $2::float8 AS wait FROM alert_delivery WHERE org_id = $1 AND claimed_until IS NULL',
        [org.id, app.clock.seconds],
      );
      return row !== undefined && row.wait > 1 ? true : undefined;
    });
    expect(await messages()).toEqual([{ phase: 'opened', state: 'queued', by: null, tries: 0 }]);
    expect(mail.tries).toBe(0);
    await muted(null);
    await after(61, 'the message to be sent', ['opened sent']);
  });

  it('is suppressed when its alert recovers while alerts are muted', async () => {
    const watcherId = await aWatcher();
    await enqueue({ watcherId });
    await muted(60);
    // A recipient who did not get the opening does not get the recovery either.
    await enqueue({ watcherId, phase: 'recovered', destinations: [] });
    await after(120, 'the message to be suppressed', ['opened suppressed muted']);
    expect(mail.tries).toBe(0);
  });

  it('is sent despite a mute if it is an admin alert, a test or a report', async () => {
    const watcherId = await aWatcher();
    await muted(3600);
    await enqueue({ key: 'admin/no_data', kind: 'admin' });
    await enqueue({ key: 'test/1', kind: 'test', watcherId });
    await enqueue({ key: 'summary/1', kind: 'summary', watcherId });
    await after(HELD_SECONDS, 'all to be sent', Array<string>(3).fill('opened sent'));
  });

  it('is reported in an event when it is suppressed', async () => {
    const watcherId = await aWatcher();
    await enqueue({ watcherId });
    await org.query('UPDATE watcher SET deleted_at = now() WHERE id = $1', [watcherId]);
    await after(HELD_SECONDS, 'the message to be suppressed', ['opened suppressed filter']);
    await until('the event', async () => {
      const types = (await app.eventTexts(org.id)).map(([type]) => type);
      return types.includes('alert_suppressed') ? true : undefined;
    });
  });
});
