import { type Page } from 'playwright-core';
import { type ConsoleUnderTest, settled, startConsole } from '../../../../../test/support/console.js';
import { until } from '../../../../../test/support/product.js';

/** Counts requests of the page for an API path from now on. */
function askedFor(page: Page, path: string): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) count += 1;
  });
  return () => count;
}

/** Simulates that this tab is hidden or visible again. */
const setHidden = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate(`(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${String(isHidden)} });
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${isHidden ? 'hidden' : 'visible'}' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  })()`);

/** Simulates a message from another tab that anomalies are stale. Resolves after the message was received. */
const sayStale = (page: Page): Promise<void> =>
  page.evaluate(`new Promise((heard) => {
    const [mouth, ear] = [new BroadcastChannel('plumbline-live'), new BroadcastChannel('plumbline-live')];
    ear.onmessage = () => heard(undefined);
    mouth.postMessage({ kind: 'stale', keys: ['anomalies'] });
  })`);

describe('live data', () => {
  let console: ConsoleUnderTest;

  beforeAll(async () => {
    console = await startConsole({ demo: false });
  }, 300_000);

  afterAll(() => console.dispose(), 120_000);

  /** Opens a page with a clock that can be advanced. */
  async function openWithClock(): Promise<Page> {
    // The console opens only after the clock is installed; until then the page would have the time 1970.
    const page = await console.open('/favicon.svg');
    await page.clock.install();
    await page.goto(`${console.product.url}/anomalies`);
    await settled(page);
    return page;
  }

  it('is reloaded on an event in a visible tab', async () => {
    const page = await openWithClock();
    const lists = askedFor(page, '/api/anomalies');
    await sayStale(page);
    await page.clock.runFor(2000);
    await until('the list to be loaded again', () => Promise.resolve(lists() > 0 || undefined));
  });

  it('is not reloaded in the background, and is reloaded when the tab becomes visible', async () => {
    const page = await openWithClock();
    const lists = askedFor(page, '/api/anomalies');
    await setHidden(page, true);
    for (let event = 0; event < 3; event++) {
      await sayStale(page);
      await page.clock.runFor(60_000);
    }
    expect(lists()).toBe(0);
    await setHidden(page, false);
    await until('the list to be loaded again', () => Promise.resolve(lists() > 0 || undefined));
  });

  it('is reloaded after the computer was asleep', async () => {
    const page = await openWithClock();
    const streams = askedFor(page, '/api/stream');
    const lists = askedFor(page, '/api/anomalies');
    await page.clock.fastForward('10:00');
    await until('the stream to be opened again', () => Promise.resolve(streams() > 0 || undefined));
    await until('the list to be loaded again', () => Promise.resolve(lists() > 0 || undefined));
  });
});
