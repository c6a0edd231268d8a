import { readFile } from 'node:fs/promises';
import { type Page } from 'playwright-core';
import { type ConsoleUnderTest, settled, startConsole } from '../../../../../test/support/console.js';
import { until } from '../../../../../test/support/product.js';

describe('the pages for current anomalies and incidents', () => {
  let console: ConsoleUnderTest;
  let token: string;
  const opened: Page[] = [];

  beforeAll(async () => {
    console = await startConsole();
    token = await console.product.createToken(['read']);
  }, 600_000);
  afterAll(() => console.dispose(), 120_000);

  const open = async (path: string): Promise<Page> => {
    const page = await console.open(path);
    opened.push(page);
    await settled(page);
    return page;
  };
  // Each context opens its own stream, and a session may have only a few at a time.
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.context().close()));
  });
  const addressOf = (page: Page): string => page.url().replace(console.product.url, '');

  it('summarise in one sentence whether anything is anomalous', async () => {
    const page = await open('/');
    const { total } = (await console.product.api('/incidents?state=open', token)) as { total: number };
    const sentence = await page.locator('h1').innerText();
    expect(sentence).toMatch(total === 0 ? /^Nothing is odd\. The last was .+ ago\.$/ : /odd since/);
  });

  it('prefetch the data of the first view exactly once', async () => {
    const page = await open('/incidents');
    const asked: string[] = [];
    page.on('request', (request) => {
      // Requests that the previous page still sends, such as its stream, do not count.
      if (request.isNavigationRequest()) asked.length = 0;
      asked.push(request.url().replace(console.product.url, ''));
    });
    const now = Math.floor(Date.now() / 1000);
    await page.goto(`${console.product.url}/?from=${String(now - 86_400)}&until=${String(now)}`);
    await settled(page);
    const ahead = asked.slice(0, asked.indexOf('/api/user/info') + 7).filter((address) => address.startsWith('/api/'));
    expect(ahead.map((address) => address.split('?')[0])).toEqual([
      '/api/user/info',
      '/api/incidents',
      '/api/org/summary',
      '/api/metrics/mostrecentlyanomalous',
      '/api/metrics/mostanomalous',
      '/api/dashboard/org/recentanomalies',
      '/api/metrics/mostrecentlymatched',
    ]);
    expect(ahead.filter((address) => asked.filter((one) => one === address).length !== 1)).toEqual([]);
    expect(await page.evaluate('window.plumblinePrefetched.size')).toBe(0);
  });

  it.each([
    ['/', true],
    ['/login', false],
  ])('load at most 200 kB of scripts for %s', async (path, isSignedIn) => {
    const page = await console.open(path, { isSignedIn });
    opened.push(page);
    await settled(page);
    const bytes = await page.evaluate<number>(`performance.getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(200_000);
    const loaded = await page.evaluate<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)");
    expect(loaded.some((name) => name.includes('/now.page-'))).toBe(isSignedIn);
  });

  it('prefetch nothing without a session', async () => {
    const page = await console.open('/favicon.svg', { isSignedIn: false });
    opened.push(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${console.product.url}/`);
    await page.waitForURL(/\/login/);
    expect(asked.filter((path) => /info|incidents|summary|metrics|dashboard/.test(path))).toEqual(['/api/user/info']);
    console.takeLog();
  });

  it('are linked from the page for unknown URLs', async () => {
    const page = await open('/no/such/page');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    expect(await page.getByRole('navigation').first().getByRole('link', { name: 'Metrics' }).count()).toBe(1);
    await page.getByRole('link', { name: 'See what is odd now' }).click();
    await page.getByRole('button', { name: 'As a table' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('name the severities of the bars in the swim lane', async () => {
    const page = await open('/?w=7d&tz=utc');
    const legend = page.getByRole('list', { name: 'Severity of the bars' });
    expect(await legend.getByRole('listitem').allInnerTexts()).toEqual([
      'critical',
      'major',
      'minor',
      'info',
      'expected',
    ]);
    await page.getByRole('button', { name: 'As a table' }).click();
    await legend.waitFor({ state: 'detached' });
  });

  it('open an anomaly from its bar in the swim lane, and return to the same view', async () => {
    const page = await open('/?w=7d&tz=utc');
    const bar = page.locator('svg a[href^="/anomaly/"]').first();
    await bar.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/anomaly\/\d+/);
    await page.goBack();
    await page.locator('svg a[href^="/anomaly/"]').first().waitFor();
    expect(addressOf(page)).toBe('/?w=7d&tz=utc');
  });

  it('show the swim lane as a table, and keep this choice in the URL', async () => {
    const page = await open('/?w=7d');
    await page.getByRole('button', { name: 'As a table' }).click();
    await page.getByRole('columnheader', { name: 'Metric' }).waitFor();
    await page.reload();
    await page.getByRole('columnheader', { name: 'Metric' }).waitFor();
    expect(addressOf(page)).toContain('lanes=table');
  });

  it('open an incident with the keyboard only, and return to the filtered list', async () => {
    const page = await open('/incidents?w=14d&state=resolved&severity=major');
    const before = addressOf(page);
    await page.keyboard.press('j');
    const title = await page.locator(':focus').innerText();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/incident\/\d+/);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page
      .getByRole('img', { name: /value and expected range/ })
      .first()
      .waitFor();
    await page.goBack();
    await page.getByRole('link', { name: title }).first().waitFor();
    expect(addressOf(page)).toBe(before);
  });

  /** Returns the incident of the demo with the most metrics. */
  async function anIncident() {
    const from = Math.floor(Date.now() / 1000) - 14 * 86_400;
    const { incidents } = (await console.product.api(`/incidents?from=${String(from)}`, token)) as {
      incidents: { id: number; metrics_count: number; origins: { metric: string }[]; title: string }[];
    };
    return incidents.reduce((a, b) => (b.metrics_count > a.metrics_count ? b : a));
  }

  it('show an incident on a time axis and as a chronological list', async () => {
    const { id, metrics_count: count, origins } = await anIncident();
    expect(count).toBeGreaterThan(1);
    const page = await open(`/incident/${String(id)}`);
    const members = page.getByRole('list', { name: 'Metrics of the incident on one time axis' }).getByRole('listitem');
    expect(await members.count()).toBe(count);
    expect(await members.first().innerText()).toContain(origins[0]!.metric);
    expect(await members.first().innerText()).toContain('likely origin');
    const course = page.getByRole('region', { name: 'In order of time' }).getByRole('listitem');
    await course.filter({ hasText: 'demo mailbox' }).first().waitFor();
    const lines = await course.allInnerTexts();
    expect(lines[0]).toMatch(/\d\d:\d\d\s.+ \S/);
    expect(lines.filter((text) => text.includes('is back in its range'))).toHaveLength(count);
    expect(lines.filter((text) => text.includes('The incident ended after'))).toHaveLength(1);

    const marks = page.getByRole('list', { name: 'Events of the incident on the time axis' });
    await marks.getByRole('button', { name: /The incident ended after/ }).click();
    expect(await page.locator(':focus').innerText()).toMatch(/The incident ended after|back in its range|demo mailbox/);

    await page.locator('h1').click();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const name = await page.locator(':focus').innerText();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/anomaly\/\d+/);
    await page.goBack();
    await members.filter({ hasText: name }).waitFor();
  });

  it('show the first twelve of 200 metrics, and keep "show all" in the URL', async () => {
    const { id } = await anIncident();
    const page = await console.open('/incidents');
    opened.push(page);
    await page.route(`**/api/incidents/${String(id)}`, async (route) => {
      const answer = await route.fetch();
      const json = (await answer.json()) as {
        data: { incident: Record<string, unknown>; anomalies: { id: number; metric_id: number; metric: string }[] };
      };
      const { incident, anomalies } = json.data;
      const [first] = anomalies;
      json.data.anomalies = Array.from({ length: 200 }, (_, i) => ({
        ...first!,
        id: first!.id + i,
        metric_id: first!.metric_id + i * 1000,
        metric: i === 1 ? `${'long.'.repeat(40)}name` : `web-${String(i)}.${first!.metric}`,
      }));
      Object.assign(incident, { metrics_count: 200, anomalies_count: 200 });
      await route.fulfill({ json });
    });
    // Every copy gets the values of the original metric.
    await page.route(/\/api\/metric\/id(?:%3A|:)\d+\/bundle/, async (route) => {
      const url = route
        .request()
        .url()
        .replace(/(id(?:%3A|:))(\d+)/, (_, kind: string, n: string) => kind + String(Number(n) % 1000));
      await route.continue({ url });
    });
    await page.goto(`${console.product.url}/incident/${String(id)}`);
    const members = page.getByRole('list', { name: 'Metrics of the incident on one time axis' }).getByRole('listitem');
    await members.nth(11).waitFor();
    expect(await members.count()).toBe(12);
    expect(await page.getByText(/^199 more metrics left their ranges: /).count()).toBe(1);
    // A truncated name is shown in full while it has the focus.
    const wholeIsShown = (): Promise<string> =>
      page.evaluate(`getComputedStyle(document.activeElement.firstElementChild, '::after').display`);
    await page.keyboard.press('j');
    expect(await wholeIsShown()).not.toBe('block');
    await page.keyboard.press('j');
    expect(await page.locator(':focus').innerText()).toContain('long.long.');
    expect(await wholeIsShown()).toBe('block');
    await page.getByRole('button', { name: 'Show all 200 metrics' }).click();
    await members.nth(199).waitFor();
    expect(addressOf(page)).toBe(`/incident/${String(id)}?members=all`);
  });

  it('keep filters across a reload', async () => {
    const page = await open('/anomalies?w=14d');
    await page.getByRole('combobox', { name: 'Minimum severity' }).click();
    await page.getByRole('option', { name: 'Major and worse' }).click();
    await page.waitForURL(/severity=major/);
    await page.reload();
    await settled(page);
    const { total } = (await console.product.api(
      `/anomalies?severity_min=50&from=${String(Math.floor(Date.now() / 1000) - 14 * 86_400)}`,
      token,
    )) as { total: number };
    await page.getByText(`${String(total)} anomalies`, { exact: true }).waitFor();
  });

  it('export the listed anomalies as CSV', async () => {
    const page = await open('/anomalies?w=14d');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    const counted = await page.getByText(/^\d+ anomalies$/).innerText();
    expect(lines[0]).toMatch(/^id,metric,kind,severity/);
    expect(`${String(lines.length - 1)} anomalies`).toBe(counted);
  });

  it('pause a watcher, and undo it with z', async () => {
    const page = await open('/alerts');
    await page.getByRole('button', { name: 'Pause Takes too long' }).click();
    await page.getByRole('button', { name: 'Resume Takes too long' }).waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('z');
    await page.getByRole('button', { name: 'Pause Takes too long' }).waitFor();
    const { watchers } = (await console.product.api('/watchers/list', token)) as {
      watchers: { name: string; alert: boolean }[];
    };
    expect(watchers.find(({ name }) => name === 'Takes too long')).toMatchObject({ alert: true });
  });

  it('keep the draft of a watcher across a reload and navigation until it is discarded', async () => {
    const page = await open('/watchers/new');
    const name = page.getByRole('textbox', { name: 'Name' });
    await page.getByRole('combobox', { name: 'Metrics' }).fill('shop.orders');
    await page.keyboard.press('Enter');
    await name.fill('Fewer orders');
    const isThere = async (): Promise<void> => {
      await page.getByText('This is your unsaved draft.').waitFor();
      expect(await name.inputValue()).toBe('Fewer orders');
      expect(await page.locator('form').innerText()).toContain('shop.orders');
    };
    await page.reload();
    await isThere();
    await page.getByRole('link', { name: 'Incidents' }).first().click();
    await page.waitForURL(/\/incidents/);
    await page.goBack();
    await isThere();
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByText('This is your unsaved draft.').waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('');
    await page.reload();
    await settled(page);
    expect(await name.inputValue()).toBe('');
    expect(await page.evaluate('Object.keys(sessionStorage).filter((key) => /draft/.test(key))')).toEqual([]);
  });

  it('switch an admin alert off, and undo it with z', async () => {
    const page = await open('/alerts/admin');
    await page.getByRole('button', { name: 'Switch off: Sent data is refused' }).click();
    await page.getByRole('button', { name: 'Switch on: Sent data is refused' }).waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('z');
    await page.getByRole('button', { name: 'Switch off: Sent data is refused' }).waitFor();
    const { admin_alerts } = (await console.product.api('/org/adminalerts', token)) as {
      admin_alerts: { code: string; enabled: boolean }[];
    };
    expect(admin_alerts.find(({ code }) => code === 'invalid_metrics')).toMatchObject({ enabled: true });
    // The quota alert cannot be switched off.
    expect(await page.getByRole('button', { name: /^Switch .*quota/ }).count()).toBe(0);
  });

  it('change the recipients of an admin alert, and undo it with z', async () => {
    const alerts = async () => {
      const { admin_alerts: all } = (await console.product.api('/org/adminalerts', token)) as {
        admin_alerts: { code: string; named: boolean; alerts: { user: { email: string } | null }[] }[];
      };
      return all.find(({ code }) => code === 'stale_metrics')!;
    };
    const before = await alerts();
    expect(before.named).toBe(false);
    const page = await open('/alerts/admin');
    const edit = page.getByRole('button', { name: 'Recipients: Some metrics stop receiving data' });
    await edit.click();
    const dialog = page.getByRole('dialog', { name: 'Recipients: Some metrics stop receiving data' });
    await dialog.getByRole('combobox', { name: 'Mail to' }).click();
    await page.getByRole('option').first().click();
    // The open list covers the button.
    await dialog.getByLabel('Chat channel').first().click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await alerts()).toMatchObject({ named: true, alerts: [{ method: 'email' }] });
    await page.locator('h1').click();
    await page.keyboard.press('z');
    await until('the recipients to be the defaults again', async () => ((await alerts()).named ? undefined : true));
    expect(await alerts()).toEqual(before);
  });

  it('log nothing to the browser console', () => {
    expect(console.takeLog()).toEqual([]);
  });
});
