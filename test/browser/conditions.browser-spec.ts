import { type BrowserContext, type Page } from 'playwright-core';
import { type ConsoleUnderTest, settled, startConsole } from '../support/console.js';
import { addressesOf, addressIn } from '../support/console-pages.js';
import { ADMIN, until } from '../support/product.js';

/** Every kind of page, with search parameters. */
const ROUTES = [
  '/?w=15m',
  '/incidents?w=14d&state=resolved&order=severity',
  '/incident/:incident?span=page&tz=utc',
  '/anomalies?w=7d&severity=minor&order=score&chips=%5B%22shop.orders%22%5D',
  '/anomaly/:anomaly?compare=day',
  '/metrics?state=active&order=last_data',
  '/metric/shop.orders?w=6h&vs=%5B%22day%22%5D&tab=patterns',
  '/teach?w=7d',
  '/teach?tab=patterns',
  '/teach?tab=noisy&tz=utc',
  '/pattern/:pattern?scale=own',
  '/match/:match?tz=utc',
  '/tuning/new?metric=shop.orders',
  '/alerts?tz=utc',
  '/watchers/:watcher?w=7d',
  '/benchmark/:benchmark?model=robust_deviation&sort=recall',
  '/start?step=learn',
] as const;

const NOT_LIVE = /^Not live since/;
const TYPED = 'typed before it happened';
const LONG_MS = 240_000;

/** Lines of a page. */
const linesOf = async (page: Page): Promise<string[]> =>
  (await page.locator('main').innerText())
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

describe('pages of the console under bad conditions', () => {
  let console: ConsoleUnderTest;
  let context: BrowserContext;
  // The tabs share a browser, so that each condition applies to all pages together.
  const tabs: { route: string; address: string; page: Page; lines: string[] }[] = [];

  const tabOf = (route: string): Page => tabs.find((tab) => tab.route.startsWith(route))!.page;
  const nameField = (): ReturnType<Page['getByLabel']> => tabOf('/tuning/new').getByLabel('Name');

  beforeAll(async () => {
    console = await startConsole();
    const addressOf = await addressesOf(console);
    const first = await console.open('/alerts');
    context = first.context();
    for (const route of ROUTES) {
      const page = tabs.length === 0 ? first : await context.newPage();
      const address = addressOf(route);
      await page.goto(address);
      await settled(page);
      tabs.push({ route, address: addressIn(page), page, lines: await linesOf(page) });
    }
    await nameField().fill(TYPED);
  }, 600_000);

  afterAll(() => console.dispose(), 120_000);

  /** Stores the current lines of each page, since an anomaly may have ended after the page was opened. */
  async function remember(): Promise<void> {
    for (const tab of tabs) {
      await settled(tab.page);
      tab.lines = await linesOf(tab.page);
    }
  }

  async function eachSaysThatItIsOld(): Promise<void> {
    for (const { page } of tabs) {
      await page.getByText(NOT_LIVE).waitFor();
      await page.locator('main[data-stale]').waitFor();
      expect(await page.getByRole('status', { name: /^not live since/ }).count()).toBe(1);
    }
  }

  /** Texts such as "2 min ago" and error boxes may change, but most of the content must stay. */
  const hasLost = (lines: readonly string[], before: readonly string[]): boolean =>
    lines.length < 0.8 * before.length || lines.length > 1.5 * before.length + 5;

  async function eachShowsWhatItShowed(): Promise<void> {
    const faults: string[] = [];
    for (const { route, page, lines } of tabs) {
      const now = await linesOf(page);
      if (hasLost(now, lines)) faults.push(`${route} showed\n${lines.join('\n')}\nand shows\n${now.join('\n')}`);
    }
    expect(faults).toEqual([]);
    await eachIsWhole();
  }

  async function eachIsWhole(): Promise<void> {
    const faults: string[] = [];
    for (const { route, page } of tabs) {
      if ((await page.getByRole('alert').count()) > 0) faults.push(`${route} has a box of an error`);
      if ((await page.locator('main h1').count()) !== 1) faults.push(`${route} has no heading`);
    }
    expect(faults).toEqual([]);
    expect(await nameField().inputValue()).toBe(TYPED);
  }

  async function eachIsLiveAgain(): Promise<void> {
    for (const { page, address } of tabs) {
      await page.getByText(NOT_LIVE).waitFor({ state: 'detached' });
      await page.locator('main:not([data-stale])').waitFor();
      await settled(page);
      expect(addressIn(page)).toBe(address);
    }
    await eachIsWhole();
  }

  it(
    'keep their content while the network is down, are marked as outdated, and recover by themselves',
    async () => {
      await remember();
      await context.setOffline(true);
      await eachSaysThatItIsOld();
      await eachShowsWhatItShowed();
      await context.setOffline(false);
      await eachIsLiveAgain();
    },
    LONG_MS,
  );

  it(
    'keep their content when a refresh fails',
    async () => {
      await remember();
      const refused = new Set<Page>();
      await context.route(/\/api\/(?!stream)/, (route) => {
        refused.add(route.request().frame().page());
        return route.abort();
      });
      // After a short break every page reloads its data, which fails.
      await context.setOffline(true);
      await eachSaysThatItIsOld();
      await context.setOffline(false);
      await until('every page to have tried', () => Promise.resolve(refused.size === tabs.length || undefined));
      await tabOf('/?w=15m').getByText('This could not be refreshed, and is out of date.').first().waitFor();
      await eachShowsWhatItShowed();
      await context.unroute(/\/api\/(?!stream)/);
      await tabOf('/?w=15m')
        .getByText('This could not be refreshed, and is out of date.')
        .first()
        .waitFor({ state: 'detached' });
      await eachIsLiveAgain();
    },
    LONG_MS,
  );

  it(
    'survive a restart of the server',
    async () => {
      await remember();
      await console.product.stop();
      await eachSaysThatItIsOld();
      await eachShowsWhatItShowed();
      const save = tabOf('/tuning/new').getByRole('button', { name: 'Save' });
      await save.click();
      await tabOf('/tuning/new').getByText('The server cannot be reached.').waitFor();
      expect(await nameField().inputValue()).toBe(TYPED);
      await console.product.restart();
      for (const { page } of tabs) await page.getByText(NOT_LIVE).waitFor({ state: 'detached', timeout: 90_000 });
      expect(await nameField().inputValue()).toBe(TYPED);
    },
    LONG_MS,
  );

  it(
    'require a login after the session has ended, and return to the same address with the typed text',
    async () => {
      const answer = await fetch(`${console.product.url}/api/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: ADMIN.PLUMBLINE_ADMIN_EMAIL, password: ADMIN.PLUMBLINE_ADMIN_PASSWORD }),
      });
      await remember();
      const { data } = (await answer.json()) as { data: { session: { id: string } } };
      const ended = await fetch(`${console.product.url}/api/user/sessions/others`, {
        method: 'DELETE',
        headers: { 'X-Session-Id': data.session.id },
      });
      expect(ended.status).toBe(200);
      const links: string[] = [];
      for (const { route, page, address, lines } of tabs) {
        await page.getByText('Your session has ended.').first().waitFor();
        const link = new URL((await page.getByRole('link', { name: 'Sign in' }).getAttribute('href'))!, page.url());
        expect([route, link.searchParams.get('return_to')]).toEqual([route, address]);
        expect([route, hasLost(await linesOf(page), lines)]).toEqual([route, false]);
        links.push(link.href);
      }

      const page = tabOf('/tuning/new');
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.getByLabel('E-mail address').fill(ADMIN.PLUMBLINE_ADMIN_EMAIL);
      await page.getByLabel('Password', { exact: true }).fill(ADMIN.PLUMBLINE_ADMIN_PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'New tuning' }).waitFor();
      expect(addressIn(page)).toBe('/tuning/new?metric=shop.orders');
      expect(await nameField().inputValue()).toBe(TYPED);

      // The other tabs of the browser use the new session once they get the focus.
      const other = tabOf('/start');
      await other.evaluate('dispatchEvent(new Event("focus"))');
      await other.getByText('Your session has ended.').waitFor({ state: 'detached' });

      for (const [i, { route, address }] of tabs.entries()) {
        await page.goto(links[i]!);
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
        expect([route, addressIn(page)]).toEqual([route, address]);
      }
    },
    LONG_MS,
  );
});
