/**
 * `npm run bench:compression`: measures the cost and the savings of compressed answers. Answers with the structure of
 * those of the API, with seeded values, pass through the middleware of the server over a real connection, one after the
 * other. The yardstick is the same answer uncompressed in the same run. `--rounds N` (default 40).
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { parseArgs } from 'node:util';
import express from 'express';
import { ServerConfig } from '../../dist/apps/server/src/common/config/server.config.js';
import { compressAnswers } from '../../dist/apps/server/src/common/http/compression.js';
import { describeMachine, machineLines } from '../machine.mjs';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '40' } } });
const ROUNDS = Number(options.rounds);
const ENCODINGS = ['identity', 'gzip', 'br'];
const NOON = 1_760_000_000;

/** Seeded noise in [0, 1), with as many digits as real measurements. */
const noise = (i) => ((i * 2_654_435_761) % 1_000_003) / 1_000_003;
const level = (i) => 1000 + 400 * Math.sin((2 * Math.PI * i) / 1440);

function yhatPoint(_, i) {
  const yhat = level(i);
  const value = yhat + 60 * (noise(i) - 0.5);
  const [lower, upper] = [yhat - 80 - noise(i + 7), yhat + 80 + noise(i + 9)];
  return {
    timestamp: NOON + 60 * i,
    yhat,
    yhat_lower: lower,
    yhat_upper: upper,
    yhat_real_lower: Math.max(0, lower),
    value,
    mean: value,
    score: noise(i + 3) / 10,
    anomalous: false,
  };
}

function metric(_, i) {
  const name = `http_requests_total{job="api",instance="web-${i}",method="GET"}`;
  return {
    id: i,
    name,
    display_name: 'http_requests_total',
    labels: { job: 'api', instance: `web-${i}`, method: 'GET' },
    type: 'counter',
    unit: null,
    source: 'prometheus',
    state: 'active',
    analysis_state: 'live',
    last_timestamp: NOON + i,
    last_value: Math.floor(1e6 * noise(i)),
    seasonal_periods: [86_400, 604_800],
    graph_url: `https://plumbline.example.org/api/metric/${encodeURIComponent(name)}/graph`,
  };
}

const enveloped = (data) => JSON.stringify({ status: { code: 200, duration: 0.021, language: 'en-gb' }, data });
const yhat = Array.from({ length: 1440 }, yhatPoint);
const openapi = readFileSync(new URL('../../apps/server/openapi.json', import.meta.url), 'utf8');

const ANSWERS = {
  'a day of yhat': enveloped({ metric: 'shop.orders', yhat, anomalous_periods: [] }),
  'a day of values': enveloped({ points: yhat.map(({ timestamp, value }) => [timestamp, value]) }),
  '100 metrics': enveloped({ metrics: Array.from({ length: 100 }, metric), total: 100 }),
  'the API description': JSON.stringify(JSON.parse(openapi)),
  '2 kB': enveloped({ metrics: Array.from({ length: 4 }, metric) }),
};

/** Bytes of the body as sent. */
function fetchBytes(port, path, encoding) {
  return new Promise((resolve, reject) => {
    get({ port, path, headers: { 'Accept-Encoding': encoding } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => (bytes += chunk.length));
      response.on('end', () => resolve(bytes));
    }).on('error', reject);
  });
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

async function measure(port, path, encoding) {
  const times = [];
  let bytes = 0;
  let processorMs = 0;
  for (let round = -5; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    const start = performance.now();
    bytes = await fetchBytes(port, path, encoding);
    const elapsed = performance.now() - start;
    const { user, system } = process.cpuUsage(before);
    // The first rounds warm up the compiler.
    if (round < 0) continue;
    times.push(elapsed);
    processorMs += (user + system) / 1000;
  }
  return { bytes, ms: median(times), processorMs: processorMs / ROUNDS };
}

const app = express();
app.use(compressAnswers(new ServerConfig()));
const answers = Object.entries(ANSWERS);
app.get('/:index', (request, response) => response.type('json').send(answers[Number(request.params.index)][1]));
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address();

console.log(machineLines(describeMachine(), false).join('\n'));
console.log('Client and server are one process: processor time is that of both.\n');
console.log('| Answer | Encoding | Bytes | Ratio | ms, median | Processor ms |\n| --- | --- | --- | --- | --- | --- |');
for (const [index, [name]] of answers.entries()) {
  let plain;
  for (const encoding of ENCODINGS) {
    const { bytes, ms, processorMs } = await measure(port, `/${index}`, encoding);
    plain ??= bytes;
    const cells = [name, encoding, bytes, (plain / bytes).toFixed(1), ms.toFixed(2), processorMs.toFixed(2)];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
server.close();
