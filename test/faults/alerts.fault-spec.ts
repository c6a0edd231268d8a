import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AlertModule } from '../../apps/server/src/alerting/alert/alert.module.js';
import { AlertOutboxService } from '../../apps/server/src/alerting/alert/alert-outbox.service.js';
import { SystemClock } from '../../apps/server/src/common/clock.js';
import { Transactions } from '../../apps/server/src/common/database/transactions.js';
import { anAlert, mailTo, to } from '../support/alerts.js';
import { AreaApp } from '../support/area-app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type HandClock } from '../support/hand-clock.js';
import { Mailbox } from '../support/mailbox.js';
import { until } from '../support/product.js';
import { endProgram, startProgram } from '../support/programs.js';

const EACH = 250;
/** Numbers of arrived mails at which the process is killed, before it gets the answer to that mail. */
const KILLED_AT = [80, 160];

class NotifyingApp extends AreaApp {
  static async create(database: TestDatabase): Promise<NotifyingApp> {
    const clock = new SystemClock() as HandClock;
    return new NotifyingApp(await this.start([AlertModule], { database, clock }), clock);
  }
}

describe('a process that is killed while it sends 500 messages of alerts', () => {
  let database: TestDatabase;
  let app: NotifyingApp;
  let mailbox: Mailbox;
  let receiver: Server;
  let sender: ChildProcess | undefined;
  /** How often each id arrived. A receiver acts only on the first. */
  const received = new Map<string, number>();
  const recipients = new Set<string>();

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await NotifyingApp.create(database);
    mailbox = await Mailbox.start();
    receiver = createServer((request, response) => {
      const id = request.headers['webhook-id'] as string;
      received.set(id, (received.get(id) ?? 0) + 1);
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        recipients.add((JSON.parse(body) as { recipient: string }).recipient);
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  }, 120_000);

  afterAll(async () => {
    await endProgram(sender);
    receiver.closeAllConnections();
    receiver.close();
    await mailbox.close();
    await app.close();
    await database.drop();
  }, 120_000);

  async function startSender(): Promise<ChildProcess> {
    const url = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/`;
    const child = startProgram(process.execPath, [join(import.meta.dirname, '../support/alert-sender.mjs')], {
      env: { ...process.env, DATABASE_URL: database.url, SMTP_PORT: String(mailbox.port), WEBHOOK_URL: url },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout! })) if (line === 'ready') break;
    return child;
  }

  it('loses no message, and counts the mails that may have been sent twice', async () => {
    const orgId = (await app.anOrg()).id;
    for (let n = 0; n < EACH; n++) {
      const destinations = [mailTo(`user${String(n)}@example.org`), to('webhook', `user${String(n)}`)];
      await app
        .get(Transactions)
        .run((tx) =>
          app.get(AlertOutboxService).enqueue(anAlert(orgId, { key: `anomaly/${String(n)}`, destinations }), tx),
        );
    }
    let arrived = 0;
    mailbox.delay = () => {
      // The server accepts the mail, and the process is killed before the answer.
      if (KILLED_AT.includes(++arrived)) sender?.kill('SIGKILL');
      return Promise.resolve();
    };
    for (const _ of KILLED_AT) {
      sender = await startSender();
      if (sender.signalCode === null) await once(sender, 'exit');
    }
    sender = await startSender();
    await until(
      'all messages to be sent',
      async () => {
        const [row] = await database.dataSource.query<{ left: number }[]>(
          `SELECT count(*)::integer AS left FROM alert_delivery WHERE state <> 'sent'`,
        );
        return row!.left === 0 ? true : undefined;
      },
      { timeoutMs: 240_000 },
    );
    const mails = new Map<string, number>();
    for (const { recipient, messageId } of mailbox.all) {
      const key = `${recipient} ${messageId ?? ''}`;
      mails.set(key, (mails.get(key) ?? 0) + 1);
    }
    const twice = [...mails.values()].filter((times) => times > 1).length;
    expect(mails.size).toBe(EACH);
    expect(recipients.size).toBe(EACH);
    // A repeated webhook has the same id, so that a receiver can ignore it.
    expect(received.size).toBe(EACH);
    const [tries] = await database.dataSource.query<{ mails: number; webhooks: number }[]>(
      `SELECT count(*) FILTER (WHERE channel = 'email' AND tries > 1)::integer AS mails,
              count(*) FILTER (WHERE channel = 'webhook' AND tries > 1)::integer AS webhooks FROM alert_delivery`,
    );
    // At each kill, at least one mail had arrived without being recorded, and a few more were being sent.
    expect(twice).toBeGreaterThanOrEqual(KILLED_AT.length);
    expect(twice).toBeLessThanOrEqual(tries!.mails);
    expect(tries!.mails).toBeLessThanOrEqual(4 * KILLED_AT.length);
    expect(await takenOver(sender, 'email')).toBe(tries!.mails);
  }, 400_000);
});

/** The number of messages that the process took over from killed processes, according to its metrics. */
async function takenOver(sender: ChildProcess, channel: string): Promise<number> {
  sender.stdin!.write('\n');
  for await (const line of createInterface({ input: sender.stdout! })) {
    const found = new RegExp(`^plumbline_alert_messages_taken_over_total\\{channel="${channel}"\\} (\\d+)`).exec(line);
    if (found !== null) return Number(found[1]);
    if (line === '.') break;
  }
  return 0;
}
