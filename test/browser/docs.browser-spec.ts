import { type AddressInfo } from 'node:net';
import { type Server } from 'node:http';
import { type INestApplication } from '@nestjs/common';
import { type Browser, type Page } from 'playwright-core';
import { PageAnswers } from '../../apps/server/src/common/http/page-answers.js';
import { docsSite } from '../../apps/server/src/views/page/docs-site.js';
import { launchBrowser, savePicture, seriousViolations, type Theme } from '../support/console.js';
import { createEdgeApp } from '../support/edge-app.js';
import { resolve } from 'node:path';

const SITE = resolve(import.meta.dirname, '../../dist/docs');
const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth';

interface OpenOptions {
  theme?: Theme;
  width?: number;
  hasScript?: boolean;
}

describe('the documents in a browser', () => {
  let app: INestApplication;
  let browser: Browser;
  let url: string;
  let log: string[] = [];

  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [] });
    const answers = app.get(PageAnswers);
    answers.register(() => ({ html: 'the console', contentPolicy: "default-src 'none'" }));
    answers.registerFiles(docsSite((why, response) => response.send(why), SITE));
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${String(((app.getHttpServer() as Server).address() as AddressInfo).port)}/docs/`;
    browser = await launchBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await app.close();
  });
  beforeEach(() => {
    log = [];
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(log).toEqual([]);
  });

  /** Opens a page, and collects errors, warnings and violations of the content policy from the console. */
  async function open(
    path: string,
    { theme = 'light', width = 1440, hasScript = true }: OpenOptions = {},
  ): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width, height: width < 500 ? 800 : 900 },
      colorScheme: theme,
      reducedMotion: 'reduce',
      javaScriptEnabled: hasScript,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) log.push(message.text());
    });
    page.on('pageerror', (error) => log.push(error.message));
    expect((await page.goto(url + path))?.status()).toBe(200);
    return page;
  }

  // safety.browser-spec.ts checks pages of the guide in both themes.
  it.each([
    ['', 'light', 1440],
    ['decisions/', 'dark', 1440],
    ['guide/alerts-email.html', 'dark', 380],
  ] as const)('are accessible: "%s" (%s, %i pixels)', async (path, theme, width) => {
    const page = await open(path, { theme, width });
    expect(await page.locator('h1').count()).toBe(1);
    expect(await seriousViolations(page)).toEqual([]);
    const name = path.replace(/\.html$|\/$/, '').replaceAll('/', '-');
    await savePicture(page, `docs-${name || 'start'}-${theme}-${width}`, { fullPage: false });
  });

  it('fit the width of a phone', async () => {
    const page = await open('', { width: 380 });
    const paths = await page.evaluate<string[]>("[...document.querySelectorAll('#pages a')].map((link) => link.href)");
    const wide: string[] = [];
    for (const path of paths.filter((one) => !one.includes('/decisions/0'))) {
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      if ((await page.evaluate<number>(OVERFLOW)) > 0) wide.push(path);
    }
    expect(wide).toEqual([]);
  });

  it('are searchable with the keyboard alone', async () => {
    const page = await open('guide/first-steps.html');
    const field = page.getByRole('combobox', { name: 'Search the documentation' });
    await page.keyboard.press('/');
    expect(await field.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true);
    await page.keyboard.type('backup restore');
    const options = page.getByRole('option');
    await options.first().waitFor();
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    expect(await page.locator('.search [role=status]').textContent()).toMatch(/^(?:The first \d+|\d+ parts?)$/);
    expect(await options.first().locator('mark').count()).toBeGreaterThan(0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'));
    expect(await options.first().getAttribute('aria-selected')).toBe('true');
    expect(await seriousViolations(page)).toEqual([]);
    await savePicture(page, 'docs-search', { fullPage: false });
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/guide\/backup\.html/);
  });

  it('report when nothing is found, and close the search on Escape', async () => {
    const page = await open('');
    await page.keyboard.press('/');
    await page.keyboard.type('zzzzqqq');
    await page.getByText('Nothing was found.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('.results').isHidden()).toBe(true);
    expect(await page.locator('#search').inputValue()).toBe('');
  });

  it('copy code to the clipboard', async () => {
    const page = await open('guide/send-data.html');
    const block = page.locator('figure.code').first();
    await block.hover();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('status').getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(await block.locator('code').textContent());
  });

  it('open their navigation in a narrow window, even without JavaScript', async () => {
    const page = await open('guide/backup.html', { width: 380, hasScript: false });
    const pages = page.getByRole('navigation', { name: 'Pages' });
    expect(await pages.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await pages.isVisible()).toBe(true);
    await savePicture(page, 'docs-menu-380', { fullPage: false });
    await pages.getByRole('link', { name: 'Upgrading' }).click();
    await page.waitForURL(/upgrading\.html$/);
    expect(await page.getByRole('combobox').isVisible()).toBe(false);
  });

  it('show the navigation with the current page without JavaScript', async () => {
    const page = await open('guide/backup.html', { hasScript: false });
    const current = page.locator('#pages [aria-current=page]');
    expect([await current.textContent(), await current.isVisible()]).toEqual(['Backup and restore', true]);
    await page.getByRole('link', { name: /^Next/ }).click();
    await page.waitForURL(/upgrading\.html$/);
  });
});
