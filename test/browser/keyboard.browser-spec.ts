import { type Page } from 'playwright-core';
import { type ConsoleUnderTest, settled, startConsole } from '../support/console.js';
import { addressesOf, addressIn, PAGES } from '../support/console-pages.js';
import { until } from '../support/product.js';

const LONG_MS = 120_000;

describe('the console with the keyboard alone', () => {
  let console: ConsoleUnderTest;
  let page: Page;
  let addressOf: (page: string) => string;

  beforeAll(async () => {
    console = await startConsole();
    addressOf = await addressesOf(console);
    page = await console.open('/alerts');
  }, 600_000);
  afterAll(() => console.dispose(), 120_000);

  const open = async (path: string): Promise<void> => {
    await page.goto(addressOf(path));
    await settled(page);
  };
  const focused = (): Promise<string> =>
    page.evaluate<string>(
      `document.activeElement === document.body ? 'nothing' : document.activeElement.tagName + ' ' + (document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()`,
    );
  const untilFocused = (what: RegExp): Promise<string> => {
    let last = '';
    return until(`the focus to be at ${String(what)}`, async () => {
      last = await focused();
      return what.test(last) ? last : undefined;
    }).catch((error: unknown) => {
      throw new Error(`The focus is at ${last}`, { cause: error });
    });
  };

  it.each(PAGES)(
    '%s: Tab reaches every usable element',
    async (path) => {
      await open(path);
      const wanted = await page.evaluate<number>(MARK_USABLE);
      for (let i = 0; i < wanted + 40; i++) {
        await page.keyboard.press('Tab');
        if ((await page.evaluate<number>(MARK_REACHED)) === 0) break;
      }
      expect(await page.evaluate<string[]>(NOT_REACHED)).toEqual([]);
    },
    LONG_MS,
  );

  it('moves the focus to the heading of the next page', async () => {
    await open('/incidents?w=14d');
    await page.keyboard.press('j');
    const title = (await focused()).replace(/^A /, '');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/incident\/\d+/);
    expect(await untilFocused(/^H1 /)).toBe(`H1 ${title}`);
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await untilFocused(/^H1 Metrics/);
    await page.goBack();
    await untilFocused(/^H1 /);
    expect(await page.title()).toBe(`${title} · Plumbline`);
  });

  it('keeps the focus on the navigation, which stays in place', async () => {
    await open('/');
    await page.getByRole('link', { name: 'Metrics', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Metrics' }).waitFor();
    expect(await focused()).toBe('A Metrics');
  });

  it('restores the focus when a dialog is closed', async () => {
    await open('/incidents?w=14d');
    await page.keyboard.press('j');
    const row = await focused();
    console.takeLog();
    for (const key of ['?', '/', 'Control+k', '?']) {
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await until('the focus to be back', async () => ((await focused()) === row ? true : undefined));
    }
    // Such as a style sheet that the content policy blocks.
    expect(console.takeLog()).toEqual([]);
  });

  it('lists every key of the page on ?', async () => {
    await open('/metric/shop.orders');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Help and keys' });
    await dialog.waitFor();
    const keys = await dialog.getByRole('row').allInnerTexts();
    for (const text of [
      'Search metrics, pages, actions',
      'Dark or light theme',
      'Undo the last change',
      'Go to Now',
      'Zoom in and out',
      'Move the window by half its length',
    ]) {
      expect(keys.filter((row) => row.includes(text))).toHaveLength(1);
    }
    await page.keyboard.press('Escape');
  });

  it('shows keys in tooltips', async () => {
    await open('/');
    for (const [name, tip] of [
      ['Metrics', 'Metrics (g m)'],
      ['Dark or light theme', 'Dark or light theme (t)'],
      ['Help and keys', 'Help and keys (?)'],
    ] as const) {
      await page.locator(`[aria-label="${name}"], nav a:has-text("${name}")`).first().focus();
      await page
        .getByRole('tooltip', { name: tip })
        .or(page.getByText(tip, { exact: true }))
        .first()
        .waitFor();
    }
  });

  it('keeps the focus near a closed panel', async () => {
    const token = await console.product.createToken(['read', 'write']);
    const from = String(Math.floor(Date.now() / 1000) - 10 * 86_400);
    const { anomalies } = (await console.product.api(`/anomalies?limit=1&trainable=true&from=${from}`, token)) as {
      anomalies: { id: number }[];
    };
    await open(`/anomaly/${String(anomalies[0]!.id)}`);
    await page.getByRole('button', { name: 'Real problem' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
    await untilFocused(/^BUTTON (Acknowledge|This is expected|Real problem)/);
  });

  it('creates, deletes and restores a tuning without losing the focus', async () => {
    await open('/tuning/new?metric=shop.orders');
    await page.getByLabel('Name').fill('By keys');
    await page.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/tuning\/\d+/);
    await untilFocused(/^H1 By keys/);
    await page.getByRole('button', { name: 'Delete' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/teach\?tab=tunings/);
    await untilFocused(/^H1 Teach/);
    await page.keyboard.press('z');
    await page.getByRole('link', { name: 'By keys' }).waitFor();
    await untilFocused(/^H1 Teach/);
    expect(addressIn(page)).toBe('/teach?tab=tunings');
  });

  it('runs no animation when reduced motion is preferred', async () => {
    await open('/start');
    const running = await page.evaluate<number>(
      `document.getAnimations().filter(({ playState }) => playState === 'running').length`,
    );
    expect(running).toBe(0);
  });
});

const USABLE = `[...document.querySelectorAll('a[href],button,input,textarea,select,[tabindex="0"]')].filter((one) =>
  !one.disabled && one.tabIndex >= 0 && one.getClientRects().length > 0 && getComputedStyle(one).visibility === 'visible' &&
  !(one.type === 'radio' && !one.checked))`;
const MARK_USABLE = `(() => { window.wanted = new Set(${USABLE}); return window.wanted.size; })()`;
const MARK_REACHED = `(() => { window.wanted.delete(document.activeElement); return window.wanted.size; })()`;
/** Elements that still exist and are usable, but were not reached. */
const NOT_REACHED = `(() => { const now = new Set(${USABLE}); return [...window.wanted].filter((one) => now.has(one)).map((one) => one.outerHTML.slice(0, 160)); })()`;
