import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { demoTemplate } from './demo-template.js';
import { ADMIN, type Product, startProduct, until, untilDemoIsReady } from './product.js';

const CHROMIUM = process.env.PLUMBLINE_TEST_CHROMIUM ?? '/usr/bin/chromium';
/** Folder for screenshots; not in git. */
const PICTURES = resolve(import.meta.dirname, '../../.plumbline-screenshots');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export type Theme = 'light' | 'dark';

export interface OpenOptions {
  theme?: Theme;
  /** Pixels, 1440 by default. */
  width?: number;
  /** False: without a session. */
  isSignedIn?: boolean;
}

/** The console of a running product, in a browser. */
export interface ConsoleUnderTest {
  product: Product;
  /** Opens a page of the console in its own context (cookies, storage). */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** A session of the administrator, for API calls outside of the browser. */
  sessionId(): Promise<string>;
  /** Entries in the browser's log since the last call: errors, warnings, violations of the content policy. */
  takeLog(): string[];
  /** Writes a screenshot of the page to .plumbline-screenshots. */
  picture(page: Page, name: string): Promise<void>;
  dispose(): Promise<void>;
}

/** Starts a browser, and the product with the demo shop, or with an empty organisation (`demo: false`). */
export async function startConsole(
  options: { demo?: boolean; env?: Record<string, string> } = {},
): Promise<ConsoleUnderTest> {
  const hasDemo = options.demo ?? true;
  const product = hasDemo
    ? await startProduct({ PLUMBLINE_DEMO: 'on', ...options.env }, { dataOf: await demoTemplate() })
    : await startProduct(options.env);
  let browser: Browser;
  try {
    if (hasDemo) await untilDemoIsReady(product);
    browser = await launchBrowser();
  } catch (error) {
    await product.dispose();
    throw error;
  }
  const contexts: BrowserContext[] = [];
  let log: string[] = [];
  let session: string | undefined;

  const sessionId = async (): Promise<string> => (session ??= await logIn(product.url));

  return {
    product,
    sessionId,
    async open(path, { theme = 'light', width = 1440, isSignedIn = true } = {}) {
      const context = await browser.newContext({
        viewport: { width, height: width < 500 ? 800 : 900 },
        colorScheme: theme,
        baseURL: product.url,
        reducedMotion: 'reduce',
      });
      contexts.push(context);
      if (isSignedIn) await context.addCookies([{ name: 'session_id', value: await sessionId(), url: product.url }]);
      const page = await context.newPage();
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()))
          log.push(`${message.type()}: ${message.text()} ${message.location().url}`.trim());
      });
      page.on('pageerror', (error) => log.push(`error: ${error.message}`));
      await page.goto(path);
      return page;
    },
    takeLog() {
      const taken = log;
      log = [];
      return taken;
    },
    picture: savePicture,
    async dispose() {
      await Promise.all(contexts.map((context) => context.close()));
      await browser.close();
      await product.dispose();
    },
  };
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });

/**
 * Writes a screenshot of the page to .plumbline-screenshots, unless PLUMBLINE_TEST_PICTURES is `off`; `fullPage: false`
 * limits it to the viewport.
 */
export async function savePicture(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  if (process.env.PLUMBLINE_TEST_PICTURES === 'off') return;
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage });
}

async function logIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: ADMIN.PLUMBLINE_ADMIN_EMAIL, password: ADMIN.PLUMBLINE_ADMIN_PASSWORD }),
  });
  const { data } = (await answer.json()) as { data: { session: { id: string } } };
  return data.session.id;
}

/** Waits until no part of the page is marked as loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await until('the page to be loaded', async () =>
    (await page.locator('[aria-busy="true"]').count()) === 0 ? true : undefined,
  );
}

interface AxeResults {
  violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[];
}

/** Violations that axe-core rates as serious or critical, as `rule: target: why`; `only` limits the rules. */
export async function seriousViolations(page: Page, { only }: { only?: readonly string[] } = {}): Promise<string[]> {
  await page.evaluate(AXE);
  const options = only === undefined ? '' : JSON.stringify({ runOnly: { type: 'rule', values: only } });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
}
