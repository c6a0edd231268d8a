import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Page } from 'playwright-core';
import { type ConsoleUnderTest, settled, startConsole } from '../support/console.js';
import { Mailbox } from '../support/mailbox.js';
import { Hands } from '../support/hands.js';
import { until } from '../support/product.js';

const run = promisify(execFile);
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/**
 * Common tasks, and the most steps that each may take from the signed-in first page. A step is a click, a key, or a
 * text typed into a field. For the first point after the sign-up, copied lines count.
 */
const GOALS = {
  'what is odd right now, and what began it': 0,
  'why was this opened': 1,
  'this is expected, do not tell me again, with what that would change': 3,
  'the same hour last week beside this one': 1,
  'a link to exactly this view': 1,
  'maintenance tonight from 02:00 to 04:00 for db-*': 5,
  'mail me about the web tier, about three a week, with what that would have been': 6,
} as const;
type Task = keyof typeof GOALS;

interface AnomalyRow {
  id: number;
  state: string;
  training: { trainable_status: string };
}

describe('tasks from the first page of the console', () => {
  const METRIC = 'db-1.disk.latency';
  let console: ConsoleUnderTest;
  let mailbox: Mailbox;
  let token: string;
  const opened: Page[] = [];

  /** Sends days of a quiet metric, with an anomaly of twenty minutes three hours ago and an open one. */
  async function sendTrouble(): Promise<void> {
    const ingest = await console.product.createToken(['ingest']);
    const now = Math.floor(Date.now() / 1000 / MINUTE) * MINUTE;
    const timestamps = Array.from({ length: (3 * DAY) / MINUTE }, (_, i) => now - 3 * DAY + (i + 1) * MINUTE);
    const values = timestamps.map((at, i) => {
      const age = now - at;
      const isOdd = age < 12 * MINUTE || (age > 3 * HOUR && age < 3 * HOUR + 20 * MINUTE);
      return (isOdd ? 480 : 50) + ((i * 7919) % 100) / 25;
    });
    const answer = await fetch(`${console.product.url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': ingest },
      body: JSON.stringify({ backfill: true, metrics: [{ metric: METRIC, timestamps, values }] }),
    });
    expect(answer.status).toBe(204);
  }

  /** The open incident of this anomaly. */
  const troubleIncident = () =>
    until('the incident of the trouble', async () => {
      const { incidents } = (await console.product.api('/incidents?state=open', token)) as {
        incidents: { id: number; origins: { metric: string; anomaly_id: number }[] }[];
      };
      return incidents.find(({ origins }) => origins.some(({ metric }) => metric === METRIC));
    });

  /** The anomaly with this id. */
  async function anomalyOf(id: number): Promise<AnomalyRow> {
    return ((await console.product.api(`/anomaly/${String(id)}`, token)) as { anomaly: AnomalyRow }).anomaly;
  }

  /** The id of an anomaly that the page draws and that can be trained. */
  async function drawnAndTeachable(page: Page): Promise<number> {
    const bars = page.locator('svg a[href^="/anomaly/"]');
    await bars.first().waitFor();
    const paths = await bars.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    const ids = paths.map((path) => Number(/\d+/.exec(path)?.[0]));
    return until('an anomaly to teach', async () => {
      const anomalies = await Promise.all(ids.map(anomalyOf));
      const found = anomalies.find(({ state, training }) => {
        return state !== 'open' && training.trainable_status === 'trainable';
      });
      if (!found) throw new Error(anomalies.map(({ training }) => training.trainable_status).join(' '));
      return found.id;
    });
  }

  const start = async (path = '/'): Promise<Hands> => {
    const page = await console.open(path);
    opened.push(page);
    await settled(page);
    return new Hands(page);
  };

  /** A task from the first page (or from `path`), within its number of steps. */
  function task(name: Task, act: (hands: Hands) => Promise<void>, path?: string): void {
    it(`${name}: at most ${String(GOALS[name])} steps`, async () => {
      const hands = await start(path);
      await act(hands);
      expect(hands.steps).toBeLessThanOrEqual(GOALS[name]);
    });
  }

  beforeAll(async () => {
    // A new watcher mails its creator only if mail can be sent.
    mailbox = await Mailbox.start();
    console = await startConsole({ env: { ...mailbox.env, LOGIN_CODE: 'off', PLUMBLINE_OUTGOING: 'any' } });
    // Training requires write permission.
    token = await console.product.createToken(['read', 'write']);
    await sendTrouble();
    await troubleIncident();
  }, 600_000);
  afterAll(async () => {
    await console.dispose();
    await mailbox.close();
  }, 120_000);
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.context().close()));
  });

  task('what is odd right now, and what began it', async (hands) => {
    expect(await hands.page.locator('h1').innerText()).toMatch(/odd since/);
    await hands.page.getByRole('list', { name: 'Open incidents' }).getByText(METRIC).first().waitFor();
  });

  task('why was this opened', async (hands) => {
    const row = hands.page.getByRole('listitem').filter({ hasText: METRIC });
    await hands.click(row.getByRole('link', { name: 'Why was this opened?' }));
    await hands.page.getByRole('heading', { name: 'Why it was opened' }).waitFor();
    await hands.page.getByText(METRIC).first().waitFor();
  });

  task('this is expected, do not tell me again, with what that would change', async (hands) => {
    const id = await drawnAndTeachable(hands.page);
    await hands.click(hands.page.locator(`svg a[href^="/anomaly/${String(id)}"]`).first());
    await hands.page.getByRole('button', { name: 'This is expected' }).waitFor();
    await hands.press('e');
    await hands.page.getByText('the same an hour later').waitFor();
    await hands.click(hands.page.getByRole('button', { name: 'Save', exact: true }));
    await hands.page.getByText('Saved: similar shapes are suppressed').waitFor();
    await until('the verdict', async () => {
      const { training } = await anomalyOf(id);
      return ['pending', 'trained'].includes(training.trainable_status) || undefined;
    });
  });

  // The current window is already shown, and so is the view of the next task.
  task(
    'the same hour last week beside this one',
    async (hands) => {
      await hands.click(hands.page.getByRole('button', { name: 'last week' }));
      await hands.page.getByRole('listitem').filter({ hasText: 'last week' }).waitFor();
    },
    '/metric/shop.orders?w=1h',
  );

  task(
    'a link to exactly this view',
    async (hands) => {
      const { page } = hands;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await hands.click(page.getByRole('button', { name: 'Copy link to this view' }));
      await page.getByText('Link copied').waitFor();

      const link = new URL(await page.evaluate<string>('navigator.clipboard.readText()'));
      const [from, end] = ['from', 'until'].map((name) => Number(link.searchParams.get(name)));
      expect(end! - from!).toBe(6 * HOUR);
      const other = await start(`${link.pathname}${link.search}`);
      await other.page.getByRole('button', { name: 'last week', pressed: true }).waitFor();
      expect(new URL(other.page.url()).searchParams.get('from')).toBe(String(from));
    },
    '/metric/shop.orders?w=6h&vs=["week"]',
  );

  task('maintenance tonight from 02:00 to 04:00 for db-*', async (hands) => {
    const { page } = hands;
    await hands.click(page.getByRole('navigation').getByRole('link', { name: 'Alerts' }));
    await hands.click(page.getByRole('tab', { name: 'Maintenance' }));
    await hands.type(page.getByRole('combobox', { name: 'Metrics' }), 'db-*');
    await hands.press('Enter');
    await page.getByText(/^Covers \d+ metrics?\./).waitFor();
    expect(await page.getByLabel('From').inputValue()).toMatch(/T02:00$/);
    expect(await page.getByLabel('Until').inputValue()).toMatch(/T04:00$/);
    await hands.click(page.getByRole('button', { name: 'Save' }));
    await page.getByText(/^Saved: it applies to/).waitFor();
    await page.getByRole('row', { name: /db-\*.*02:00 to .*04:00/ }).waitFor();

    const list = async () =>
      (await console.product.api('/exclusion/list', token)) as {
        exclusions: { chips: string[]; type: string; from_timestamp: number; until_timestamp: number }[];
      };
    const { exclusions } = await list();
    expect(exclusions).toMatchObject([{ chips: ['db-*'], type: 'alerting' }]);
    expect(exclusions[0]!.until_timestamp - exclusions[0]!.from_timestamp).toBe(2 * HOUR);

    await page.locator('h1').click();
    await page.keyboard.press('z');
    await page.getByText('There is no exclusion.').waitFor();
    expect((await list()).exclusions).toEqual([]);
  });

  task('mail me about the web tier, about three a week, with what that would have been', async (hands) => {
    const { page } = hands;
    await hands.click(page.getByRole('navigation').getByRole('link', { name: 'Alerts' }));
    await hands.click(page.getByRole('link', { name: 'New watcher' }));
    await hands.type(page.getByRole('combobox', { name: 'Metrics' }), 'instance:web-1');
    await hands.press('Enter');
    await page.getByText('about 3 per week').waitFor();
    await page.getByText(/messages? would have been sent/).waitFor();
    expect(await page.getByRole('list', { name: 'Messages of each day' }).getByRole('listitem').count()).toBe(28);
    await hands.click(page.getByRole('button', { name: 'Save' }));
    await page.getByRole('heading', { level: 1, name: 'instance:web-1' }).waitFor();
    const { watchers } = (await console.product.api('/watchers/list?order=name', token)) as {
      watchers: { chips: string[]; alert: boolean; alert_budget_per_week: number; alert_users: { email: unknown[] } }[];
    };
    const created = watchers.find(({ chips }) => chips.length === 1 && chips[0] === 'instance:web-1');
    expect(created).toMatchObject({ alert: true, alert_budget_per_week: 3 });
    expect(created?.alert_users.email).toHaveLength(1);
  });

  it('the page of an incident shows changes of others as they happen', async () => {
    const { id, origins } = await troubleIncident();
    const { page } = await start(`/incident/${String(id)}`);
    const course = page.getByRole('region', { name: 'In order of time' });
    await course.getByText(/not come back/).waitFor();
    await fetch(`${console.product.url}/api/anomaly/${String(origins[0]!.anomaly_id)}/acknowledge`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Session-Id': await console.sessionId() },
      body: JSON.stringify({ note: 'disk replaced', incident: true }),
    });
    await course.getByText(/acknowledged\. “disk replaced”/).waitFor();
    const marks = page.getByRole('list', { name: 'Events of the incident on the time axis' });
    await marks.getByRole('button', { name: /disk replaced/ }).waitFor();
  });

  it('the browser logs nothing', () => {
    expect(console.takeLog()).toEqual([]);
  });
});

describe('the first point after the sign-up', () => {
  let console: ConsoleUnderTest;
  beforeAll(async () => {
    console = await startConsole({ demo: false });
  }, 300_000);
  afterAll(() => console.dispose(), 120_000);

  it('needs one copied line', async () => {
    const page = await console.open('/');
    await settled(page);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const hands = new Hands(page);
    await hands.click(page.getByRole('main').getByRole('link', { name: 'Send data' }));
    await hands.click(page.getByRole('button', { name: 'Create a token' }));
    await page.getByRole('region', { name: 'Token' }).waitFor();
    await hands.click(page.getByRole('button', { name: 'Copy: Configuration for curl, JSON, curl' }));
    const line = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(line.trim().split('\n')).toHaveLength(1);

    const { stdout } = await run('sh', ['-c', line]);
    expect(stdout).toContain('204');
    await page.getByText(/^Receiving \d+ metrics?\./).waitFor();
    expect(hands.steps).toBeLessThanOrEqual(3);
  });
});
