/**
 * `npm run bench:detect-processes -- [--series 2000] [--points 2000000] [--smoke]`: measures how much faster several
 * processes clear a backlog than one. The backlog is created without any detecting process; then one, two and four
 * processes clear the same number of points, each pinned to one core if there are enough cores.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { DATABASE_LOCKS } from '../../dist/libs/database-locks/src/index.js';
import { levelOf, lineOf, random } from '../ingest/bodies.mjs';
import { startProduct } from '../ingest/product.mjs';
import { until } from '../ingest/until.mjs';
import { describeMachine, machineLines } from '../machine.mjs';
import { withDatabase } from '../storage/database.mjs';

const { values: given } = parseArgs({
  options: {
    series: { type: 'string', default: '2000' },
    points: { type: 'string', default: '2000000' },
    smoke: { type: 'boolean', default: false },
  },
});
await buildIfStale();

const COUNTS = given.smoke ? [1, 2] : [1, 2, 4];
const series = given.smoke ? 200 : Number(given.series);
const slots = Math.ceil((given.smoke ? 40_000 : Number(given.points)) / series);
const SLOTS_PER_BODY = Math.max(1, Math.floor(40_000 / series));
const MINUTE = 60;
const PARTITIONS = 8;
const LOCK = DATABASE_LOCKS.detectionPartition.number;
const cores = availableParallelism();

/** Throughput with which this many processes clear the backlog of a new database, in points per second. */
async function measure(count) {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-processes-'));
  const products = [];
  try {
    let perSecond = 0;
    await withDatabase(folder, async ({ url, query }) => {
      const start = async (roles) => {
        const env = {
          DATABASE_URL: url,
          PLUMBLINE_ROLES: roles,
          PLUMBLINE_SECRET_KEY: 'ab'.repeat(32),
          PLUMBLINE_DETECTION_THREADS: '1',
          PLUMBLINE_WARM_UP: 'off',
          PLUMBLINE_INGEST_BACKLOG_POINTS: '1000000000',
        };
        const product = await startProduct({ env });
        products.push(product);
        return product;
      };
      const ingest = await start('api,ingest');
      await makeBacklog(ingest);
      const goals = await query('SELECT "partition", max(position)::float8 AS position FROM point_log GROUP BY 1');
      // Holds the locks of all partitions, so that no process begins before all are running.
      await query(`SELECT pg_advisory_lock(${LOCK}, p) FROM generate_series(0, ${PARTITIONS - 1}) AS p`);
      const detectors = await Promise.all(Array.from({ length: count }, () => start('detect')));
      if (cores > count) detectors.forEach(({ pid }, index) => pin(pid, index + 1));
      await query('SELECT pg_advisory_unlock_all()');
      const began = performance.now();
      const isWorkedOff = async () => {
        const rows = await query('SELECT "partition", applied_position::float8 AS position FROM detection_checkpoint');
        const applied = new Map(rows.map(({ partition, position }) => [partition, position]));
        return goals.every(({ partition, position }) => (applied.get(partition) ?? 0) >= position) || undefined;
      };
      await until('the backlog to be worked off', isWorkedOff, { timeoutMs: 3_600_000, everyMs: 50 });
      perSecond = (series * slots) / ((performance.now() - began) / 1000);
    });
    return perSecond;
  } finally {
    for (const product of products) await product.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sends points of the past, which no process reads yet. */
async function makeBacklog(product) {
  const token = await product.createToken(['ingest']);
  const next = random(1);
  const first = Math.floor(Date.now() / 1000 / MINUTE - slots) * MINUTE;
  for (let slot = 0; slot < slots; slot += SLOTS_PER_BODY) {
    const many = Math.min(SLOTS_PER_BODY, slots - slot);
    const lines = [];
    for (let index = 0; index < series; index++) {
      for (let i = 0; i < many; i++) {
        lines.push(`${lineOf(index, levelOf(index) + 4 * next())}${String(first + (slot + i) * MINUTE)}\n`);
      }
    }
    const answer = await fetch(`${product.url}/write?precision=s`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain', 'X-Auth-Token': token, 'X-Backfill': 'true' },
      body: lines.join(''),
    });
    if (!answer.ok) throw new Error(`A body was answered ${String(answer.status)}: ${await answer.text()}`);
  }
}

function pin(pid, core) {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)], { stdio: 'ignore' });
}

console.log(machineLines(describeMachine(), given.smoke).join('\n'));
console.log(`${String(series)} series, ${String(series * slots)} points, one detection thread a process`);
let one;
for (const count of COUNTS) {
  const perSecond = await measure(count);
  one ??= perSecond;
  const many = count === 1 ? '1 process' : `${String(count)} processes`;
  const pinned =
    cores > count ? 'a core each' : `not pinned: ${String(cores)} cores for them, the database and the system`;
  console.log(`${many}: ${perSecond.toFixed(0)} points/s, ${(perSecond / one).toFixed(2)} times one (${pinned})`);
}
