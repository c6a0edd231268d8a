/**
 * Measures the cost of the Prometheus API among many metrics: a week of one series at steps of a minute and of a
 * Grafana panel, the newest value, selectors with and without a suitable index, federation. The yardstick is the same
 * week from GET /metric/{metric}/timeseries, read in the same run.
 *
 *   npm run bench:prometheus-api -- [--metrics 200000] [--rounds 30] [--dist DIR] [--json FILE]
 */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startProduct } from '../ingest/product.mjs';
import { until } from '../ingest/until.mjs';
import { describeMachine, machineLines } from '../machine.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const MINUTE = 60;
const WEEK = 7 * 86_400;
const BATCH = 10_000;

const { values: options } = parseArgs({
  options: {
    metrics: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '30' },
    dist: { type: 'string', default: join(ROOT, 'dist') },
    json: { type: 'string' },
  },
});
const many = Number(options.metrics);
const last = Math.floor(Date.now() / 1000 / MINUTE) * MINUTE;
const first = last - WEEK + MINUTE;

async function send(product, token, metrics, isHistory) {
  const answer = await fetch(`${product.url}/ingest/metrics`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Auth-Token': token, ...(isHistory && { 'X-Backfill': 'true' }) },
    body: JSON.stringify({ metrics }),
  });
  if (answer.status === 204) return;
  if (answer.status !== 429) throw new Error(`Points were answered with ${answer.status}: ${await answer.text()}`);
  await new Promise((done) => setTimeout(done, 1000));
  await send(product, token, metrics, isHistory);
}

async function fill(product, token) {
  const timestamps = Array.from({ length: WEEK / MINUTE }, (_, i) => first + i * MINUTE);
  const values = timestamps.map((time) => 100 + 20 * Math.sin((2 * Math.PI * time) / 86_400) + (time % 101));
  await send(product, token, [{ metric: 'watched', labels: { host: 'host-0', job: 'one' }, timestamps, values }], true);
  for (let start = 0; start < many; start += BATCH) {
    const metrics = Array.from({ length: Math.min(BATCH, many - start) }, (_, i) => {
      const labels = { host: `host-${(start + i) % 1000}`, job: `job-${(start + i) % 50}`, i: `${start + i}` };
      return { metric: `metric_${(start + i) % 400}`, labels, timestamp: last, value: i };
    });
    await send(product, token, metrics, false);
  }
  await until(
    'the points to be analysed',
    async () => ((await product.telemetry('plumbline_detection_backlog_points')) === 0 ? true : undefined),
    { timeoutMs: 600_000, everyMs: 500 },
  );
  await until('the week to be readable', async () => {
    const data = await ask(product, token, week(MINUTE));
    return data.includes('"values"') ? true : undefined;
  });
}

const week = (step) => `/prometheus/api/v1/query_range?query=watched&start=${first}&end=${last}&step=${step}`;
const query = (text) => `/prometheus/api/v1/query?time=${last}&query=${encodeURIComponent(text)}`;

const ASKED = {
  yardstick: [
    'a week by `/metric/…/timeseries`, 5,040 points (yardstick)',
    `/api/metric/${encodeURIComponent('watched{host="host-0",job="one"}')}/timeseries?from=${first}&until=${last}&max_points=10000`,
  ],
  week: ['a week of one series, 10,080 points', week(MINUTE)],
  panel: ['a week of one series at steps of 10 min', week(600)],
  newest: ['the newest value of one series', query('watched')],
  byMetric: ['one series by `{metric="…"}`', query('{metric="watched{host=\\"host-0\\",job=\\"one\\"}"}')],
  byLabels: ['200 series by a label', query('{host="host-7"}')],
  byName: ['500 series by their name', query('metric_7')],
  byPattern: ['some series by a pattern of names', query('{__name__=~"watch.*"}')],
  byScan: ['some series by a pattern that helps no index', query('{job=~".*-7",host="host-7"}')],
  refused: ['a selector of all, refused', query('{__name__=~"metric_.+"}')],
  names: ['values of `__name__`', '/prometheus/api/v1/label/__name__/values'],
};

async function ask(product, token, path) {
  // The headers of Grafana and Prometheus.
  const headers = { 'X-Auth-Token': token, 'Accept-Encoding': 'gzip' };
  const answer = await fetch(product.url + path, { headers });
  const text = await answer.text();
  if (!answer.ok && answer.status !== 422) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return text;
}

const quantile = (numbers, share) => [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) * share)];

const machine = describeMachine();
console.log(machineLines(machine, false).join('\n'));
const product = await startProduct({ dist: resolve(options.dist), env: { PLUMBLINE_LIMIT_ORG_API: '1000000' } });
const figures = Object.fromEntries(Object.keys(ASKED).map((key) => [key, []]));
try {
  const token = await product.createToken(['read', 'ingest']);
  await fill(product, token);
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [key, [, path]] of Object.entries(ASKED)) {
      const started = performance.now();
      await ask(product, token, path);
      figures[key].push(performance.now() - started);
    }
  }
} finally {
  await product.dispose();
}

const yardstick = quantile(figures.yardstick, 0.5);
console.log(`\n| among ${many} metrics | p50 | p95 | p50 in yardsticks |\n| --- | ---: | ---: | ---: |`);
for (const [key, [name]] of Object.entries(ASKED)) {
  const [middle, high] = [quantile(figures[key], 0.5), quantile(figures[key], 0.95)];
  console.log(`| ${name} | **${middle.toFixed(1)} ms** | ${high.toFixed(1)} ms | ${(middle / yardstick).toFixed(2)} |`);
}
if (options.json) await writeFile(options.json, JSON.stringify({ machine, figures }, null, 2));
