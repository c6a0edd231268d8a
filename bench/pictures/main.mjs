/**
 * Measures how fast pictures of 24 hours with their expected range are drawn: the first one of a metric (its range is
 * replayed over two weeks), the same one again, and one of a window that has moved on. The yardstick is the record of
 * the metric, read in the same run.
 *
 *   npm run bench:pictures -- [--metrics 20] [--rounds 10] [--dist DIR] [--json FILE]
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
const DAYS = 16;

const { values: options } = parseArgs({
  options: {
    metrics: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '10' },
    dist: { type: 'string', default: join(ROOT, 'dist') },
    json: { type: 'string' },
  },
});
const names = Array.from({ length: Number(options.metrics) }, (_, i) => `pictures.metric-${String(i)}`);
const rounds = Number(options.rounds);
const slots = (DAYS * DAY) / MINUTE;
const first = (Math.floor(Date.now() / 1000 / MINUTE) - slots) * MINUTE;
const last = first + (slots - 1) * MINUTE;

/** Daily waves with noise, different for each metric. */
async function fill(product, token) {
  const timestamps = Array.from({ length: slots }, (_, i) => first + i * MINUTE);
  for (const [i, metric] of names.entries()) {
    const values = timestamps.map(
      (time) => 100 + i + 20 * Math.sin((2 * Math.PI * (time + i * 600)) / DAY) + ((time * (7919 + i)) % 101) / 25,
    );
    const answer = await fetch(`${product.url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': token, 'X-Backfill': 'true' },
      body: JSON.stringify({ metrics: [{ metric, timestamps, values }] }),
    });
    if (answer.status !== 204)
      throw new Error(`The history was answered with ${answer.status}: ${await answer.text()}`);
  }
  await until('the history to be scored', async () => {
    const { metrics } = await product.call('/metrics', { token });
    return metrics.filter(({ last_timestamp: seen }) => seen === last).length >= names.length || undefined;
  });
}

const quantile = (numbers, share) => [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) * share)];

const picture = (metric, end) =>
  `/image/metric?metric=${metric}&from=${end - DAY + MINUTE}&until=${end}&width=800&height=300`;

const machine = describeMachine();
console.log(machineLines(machine, false).join('\n'));
const product = await startProduct({ dist: resolve(options.dist) });
const figures = { record: [], cold: [], again: [], moved: [] };
try {
  await until('the product to be ready', product.isReady, { everyMs: 20 });
  const token = await product.createToken(['read', 'write', 'ingest', 'admin']);
  await fill(product, token);
  for (const metric of names) figures.cold.push(await timedAnswer(product, picture(metric, last), token));
  for (let round = 1; round <= rounds; round++) {
    // Below the limit of requests per minute.
    const metric = names[round % names.length];
    figures.record.push(await timedAnswer(product, `/metric/${metric}`, token));
    figures.again.push(await timedAnswer(product, picture(metric, last), token));
    figures.moved.push(await timedAnswer(product, picture(metric, last - round * MINUTE), token));
  }
} finally {
  await product.dispose();
}

const yardstick = quantile(figures.record, 0.5);
const NAMES = {
  record: 'record of the metric (yardstick)',
  cold: 'first picture of a metric',
  again: 'the same picture again',
  moved: 'a picture of a window beside it',
};
console.log('\n| PNG of 24 h, 1,440 points | p50 | p95 | p50 in yardsticks |\n| --- | ---: | ---: | ---: |');
for (const [key, name] of Object.entries(NAMES)) {
  const [middle, high] = [quantile(figures[key], 0.5), quantile(figures[key], 0.95)];
  console.log(`| ${name} | **${middle.toFixed(1)} ms** | ${high.toFixed(1)} ms | ${(middle / yardstick).toFixed(1)} |`);
}
if (options.json) await writeFile(options.json, JSON.stringify({ machine, figures }, null, 2));
