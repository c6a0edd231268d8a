/**
 * `npm run bench:neighbours`: measures the effect of one attacking tenant on another one, with the built product: the
 * 99th percentile of the answers to the neighbour under each attack, relative to that of the same requests without an
 * attack.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { profileReport } from '../ingest/profile.mjs';
import { awaitScored } from '../ingest/population.mjs';
import { startProduct } from '../ingest/product.mjs';
import { quantiles } from '../ingest/quantiles.mjs';
import { describeMachine, machineLines } from '../machine.mjs';
import { ATTACKS } from './attacks.mjs';
import { startMeasurer } from './measurer.mjs';
import { KIND_NAMES } from './neighbour.mjs';
import { tenants } from './population.mjs';

/** Maximum factor by which the neighbour may wait longer than alone. */
const GOAL = 3;
/** Time after which an attack is considered to be running. */
const BEGIN_SECONDS = 3;
/** Work that an attack has started ends within this time. */
const CALM_SECONDS = 30;

const USAGE = `Usage: npm run bench:neighbours -- [options]
  --only ATTACK   one of ${Object.keys(ATTACKS).join(', ')}; may be given again (default: all)
  --seconds N     how long each is measured (60; with 20 the 99th percentile is the slowest answer)
  --rounds N      each is measured so many times, by turns with the neighbour alone (1)
  --check         exit code 1 when the neighbour waits more than ${GOAL} times as long as alone
  --heap MB       bound the heap of the product
  --profile       run the product with node --cpu-prof and say where the time went
  --dist DIR      another build to measure (default: dist, built when stale)
  --json FILE     write all figures`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', multiple: true, default: Object.keys(ATTACKS) },
        seconds: { type: 'string', default: '60' },
        rounds: { type: 'string', default: '1' },
        check: { type: 'boolean', default: false },
        heap: { type: 'string' },
        profile: { type: 'boolean', default: false },
        dist: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const unknown = values.only.find((name) => !Object.hasOwn(ATTACKS, name));
    if (unknown !== undefined) throw new Error(`There is no attack called "${unknown}".`);
    return values;
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    process.exit(2);
  }
}

/** Combines the figures of several measurements. */
function added(before, measured) {
  if (before === undefined) return measured;
  return Object.fromEntries(
    KIND_NAMES.map((kind) => [
      kind,
      {
        milliseconds: [...before[kind].milliseconds, ...measured[kind].milliseconds],
        failures: before[kind].failures + measured[kind].failures,
      },
    ]),
  );
}

/** Waits for the work that an attack has started: its benchmarks continue after the attack. */
async function calm({ telemetry }) {
  const until = performance.now() + CALM_SECONDS * 1000;
  do {
    await new Promise((resume) => setTimeout(resume, BEGIN_SECONDS * 1000));
  } while (performance.now() < until && (await telemetry('plumbline_turns_org_running').catch(() => 0)) > 0);
}

async function under(attack, target, work) {
  const attacker = spawn(
    process.execPath,
    [join(import.meta.dirname, 'attacker.mjs'), attack, JSON.stringify(target)],
    {
      stdio: 'inherit',
    },
  );
  const ended = once(attacker, 'exit');
  try {
    await new Promise((begun) => setTimeout(begun, BEGIN_SECONDS * 1000));
    return await work();
  } finally {
    attacker.kill('SIGKILL');
    await ended;
  }
}

/** Maximum memory of the process, and maximum used heap, sampled once a second; in bytes. */
function watchMemory({ pid, telemetry }) {
  const peak = { resident: 0, heap: 0, stop: () => clearInterval(timer) };
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    peak.resident = Math.max(peak.resident, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
    peak.heap = Math.max(peak.heap, await telemetry('nodejs_heap_size_used_bytes').catch(() => 0));
  }, 1000);
  return peak;
}

const given = readOptions();
if (given.help) {
  console.log(USAGE);
  process.exit(0);
}
if (given.dist === undefined) await buildIfStale();
console.log(machineLines(describeMachine(), false).join('\n'));

const profileFolder = given.profile ? await mkdtemp(join(tmpdir(), 'plumbline-profile-')) : undefined;
const product = await startProduct({
  profileFolder,
  ...(given.dist && { dist: resolve(given.dist) }),
  env: {
    PLUMBLINE_LIMIT_PICTURES: '1000000',
    PLUMBLINE_LIMIT_HEAVY: '1000000',
    PLUMBLINE_LIMIT_BENCHMARK: '100000',
    ...(given.heap && { NODE_OPTIONS: `--max-old-space-size=${given.heap}` }),
  },
});
const peak = watchMemory(product);
const measurer = startMeasurer();
const figures = {};
try {
  const { attacker, neighbour, points } = await tenants(product);
  await awaitScored(product, points);
  const seconds = Number(given.seconds);
  // The first answers are by code that is not compiled yet.
  await measurer.measure(neighbour, Math.min(seconds, 10));
  const turns = Array.from({ length: Number(given.rounds) }, () => given.only).flat();
  for (const attack of turns) {
    process.stderr.write(`measuring ${attack} …\n`);
    // Directly before each attack, because the machine may have other, varying load.
    const alone = await measurer.measure(neighbour, seconds);
    const attacked = await under(attack, attacker, () => measurer.measure(neighbour, seconds));
    figures[attack] = { alone: added(figures[attack]?.alone, alone), under: added(figures[attack]?.under, attacked) };
    await calm(product);
    if (!(await fetch(`${product.managementUrl}/livez`)).ok)
      throw new Error(`The product does not live after ${attack}`);
  }
} catch (error) {
  console.error(product.output().slice(-5000));
  throw error;
} finally {
  peak.stop();
  await measurer.stop();
  await product.dispose();
}

const p99 = (figures, kind) => quantiles(figures[kind].milliseconds).p99;
let worst = 0;
console.log(
  `\n99th percentile of the neighbour's answers, milliseconds; in brackets over that without the attack, just before\n`,
);
console.log(
  ['', ...KIND_NAMES, 'not answered'].map((text, i) => (i === 0 ? text.padEnd(24) : text.padStart(18))).join(''),
);
for (const [name, { alone, under: attacked }] of Object.entries(figures)) {
  const cells = KIND_NAMES.map((kind) => {
    const ratio = p99(attacked, kind) / p99(alone, kind);
    worst = Math.max(worst, ratio);
    return `${p99(attacked, kind).toFixed(1)} (${ratio.toFixed(1)})`.padStart(18);
  });
  const failures = KIND_NAMES.reduce((sum, kind) => sum + attacked[kind].failures, 0);
  if (failures > 0) worst = Infinity;
  console.log([name.padEnd(24), ...cells, String(failures).padStart(18)].join(''));
}
const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(0);
console.log(
  `\nThe product's peak: ${mebibytes(peak.resident)} MiB resident, ${mebibytes(peak.heap)} MiB of heap in use.`,
);
if (profileFolder !== undefined) {
  console.log(`\n${await profileReport(profileFolder)}`);
  await rm(profileFolder, { recursive: true, force: true });
}
if (given.json !== undefined) await writeFile(given.json, `${JSON.stringify(figures, null, 2)}\n`);
if (given.check && worst > GOAL) {
  console.log(`\nThe neighbour waits ${worst.toFixed(1)} times as long as alone; the goal is ${GOAL}.`);
  process.exitCode = 1;
}
