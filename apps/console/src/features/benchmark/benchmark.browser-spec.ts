import { type Locator, type Page } from 'playwright-core';
import {
  type ConsoleUnderTest,
  seriousViolations,
  settled,
  startConsole,
} from '../../../../../test/support/console.js';
import { until } from '../../../../../test/support/product.js';

const MINUTE = 60;
const ROWS = 1500;
/** Rows at which the two spikes of forty minutes begin. */
const SPIKES = [600, 1200] as const;
const LENGTH = 40;
const START = Math.floor(Date.now() / 1000 / MINUTE) * MINUTE - ROWS * MINUTE;

const valueAt = (row: number): number =>
  50 +
  10 * Math.sin(row / 30) +
  ((row * 7919) % 101) / 50 +
  (SPIKES.some((spike) => row >= spike && row < spike + LENGTH) ? 200 : 0);
const CSV = [
  'timestamp,value',
  ...Array.from({ length: ROWS }, (_, row) => `${String(START + row * MINUTE)},${valueAt(row).toFixed(2)}`),
  `${String(START + ROWS * MINUTE)},many`,
].join('\n');

const fileOf = (text: string, name = 'checkout latency.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});

/** Drops a file; `text` is a JavaScript expression for its content. */
async function drop(page: Page, text: string, name: string): Promise<void> {
  const data = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File([${text}], '${name}')); return data; })()`,
  );
  await page.getByText('Drop a CSV file here').dispatchEvent('drop', { dataTransfer: data });
}

interface Figures {
  id: string;
  metrics: { precision: number | null; recall: number | null; f1: number | null; nab_score: number | null };
}

describe('the benchmark in the console', () => {
  let console: ConsoleUnderTest;
  let page: Page;
  let visitor: Page;

  beforeAll(async () => {
    console = await startConsole({ demo: false });
    page = await console.open('/benchmark');
  }, 240_000);
  afterAll(() => console.dispose(), 60_000);

  const comparison = (of: Page): Locator => of.getByRole('table', { name: 'Models compared' });
  /** Cells of a model in the order of the columns: precision, recall, F1, delay, NAB, false, anomalies. */
  const cellsOf = (of: Page, name: string): Promise<string[]> =>
    comparison(of).getByRole('row').filter({ hasText: name }).getByRole('cell').allInnerTexts();
  const labelsIn = (of: Page): Locator => of.getByRole('table', { name: 'Known anomalies' }).getByRole('row');
  const finished = (of: Page, models: number): Promise<void> =>
    until(
      'the results of all models',
      async () => {
        const rows = (await comparison(of).count()) === 0 ? 0 : await comparison(of).getByRole('row').count();
        const isDone = rows === models + 1 && (await of.getByText('not finished yet').count()) === 0;
        return isDone && (await of.getByRole('progressbar').count()) === 0 ? true : undefined;
      },
      { timeoutMs: 90_000 },
    ).then(() => settled(of));

  it('shows the error of an invalid file with its line', async () => {
    await settled(page);
    await page.getByText('None yet').waitFor();
    await page.locator('input[type=file]').setInputFiles(fileOf('timestamp,value\nyesterday,1\n'));
    const alert = page.getByRole('alert');
    await alert.getByText(/line 2.*yesterday/).waitFor();
    await page.locator('input[type=file]').setInputFiles(fileOf(''));
    await page.getByText('The file is empty.').waitFor();
    // Generated in the browser, because sending a string of this size to it is slow.
    await drop(page, `'1760000000,1\\n'.repeat(900_000)`, 'large.csv');
    await page
      .getByRole('alert')
      .getByText(/10485760 bytes|10 MiB|too large/i)
      .waitFor();
    // The browser itself logs failed requests.
    expect(console.takeLog().filter((line) => !/status of 4(?:00|13)/.test(line))).toEqual([]);
  });

  it('shows the series after the upload, and reports the rejected lines', async () => {
    await page.locator('input[type=file]').setInputFiles(fileOf(CSV));
    await page.getByRole('heading', { level: 1, name: 'checkout latency' }).waitFor();
    await finished(page, 3);
    await page.getByText(/1 of 1501 points refused: .*line 1502: .*many/).waitFor();
    await page.getByRole('img', { name: /checkout latency, as Plumbline detector sees it/ }).waitFor();
    await page.getByText('No labels yet.').waitFor();
  });

  it('adds labels by dragging and by entering two times, and undoes the removal of a label', async () => {
    const chart = page.getByRole('group', { name: /as Plumbline detector sees it/ });
    await chart.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await chart.boundingBox())!;
    const placeOf = (row: number): number => x + 12 + ((width - 49) * row) / ROWS;
    await page.mouse.move(placeOf(SPIKES[0] - 15), y + height / 2);
    await page.mouse.down();
    await page.mouse.move(placeOf(SPIKES[0] + LENGTH + 15), y + height / 2, { steps: 4 });
    await page.mouse.up();
    await labelsIn(page).nth(1).waitFor();
    expect(new URL(page.url()).searchParams.get('labels')).toMatch(/^[0-9a-z]+\.[0-9a-z]+$/);

    const at = (row: number): string => new Date((START + row * MINUTE) * 1000).toISOString().slice(0, 19);
    await page.getByLabel('From', { exact: true }).fill(at(SPIKES[1]));
    await page.getByLabel('Until', { exact: true }).fill(at(SPIKES[1] + LENGTH));
    await page.keyboard.press('Enter');
    await labelsIn(page).nth(2).waitFor();

    await page.getByRole('button', { name: 'Remove label 1' }).click();
    await until('one label', async () => ((await labelsIn(page).count()) === 2 ? true : undefined));
    await page.locator('h1').click();
    await page.keyboard.press('z');
    await until('both labels', async () => ((await labelsIn(page).count()) === 3 ? true : undefined));
    expect(await page.getByText('2 of 2 labels found').count()).toBeGreaterThan(0);
  });

  it('compares all seven models against the labels with the figures of the API', async () => {
    await page.getByRole('button', { name: 'Run 7 models against 2 labels' }).click();
    await page.waitForURL(/\?with=/);
    await finished(page, 7);
    const { pathname, searchParams } = new URL(page.url());
    const figures: Figures[] = [];
    for (const id of [pathname.split('/').at(-1)!, searchParams.get('with')!]) {
      const answer = await fetch(`${console.product.url}/api/benchmark/status?benchmark_id=${id}`);
      figures.push(...((await answer.json()) as { data: { benchmark: { models: Figures[] } } }).data.benchmark.models);
    }
    const models = (await (await fetch(`${console.product.url}/api/benchmark/models`)).json()) as {
      data: { models: { id: string; name: string }[] };
    };
    for (const { id, name } of models.data.models) {
      const { precision, recall, f1, nab_score: nab } = figures.find((model) => model.id === id)!.metrics;
      const shown = (await cellsOf(page, name)).map((text) => text.replace('best', '').trim());
      const text = (value: number | null, digits: number): string => value?.toFixed(digits) ?? '–';
      expect([name, ...shown.slice(0, 3), shown[4]]).toEqual([
        name,
        ...[precision, recall, f1].map((value) => text(value, 3)),
        text(nab, 1),
      ]);
    }
    const [, recall, , delay] = await cellsOf(page, 'Plumbline detector');
    expect(recall).toContain('1.000');
    expect(delay).toMatch(/\d+ (?:s|min)/);
    expect(await comparison(page).getByText('best', { exact: true }).count()).toBeGreaterThan(0);
    expect(await page.getByRole('img', { name: /^Series with what .* found$/ }).count()).toBe(7);
  });

  it('sorts the models by a column, and keeps the order and the model in the URL', async () => {
    await comparison(page).getByRole('button', { name: 'Run time' }).click();
    await comparison(page)
      .getByRole('columnheader', { name: 'Run time' })
      .and(page.locator('[aria-sort="ascending"]'))
      .waitFor();
    const times = await comparison(page).getByRole('row').locator('td:last-child').allInnerTexts();
    const seconds = times.map((text) => parseFloat(text) / (text.endsWith('ms') ? 1000 : 1));
    expect(seconds).toEqual(seconds.toSorted((one, other) => one - other));
    await comparison(page).getByRole('button', { name: 'Seasonal profile' }).click();
    await page.getByRole('heading', { name: 'What Seasonal profile found' }).waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('sort'), searchParams.get('model')]).toEqual(['runtime', 'seasonal_profile']);
    await console.picture(page, 'benchmark-compared');
    expect(await seriousViolations(page)).toEqual([]);
    expect(console.takeLog()).toEqual([]);
  });

  it('shows the same results to a visitor who opens the shared link without an account', async () => {
    const link = await page.getByRole('region', { name: 'Link to this benchmark' }).innerText();
    visitor = await console.open(link.trim(), { isSignedIn: false });
    await finished(visitor, 7);
    expect(await comparison(visitor).innerText()).toBe(await comparison(page).innerText());
    expect(await labelsIn(visitor).count()).toBe(3);
    await visitor.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await visitor.getByRole('navigation').count()).toBe(0);
    await console.picture(visitor, 'benchmark-shared');
    expect(console.takeLog()).toEqual([]);
  });

  it('shows a visitor that the server is unreachable, and recovers automatically', async () => {
    await visitor.context().setOffline(true);
    await visitor.evaluate(`history.pushState({}, '', '/benchmark/none')`);
    await visitor.getByText('The server cannot be reached').first().waitFor();
    await visitor.locator('main[data-stale]').waitFor();
    await visitor.context().setOffline(false);
    await visitor.getByText(/^There is no benchmark/).waitFor();
    console.takeLog();
  });

  it('accepts a file that a visitor drops', async () => {
    await visitor.getByRole('link', { name: 'New benchmark' }).click();
    await settled(visitor);
    await drop(visitor, JSON.stringify(CSV), 'dropped.csv');
    await visitor.getByRole('heading', { level: 1, name: 'dropped' }).waitFor();
    await finished(visitor, 3);
    expect(console.takeLog()).toEqual([]);
  });

  it('lists the benchmarks of this browser, removes one from the list, and undoes the removal', async () => {
    await page.getByRole('link', { name: 'Benchmark', exact: true }).click();
    await settled(page);
    const list = page.getByRole('table', { name: 'Started in this browser' }).getByRole('row');
    expect(await list.count()).toBe(3);
    await page.getByRole('button', { name: 'Remove checkout latency from the list' }).first().click();
    await until('one row', async () => ((await list.count()) === 2 ? true : undefined));
    await page.locator('h1').click();
    await page.keyboard.press('z');
    await until('both rows', async () => ((await list.count()) === 3 ? true : undefined));
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await finished(page, 7);
    expect(console.takeLog()).toEqual([]);
  });

  it('clears the list of this browser on sign-out', async () => {
    const kept = (): Promise<unknown> => page.evaluate(`localStorage.getItem('plumbline-benchmarks')`);
    expect(await kept()).not.toBeNull();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/login/);
    expect(await kept()).toBeNull();
  });
});
