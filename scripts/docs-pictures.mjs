/**
 * `npm run docs:pictures`: takes the pictures of the console in docs/images from the demo shop with Chromium (Debian's,
 * or PLUMBLINE_TEST_CHROMIUM). Needs the build: `npm run build && npm run build:console`. Names on the command line
 * select pictures.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { freePort } from './free-port.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const IMAGES = join(ROOT, 'docs/images');
const CHROMIUM = process.env.PLUMBLINE_TEST_CHROMIUM ?? '/usr/bin/chromium';
const PASSWORD = 'pictures of the console';
const EMAIL = 'ann@example.org';
const READY_MS = 300_000;
const MAX_BYTES = 120 * 1024;
const MINUTE = 60;
const DAY = 86_400;
const WIDTH = 1440;

/**
 * What each picture shows: the window, or a part of the page (`of`), after an action (`act`). A path may contain ids in
 * braces, which are looked up.
 */
const PICTURES = {
  'console-now': { path: '/', height: 780 },
  'console-anomaly': { path: '/anomaly/{anomaly}', height: 660 },
  'console-incident': { path: '/incident/{incident}', height: 600 },
  'console-teach': {
    path: '/anomaly/{teachable}?say=expected',
    height: 900,
    act: (page) => page.getByText('the same an hour later').waitFor(),
    of: (page) =>
      page.locator('section', { has: page.getByRole('heading', { name: 'If you mark it as expected' }) }).last(),
  },
  'console-search': {
    path: '/',
    height: 560,
    act: async (page) => {
      await page.keyboard.press('/');
      await page.getByRole('combobox', { name: 'Search' }).fill('http');
      await page.getByRole('option', { name: /http_/ }).first().waitFor();
    },
  },
  'console-metrics': { path: '/metrics?chips=["job:shop"]', height: 460 },
  'console-compare': {
    path: `/metric/${encodeURIComponent('pg_stat_activity_count{datname="shop"}')}?w=6h&vs=["week"]`,
    height: 580,
    act: (page) => page.getByText('The expected range is being computed.').waitFor({ state: 'detached' }),
  },
  'console-first-steps': {
    path: '/start?step=send',
    height: 620,
    act: (page) =>
      page
        .getByRole('region', { name: /^Configuration for/ })
        .first()
        .waitFor(),
  },
  'console-maintenance': {
    path: '/alerts/exclusions?chips=["db-*"]',
    height: 620,
    act: (page) => page.getByText(/^Covers/).waitFor(),
  },
  'console-watcher': {
    path: '/watchers/new',
    height: 620,
    act: async (page) => {
      await page.getByRole('combobox', { name: 'Metrics' }).fill('http');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await page.getByText(/messages? would have been sent/).waitFor();
    },
  },
  'console-keys': {
    path: '/anomaly/{anomaly}',
    height: 900,
    act: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
    of: (page) => page.getByRole('dialog'),
  },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(PICTURES, name));
if (unknown.length > 0) throw new Error(`No such picture: ${unknown.join(', ')}`);
const names = wanted.length > 0 ? wanted : Object.keys(PICTURES);

const dataFolder = await mkdtemp(join(tmpdir(), 'plumbline-pictures-'));
const product = await start();
try {
  const session = await logIn(product.url);
  await sendTrouble(product.url, session);
  const ids = await findIds(product.url, session);
  await take(product.url, session, ids);
} finally {
  product.child.kill('SIGTERM');
  await once(product.child, 'exit');
  await rm(dataFolder, { recursive: true, force: true });
}

async function start() {
  const [port, managementPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, [join(ROOT, 'dist/apps/server/src/main.js')], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
      PUBLIC_URL: url,
      PLUMBLINE_INGEST_URL: 'https://plumbline.example.org',
      PLUMBLINE_DATA: dataFolder,
      PLUMBLINE_DEMO: 'on',
      PLUMBLINE_ADMIN_EMAIL: EMAIL,
      PLUMBLINE_ADMIN_PASSWORD: PASSWORD,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  await until('the demo shop', () => {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output}`);
    return output.includes('Demo: ready');
  });
  return { url, child };
}

async function until(what, probe) {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    const answer = await probe();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`Waited too long for ${what}`);
    await new Promise((next) => setTimeout(next, 250));
  }
}

async function logIn(url) {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  return (await answer.json()).data.session.id;
}

async function ask(url, session, path, body) {
  const answer = await fetch(`${url}/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-Session-Id': session, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()).data;
}

/**
 * Sends two databases with slow disks for some minutes, and a checkout that waits for them, so that there are
 * anomalies.
 */
async function sendTrouble(url, session) {
  const { token } = await ask(url, session, '/org/tokens', { name: 'pictures', permissions: { ingest: true } });
  const now = Math.floor(Date.now() / 1000 / MINUTE) * MINUTE;
  const timestamps = Array.from({ length: (4 * DAY) / MINUTE }, (_, i) => now - 4 * DAY + (i + 1) * MINUTE);
  const series = (metric, usual, odd, minutes) => ({
    metric,
    unit: 'ms',
    timestamps,
    values: timestamps.map((at, i) => (now - at < minutes * MINUTE ? odd : usual) * (0.95 + ((i * 7919) % 101) / 1000)),
  });
  const metrics = [
    series('db-1.disk.latency', 4, 61, 24),
    series('db-2.disk.latency', 5, 58, 23),
    series('checkout.latency', 120, 410, 22),
  ];
  const answer = await fetch(`${url}/ingest/metrics`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Auth-Token': token.id },
    body: JSON.stringify({ backfill: true, metrics }),
  });
  if (answer.status !== 204) throw new Error(`The points were not taken: ${await answer.text()}`);
}

/** Ids of records that are worth a picture. */
async function findIds(url, session) {
  const incident = await until('the incident', async () => {
    const { incidents } = await ask(url, session, '/incidents?state=open');
    return incidents.find(({ origins }) => origins.some(({ metric }) => metric.startsWith('db-')));
  });
  const from = Math.floor(Date.now() / 1000) - 10 * DAY;
  const { anomalies } = await ask(url, session, `/anomalies?limit=200&order=severity&from=${from}`);
  const teachable = anomalies.find(
    ({ metric, training }) => metric.startsWith('rabbitmq') && training.trainable_status === 'trainable',
  );
  return {
    incident: incident.id,
    anomaly: incident.origins[0].anomaly_id,
    teachable: (teachable ?? anomalies.find(({ training }) => training.trainable_status === 'trainable')).id,
  };
}

async function take(url, session, ids) {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    for (const name of names) {
      const { path, height, act, of } = PICTURES[name];
      const context = await browser.newContext({
        viewport: { width: WIDTH, height },
        colorScheme: 'light',
        reducedMotion: 'reduce',
      });
      await context.addCookies([{ name: 'session_id', value: session, url }]);
      const page = await context.newPage();
      await page.goto(url + path.replace(/\{(\w+)\}/g, (_, id) => String(ids[id])));
      await page.locator('h1').first().waitFor({ timeout: READY_MS });
      await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
      await act?.(page);
      // Charts are drawn in the frames after their data arrives.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const file = join(IMAGES, `${name}.png`);
      await (of ? of(page) : page).screenshot({ path: file, animations: 'disabled' });
      const { size } = await stat(file);
      console.log(`${name}.png ${Math.round(size / 1024)} kB${size > MAX_BYTES ? ': TOO LARGE' : ''}`);
      if (size > MAX_BYTES) process.exitCode = 1;
      await context.close();
    }
  } finally {
    await browser.close();
  }
}
