import { type Page } from 'playwright-core';
import { type ConsoleUnderTest, seriousViolations, settled, startConsole } from '../support/console.js';
import { fileNameOf } from '../support/console-pages.js';

/** Pages of an organisation without data, and the next step that each offers. */
const NEXT: [path: string, next: RegExp][] = [
  ['/', /Send data/],
  ['/incidents', /Send data/],
  ['/anomalies', /Send data/],
  ['/metrics', /how to send data/],
  ['/metric/none', /All metrics/],
  ['/teach', /See the anomalies/],
  ['/teach?tab=patterns', /See the anomalies/],
  ['/teach?tab=tunings', /Noisiest metrics/],
  ['/teach?tab=noisy', /See the anomalies/],
  ['/incident/1', /All incidents/],
  ['/anomaly/1', /All anomalies/],
  ['/pattern/1', /All patterns/],
  ['/match/1', /All matches/],
  ['/tuning/1', /All tunings/],
  ['/watchers/99', /All watchers/],
  ['/alerts', /New watcher/],
  ['/setup/tokens', /New token/],
  ['/setup/sources', /New source/],
  ['/setup/sources/1', /All sources/],
  ['/benchmark', /How it works/],
  ['/benchmark/none', /New benchmark/],
];

/** Pages with skeletons of their own; those of the others are the same. */
const LOADING = [
  '/',
  '/incident/1',
  '/anomalies',
  '/anomaly/1',
  '/metrics',
  '/metric/shop.orders',
  '/teach?tab=noisy',
  '/pattern/1',
  '/tuning/new?metric=shop.orders',
  '/alerts',
  '/watchers/1/edit',
  '/benchmark/1',
  '/setup/tokens',
  '/setup/status',
];

/** Colours and structure are checked once pages are loaded. */
const NAMES_AND_ROLES = [
  'aria-allowed-attr',
  'aria-hidden-focus',
  'aria-progressbar-name',
  'aria-prohibited-attr',
  'aria-required-children',
  'aria-valid-attr-value',
  'button-name',
  'image-alt',
  'label',
  'link-name',
];

describe('a new organisation in the console', () => {
  let console: ConsoleUnderTest;
  beforeAll(async () => {
    console = await startConsole({ demo: false });
  }, 300_000);
  afterAll(() => console.dispose(), 120_000);

  describe.each([1440, 380])('%i px wide', (width) => {
    let page: Page;
    beforeAll(async () => {
      page = await console.open('/start', { width });
    });
    afterAll(() => page.context().close());

    it.each(NEXT)('%s explains why it is empty and links to the next step', async (path, next) => {
      await page.goto(path);
      await settled(page);
      await console.picture(page, `empty-${fileNameOf(path)}-${String(width)}`);
      await page.locator('main').getByRole('link', { name: next }).first().waitFor();
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    });

    it('/anomaly/1 names the record that does not exist', async () => {
      await page.goto('/anomaly/1');
      await page.getByRole('heading', { name: 'There is no anomaly 1' }).waitFor();
      await page.getByRole('link', { name: 'All anomalies' }).click();
      await page.waitForURL(/\/anomalies/);
    });

    it('/watchers/new selects no channel that cannot send, and links to where it is connected', async () => {
      await page.goto('/watchers/new');
      await settled(page);
      await console.picture(page, `empty-watchers-new-${String(width)}`);
      await page.getByText(/^No recipient is chosen/).waitFor();
      expect(await page.getByRole('link', { name: 'Connect E-mail' }).getAttribute('href')).toMatch(
        /^\/setup\/integrations\/email/,
      );
    });

    it('/start shows how to send the first point', async () => {
      await page.goto('/start');
      await settled(page);
      await console.picture(page, `empty-start-${String(width)}`);
      await page.getByText('Waiting for the first point…').waitFor();
      await page.getByRole('button', { name: 'Create a token' }).waitFor();
    });
  });

  describe('while its answers wait', () => {
    let page: Page;
    let release: () => void = () => undefined;
    let held = Promise.resolve();
    beforeAll(async () => {
      page = await console.open('/start');
      await page.route('**/api/**', async (route) => {
        // The frame of every page.
        if (!/\/api\/(user\/info|stream)/.test(route.request().url())) await held;
        // The page that requested it may be gone.
        await route.continue().catch(() => undefined);
      });
    });
    afterEach(() => release());
    afterAll(() => page.context().close());

    it.each(LOADING)('%s is accessible', async (path) => {
      held = new Promise((resolve) => (release = resolve));
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await page.locator('main').locator('[aria-busy="true"], form, h1').first().waitFor();
      expect(await seriousViolations(page, { only: NAMES_AND_ROLES })).toEqual([]);
    });
  });
});
