import { type Page, type Route } from 'playwright-core';
import { type ConsoleUnderTest, settled, startConsole } from '../../../../../test/support/console.js';
import { until } from '../../../../../test/support/product.js';

const EVIL = '<img src=x onerror=alert(1)>';
const NAME = `evil_metric{x="${EVIL}"}`;
/** Fills several pages of the list. */
const MANY = 1000;

/** Counts how often a canvas has been cleared for redrawing since this call. */
async function countDrawings(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`(() => {
    const context = CanvasRenderingContext2D.prototype;
    const clear = context.clearRect;
    window.drawings = 0;
    context.clearRect = function (...given) {
      window.drawings += 1;
      return clear.apply(this, given);
    };
  })()`);
  return () => page.evaluate<number>('window.drawings');
}

describe('the metric pages', () => {
  let console: ConsoleUnderTest;

  beforeAll(async () => {
    console = await startConsole();
    const token = await console.product.createToken(['ingest']);
    const now = Math.floor(Date.now() / 1000);
    const answer = await fetch(`${console.product.url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': token },
      body: JSON.stringify(
        Array.from({ length: 20 }, (_, i) => ({ metric: NAME, timestamp: now - 1200 + i * 60, value: i })),
      ),
    });
    expect(answer.status).toBeLessThan(300);
    const many = await fetch(`${console.product.url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': token },
      body: JSON.stringify({
        metrics: Array.from({ length: MANY }, (_, i) => ({ metric: `many.m${String(i).padStart(4, '0')}`, value: i })),
      }),
    });
    expect(many.status).toBeLessThan(300);
  }, 300_000);

  afterAll(() => console.dispose(), 120_000);

  it('find a metric by a chip, and keep the search in the URL', async () => {
    const page = await console.open('/metrics');
    await settled(page);
    await page.getByRole('textbox', { name: 'Search metrics' }).fill('shop.orders');
    await page.keyboard.press('Enter');
    await page.waitForURL(/chips=/);
    await page.getByRole('link', { name: 'shop.orders' }).first().click();
    await page.waitForURL(/\/metric\/shop\.orders/);
    await page.getByRole('heading', { level: 1, name: 'shop.orders' }).waitFor();
  });

  it('complete the value of a label after its key, and accept the completion with the keyboard', async () => {
    const page = await console.open('/metrics');
    await settled(page);
    await page.getByRole('textbox', { name: 'Search metrics' }).pressSequentially('job:sh');
    const offered = page.getByRole('listbox', { name: 'Search metrics' }).getByRole('option');
    // Other completions were offered before a key was pressed.
    await until('the completion', async () => ((await offered.count()) === 1 ? true : undefined));
    expect(await offered.innerText()).toMatch(/^job:shop\s+\d+$/);
    // As screen readers name it; the number alone is shown.
    await page.getByRole('option', { name: /^job:shop \d+ metrics$/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('chips') === '["job:shop"]');
    await page.locator('main a[href*="job%3D%22shop%22"]').first().waitFor();
  });

  it('debounce completion requests while a chip is typed', async () => {
    // The console opens only after the clock is installed; until then the page would have the time 1970.
    const page = await console.open('/favicon.svg');
    await page.clock.install();
    await page.goto(`${console.product.url}/metrics`);
    await settled(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/watchers/chips') asked.push(searchParams.get('q') ?? '');
    });
    const field = page.getByRole('textbox', { name: 'Search metrics' });
    await field.focus();
    await until('what is offered before a key is pressed', () => Promise.resolve(asked.length > 0 || undefined));
    await page.clock.pauseAt(Date.now() + 60_000);
    await field.pressSequentially('shop');
    expect(asked).toEqual(['']);
    await page.clock.runFor(1000);
    await until('the completion', () => Promise.resolve(asked.length > 1 || undefined));
    expect(asked).toEqual(['', 'shop']);
  });

  it('zoom and pan the chart, and restore the window after a reload', async () => {
    const page = await console.open('/metric/shop.orders');
    await settled(page);
    const chart = page.getByRole('group', { name: /Values of shop\.orders/ });
    const box = (await chart.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=\d+&until=\d+/);
    const zoomed = page.url();
    await page.keyboard.down('Shift');
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await page.waitForURL((url) => url.href !== zoomed);
    const moved = page.url();
    await page.reload();
    await settled(page);
    expect(page.url()).toBe(moved);
    await chart.focus();
    await page.keyboard.press('-');
    await page.waitForURL((url) => url.href !== moved);
  });

  it('show a name with markup as text in list, chart and tooltip', async () => {
    const page = await console.open(`/metrics?chips=${encodeURIComponent(JSON.stringify(['evil_metric']))}`);
    await settled(page);
    await page.getByText(EVIL).first().waitFor();
    await page
      .getByRole('link', { name: /evil_metric/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'evil_metric' }).waitFor();
    await settled(page);
    const chart = page.getByRole('group', { name: /Values of/ });
    const box = (await chart.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2);
    await page.getByRole('tooltip').waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(console.takeLog()).toEqual([]);
  });

  it('compare the chart with yesterday, and keep the comparison in the URL', async () => {
    const page = await console.open('/metric/shop.orders');
    await settled(page);
    await page.getByRole('button', { name: 'yesterday' }).click();
    await page.waitForURL(/vs=/);
    await page.getByRole('listitem').filter({ hasText: 'yesterday' }).waitFor();
  });

  it('show the points as a table instead of the chart', async () => {
    const page = await console.open('/metric/shop.orders');
    await settled(page);
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('columnheader', { name: /^time/ }).waitFor();
    expect(await page.getByRole('row').count()).toBeGreaterThan(5);
  });

  it('do not redraw the chart for each step of a pan', async () => {
    const page = await console.open('/metric/shop.orders?w=7d');
    await settled(page);
    const box = (await page.getByRole('group', { name: /Values of shop\.orders/ }).boundingBox())!;
    const drawings = await countDrawings(page);
    const y = box.y + box.height / 2;
    await page.keyboard.down('Shift');
    await page.mouse.move(box.x + box.width * 0.4, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, y, { steps: 80 });
    expect(await drawings()).toBeGreaterThan(0);
    expect(await drawings()).toBeLessThan(10);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await page.waitForURL(/from=\d+&until=\d+/);
  });

  it('load finer points after zooming, and show the old ones until they arrive', async () => {
    const page = await console.open('/metric/shop.orders?w=7d');
    await settled(page);
    const spans: number[] = [];
    const waiting: Route[] = [];
    await page.route(/\/timeseries\?/, async (route) => {
      const asked = new URL(route.request().url()).searchParams;
      spans.push((Number(asked.get('until')) - Number(asked.get('from'))) / Number(asked.get('max_points')));
      waiting.push(route);
      await Promise.resolve();
    });
    const chart = page.getByRole('group', { name: /Values of shop\.orders/ });
    await chart.focus();
    await page.keyboard.press('+');
    await page.waitForURL(/from=\d+&until=\d+/);
    await until('finer points to be asked for', () => Promise.resolve(spans.length > 0 || undefined));
    const box = (await chart.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const tooltip = page.getByRole('tooltip');
    await tooltip.getByText(/^slot of/).waitFor();
    const coarse = await tooltip.innerText();
    for (const route of waiting) await route.continue();
    await page.unroute(/\/timeseries\?/);
    await settled(page);
    expect(coarse).toMatch(/value/);
    // A week with margins at two points per pixel: 7 days * 2.25 / 5000. Half the window is twice as fine.
    expect(spans[0]).toBeLessThan((7 * 86_400 * 2.25) / 5000 / 1.5);
  });

  it('load sparklines only for visible rows, and reach the end of the list', async () => {
    const page = await console.open(`/metrics?chips=${encodeURIComponent(JSON.stringify(['many.*']))}`);
    const asked = new Set<string>();
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (!url.pathname.endsWith('/sparklines')) return;
      for (const id of url.searchParams.getAll('metric_ids').flatMap((ids) => ids.split(','))) asked.add(id);
    });
    await page.getByText('many.m0000').waitFor();
    await page.getByRole('rowgroup', { name: 'Metrics' }).focus();
    await page.keyboard.press('End');
    await page.getByText(`many.m0${String(MANY - 1)}`).waitFor();
    await page.getByRole('img', { name: `Values of many.m0${String(MANY - 1)} with their expected range` }).waitFor();
    expect(asked.size).toBeLessThanOrEqual(200);
  });
});
