import { type Page } from 'playwright-core';
import { type ConsoleUnderTest, seriousViolations, settled, startConsole, type Theme } from './console.js';
import { addressesOf, fileNameOf, PAGES } from './console-pages.js';

const PUBLIC_PAGES = [
  '/login',
  '/login/validate',
  '/verify',
  '/reset-password',
  '/confirm-email',
  '/signup',
  '/demo',
  '/benchmark',
  '/benchmark/:benchmark',
] as const;

/**
 * Declares the checks of every page in a theme, at both widths. Each theme is a test file of its own, so that they can be
 * run side by side.
 */
export function checkEveryPage(theme: Theme): void {
  let console: ConsoleUnderTest;
  let addressOf: (page: string) => string;

  beforeAll(async () => {
    console = await startConsole();
    addressOf = await addressesOf(console);
  }, 300_000);

  afterAll(() => console.dispose(), 120_000);

  describe.each([1440, 380])('%i px', (width) => {
    let page: Page;

    async function check(path: string): Promise<void> {
      console.takeLog();
      await page.goto(addressOf(path));
      await settled(page);
      await console.picture(page, `${fileNameOf(path)}-${String(width)}-${theme}`);
      expect(await seriousViolations(page)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await page.locator('h1').count()).toBe(1);
      expect(console.takeLog()).toEqual([]);
    }

    describe('with an account', () => {
      beforeAll(async () => {
        page = await console.open('/', { theme, width });
      });
      afterAll(() => page.context().close());

      it.each(PAGES)('%s can be read by all, fits, and logs nothing', check);
    });

    describe('without one', () => {
      beforeAll(async () => {
        page = await console.open('/login', { theme, width, isSignedIn: false });
      });
      afterAll(() => page.context().close());

      it.each(PUBLIC_PAGES)('%s can be read by all, fits, and logs nothing', check);
    });
  });
}
