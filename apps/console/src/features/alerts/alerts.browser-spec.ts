import { type Page } from 'playwright-core';
import {
  type ConsoleUnderTest,
  seriousViolations,
  settled,
  startConsole,
} from '../../../../../test/support/console.js';
import { Mailbox } from '../../../../../test/support/mailbox.js';
import { ADMIN, until } from '../../../../../test/support/product.js';
import { WebhookReceiver } from '../../../../../test/support/webhook-receiver.js';

const LONG_MS = 90_000;
const TO = ADMIN.PLUMBLINE_ADMIN_EMAIL;
const NAME = 'Too many orders';

describe('alerting in the browser', () => {
  let console: ConsoleUnderTest;
  let page: Page;
  let mailbox: Mailbox;
  let receiver: WebhookReceiver;
  let watcherPath: string;

  beforeAll(async () => {
    mailbox = await Mailbox.start();
    receiver = new WebhookReceiver('', () => Date.now() / 1000);
    await receiver.listen();
    console = await startConsole({ env: { ...mailbox.env, LOGIN_CODE: 'off', PLUMBLINE_OUTGOING: 'any' } });
    const admin = await console.product.createToken(['read', 'admin']);
    const { properties } = await console.product.call<{ properties: { secret: string } }>(
      'PUT',
      '/integration/webhook/orgproperties',
      admin,
      { url: `${receiver.url}/hook` },
    );
    receiver.secret = properties.secret;
    page = await console.open('/alerts');
    await settled(page);
  }, 600_000);

  afterAll(async () => {
    await console.dispose();
    await mailbox.close();
    await receiver.close();
  }, 120_000);

  const limit = () => page.getByRole('slider', { name: 'Limit', exact: true });
  const limitField = () => page.getByLabel('Limit', { exact: true }).and(page.locator('input'));

  it(
    'previews a watcher while its limit is dragged in the chart, and saves the watcher',
    async () => {
      await page.getByRole('link', { name: 'New watcher' }).click();
      await page.getByPlaceholder('web, job:shop, -test').fill('shop.orders');
      await page.keyboard.press('Enter');
      await page.getByText(/^Would have sent/).waitFor();
      expect(await seriousViolations(page)).toEqual([]);

      await page.getByText('A limit', { exact: true }).click();
      await page.getByRole('button', { name: 'Show the limit in the chart' }).click();
      await limit().focus();
      const before = Number(await limit().getAttribute('aria-valuenow'));
      await page.keyboard.press('PageDown');
      await until('the line to be lower', async () =>
        Number(await limit().getAttribute('aria-valuenow')) < before ? true : undefined,
      );
      const box = (await limit().boundingBox())!;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const asked = page.waitForRequest(
        (request) =>
          request.url().endsWith('/api/watcher/preview') &&
          (request.postDataJSON() as { value?: number }).value !== before,
      );
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x, y + 40, { steps: 4 });
      await page.mouse.up();
      const now = Number(await limit().getAttribute('aria-valuenow'));
      expect(now).toBeLessThan(before);
      expect(await limitField().inputValue()).toBe(String(now));
      expect((await asked).postDataJSON()).toMatchObject({ algorithm: 'above', chips: ['shop.orders'] });
      await settled(page);
      await page.getByRole('list', { name: 'Messages of each day' }).waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await console.picture(page, 'watcher-editor-limit');

      await page.getByLabel('Webhook').check();
      await page.getByRole('textbox', { name: 'Name' }).fill(NAME);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: NAME }).waitFor();
      watcherPath = new URL(page.url()).pathname;
    },
    LONG_MS,
  );

  it(
    'edits a watcher and undoes the edit',
    async () => {
      await page.goto(`${watcherPath}/edit`);
      await limitField().fill('123456');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText(/above 123/).waitFor();
      await page.keyboard.press('z');
      await page.getByText(/above 123/).waitFor({ state: 'detached' });
      expect(await seriousViolations(page)).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'sends a test alert to each channel, shows the results, and resends a failed message',
    async () => {
      mailbox.refuse = 550;
      await page.goto(watcherPath);
      await page.getByRole('button', { name: 'Send a test alert' }).click();
      const results = page.getByRole('list', { name: 'Result of the test alert' });
      await results.getByText('webhook').waitFor();
      await results.getByText(`mail ${TO}`).waitFor();
      expect(receiver.taken.map(({ body }) => body.type)).toEqual(['test']);
      expect(await seriousViolations(page)).toEqual([]);

      await page.getByRole('link', { name: 'All of its messages' }).click();
      // The watcher itself may send messages in the meantime.
      const failed = page.getByRole('row').filter({ hasText: TO }).filter({ hasText: 'Test:' });
      await failed.getByText('failed', { exact: true }).first().waitFor();
      await failed
        .getByText(/550|not taken/)
        .last()
        .waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await console.picture(page, 'deliveries-failed');

      mailbox.refuse = undefined;
      await failed.getByRole('button', { name: /^Send again/ }).click();
      await failed.getByText('sent', { exact: true }).first().waitFor();
      expect((await mailbox.next(TO)).subject).toContain('Test');
    },
    LONG_MS,
  );

  it(
    'keeps the delivery filters in the URL',
    async () => {
      await page.getByRole('combobox', { name: 'Channel' }).click();
      await page.getByRole('option', { name: 'webhook' }).click();
      await page.waitForURL(/channel=webhook/);
      await settled(page);
      // The previous rows stay until the filtered ones arrive.
      await page.getByRole('row').filter({ hasText: TO }).first().waitFor({ state: 'detached' });
      await page.reload();
      await page.getByRole('row').filter({ hasText: 'webhook' }).first().waitFor();
      await page.getByRole('combobox', { name: 'State' }).click();
      await page.getByRole('option', { name: 'failed' }).click();
      await page.getByText('No message in this window.').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByRole('row').nth(1).waitFor();
    },
    LONG_MS,
  );

  it(
    'lists events',
    async () => {
      await page.goto('/alerts/events?what=rules');
      await page.getByText('Watcher created').first().waitFor();
      expect(await seriousViolations(page)).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'deletes a watcher and restores it',
    async () => {
      await page.goto(watcherPath);
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('This watcher was deleted.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
      await page.goto('/alerts');
      await page.getByRole('link', { name: NAME, exact: true }).waitFor();
      expect(await seriousViolations(page)).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'shows which metrics an exclusion covers before it is saved, and draws it in the calendar',
    async () => {
      await page.goto('/alerts/exclusions?chips=%5B%22shop.orders%22%5D');
      await page.getByText(/^Covers 1 metric/).waitFor();
      await page.getByText('Which metrics').click();
      await page.getByRole('link', { name: 'shop.orders' }).waitFor();
      await page.getByText('Every week').click();
      const drawn = page.getByRole('img', { name: '02:00 to 04:00: the form above, not saved yet' });
      expect(await drawn.count()).toBe(2);
      expect(await seriousViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page
        .getByRole('img', { name: /^02:00 to 04:00: shop.orders/ })
        .first()
        .waitFor();

      await page.getByRole('button', { name: 'Change the exclusion of shop.orders' }).click();
      await page.getByRole('heading', { name: 'Change the exclusion' }).and(page.locator(':focus')).waitFor();
      expect(page.url()).toContain('edit=');
      await page.getByLabel('Reason').fill('new disks');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('row').filter({ hasText: 'new disks' }).getByText('Sun 02:00 to 04:00').waitFor();
      await page.keyboard.press('z');
      await page.getByText('new disks').waitFor({ state: 'detached' });
    },
    LONG_MS,
  );

  it(
    'mutes and unmutes all alerts, and edits the default recipients',
    async () => {
      await page.goto('/alerts/recipients');
      await page.getByRole('button', { name: 'Mute all alerts' }).click();
      await page.getByRole('status').getByText('Alerts are muted until').waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Unmute' }).click();
      await page.getByText('Alerts are not muted.').waitFor();

      const admins = async (): Promise<number> => {
        const answer = await page.request.get('/api/org/info');
        type Info = { data: { alert_recipients: { admin_email: unknown[] } } };
        return ((await answer.json()) as Info).data.alert_recipients.admin_email.length;
      };
      await page.getByRole('combobox', { name: 'Admin alerts: mail to' }).focus();
      await page.keyboard.press('Backspace');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('The default recipients are saved').waitFor();
      expect(await admins()).toBe(0);
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await until('the recipients to be back', async () => ((await admins()) === 1 ? true : undefined));
      expect(await seriousViolations(page)).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'shows the message and the metrics of a raised admin alert',
    async () => {
      const token = await console.product.createToken(['alert']);
      const body = { state: 'raised', message: 'The proxy refuses them.', metrics: ['shop.orders'] };
      await console.product.call('POST', '/org/adminalert/invalid_metrics', token, body);
      await page.goto('/alerts/admin');
      await page.getByText('The proxy refuses them.').waitFor();
      await page.getByText('1 metric', { exact: true }).click();
      await page.getByRole('link', { name: 'shop.orders' }).waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await console.product.call('POST', '/org/adminalert/invalid_metrics', token, { state: 'recovered' });
    },
    LONG_MS,
  );

  it(
    'excludes a metric for two hours with a key, and undoes the exclusion',
    async () => {
      const list = async (): Promise<number> => {
        const answer = await page.request.get('/api/exclusion/list');
        return ((await answer.json()) as { data: { total: number } }).data.total;
      };
      const before = await list();
      await page.goto('/metric/shop.signups');
      await settled(page);
      await page.keyboard.press('x');
      await page.getByText(/no message for 2 hours/).waitFor();
      expect(await list()).toBe(before + 1);
      await page.keyboard.press('z');
      await until('the exclusion to be gone', async () => ((await list()) === before ? true : undefined));
      expect(await seriousViolations(page)).toEqual([]);
    },
    LONG_MS,
  );
});
