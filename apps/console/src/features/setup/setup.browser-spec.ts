import { type Page } from 'playwright-core';
import {
  type ConsoleUnderTest,
  seriousViolations,
  settled,
  startConsole,
} from '../../../../../test/support/console.js';
import { ADMIN } from '../../../../../test/support/product.js';
import { PrometheusStandIn } from '../../../../../test/support/prometheus.js';
import { WebhookReceiver } from '../../../../../test/support/webhook-receiver.js';

const LONG_MS = 60_000;
const NEW_PASSWORD = 'purple lantern 42 stone';

/** Records copied text, because the browser of the tests has no clipboard. */
const CATCH_COPIES = `navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`;

describe('the setup pages for an administrator', () => {
  let console: ConsoleUnderTest;
  let page: Page;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await new WebhookReceiver('', () => Date.now() / 1000).listen();
    console = await startConsole({ demo: false });
    page = await console.open('/');
  }, 300_000);

  afterAll(async () => {
    await console.dispose();
    await receiver.close();
  }, 120_000);

  async function open(path: string): Promise<void> {
    await page.goto(path);
    await settled(page);
  }

  const copied = async (): Promise<string> => page.evaluate<string>('window.copied');

  /** Calls the API as the administrator, outside the browser. */
  async function call<Data>(method: string, path: string, session: string, body?: object): Promise<Data> {
    const answer = await fetch(`${console.product.url}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', 'X-Session-Id': session },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return ((await answer.json()) as { data: Data }).data;
  }

  it('are reachable from the navigation', async () => {
    await page.getByRole('link', { name: 'Set up' }).click();
    await page.getByRole('heading', { name: 'Set up' }).waitFor();
    await page.waitForURL(/\/setup\/tokens$/);
  });

  it(
    'test, save, edit, pause and delete a source',
    async () => {
      const prometheus = await new PrometheusStandIn().listen();
      try {
        prometheus.series = [{ metric: { __name__: 'till_load', till: 'north' }, valueAt: (at) => 50 + (at % 7) }];
        await open('/setup/sources');
        await page.getByRole('link', { name: 'New source' }).click();
        await page.getByRole('button', { name: 'Save and read the history' }).click();
        expect(await page.getByText('Required.').count()).toBe(3);
        await page.getByLabel('Name', { exact: true }).fill('tills');
        await page.getByLabel('Address').fill(prometheus.url);
        await page.getByLabel('Query').fill('till_load');
        await page.getByLabel('Request headers').fill('X-Scope-OrgID=team-a');
        await page.getByRole('button', { name: 'Test' }).click();
        await page.getByText('It works: 1 series found').waitFor();
        await page.getByRole('row', { name: /till_load.*north/ }).waitFor();
        expect(await seriousViolations(page)).toEqual([]);
        await console.picture(page, 'source-tried');

        await page.getByRole('button', { name: 'Save and read the history' }).click();
        await page.getByRole('heading', { name: 'tills' }).waitFor();
        await page.getByText('reading', { exact: true }).waitFor({ timeout: LONG_MS });
        expect(await page.getByLabel('Request headers').inputValue()).toBe('X-Scope-OrgID=************');
        await console.picture(page, 'source');

        await page.getByLabel('Query').fill('till_load > 0');
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('tills is saved.').last().waitFor();
        await page.getByRole('button', { name: 'Pause' }).click();
        await page.getByText('paused', { exact: true }).waitFor();
        await page.getByRole('button', { name: 'Delete…' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
        await page.getByText('No source yet').waitFor();
      } finally {
        await prometheus.close();
      }
    },
    2 * LONG_MS,
  );

  it(
    'create a token, copy it, send a point with it, and delete it',
    async () => {
      await open('/setup/tokens');
      await page.getByRole('link', { name: 'New token' }).click();
      await page.getByRole('button', { name: 'Create the token' }).click();
      await page.getByText('Give it a name.').waitFor();
      await page.getByLabel('Name', { exact: true }).fill('till');
      await page.keyboard.press('Enter');
      await page.getByText('It is shown only once').waitFor();
      await page.evaluate(CATCH_COPIES);
      await page.getByRole('button', { name: 'Copy: Token' }).click();
      const token = await copied();
      expect(token).toMatch(/^pl_[\w-]{43}$/);
      const lines = page.getByRole('region', { name: 'Configuration for curl, JSON, curl' });
      expect(await lines.innerText()).toContain(token);
      await page.getByRole('tab', { name: 'Prometheus' }).click();
      await page.getByText('remote_write').first().waitFor();
      expect(page.url()).toContain('sender=prometheus');
      expect(await seriousViolations(page)).toEqual([]);

      const sent = await fetch(`${console.product.url}/ingest/metrics`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Auth-Token': token },
        body: JSON.stringify({ metric: 'till.sales', value: 42 }),
      });
      expect(sent.status).toBe(204);

      await page.getByRole('link', { name: 'All tokens' }).click();
      await page.getByRole('row', { name: /till/ }).getByText('send data').waitFor();
      // The list masks the token.
      expect(await page.content()).not.toContain(token);
      await page.getByRole('button', { name: 'Delete till' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('The token “till” is deleted.').waitFor();
      await page.getByRole('row', { name: /till/ }).waitFor({ state: 'detached' });
    },
    LONG_MS,
  );

  it(
    'invite a user, make the user an administrator, and undo this',
    async () => {
      await open('/setup/people');
      await page.getByRole('button', { name: 'Invite someone' }).click();
      await page.getByLabel('E-mail address').fill('ann@example.org');
      await page.getByLabel('Name', { exact: true }).fill('Ann');
      await page.keyboard.press('Enter');
      await page.evaluate(CATCH_COPIES);
      await page.getByText('Give this link to').waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Copy: Invitation link' }).click();
      expect(await copied()).toContain('/verify?');
      await page.getByRole('button', { name: 'Done', exact: true }).click();

      const row = page.getByRole('row', { name: /Ann/ });
      await row.getByRole('cell', { name: 'invited', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Change Ann' }).click();
      await page.getByRole('radio', { name: 'administrator' }).check();
      expect(await seriousViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save' }).click();
      await row.getByText('administrator').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await row.getByText('normal').waitFor();
    },
    LONG_MS,
  );

  it('explain why the only administrator cannot become a normal user', async () => {
    await open('/setup/people?state=active');
    await page.getByRole('button', { name: /^Change/ }).click();
    await page.getByText('You are the only administrator.').waitFor();
    expect(await page.getByRole('radio', { name: 'normal' }).isDisabled()).toBe(true);
  });

  it(
    'add a webhook, show its secret once, and send test messages',
    async () => {
      await open('/setup/integrations');
      await page.getByRole('link', { name: 'Webhook' }).click();
      await page.getByLabel(/^Address/).fill(`${receiver.url}/hook`);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const shown = page.getByRole('region', { name: 'Signing secret' });
      await shown.waitFor();
      receiver.secret = (await shown.innerText()).trim();
      expect(receiver.secret).toMatch(/^whsec_/);
      await page.getByRole('button', { name: 'Send a test message' }).click();
      await page.getByText('The test message was accepted.').waitFor();
      expect(receiver.taken.map(({ body }) => body.type)).toEqual(['test']);
      expect(await seriousViolations(page)).toEqual([]);

      receiver.mood = { status: 500, body: 'out of order' };
      await page.getByRole('button', { name: 'Send a test message' }).click();
      await page.getByText('The test message was not accepted').waitFor();
      receiver.mood = 'well';

      await open('/setup/integrations/webhook');
      expect(await page.content()).not.toContain(receiver.secret);
      await page.getByRole('button', { name: 'Disconnect…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click();
      await page.getByText('Save the settings first').waitFor();
    },
    LONG_MS,
  );

  it('mark the field of an invalid address', async () => {
    await open('/setup/integrations/webhook');
    await page.getByLabel(/^Address/).fill('nowhere');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('[aria-invalid="true"]').waitFor();
  });

  it(
    'show the effect of changed settings, and the number of metrics that a removal would delete',
    async () => {
      await open('/setup/organisation');
      await page.getByLabel(/^Every slot is kept for/).fill('14');
      await page.getByText('Every slot is kept for: 7 days → 14 days.').waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save these changes' }).click();
      await page.getByText('The settings are saved.').waitFor();
      const session = await console.sessionId();
      type Info = { analysis_variables: { retention_1_period_seconds: number } };
      const { analysis_variables: variables } = await call<Info>('GET', '/org/info', session);
      expect(variables.retention_1_period_seconds).toBe(14 * 86_400);

      await page.getByRole('combobox', { name: 'Metrics to remove' }).fill('till.*');
      await page.keyboard.press('Enter');
      // The metric of the source stays.
      await page.getByText('1 metric would be removed; 1 would still count.').waitFor();
      expect(page.url()).toContain('remove=');
      await page.getByRole('button', { name: 'Remove 1 metric…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('1 metric removed from the quota.').waitFor();
    },
    LONG_MS,
  );

  it(
    'preview and apply a configuration document',
    async () => {
      await open('/setup/configuration');
      const document = 'kind: tuning\nname: web servers\nchips: [web]\nsensitivity: 0.5\n';
      await page.getByLabel('Document (YAML or JSON)').fill(document);
      await page.getByRole('button', { name: 'Show what would change' }).click();
      await page.getByRole('button', { name: 'Apply 1 change' }).click();
      await page.getByText('1 change applied.').waitFor();
      await page.getByRole('button', { name: 'Show the document' }).click();
      await page.getByRole('region', { name: 'Document' }).getByText('web servers').waitFor();
      expect(await seriousViolations(page)).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'show how much data the erasure of a metric would delete, and erase it',
    async () => {
      await open('/setup/removal');
      await page.getByText(/Would be deleted: \d+ metrics? /).waitFor();
      await page.getByRole('combobox', { name: 'Metric' }).fill('nothing like it');
      await page.keyboard.press('Enter');
      await page.getByText('There is no metric with this name.').waitFor();
      // The API returns 404, which browsers log.
      console.takeLog();
      await open('/setup/removal?metric=till.sales');
      await page.getByText(/Would be deleted: \d+ points?, 0 anomalies/).waitFor();
      await page.getByRole('button', { name: 'Erase this metric…' }).click();
      expect(await seriousViolations(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Erase', exact: true }).click();
      await page.getByText(/till.sales is (being )?erased/).waitFor();
      await page.getByRole('button', { name: 'Delete the organisation…' }).click();
      const erase = page.getByRole('dialog').getByRole('button', { name: 'Delete everything' });
      expect(await erase.isDisabled()).toBe(true);
      await page.getByLabel('Your password').fill(ADMIN.PLUMBLINE_ADMIN_PASSWORD);
      expect(await erase.isDisabled()).toBe(true);
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    },
    LONG_MS,
  );

  it('send a problem report with the URL of the page it was opened from', async () => {
    await open('/setup/people?state=active');
    await page.getByRole('button', { name: /^Account:/ }).click();
    await page.getByRole('menuitem', { name: 'Report a problem' }).click();
    await page.getByText('All parts of the service work.').waitFor();
    expect(await page.getByLabel('Page', { exact: true }).inputValue()).toBe('/setup/people?state=active');
    await page.getByRole('button', { name: 'Send the report' }).click();
    await page.getByText('Describe what is wrong.').waitFor();
    await page.getByLabel('What is wrong').fill('The list is empty.');
    await page.getByRole('button', { name: 'Send the report' }).click();
    await page.getByText('The report is stored as number 1.').waitFor();
  });

  it('show the billing page after a cancelled checkout', async () => {
    await open('/billing?checkout=cancel');
    await page.waitForURL(/\/setup\/billing\?checkout=cancel$/);
    await page.getByText('Nothing was bought').waitFor();
    await page.getByText('This installation sells no plans.').waitFor();
  });

  it('filter the audit log by action', async () => {
    await open('/setup/audit?action=token.');
    await page.getByText('token.delete').waitFor();
    expect(await page.getByText('integration.').count()).toBe(0);
  });

  it('show that the server is unreachable, and load automatically when it is back', async () => {
    await open('/setup/integrations');
    await page.route('**/api/org/tokens', (route) => route.abort());
    await page.getByRole('tab', { name: 'Tokens' }).click();
    await page.getByText('Not loaded: the server cannot be reached.').waitFor();
    await page.unroute('**/api/org/tokens');
    await page.getByRole('table', { name: 'Tokens' }).waitFor({ timeout: 40_000 });
    console.takeLog();
  });

  it(
    'change the password with a strength meter, and end the other sessions',
    async () => {
      const login = { email: ADMIN.PLUMBLINE_ADMIN_EMAIL, password: ADMIN.PLUMBLINE_ADMIN_PASSWORD };
      await call('POST', '/login', '', login);
      await open('/setup/account');
      await page
        .getByRole('row', { name: /Sign out/ })
        .nth(1)
        .waitFor();
      await page.getByLabel('New password').fill('password12345');
      await page.getByText('This is very similar to a common password.').waitFor();
      await page.getByLabel('New password').fill(NEW_PASSWORD);
      await page.getByRole('meter', { name: 'Strength' }).and(page.locator('[aria-valuenow="4"]')).waitFor();
      expect(await seriousViolations(page)).toEqual([]);
      await page.getByLabel('Current password').fill('not the right one');
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByText('This is not your current password.').waitFor();
      // A wrong current password does not end the session.
      expect(await page.getByText('Your session has ended').count()).toBe(0);
      await page.getByLabel('Current password').fill(ADMIN.PLUMBLINE_ADMIN_PASSWORD);
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByText('The password is changed.').waitFor();
      await page.getByText('You are signed in only here.').waitFor();

      await open('/setup/account');
      const session = await call<{ session: { id: string } }>('POST', '/login', '', {
        ...login,
        password: NEW_PASSWORD,
      });
      expect(session.session.id).toMatch(/^[0-9a-f]{32}$/);
    },
    LONG_MS,
  );
});

describe('the setup pages for a normal user', () => {
  let console: ConsoleUnderTest;

  beforeAll(async () => {
    console = await startConsole({ demo: false });
  }, 300_000);
  afterAll(() => console.dispose(), 120_000);

  it(
    'show who may change settings, and no buttons that the API would refuse',
    async () => {
      const answer = await fetch(`${console.product.url}/api/org/users`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Session-Id': await console.sessionId() },
        body: JSON.stringify({ name: 'Bob', email: 'bob@example.org' }),
      });
      const { data } = (await answer.json()) as { data: { invite_url: string } };
      const link = new URL(data.invite_url);
      const page = await console.open(`${link.pathname}${link.search}`, { isSignedIn: false });
      await page.getByLabel('New password').fill(NEW_PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Set up' }).click();
      await page.waitForURL(/\/setup\/account$/);
      expect(await page.getByRole('tab', { name: 'Audit log' }).count()).toBe(0);
      for (const [path, text] of [
        ['/setup/tokens', 'Only administrators create, change and delete tokens.'],
        ['/setup/tokens/new', 'Only administrators create, change and delete tokens.'],
        ['/setup/people', 'Only administrators invite people'],
        ['/setup/integrations/webhook', 'Administrators connect them.'],
        ['/setup/organisation', 'Administrators change these settings.'],
        ['/setup/audit', 'The audit log is for administrators.'],
        ['/setup/configuration', 'Configuration documents are for administrators.'],
        ['/setup/billing', 'Plans and invoices are for administrators.'],
        ['/setup/removal', 'Data is removed by administrators.'],
        ['/setup/status', 'Administrators see each part of it.'],
      ] as const) {
        await page.goto(path);
        await settled(page);
        await page.getByText(text).waitFor();
        expect(await page.getByRole('button', { name: /^(Save|Delete|Change|Create)/ }).count()).toBe(0);
      }
      expect(console.takeLog()).toEqual([]);
    },
    LONG_MS,
  );
});
