import { jest } from '@jest/globals';
import { AreaApp, type AreaAppOptions } from '../../../../../test/support/area-app.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { Mailbox } from '../../../../../test/support/mailbox.js';
import { Transactions } from '../../common/database/transactions.js';
import { ComponentReports } from '../../common/telemetry/component-reports.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { MailDeliveryService } from './mail-delivery.service.js';
import { MailDeliveryModule } from './mail-delivery.module.js';
import { MailNotConfiguredError, MailUnavailableError } from './mail.errors.js';
import { type Mail } from './mail.types.js';
import { MailerService } from './mailer.service.js';

const ANN = 'ann@example.org';

class MailApp extends AreaApp {
  static async create({ clock = new HandClock(), ...options }: AreaAppOptions = {}): Promise<MailApp> {
    return new MailApp(await this.start([MailDeliveryModule], { ...options, clock }), clock);
  }

  get mailer(): MailerService {
    return this.get(MailerService);
  }

  deliver(): Promise<void> {
    return this.get(MailDeliveryService).deliverAll();
  }

  async report() {
    return (await this.get(ComponentReports).collect()).get('mail');
  }

  async count(result: string): Promise<number> {
    const { values } = await this.get(MetricsRegistry).prometheus.getSingleMetric('plumbline_mails_total')!.get();
    return values.find(({ labels }) => labels.result === result)?.value ?? 0;
  }
}

const aMail = (overrides: Partial<Mail> = {}): Mail => ({
  to: ANN,
  subject: 'Hello',
  content: { heading: 'Hello', paragraphs: ['How are you?'] },
  orgId: null,
  ...overrides,
});

describe('mail', () => {
  let database: TestDatabase;
  const open: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  afterEach(async () => {
    while (open.length > 0) await open.pop()!.close();
    await database.dataSource.query('TRUNCATE mail_outbox');
  });

  async function aMailbox(...options: Parameters<typeof Mailbox.start>): Promise<Mailbox> {
    const mailbox = await Mailbox.start(...options);
    open.push(mailbox);
    return mailbox;
  }

  async function anApp(env: Record<string, string>, clock = new HandClock()): Promise<MailApp> {
    const app = await MailApp.create({ env, clock, database });
    open.push(app);
    return app;
  }

  const rows = (): Promise<{ sealed: string | null; tries: number; sendAt: number; key: string | null }[]> =>
    database.dataSource.query(
      `SELECT sealed, tries, key, extract(epoch FROM due_at)::float8 AS "sendAt" FROM mail_outbox ORDER BY created_at, key`,
    );

  /** Waits until a mail has been tried this often; the application delivers in the background, too. */
  async function tried(app: MailApp, tries: number): Promise<{ tries: number; sendAt: number }> {
    for (;;) {
      await app.deliver();
      const [row] = await rows();
      if (row === undefined) throw new Error('The mail is gone');
      if (row.tries === tries && row.sendAt < app.clock.now() + 100_000) return row;
    }
  }

  describe('that is queued', () => {
    it('arrives with both parts and all headers', async () => {
      const mailbox = await aMailbox();
      const app = await anApp({ ...mailbox.env, MAIL_FROM_NAME: 'Plümbline, "Ops"' });
      const subject =
        'Grüße aus Tromsø: 温度 ist zu hoch, und das ist ein ziemlich langer Betreff über mehrere Zeilen 🚨';
      await app.mailer.queue(aMail({ subject, content: { heading: 'Hei', paragraphs: ['Blåbærsyltetøy <b>'] } }));
      const mail = await mailbox.next(ANN);
      expect(mail).toMatchObject({
        subject,
        envelopeFrom: 'plumbline@example.org',
        from: { name: 'Plümbline, "Ops"', address: 'plumbline@example.org' },
        to: [{ address: ANN }],
        isEncrypted: false,
        date: new Date((START + 0.25) * 1000).toISOString().replace('250Z', '000Z'),
      });
      expect(mail.messageId).toMatch(/^<[0-9a-f-]{36}@example\.org>$/);
      expect(mail.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
      expect(mail.text).toContain('Blåbærsyltetøy <b>');
      expect(mail.html).toContain('Blåbærsyltetøy &lt;b&gt;');
      await app.deliver();
      expect(await rows()).toEqual([]);
      expect(await app.count('sent')).toBe(1);
    });

    it('is sent after its transaction is committed, but not after a rollback', async () => {
      const mailbox = await aMailbox();
      const app = await anApp(mailbox.env);
      const transactions = app.get(Transactions);
      const failing = transactions.run(async (tx) => {
        await app.mailer.queue(aMail({ subject: 'never' }), tx);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await transactions.run((tx) => app.mailer.queue(aMail({ subject: 'committed' }), tx));
      expect((await mailbox.next(ANN)).subject).toBe('committed');
      expect(mailbox.all).toHaveLength(1);
    });

    it('is encrypted in the database while it waits', async () => {
      const mailbox = await aMailbox({ refuse: 451 });
      const app = await anApp(mailbox.env);
      const button = { label: 'Go', url: 'https://plumbline.example.org/reset-password?token=secret' };
      await app.mailer.queue(aMail({ content: { heading: 'Hello', paragraphs: [], button } }));
      const stored = JSON.stringify(await database.dataSource.query('SELECT * FROM mail_outbox'));
      expect(stored).not.toMatch(/secret|ann@|Hello/);
    });

    it('is sent once per key and organisation', async () => {
      const mailbox = await aMailbox();
      const app = await anApp(mailbox.env);
      const { id } = await app.anOrg();
      const key = 'welcome';
      await app.mailer.queue(aMail({ key, orgId: id, subject: 'first' }));
      expect((await mailbox.next(ANN)).subject).toBe('first');
      await app.mailer.queue(aMail({ key, orgId: id, subject: 'again' }));
      await app.mailer.queue(aMail({ key, subject: 'of the installation' }));
      expect((await mailbox.next(ANN)).subject).toBe('of the installation');
      await app.deliver();
      expect(await rows()).toMatchObject([
        { key: `${String(id)}/welcome`, sealed: null },
        { key: 'installation/welcome', sealed: null },
      ]);
    });

    it('is deleted with its organisation', async () => {
      const mailbox = await aMailbox({ refuse: 451 });
      const app = await anApp(mailbox.env);
      const { id } = await app.anOrg();
      await app.mailer.queue(aMail({ orgId: id }));
      await database.dataSource.query('DELETE FROM org WHERE id = $1', [id]);
      expect(await rows()).toEqual([]);
    });

    it.each(['a@example.org, b@example.org', 'a@example.org\r\nBcc: b@example.org', '<a@example.org>', 'nobody'])(
      'is rejected unless it has exactly one address: %j',
      async (to) => {
        const mailbox = await aMailbox();
        const app = await anApp(mailbox.env);
        await expect(app.mailer.queue(aMail({ to }))).rejects.toThrow('one address');
        await expect(app.mailer.send(aMail({ to }))).rejects.toThrow('one address');
      },
    );
  });

  describe('that the server rejects temporarily', () => {
    it('is retried after 5 s, 1, 5 and 30 min, and then dropped', async () => {
      const mailbox = await aMailbox({ refuse: 451 });
      const app = await anApp(mailbox.env);
      await app.mailer.queue(aMail());
      for (const [index, pause] of [5, 60, 300, 1800].entries()) {
        const { sendAt } = await tried(app, index + 1);
        expect(sendAt).toBeCloseTo(app.clock.now() + pause);
        app.clock.seconds += pause - 1;
        await app.deliver();
        expect(mailbox.tries).toBe(index + 1);
        app.clock.seconds += 1;
      }
      while ((await rows()).length > 0) await app.deliver();
      expect(mailbox.tries).toBe(5);
      expect(await app.count('retried')).toBe(4);
      expect(await app.count('dropped')).toBe(1);
    });

    it('is delivered when the server accepts it again', async () => {
      const mailbox = await aMailbox({ refuse: 451 });
      const app = await anApp(mailbox.env);
      await app.mailer.queue(aMail());
      await tried(app, 1);
      mailbox.refuse = undefined;
      app.clock.seconds += 5;
      expect((await mailbox.next(ANN)).subject).toBe('Hello');
    });

    it('is dropped after its validity', async () => {
      const mailbox = await aMailbox({ refuse: 451 });
      const app = await anApp(mailbox.env);
      await app.mailer.queue(aMail({ validSeconds: 60 }));
      await tried(app, 1);
      mailbox.refuse = undefined;
      app.clock.seconds += 60;
      while ((await rows()).length > 0) await app.deliver();
      expect(mailbox.all).toEqual([]);
      expect(await app.count('dropped')).toBe(1);
    });
  });

  it('is not retried after a permanent rejection, and does not delay other mails', async () => {
    const mailbox = await aMailbox({ refuse: (to) => (to === ANN ? 550 : undefined) });
    const app = await anApp(mailbox.env);
    await app.mailer.queue(aMail());
    await app.mailer.queue(aMail({ to: 'bob@example.org' }));
    await mailbox.next('bob@example.org');
    while ((await rows()).length > 0) await app.deliver();
    expect(await app.count('refused')).toBe(1);
    expect(await app.report()).toEqual({ ok: true, ageSeconds: null, message: '' });
  });

  it('waits for an unreachable server, which is reported in the service status', async () => {
    const gone = await Mailbox.start();
    await gone.close();
    const app = await anApp(gone.env);
    expect(await app.report()).toEqual({ ok: true, ageSeconds: null, message: '' });
    await app.mailer.queue(aMail());
    await tried(app, 1);
    app.clock.seconds += 3;
    expect(await app.report()).toMatchObject({
      ok: false,
      ageSeconds: 3,
      message: expect.stringMatching(/^1 mail waits; last try 3 s ago: .*ECONNREFUSED/) as string,
    });
    const back = await aMailbox({ port: gone.port });
    app.clock.seconds += 2;
    await back.next(ANN);
    await app.deliver();
    expect(await app.report()).toEqual({ ok: true, ageSeconds: null, message: '' });
  });

  it('that waits is sent by the next process', async () => {
    const gone = await Mailbox.start();
    await gone.close();
    const clock = new HandClock();
    const first = await MailApp.create({ env: gone.env, clock, database });
    await first.mailer.queue(aMail());
    await tried(first, 1);
    await first.close();
    const back = await aMailbox({ port: gone.port });
    clock.seconds += 5;
    await anApp(gone.env, clock);
    expect((await back.next(ANN)).subject).toBe('Hello');
  });

  it('is sent again after the process sending it died', async () => {
    const mailbox = await aMailbox();
    const clock = new HandClock();
    const app = await anApp(mailbox.env, clock);
    await database.dataSource.transaction(async (tx) => {
      await app.mailer.queue(aMail(), tx);
      // Simulates a process that claims the mail and is killed.
      await tx.query(`UPDATE mail_outbox SET tries = 1, due_at = due_at + interval '180 seconds'`);
    });
    await app.deliver();
    expect(mailbox.tries).toBe(0);
    clock.seconds += 180;
    expect((await mailbox.next(ANN)).subject).toBe('Hello');
  });

  it('is sent only once by two processes', async () => {
    const mailbox = await aMailbox();
    const clock = new HandClock();
    const apps = [await anApp(mailbox.env, clock), await anApp(mailbox.env, clock)];
    const addresses = Array.from({ length: 40 }, (_, index) => `user${String(index)}@example.org`);
    await Promise.all(addresses.map((to, index) => apps[index % 2]!.mailer.queue(aMail({ to }))));
    await Promise.all(addresses.map((to) => mailbox.next(to)));
    await Promise.all(apps.map((app) => app.deliver()));
    expect(mailbox.all).toHaveLength(40);
    const counts = await Promise.all(apps.map((app) => app.count('sent')));
    expect(counts[0]! + counts[1]!).toBe(40);
  });

  it('is sent completely before the process stops', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let begin = (): void => undefined;
    const started = new Promise<void>((resolve) => (begin = resolve));
    const delay = () => {
      begin();
      return finished;
    };
    const mailbox = await aMailbox({ delay });
    const app = await MailApp.create({ env: mailbox.env, database });
    await app.mailer.queue(aMail());
    await started;
    const closing = app.close();
    finish();
    await closing;
    expect(mailbox.all).toHaveLength(1);
    expect(await rows()).toEqual([]);
  });

  describe('over an encrypted connection', () => {
    it('requires a trusted certificate', async () => {
      const mailbox = await aMailbox({ starttls: true });
      const { SMTP_CA_FILE: _, ...env } = mailbox.env;
      const app = await anApp(env);
      await app.mailer.queue(aMail());
      await tried(app, 1);
      expect(await app.report()).toMatchObject({
        ok: false,
        message: expect.stringContaining('certificate') as string,
      });
      expect(mailbox.all).toEqual([]);
    });

    it.each([{ starttls: true }, { tls: true }])('is delivered with SMTP_CA_FILE: %j', async (options) => {
      const mailbox = await aMailbox(options);
      const app = await anApp(mailbox.env);
      await app.mailer.queue(aMail());
      expect(await mailbox.next(ANN)).toMatchObject({ isEncrypted: true });
    });

    it('is not sent unencrypted if the server does not offer encryption', async () => {
      const mailbox = await aMailbox();
      const app = await anApp({ ...mailbox.env, SMTP_SECURITY: 'starttls' });
      await app.mailer.queue(aMail());
      await tried(app, 1);
      expect(await app.report()).toMatchObject({ ok: false });
      expect(mailbox.all).toEqual([]);
    });
  });

  describe('for a server with a login', () => {
    const auth = { user: 'plumbline', pass: 'p&ss wörd' };

    it('is sent after a login', async () => {
      const mailbox = await aMailbox({ auth, starttls: true });
      const app = await anApp(mailbox.env);
      await app.mailer.queue(aMail());
      expect(await mailbox.next(ANN)).toMatchObject({ user: 'plumbline' });
    });

    it('waits while the password is wrong, which is reported without the password', async () => {
      const mailbox = await aMailbox({ auth });
      const app = await anApp({ ...mailbox.env, SMTP_PASSWORD: 'not this' });
      await app.mailer.queue(aMail());
      await tried(app, 1);
      const report = await app.report();
      expect(report).toMatchObject({ ok: false, message: expect.stringContaining('EAUTH') as string });
      expect(report!.message).not.toContain('not this');
    });
  });

  describe('that is sent synchronously', () => {
    it('is delivered when the call returns, and stores nothing', async () => {
      const mailbox = await aMailbox();
      const app = await anApp(mailbox.env);
      await app.mailer.send(aMail());
      expect(mailbox.all).toHaveLength(1);
      expect(await rows()).toEqual([]);
    });

    it.each([451, 550])('fails when the server rejects it: %d', async (refuse) => {
      const mailbox = await aMailbox({ refuse });
      const app = await anApp(mailbox.env);
      await expect(app.mailer.send(aMail())).rejects.toThrow(MailUnavailableError);
      expect(await rows()).toEqual([]);
    });

    it('fails after ten seconds with a slow server', async () => {
      const mailbox = await aMailbox({ delay: () => new Promise(() => undefined) });
      const app = await anApp(mailbox.env);
      const limit = jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
        expect(milliseconds).toBe(10_000);
        const controller = new AbortController();
        setImmediate(() => controller.abort(new Error('too slow')));
        return controller.signal;
      });
      try {
        await expect(app.mailer.send(aMail())).rejects.toThrow(MailUnavailableError);
      } finally {
        limit.mockRestore();
      }
    });
  });

  it('is rejected without a configured server', async () => {
    const app = await anApp({});
    expect(app.mailer.isConfigured).toBe(false);
    await expect(app.mailer.queue(aMail())).rejects.toThrow(MailNotConfiguredError);
    await expect(app.mailer.send(aMail())).rejects.toThrow(MailNotConfiguredError);
    expect(await rows()).toEqual([]);
    expect(await app.report()).toEqual({ ok: true, ageSeconds: null, message: 'not set up: no mail is sent' });
  });
});
