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

/** The colour rules that axe-core runs by default. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const OTHER: Readonly<Record<Theme, Theme>> = { light: 'dark', dark: 'light' };

/**
 * Declares the checks of every page at a width, in both themes. Each width is a separate test file, so that they run in
 * parallel. A page is loaded in one theme and then switched to the other, and the next page starts with that one: the
 * theme changes only colours, so only the colour rules run again.
 */
export function checkEveryPage(width: number): void {
  let console: ConsoleUnderTest;
  let addressOf: (page: string) => string;
  let page: Page;
  let theme: Theme = 'light';

  beforeAll(async () => {
    console = await startConsole();
    addressOf = await addressesOf(console);
  }, 600_000);

  afterAll(() => console.dispose(), 120_000);

  const keepPicture = (path: string): Promise<void> =>
    console.picture(page, `${fileNameOf(path)}-${String(width)}-${theme}`);

  async function check(path: string): Promise<void> {
    console.takeLog();
    await page.goto(addressOf(path));
    await settled(page);
    await keepPicture(path);
    expect(await seriousViolations(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await page.locator('h1').count()).toBe(1);

    theme = OTHER[theme];
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor({ state: 'attached' });
    await keepPicture(path);
    expect(await seriousViolations(page, { only: COLOUR_RULES })).toEqual([]);
    expect(console.takeLog()).toEqual([]);
  }

  describe('with an account', () => {
    beforeAll(async () => {
      page = await console.open('/', { theme, width });
    });
    afterAll(() => page.context().close());

    it.each(PAGES)('%s is accessible, fits the width, and logs nothing', check);
  });

  describe('without an account', () => {
    beforeAll(async () => {
      page = await console.open('/login', { theme, width, isSignedIn: false });
    });
    afterAll(() => page.context().close());

    it.each(PUBLIC_PAGES)('%s is accessible, fits the width, and logs nothing', check);
  });
}
