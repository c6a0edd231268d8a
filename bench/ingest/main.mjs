/**
 * `npm run bench:ingest -- [--only MODE] [--quick] …`: measures the built product under load, on this machine, next to
 * a yardstick. The exit code does not depend on the figures: it is 1 only if a measurement failed.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { describeMachine, machineLines } from '../machine.mjs';
import { MODES } from './modes.mjs';
import { profileReport } from './profile.mjs';

const USAGE = `Usage: npm run bench:ingest -- [options]
  --only MODE        one of ${Object.keys(MODES).join(', ')}; may be given again (default: history)
  --all              every mode, one after the other
  --quick            short and small: for a first look
  --smoke            seconds only: to see that the measurements run
  --seconds N        how long to send, or to ask each kind of question (modes.mjs has what each mode does by itself)
  --series N         how many series
  --body-points N    points of a body (5000)
  --connections N    connections of the sender (2)
  --no-yardstick     leave VictoriaMetrics out
  --profile          run the server with node --cpu-prof and say where the time went
  --dist DIR         another build to measure (default: dist, built when stale)
  --json FILE        write all figures`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', multiple: true, default: ['history'] },
        all: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        smoke: { type: 'boolean', default: false },
        seconds: { type: 'string' },
        series: { type: 'string' },
        'body-points': { type: 'string', default: '5000' },
        connections: { type: 'string', default: '2' },
        'no-yardstick': { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
        dist: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const unknown = values.only.find((name) => !Object.hasOwn(MODES, name));
    if (unknown !== undefined) throw new Error(`There is no mode called "${unknown}".`);
    return values;
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    process.exit(2);
  }
}

const given = readOptions();
if (given.help) {
  console.log(USAGE);
  process.exit(0);
}
if (given.dist === undefined) await buildIfStale();

const form = given.smoke ? 'smoke' : given.quick ? 'quick' : 'full';
const machine = describeMachine();
const profileFolder = given.profile ? await mkdtemp(join(tmpdir(), 'plumbline-profile-')) : undefined;
const options = {
  isQuick: given.quick || given.smoke,
  seconds: given.seconds === undefined ? undefined : Number(given.seconds),
  series: given.series === undefined ? undefined : Number(given.series),
  bodyPoints: Number(given['body-points']),
  connections: Number(given.connections),
  noYardstick: given['no-yardstick'],
  seed: 1,
  profileFolder,
  ...(given.dist && { dist: resolve(given.dist) }),
};
const figures = {};
const failures = [];
console.log(machineLines(machine, form !== 'full').join('\n'));
for (const name of given.all ? Object.keys(MODES) : given.only) {
  const mode = MODES[name];
  const { seconds, series } = options;
  const sizes = mode[form];
  process.stderr.write(`measuring ${name} …\n`);
  try {
    figures[name] = await mode.run({ ...options, seconds: seconds ?? sizes.seconds, series: series ?? sizes.series });
    console.log(`\n${mode.title}\n\n${mode.report(figures[name])}`);
  } catch (error) {
    failures.push({ mode: name, message: error.message });
    console.log(`\n${name} could not be measured: ${error.message}`);
  }
}
if (profileFolder !== undefined) {
  console.log(`\n${await profileReport(profileFolder)}`);
  await rm(profileFolder, { recursive: true, force: true });
}
if (given.json !== undefined) {
  await writeFile(given.json, `${JSON.stringify({ ...machine, form, options, figures, failures }, null, 2)}\n`);
}
process.exitCode = failures.length > 0 ? 1 : 0;
