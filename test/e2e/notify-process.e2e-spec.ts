import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ROLES } from '../../apps/server/src/common/config/server.config.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Mailbox, TLS_CERTIFICATE_FILE } from '../support/mailbox.js';
import { type Product, startProduct, until } from '../support/product.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const ADMIN = 'admin@example.org';
/** A message counts as not sent after this time, since the sender checks every second. */
const LEFT_ALONE_SECONDS = 3;

/** The members of `/summary` about the queues. */
interface Summary {
  mails_waiting: number;
  alerts_waiting: number;
  oldest_alert_age_seconds: number | null;
}

describe('processes with separate roles on one database', () => {
  let database: TestDatabase;
  let mailbox: Mailbox;
  let receiver: WebhookReceiver;
  let teams: Server;
  let posted = 0;
  const started: Product[] = [];
  /** A process with all roles except notify. */
  let others: Product;
  let notifier: Product;
  let token: string;
  let ingestToken: string;
  let adminId: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    mailbox = await Mailbox.start();
    receiver = await new WebhookReceiver('', () => Date.now() / 1000).listen();
    const key = readFileSync(join(TLS_CERTIFICATE_FILE, '../localhost.key'));
    teams = createServer({ key, cert: readFileSync(TLS_CERTIFICATE_FILE) }, (request, response) => {
      posted++;
      request.resume().on('end', () => response.writeHead(202).end());
    }).listen(0, '127.0.0.1');
    await once(teams, 'listening');
    others = await start('api,ingest,detect');
    token = await others.createToken(['read', 'write', 'admin']);
    ingestToken = await others.createToken(['ingest']);
    const [admin] = await database.dataSource.query<{ id: number }[]>('SELECT id FROM user_account WHERE email = $1', [
      ADMIN,
    ]);
    adminId = admin!.id;
  }, 180_000);

  afterAll(async () => {
    for (const product of started) await product.dispose();
    teams.closeAllConnections();
    teams.close();
    await receiver.close();
    await mailbox.close();
    await database.drop();
  }, 180_000);

  async function start(roles: string): Promise<Product> {
    const product = await startProduct({
      ...mailbox.env,
      DATABASE_URL: database.url,
      PLUMBLINE_ROLES: roles,
      PLUMBLINE_SECRET_KEY: 'ab'.repeat(32),
      PLUMBLINE_OUTGOING: 'any',
      PLUMBLINE_OUTGOING_CA_FILE: TLS_CERTIFICATE_FILE,
      LOGIN_CODE: 'off',
    });
    started.push(product);
    return product;
  }

  const call = <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<T> =>
    others.call<T>(method, path, token, body);

  /** Sends a metric above the thresholds of its watchers, until `watchers` of them report it. */
  async function goBeyond(metric: string, watchers: number): Promise<void> {
    const send = async (): Promise<true | undefined> => {
      const answer = await fetch(`${others.url}/ingest/metrics`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Auth-Token': ingestToken },
        body: JSON.stringify({ metric, value: 99 }),
      });
      if (!answer.ok) throw new Error(`The point was answered ${String(answer.status)}`);
      const breaches = await database.dataSource.query<unknown[]>(
        'SELECT c.id FROM threshold_change c JOIN metric m ON m.id = c.metric_id WHERE m.name = $1',
        [metric],
      );
      return breaches.length === watchers ? true : undefined;
    };
    await until(`${metric} to be beyond its thresholds`, send, { everyMs: 1000 });
  }

  const summaryOf = async ({ managementUrl }: Product): Promise<Summary> =>
    (await (await fetch(`${managementUrl}/summary`)).json()) as Summary;

  /** Values of a metric of a process, by their labels. */
  async function metricOf({ managementUrl }: Product, name: string): Promise<Record<string, number>> {
    const lines = (await (await fetch(`${managementUrl}/metrics`)).text()).split('\n');
    const found = lines.flatMap((line) => {
      const [, metric, labels = '', value] = /^(\w+)(\{.*\})? (\S+)$/.exec(line) ?? [];
      return metric === name ? [[labels, Number(value)] as const] : [];
    });
    return Object.fromEntries(found);
  }

  const messages = (): Promise<{ channel: string; state: string; tries: number; messageId: string }[]> =>
    database.dataSource.query(
      `SELECT d.channel, d.state, d.tries, d.message_id::text AS "messageId" FROM alert_delivery d
       JOIN alert a ON a.id = d.alert_id WHERE a.kind IN ('threshold', 'test') ORDER BY d.id`,
    );

  const sent = (count: number) => async () => {
    const all = await messages();
    return all.length >= count && all.every(({ state }) => state === 'sent') ? true : undefined;
  };

  const sum = (values: Record<string, number>): number => Object.values(values).reduce((all, value) => all + value, 0);

  it('send nothing without the role notify, and report waiting alerts and mails in the status', async () => {
    const connected = await call<{ properties: { secret: string } }>('PUT', '/integration/webhook/orgproperties', {
      url: `${receiver.url}/hook`,
    });
    receiver.secret = connected.properties.secret;
    await call('POST', '/watcher/threshold', {
      name: 'Queue',
      chips: ['queue'],
      alert: true,
      algorithm: 'above',
      value: 10,
      email_users: [adminId],
      webhook: true,
      teams_chat_webhook: `https://127.0.0.1:${String((teams.address() as AddressInfo).port)}/workflow`,
    });
    // A mail of the account, in addition.
    await call('POST', '/login/forgotpassword', { email: ADMIN });
    await goBeyond('queue-1', 1);
    await until('messages to be left alone', async () => {
      const [row] = await database.dataSource.query<{ alerts: number; mails: number }[]>(
        `SELECT (SELECT count(*)::integer FROM alert_delivery
                 WHERE state = 'queued' AND due_at < now() - make_interval(secs => $1)) AS alerts,
                (SELECT count(*)::integer FROM mail_outbox
                 WHERE sealed IS NOT NULL AND due_at < now() - make_interval(secs => $1)) AS mails`,
        [LEFT_ALONE_SECONDS],
      );
      return row!.alerts === 3 && row!.mails === 1 ? true : undefined;
    });
    expect([mailbox.tries, receiver.received.length, posted]).toEqual([0, 0, 0]);
    expect((await messages()).map(({ tries }) => tries)).toEqual([0, 0, 0]);
    expect(await summaryOf(others)).toMatchObject({ mails_waiting: 1, alerts_waiting: 3 });
    const { components } = await call<{ components: { name: string; message: string }[] }>('GET', '/status');
    const messageByName = Object.fromEntries(components.map(({ name, message }) => [name, message]));
    expect(messageByName).toMatchObject({ notifications: '3 messages wait', mail: '1 mail waits' });
    // Calls about alerts still work.
    expect(await call('GET', '/org/adminalerts')).toMatchObject({ admin_alerts: [{ id: 1 }, {}, {}, {}, {}] });
  }, 120_000);

  it('send waiting and new messages only in the process with the role notify', async () => {
    notifier = await start('notify');
    await until('the messages to be sent', sent(3));
    await until('the mails to arrive', () => Promise.resolve(mailbox.all.length === 2 ? true : undefined));
    expect(receiver.taken).toHaveLength(1);
    expect(posted).toBe(1);
    await until('the queues to be empty', async () => {
      const { mails_waiting, alerts_waiting } = await summaryOf(notifier);
      return mails_waiting + alerts_waiting === 0 ? true : undefined;
    });
    // A test alert uses the same process, and its answer waits for the outcome.
    const { watchers } = await call<{ watchers: { id: number; name: string }[] }>('GET', '/watchers/list');
    const { id } = watchers.find(({ name }) => name === 'Queue')!;
    const { test_results } = await call<{ test_results: { ok: boolean }[] }>('PUT', `/watcher/${String(id)}`, {
      test_alert: true,
    });
    expect(test_results.map(({ ok }) => ok)).toEqual([true, true, true]);

    expect(sum(await metricOf(notifier, 'plumbline_alert_messages_total'))).toBe(6);
    expect(sum(await metricOf(notifier, 'plumbline_mails_total'))).toBe(1);
    expect(sum(await metricOf(others, 'plumbline_alert_messages_total'))).toBe(0);
    expect(sum(await metricOf(others, 'plumbline_mails_total'))).toBe(0);
    // This process does not serve the API.
    expect((await fetch(`${notifier.url}/api/ping`)).status).toBe(404);
  }, 120_000);

  it('report waiting messages while the mail server rejects mails', async () => {
    mailbox.refuse = 451;
    await goBeyond('queue-2', 1);
    await until('the mail to be tried', async () => {
      const waiting = (await messages()).filter(({ channel, tries }) => channel === 'email' && tries > 0);
      return waiting.some(({ state }) => state === 'retrying') ? true : undefined;
    });
    expect(await summaryOf(notifier)).toMatchObject({ oldest_alert_age_seconds: expect.any(Number) as number });
    await until('the other ways to be done', async () => {
      return (await metricOf(notifier, 'plumbline_alert_messages_waiting'))[''] === 1 ? true : undefined;
    });
    expect(await metricOf(notifier, 'plumbline_mails_waiting')).toEqual({ '': 0 });
    // The process stays ready, because a restart would not help.
    expect((await notifier.readiness())?.status).toBe(200);
    mailbox.refuse = undefined;
    await until('the mail to be sent', sent(9));
  }, 120_000);

  it('lose no message when the process with the role notify is killed while it sends', async () => {
    const before = (await messages()).length;
    const names = Array.from({ length: 5 }, (_, index) => `Burst ${String(index + 1)}`);
    for (const name of names) {
      const rule = { name, chips: ['burst'], algorithm: 'above', value: 10 };
      await call('POST', '/watcher/threshold', { ...rule, alert: true, email_users: [adminId], webhook: true });
    }
    // The mail is accepted, but the process is killed before it receives the answer.
    const killed = new Promise<void>((done) => {
      mailbox.delay = () => {
        mailbox.delay = undefined;
        return notifier.stop('SIGKILL').then(() => done());
      };
    });
    await goBeyond('burst-1', names.length);
    await killed;
    const areThere = (count: number) => async () => ((await messages()).length === before + count ? true : undefined);
    await until('the messages of the first to be there', areThere(2 * names.length));
    // New alerts wait for the process.
    await goBeyond('burst-2', names.length);
    await until('the messages of both to be there', areThere(4 * names.length));
    await notifier.restart();
    await until('all messages to be sent', sent(before + 4 * names.length), { timeoutMs: 150_000 });

    const all = (await messages()).slice(before);
    const times = (id: string, arrived: readonly string[]): number => arrived.filter((one) => one.includes(id)).length;
    const mails = mailbox.all.map(({ messageId }) => messageId ?? '');
    const posts = receiver.received.map(({ headers }) => headers['webhook-id'] as string);
    const arrivals = all.map((one) => {
      const arrived = times(one.messageId, one.channel === 'email' ? mails : posts);
      return { arrived, isWrong: arrived < 1 || arrived > one.tries };
    });
    expect(arrivals.filter(({ isWrong }) => isWrong)).toEqual([]);
    // Only messages in progress were sent twice, at least the first mail.
    expect(Math.max(...arrivals.map(({ arrived }) => arrived))).toBe(2);
    const takenOver = all.filter(({ tries }) => tries > 1).length;
    expect(sum(await metricOf(notifier, 'plumbline_alert_messages_taken_over_total'))).toBe(takenOver);
    expect(sum(await metricOf(others, 'plumbline_alert_messages_total'))).toBe(0);
  }, 300_000);

  it.each(ROLES.filter((role) => role !== 'notify'))(
    'start with only the role %s',
    async (role) => {
      const product = await start(role);
      expect((await product.readiness())?.status).toBe(200);
      expect((await fetch(`${product.url}/api/ping`)).status).toBe(role === 'api' ? 200 : 404);
      await product.stop();
    },
    120_000,
  );
});
