/**
 * Measures how fast candidates are compared with patterns in the built product: 10,000 enabled patterns in one
 * organisation, 200 of each metric, 2,000 candidates in one minute. In the same run it measures other requests with and
 * without this load, and a plain scan of all patterns of a metric.
 *
 *   npm run bench:patterns -- [--metrics 50] [--patterns 200] [--candidates 2000] [--seconds 60] [--json FILE] [--profile FOLDER]
 *     [--dist DIR: another build to measure]
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { startEmbeddedPostgres } from '../../dist/libs/embedded-postgres/src/index.js';
import {
  contextStep,
  contextWindow,
  cutShape,
  likeness,
  part,
  prepare,
  startWindow,
  stretchOf,
  zDistance,
} from '../../dist/libs/patterns/src/index.js';
import { PatternEntity } from '../../dist/apps/server/src/analysis/pattern/pattern.entity.js';
import { PatternRepository } from '../../dist/apps/server/src/analysis/pattern/pattern.repository.js';
import { connectionOptions } from '../../dist/apps/server/src/common/database/connection.js';
import { startProduct } from '../ingest/product.mjs';
import { until } from '../ingest/until.mjs';
import { describeMachine, machineLines } from '../machine.mjs';
import { startProber } from './prober.mjs';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const DAYS = 4;
/** A job of half an hour, five minutes past every hour. */
const JOB = { at: 5 * MINUTE, length: 30 * MINUTE, height: 50 };
/** Number of newest jobs that candidates are about; the oldest ones are patterns. */
const LOADED_JOBS = 20;
const FIRST_TAUGHT_JOB = 24;
/**
 * Half of the time without candidates is before them and half afterwards, so that a drift of the machine affects both.
 */
const IDLE_MS = 30_000;
/** A pattern refers to rows of other areas, so all of them are needed. */
const ENTITIES = join(import.meta.dirname, '../../dist/apps/server/src/*/*/*.entity.js');
/** Everything except the shape. */
const TRAINED = {
  ...{ anomalyId: null, trainingId: null, parentId: null, rootId: null, generation: 0, creatorUserId: null },
  ...{ origin: 'trained', label: '', positive: false, shadow: false, learn: true, anomalyValue: null },
  createdAt: new Date(),
};

const { values: options } = parseArgs({
  options: {
    metrics: { type: 'string', default: '50' },
    patterns: { type: 'string', default: '200' },
    candidates: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    json: { type: 'string' },
    profile: { type: 'string' },
    dist: { type: 'string' },
  },
});
const [metrics, patternsEach, candidates, seconds] = ['metrics', 'patterns', 'candidates', 'seconds'].map((name) =>
  Number(options[name]),
);

const quantile = (numbers, share) => [...numbers].sort((a, b) => a - b)[Math.floor(share * (numbers.length - 1))];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

const last = Math.floor(Date.now() / 1000 / MINUTE) * MINUTE - 10 * MINUTE;
const first = last - DAYS * DAY;
const slots = (last - first) / MINUTE;
const timestamps = Array.from({ length: slots }, (_, slot) => first + slot * MINUTE);

function valuesOf(metric) {
  let state = metric + 1;
  const noise = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
  return timestamps.map((time) => {
    const isJob = time % HOUR >= JOB.at && time % HOUR < JOB.at + JOB.length;
    return 100 + 20 * Math.sin((2 * Math.PI * time) / DAY) + 6 * noise() + (isJob ? JOB.height : 0);
  });
}

/** The starts of jobs, newest first, with a day before each. */
const jobs = timestamps.filter((time) => time % HOUR === JOB.at && time > first + DAY && time < last - HOUR).reverse();

function shapeOf(series, start) {
  const rows = timestamps.map((time, slot) => [time, series[slot]]);
  const fine = stretchOf(rows, start - 2 * HOUR, start + 2 * HOUR, MINUTE);
  const step = contextStep(DAY, MINUTE);
  const window = contextWindow(start, DAY, step);
  const context = stretchOf(rows, window.from, window.until - 1, step);
  return cutShape(DAY, { start, end: start + JOB.length - MINUTE }, { fine, context });
}

async function fill(product, client, token) {
  for (let metric = 0; metric < metrics; metric++) {
    const body = { metrics: [{ metric: `patterns.${metric}`, timestamps, values: valuesOf(metric) }] };
    const answer = await fetch(`${product.url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': token, 'X-Backfill': 'true' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 204)
      throw new Error(`The history was answered with ${answer.status}: ${await answer.text()}`);
  }
  const rows = await until(
    'the history to be detected',
    async () => {
      const { rows: known } = await client.query(
        `SELECT id, org_id, name FROM metric WHERE name LIKE 'patterns.%' AND last_timestamp >= $1 ORDER BY id`,
        [timestamps.at(-1)],
      );
      return known.length === metrics ? known : undefined;
    },
    { everyMs: 500, withinMs: 600_000 },
  );
  return rows;
}

async function teach(dataSource, rows) {
  const patterns = new PatternRepository(dataSource.getRepository(PatternEntity));
  for (const { id: metricId, org_id: orgId, name } of rows) {
    const series = valuesOf(Number(name.split('.')[1]));
    await dataSource.transaction(async (tx) => {
      // Every hour of the days before today, and variants of these shapes.
      for (let number = 0; number < patternsEach; number++) {
        const start = jobs[Math.min(jobs.length - 1, FIRST_TAUGHT_JOB + (number % (jobs.length - FIRST_TAUGHT_JOB)))];
        const scale = 1 + Math.floor(number / (jobs.length - FIRST_TAUGHT_JOB)) * 0.3;
        const shape = shapeOf(scale === 1 ? series : series.map((value) => value * scale), start);
        await patterns.insert({ ...TRAINED, orgId, metricId, shape, starts: [shape.partStart] }, tx);
      }
    });
  }
}

/** Half of the candidates begin with a job, half between jobs. */
function startOf(number) {
  const job = jobs[Math.floor(number / 2) % LOADED_JOBS];
  return number % 2 === 0 ? job : job + 40 * MINUTE + Math.floor(number / (2 * LOADED_JOBS)) * MINUTE;
}

/** The same for jobs that no other candidate is about. */
function firstStartOf(number) {
  const job = jobs[LOADED_JOBS + (Math.floor(number / 2) % (FIRST_TAUGHT_JOB - LOADED_JOBS))];
  return number % 2 === 0 ? job : job + 40 * MINUTE;
}

/** Inserts candidates evenly over the time; returns how long each waited for its verdict. */
async function load(client, watcher, rows, { candidates, seconds, startOf }) {
  const waiting = new Map();
  const took = [];
  const began = performance.now();
  let sent = 0;
  let isSending = true;
  // Rare enough not to be a load itself: a verdict is known at most a tenth of a second late.
  const watch = (async () => {
    while (isSending || waiting.size > 0) {
      const { rows: open } = await watcher.query(
        `SELECT metric_id, start_timestamp FROM anomaly_candidate WHERE state = 'pending'`,
      );
      const now = performance.now();
      const left = new Set(open.map((row) => `${row.metric_id}@${row.start_timestamp}`));
      for (const [key, since] of waiting) {
        if (left.has(key) || since.committed === undefined || since.committed > now - 20) continue;
        took.push(now - since.committed);
        waiting.delete(key);
      }
      await pause(100);
    }
  })();
  for (; sent < candidates; sent++) {
    await pause(began + (sent * seconds * 1000) / candidates - performance.now());
    const row = rows[sent % rows.length];
    const start = startOf(Math.floor(sent / rows.length));
    const key = `${row.id}@${start}`;
    if (waiting.has(key)) continue;
    const event = {
      type: 'closed',
      seriesId: row.id,
      startTimestamp: start,
      endTimestamp: start + JOB.length - MINUTE,
      peakTimestamp: start,
      backfill: false,
      value: 150,
      peakValue: 150,
      expected: 100,
      lower: 90,
      upper: 110,
      score: 0.9,
      severity: 60,
      kind: 'spike',
      explanation: [],
      closeReason: 'recovered',
    };
    const entry = {};
    waiting.set(key, entry);
    const now = Date.now() / 1000;
    await client.query(
      `INSERT INTO anomaly_candidate (metric_id, start_timestamp, org_id, event, state, deadline, check_at)
       VALUES ($1, $2, $3, $4, 'pending', $5, $6) ON CONFLICT DO NOTHING`,
      [row.id, start, row.org_id, JSON.stringify(event), now + 60, now],
    );
    entry.committed = performance.now();
  }
  isSending = false;
  await watch;
  return took;
}

/**
 * Compares one candidate with all patterns of a metric: with the checks of the product, and with every window of every
 * pattern.
 */
function scans() {
  const series = valuesOf(0);
  const rows = timestamps.map((time, slot) => [time, series[slot]]);
  const whole = stretchOf(rows, first, last - 1, MINUTE);
  const shapes = Array.from({ length: patternsEach }, (_, number) =>
    prepare(shapeOf(series, jobs[FIRST_TAUGHT_JOB + (number % (jobs.length - FIRST_TAUGHT_JOB))])),
  );
  const start = jobs[0];
  const step = contextStep(DAY, MINUTE);
  const { from, until: end } = contextWindow(start, DAY, step);
  const context = stretchOf(rows, from - 2 * step, end + 2 * step - 1, step);
  const fine = { start: start - 2 * HOUR, step: MINUTE, values: part(whole, start - 2 * HOUR, start + 21 * MINUTE) };
  const candidate = { start, end: null, newest: start + 20 * MINUTE, fine, contexts: new Map([[DAY, context]]) };
  const ours = () => {
    for (const shape of shapes) {
      const window = startWindow([shape.shape.partStart], 'UTC', MINUTE);
      likeness(shape, candidate, { threshold: 0.95, window, timezone: 'UTC' });
    }
  };
  const query = part(whole, start - 15 * MINUTE, start + 21 * MINUTE);
  const plain = () => {
    for (const { shape } of shapes) {
      const day = part(whole, shape.partStart - DAY, shape.partEnd);
      for (let index = 0; index + query.length <= day.length; index++) {
        zDistance(query, day.subarray(index, index + query.length));
      }
    }
  };
  const timed = (work, times) => {
    work();
    const started = performance.now();
    for (let i = 0; i < times; i++) work();
    return (performance.now() - started) / times;
  };
  return { ours: timed(ours, 20), plain: timed(plain, 2) };
}

const machine = describeMachine();
console.log(machineLines(machine, false).join('\n'));
const folder = await mkdtemp(join(tmpdir(), 'plumbline-patterns-'));
const server = await startEmbeddedPostgres({ dataFolder: folder, log: () => undefined });
const product = await startProduct({
  env: { DATABASE_URL: server.url },
  profileFolder: options.profile,
  ...(options.dist && { dist: resolve(options.dist) }),
});
const [client, watcher] = [server.url, server.url].map((connectionString) => new pg.Client({ connectionString }));
let report;
try {
  await Promise.all([client.connect(), watcher.connect()]);
  const token = await product.createToken(['read', 'write', 'ingest']);
  const rows = await fill(product, client, token);
  const dataSource = await new DataSource({ ...connectionOptions(server.url), entities: [ENTITIES] }).initialize();
  await teach(dataSource, rows).finally(() => dataSource.destroy());
  await client.query('ANALYZE');
  const [{ count }] = (await client.query('SELECT count(*)::integer AS count FROM pattern WHERE enabled')).rows;
  await pause(5000);
  const countMatches = async () =>
    (await client.query('SELECT count(*)::integer AS matches FROM pattern_match')).rows[0].matches;
  const prober = startProber({ url: `${product.url}/api/anomalies?limit=20`, token });
  const idle = async () => {
    prober.start();
    await pause(IDLE_MS);
    return prober.stop();
  };
  // The other request lists anomalies: it must find as many before as during the load, and its code must be compiled.
  const firsts = 2 * (FIRST_TAUGHT_JOB - LOADED_JOBS) * metrics;
  const firstLoad = { candidates: firsts, seconds: (firsts * seconds) / candidates, startOf: firstStartOf };
  await load(client, watcher, rows, firstLoad);
  const firstMatches = await countMatches();
  await pause(5000);
  const before = await idle();
  prober.start();
  const verdicts = await load(client, watcher, rows, { candidates, seconds, startOf });
  const others = await prober.stop();
  await pause(5000);
  const after = await idle();
  await prober.end();
  const matches = (await countMatches()) - firstMatches;
  const scan = scans();
  const figures = (took) => [0.5, 0.95, 0.99, 1].map((share) => Math.round(quantile(took, share)));
  report = { machine, patterns: count, candidates: verdicts.length, matches, verdicts: figures(verdicts) };
  Object.assign(report, { idle: figures([...before, ...after]), busy: figures(others), scan });
} finally {
  await Promise.all([client.end(), watcher.end()]);
  await product.dispose();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

const line = (name, [median, p95, p99, most]) => `| ${name} | ${median} | ${p95} | ${p99} | ${most} |`;
console.log(`
${report.patterns} enabled patterns, ${patternsEach} of each of ${metrics} metrics; ${report.candidates} candidates in ${seconds} s,
${report.matches} of them are matches.

| Milliseconds | median | 95% | 99% | most |
| --- | ---: | ---: | ---: | ---: |
${line('from a candidate to its verdict', report.verdicts)}
${line('another request, without candidates', report.idle)}
${line('another request, meanwhile', report.busy)}

One candidate against ${patternsEach} patterns of its metric: ${report.scan.ours.toFixed(2)} ms; a plain scan of every window of
every pattern: ${report.scan.plain.toFixed(0)} ms, ${(report.scan.plain / report.scan.ours).toFixed(0)} times as long.`);
if (options.json) await writeFile(options.json, JSON.stringify(report, null, 2));
