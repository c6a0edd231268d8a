import { type BrowserContext, type Page } from 'playwright-core';
import { type ConsoleUnderTest, settled, startConsole } from '../support/console.js';
import { addressesOf, fileNameOf, PAGES } from '../support/console-pages.js';

const AWAY = 'The server cannot be reached';
/** Pages of each kind: lists, a record, a form, and a page with many parts. */
const TABS = [
  '/metrics',
  '/alerts/deliveries?w=30d',
  '/incidents?w=30d',
  '/metric/shop.orders',
  '/anomaly/:anomaly',
] as const;
/** Forms without data of the server: they are marked as not live, but nothing is missing. */
const FORMS: readonly string[] = ['/setup/tokens/new', '/setup/sources/new', '/setup/configuration'];
const LONG_MS = 360_000;

describe('pages that are opened while the server is down', () => {
  let console: ConsoleUnderTest;
  let context: BrowserContext;
  let addressOf: (page: string) => string;

  beforeAll(async () => {
    console = await startConsole();
    addressOf = await addressesOf(console);
    const page = await console.open('/start');
    context = page.context();
    // As for a returning user, the files of every page are in the cache of the browser.
    for (const path of PAGES) {
      await page.goto(addressOf(path));
      await settled(page);
    }
    await page.close();
  }, 600_000);

  afterAll(() => console.dispose(), 120_000);

  /** Opens a page as a link does: within the tab, without requesting the page from the server. */
  const follow = (page: Page, path: string): Promise<unknown> =>
    page.evaluate(`history.pushState({}, '', ${JSON.stringify(addressOf(path))})`);

  async function openTab(): Promise<Page> {
    const page = await context.newPage();
    await page.goto('/incident/999999');
    await settled(page);
    return page;
  }

  it(
    'show the problem, and load by themselves when the server is back',
    async () => {
      const visitor = await openTab();
      const tabs: { path: string; page: Page }[] = [];
      for (const path of TABS) tabs.push({ path, page: await openTab() });
      await console.product.stop();

      for (const path of PAGES) {
        await follow(visitor, path);
        await visitor.locator('h1').first().waitFor();
        const sign = FORMS.includes(path) ? visitor.locator('main[data-stale]') : visitor.getByText(AWAY).first();
        await sign.waitFor({ timeout: 20_000 });
        await console.picture(visitor, `away-${fileNameOf(path)}`);
      }
      for (const { path, page } of tabs) {
        await follow(page, path);
        await page.getByText(AWAY).first().waitFor({ timeout: 20_000 });
      }

      await console.product.restart();
      for (const { page } of tabs) {
        await page.getByText(AWAY).first().waitFor({ state: 'detached', timeout: 60_000 });
        await settled(page);
      }
      await tabs[0]!.page.getByRole('link', { name: 'shop.orders' }).first().waitFor();
      await tabs[1]!.page.getByRole('table', { name: 'Deliveries' }).waitFor();
      await tabs[2]!.page.getByRole('row').nth(1).waitFor();
    },
    LONG_MS,
  );

  it(
    'keep their data, marked as outdated, when the server goes down later',
    async () => {
      const page = await openTab();
      await page.goto('/metrics');
      await page.getByRole('link', { name: 'shop.orders' }).first().waitFor();
      await console.product.stop();
      await page.locator('main[data-stale]').waitFor();
      await page.getByText(/^Not live since/).waitFor();
      expect(await page.getByRole('link', { name: 'shop.orders' }).count()).toBeGreaterThan(0);
      await console.product.restart();
      await page.locator('main:not([data-stale])').waitFor({ timeout: 60_000 });
    },
    LONG_MS,
  );
});
