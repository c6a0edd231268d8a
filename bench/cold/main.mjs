/**
 * Measures how fast the product answers for the first time after a start: each call is the first one to a process that
 * has just reported that it is ready. The yardstick is the same call for another metric directly afterwards.
 *
 *   npm run bench:cold -- [--starts 5] [--days 7] [--dist DIR] [--json FILE]
 */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startProduct } from '../ingest/product.mjs';
import { until } from '../ingest/until.mjs';
import { describeMachine, machineLines } from '../machine.mjs';
import { timedAnswer } from '../timed-answer.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const MINUTE = 60;
const DAY = 86_400;
const METRIC = 'cold.metric';
/** The metric of the yardstick: not requested before. */
const OTHER = 'cold.other';

const { values: options } = parseArgs({
  options: {
    starts: { type: 'string', default: '5' },
    days: { type: 'string', default: '7' },
    dist: { type: 'string', default: join(ROOT, 'dist') },
    json: { type: 'string' },
  },
});
const starts = Number(options.starts);
const slots = (Number(options.days) * DAY) / MINUTE;

const CALLS = [
  { name: 'picture (`/image/metric`, PNG)', path: (metric) => `/image/metric?metric=${metric}` },
  { name: 'graph of a metric (HTML)', path: (metric) => `/metric/${metric}/graph` },
  { name: '`yhat` of 24 hours', path: (metric) => `/metric/${metric}/yhat` },
  { name: 'graph of the organisation (SVG)', path: () => '/org/graph?format=svg' },
  { name: 'metric record', path: (metric) => `/metric/${metric}` },
];

/** Sends a week of minutes with a daily wave, and waits until all of it is judged. */
async function fill(product, token) {
  const first = (Math.floor(Date.now() / 1000 / MINUTE) - slots) * MINUTE;
  const timestamps = Array.from({ length: slots }, (_, i) => first + i * MINUTE);
  const values = timestamps.map((time) => 100 + 20 * Math.sin((2 * Math.PI * time) / DAY) + ((time * 7919) % 101) / 25);
  const answer = await fetch(`${product.url}/ingest/metrics`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Auth-Token': token, 'X-Backfill': 'true' },
    body: JSON.stringify({ metrics: [METRIC, OTHER].map((metric) => ({ metric, timestamps, values })) }),
  });
  if (answer.status !== 204) throw new Error(`The history was answered with ${answer.status}: ${await answer.text()}`);
  await until('the history to be scored', async () => {
    const { metrics } = await product.call('/metrics', { token });
    return metrics.every(({ last_timestamp: last }) => last === timestamps.at(-1)) || undefined;
  });
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

const machine = describeMachine();
console.log(machineLines(machine, false).join('\n'));
const product = await startProduct({ dist: resolve(options.dist) });
const figures = CALLS.map(({ name }) => ({ name, first: [], other: [] }));
const readyMs = [];
try {
  const token = await product.createToken(['read', 'write', 'ingest', 'admin']);
  await fill(product, token);
  for (let start = 0; start < starts; start++) {
    for (const [i, { path }] of CALLS.entries()) {
      await product.stop();
      const started = performance.now();
      await product.start();
      await until('the product to be ready', product.isReady, { everyMs: 20 });
      readyMs.push(performance.now() - started);
      figures[i].first.push(await timedAnswer(product, path(METRIC), token));
      figures[i].other.push(await timedAnswer(product, path(OTHER), token));
    }
  }
} finally {
  await product.dispose();
}

console.log(`\nReady ${Math.round(median(readyMs))} ms after the start (median of ${readyMs.length}).\n`);
console.log(
  '| First call of a process | median | most | the same of another metric, median |\n| --- | ---: | ---: | ---: |',
);
for (const { name, first, other } of figures) {
  const [middle, most, later] = [median(first), Math.max(...first), median(other)].map((ms) => Math.round(ms));
  console.log(`| ${name} | **${middle} ms** | ${most} ms | ${later} ms |`);
}
if (options.json) await writeFile(options.json, JSON.stringify({ machine, readyMs, figures }, null, 2));
