/**
 * `npm run bench:storage -- [--data FOLDER] [--quick] [--only NAME] [--json FILE]`: measures the cost of a stored point
 * in time and disk space, on a separate PostgreSQL in a temporary folder, configured as in the product. The exit code
 * does not depend on the figures: it is 1 only if a measurement failed.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { describeMachine } from '../machine.mjs';

const MEASUREMENTS = ['codec', 'disk', 'history', 'steady', 'read'];
const USAGE = `Usage: npm run bench:storage -- [options]
  --data FOLDER  also measures series of your own: CSV files of timestamp and value, a data set per folder in FOLDER
  --quick        smaller sizes: for a first look
  --only NAME    one of ${MEASUREMENTS.join(', ')}; may be given again
  --json FILE    writes all figures`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        data: { type: 'string' },
        quick: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: MEASUREMENTS },
        json: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const unknown = values.only.find((name) => !MEASUREMENTS.includes(name));
    if (unknown !== undefined) throw new Error(`There is no measurement called "${unknown}".`);
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
await buildIfStale();

const { measureCodec, measureDisk } = await import('./disk.mjs');
const { measureHistory, measureRead, measureSteady } = await import('./load.mjs');
const { dataSets } = await import('./data-sets.mjs');
const { withDatabase } = await import('./database.mjs');

const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
const figures = { machine: describeMachine(), date: new Date().toISOString() };
const wants = (name) => options.only.includes(name);
try {
  const sets = wants('codec') || wants('disk') ? await dataSets(options.data) : [];
  if (wants('codec')) figures.codec = show('Codec, points of a day at a time', measureCodec(sets));
  await withDatabase(folder, async (database) => {
    const measure = async (name, title, work) => {
      if (wants(name)) figures[name] = show(title, await work(database, options.quick));
    };
    await measure('disk', 'On disk after compaction, 60 s slots', () => measureDisk(database, sets));
    await measure('history', 'History: 10,000 series, 20,000 points a write', measureHistory);
    await measure('steady', 'Steady state: 200,000 series, 400 points a write', measureSteady);
    await measure('read', 'Reads of one of 2,000 series', measureRead);
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
if (options.json) await writeFile(options.json, JSON.stringify(figures, null, 2));

function show(title, rows) {
  console.log(`\n${title}`);
  console.table(Object.fromEntries(rows.map(({ name, ...row }) => [name, row])));
  return rows;
}
