/**
 * `npm run bench:detection -- [--quick] [--json FILE] …`: measures the cost of a point, a series and a checkpoint.
 * Measurements run one after the other, each in a separate process. The exit code does not depend on the figures: it is
 * 0, or 1 if a measurement failed.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { describeMachine, machineLines } from '../machine.mjs';
import { judge } from './goals.mjs';
import { MEASUREMENTS } from './measurements.mjs';
import { resultTable } from './report.mjs';
import { runMeasurement } from './run-measurement.mjs';
import { FULL, QUICK } from './sizes.mjs';
import { summarise } from './statistics.mjs';

const USAGE = `Usage: npm run bench:detection -- [options]
  --quick       fewer series and repetitions: for a first look, the goals are meant for the full form
  --json FILE   writes all figures, every repetition included
  --only NAME   one of ${Object.keys(MEASUREMENTS).join(', ')}; may be given again
  --dist DIR    another build to measure, for a comparison (default: dist, built when stale)
The full form takes some minutes, some gigabytes of memory and a temporary file of one.`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        json: { type: 'string' },
        only: { type: 'string', multiple: true, default: Object.keys(MEASUREMENTS) },
        dist: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const unknown = values.only.find((name) => !Object.hasOwn(MEASUREMENTS, name));
    if (unknown !== undefined) throw new Error(`There is no measurement called "${unknown}".`);
    // A restore reads the checkpoint of a population.
    if (values.only.includes('restore')) values.only.push('population');
    return values;
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    process.exit(2);
  }
}

const options = readOptions();
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}
if (options.dist === undefined) await buildIfStale();

const machine = describeMachine();
const sizes = options.quick ? QUICK : FULL;
const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
const task = {
  dist: resolve(options.dist ?? fileURLToPath(new URL('../../dist', import.meta.url))),
  sizes,
  snapshotFile: join(folder, 'snapshot'),
};
const rows = [];
const failures = [];
try {
  console.log(machineLines(machine, options.quick).join('\n'));
  for (const name of Object.keys(MEASUREMENTS).filter((one) => options.only.includes(one))) {
    process.stderr.write(`measuring ${name} …\n`);
    try {
      const measured = await runMeasurement(name, task);
      rows.push(...measured.map((row) => ({ measurement: name, ...row, ...summarise(row), ...judge(row) })));
    } catch (error) {
      failures.push({ measurement: name, message: error.message });
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

console.log(`\n${resultTable(rows)}`);
for (const { measurement, message } of failures) console.log(`\n${measurement} could not be measured: ${message}`);
if (options.json !== undefined) {
  const form = options.quick ? 'quick' : 'full';
  await writeFile(options.json, `${JSON.stringify({ ...machine, form, sizes, rows, failures }, null, 2)}\n`);
}
process.exitCode = failures.length > 0 ? 1 : 0;
