import { type Page } from 'playwright-core';
import {
  type ConsoleUnderTest,
  seriousViolations,
  settled,
  startConsole,
} from '../../../../../test/support/console.js';

interface AnomalyRow {
  id: number;
  metric: string;
  state: string;
  training: { trainable_status: string };
  patterns: { id: number }[];
}

const LONG_MS = 60_000;

describe('teaching in the browser', () => {
  let console: ConsoleUnderTest;
  let page: Page;
  let anomalies: AnomalyRow[];

  /** Calls the API with the session of the browser. */
  async function read<Data>(path: string): Promise<Data> {
    const answer = await page.request.get(`/api${path}`);
    return ((await answer.json()) as { data: Data }).data;
  }

  /** Repeats the request until the response meets the condition. */
  async function readUntil<Data>(path: string, isSo: (data: Data) => boolean): Promise<Data> {
    for (;;) {
      const data = await read<Data>(path);
      if (isSo(data)) return data;
      await page.waitForTimeout(200);
    }
  }

  beforeAll(async () => {
    console = await startConsole();
    page = await console.open('/teach');
    await settled(page);
    const from = String(Math.floor(Date.now() / 1000) - 12 * 86_400);
    ({ anomalies } = await read<{ anomalies: AnomalyRow[] }>(`/anomalies?limit=200&from=${from}`));
  }, 600_000);

  afterAll(() => console.dispose(), 120_000);

  it(
    'previews "this is expected" for an anomaly, saves it, and undoes it',
    async () => {
      const open = anomalies.find(({ training }) => training.trainable_status === 'trainable')!;
      const path = `/anomaly/${String(open.id)}`;
      await page.goto(path);
      await settled(page);
      await page.keyboard.press('e');
      await page.getByText('If you mark it as expected').waitFor();
      await page.getByText('the same an hour later').waitFor();
      expect(page.url()).toContain('say=expected');
      expect(await seriousViolations(page)).toEqual([]);

      await page.getByLabel('Label', { exact: true }).fill('a release');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('similar shapes are suppressed from now on').waitFor();
      await page.keyboard.press('z');
      type Answer = { anomaly: AnomalyRow & { pending_patterns: unknown[] } };
      const { anomaly } = await readUntil<Answer>(
        path,
        (data) => data.anomaly.training.trainable_status === 'trainable',
      );
      expect(anomaly.patterns).toEqual([]);
      expect(anomaly.pending_patterns).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'shows the effect of disabling a pattern, disables it, and undoes it',
    async () => {
      const id = anomalies.find(({ patterns }) => patterns.length > 0)!.patterns[0]!.id;
      await page.goto(`/pattern/${String(id)}`);
      await settled(page);
      expect(await seriousViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Disable…' }).click();
      await page.getByText('If you disable it').waitFor();
      await page.getByRole('button', { name: 'Disable', exact: true }).click();
      await page.getByRole('button', { name: 'Enable' }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: 'Disable…' }).waitFor();
      const { pattern } = await read<{ pattern: { enabled: boolean } }>(`/pattern/${String(id)}`);
      expect(pattern.enabled).toBe(true);
    },
    LONG_MS,
  );

  it(
    'replays a tuning while a slider moves',
    async () => {
      // The page of the undone pattern may have been requested once more, which logs an error.
      console.takeLog();
      await page.goto('/tuning/new?metric=shop.orders');
      await page.getByText('The last 14 days of 1 metric, replayed').waitFor();
      const slider = page.getByRole('slider', { name: 'Sensitivity' });
      await slider.focus();
      const replay = page.waitForResponse((answer) => answer.url().endsWith('/api/tuning/preview'));
      await slider.press('ArrowLeft');
      expect((await replay).request().postDataJSON()).toMatchObject({
        chips: ['@name:"shop.orders"'],
        sensitivity: 0.7,
      });
      await settled(page);
      expect(await seriousViolations(page)).toEqual([]);
      expect(console.takeLog()).toEqual([]);
    },
    LONG_MS,
  );
});
