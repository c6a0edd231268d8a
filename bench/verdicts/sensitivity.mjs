/**
 * `npm run detection:sensitivity`: changes each named constant of libs/detection/src/series by a quarter up and down in
 * a copy of the built files, judges the dozen seeded kinds with each change, and writes docs/detection-sensitivity.md.
 * `--only FILE` measures the constants of one file (its lines replace the former ones); `--lanes N` runs this many at a
 * time. A run with one value takes somewhat more than a second of a core.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { serialize } from 'node:v8';
import { Presets, SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { changed, constantsIn, withValue } from './constants.mjs';
import { dozen } from './dozen.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const SERIES = 'libs/detection/src/series';
const LIBRARY = 'dist/libs/detection/src/index.js';
const OUT = join(ROOT, 'docs/detection-sensitivity.md');
const FACTORS = [0.75, 1.25];
/** A constant that causes an endless loop fails. */
const LIMIT_MS = 120_000;

const options = new Command('sensitivity')
  .option('--only <file>', 'constants of this file alone, such as sizes.ts')
  .option('--lanes <n>', 'values that are measured at the same time', Number, availableParallelism())
  .parse()
  .opts();

const all = constantsIn(join(ROOT, SERIES));
const constants = all.filter(({ file }) => options.only === undefined || basename(file) === basename(options.only));
if (constants.length === 0) {
  console.error(`${options.only} has no constants; there are ${[...new Set(all.map(({ file }) => file))].join(', ')}`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'sensitivity-'));
const seriesFile = join(folder, 'series');
// Removes the copies also when the process is stopped.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** A copy of the built libraries, in which one constant at a time is changed. */
class Lane {
  constructor(index) {
    this.root = join(folder, String(index));
    cpSync(join(ROOT, 'dist/libs'), join(this.root, 'dist/libs'), {
      recursive: true,
      filter: (path) => !path.endsWith('.map') && !path.endsWith('.d.ts'),
    });
    cpSync(join(ROOT, 'package.json'), join(this.root, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(this.root, 'node_modules'));
  }

  /** Figures with this value of a constant; null if the detector fails with it. */
  async measure({ file, name }, value) {
    const path = join(this.root, 'dist', SERIES, file.replace(/\.ts$/, '.js'));
    const built = readFileSync(path, 'utf8');
    writeFileSync(path, withValue(built, name, value));
    try {
      return await this.run();
    } catch {
      return null;
    } finally {
      writeFileSync(path, built);
    }
  }

  async run() {
    const library = pathToFileURL(join(this.root, LIBRARY)).href;
    const program = join(import.meta.dirname, 'judge-process.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [program, library, seriesFile], {
      timeout: LIMIT_MS,
    });
    return JSON.parse(stdout);
  }
}

async function measureAll() {
  writeFileSync(seriesFile, serialize(dozen({ withQuiet: false })));
  const jobs = constants.flatMap((constant) => FACTORS.map((factor) => ({ constant, factor })));
  const lanes = Array.from(
    { length: Math.max(1, Math.min(options.lanes, jobs.length)) },
    (_, index) => new Lane(index),
  );
  const asIs = await lanes[0].run();
  const figures = new Map(constants.map((constant) => [constant, []]));
  const bar = new SingleBar(
    { format: '{bar} {value}/{total}, {duration_formatted}', stream: process.stderr },
    Presets.shades_classic,
  );
  if (process.stderr.isTTY) bar.start(jobs.length, 0);
  const waiting = [...jobs];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
        const { constant, factor } = job;
        figures.get(constant)[FACTORS.indexOf(factor)] = await lane.measure(constant, changed(constant.value, factor));
        bar.increment();
      }
    }),
  );
  bar.stop();
  return { asIs, figures };
}

const shown = (one) =>
  one === null ? 'fails' : `${(100 * one.found).toFixed(1)} %, ${one.falseAlarmsADay.toFixed(1)}`;

function lineOf({ file, name, value, comment }, measured, asIs) {
  const [less, more] = measured.map((one) => (one !== null && shown(one) === shown(asIs) ? '=' : shown(one)));
  const text = comment.replace(/\|/g, '\\|');
  return `| \`${file}\` | \`${name}\` | ${String(Number(value.toPrecision(6)))} | ${text} | ${less} | ${shown(asIs)} | ${more} |`;
}

/** The current lines of the table, by file. */
function linesOfBefore() {
  if (!existsSync(OUT)) return new Map();
  const lines = readFileSync(OUT, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  return groupedBy(lines, fileOf);
}

const fileOf = (line) => line.slice(3, line.indexOf('`', 3));

function groupedBy(lines, keyOf) {
  const groups = new Map();
  for (const line of lines) groups.set(keyOf(line), [...(groups.get(keyOf(line)) ?? []), line]);
  return groups;
}

function report(lines) {
  const moved = lines.filter((line) => !/\| = \|[^|]*\| = \|$/.test(line)).length;
  return [
    '# Sensitivity of detection',
    '',
    'How the figures change if one constant of the detector is a quarter smaller or larger. `npm run detection:sensitivity` writes this',
    'page, or with `-- --only sizes.ts` only the lines of that file; do not edit it by hand.',
    '',
    'Constants are the top-level `const NAME = number;` of `libs/detection/src/series`, without units of time, codes, the layout of',
    'records, and constants that only affect the description of an anomaly (kind, reasons, severity). An integer stays an integer, and changes',
    'by at least one. The figures are the share of visible trouble found, and false alarms a day for 1,000 series, on a dozen seeded kinds',
    '(`bench/verdicts/dozen.mjs`: eight ordinary kinds with trouble, in rows of five minutes; a deployment, a ramp that falls, a flat line',
    'with one row off, and a row a day). `=` means that the figures do not change; `fails` means that the detector does not run.',
    '',
    `The table has ${String(lines.length)} of ${String(all.length)} constants. The figures change with ${String(moved)} of these.`,
    '',
    '| file | constant | value | unit or meaning | − 25 %: found, false alarms | as is | + 25 % |',
    '| --- | --- | ---: | --- | ---: | ---: | ---: |',
    ...lines,
    '',
  ].join('\n');
}

const began = Date.now();
const { asIs, figures } = await measureAll();
const lines = constants.map((constant) => lineOf(constant, figures.get(constant), asIs));
const byFile = options.only === undefined ? new Map() : linesOfBefore();
for (const [file, own] of groupedBy(lines, fileOf)) byFile.set(file, own);
const files = [...new Set(all.map(({ file }) => file))].filter((file) => byFile.has(file));
writeFileSync(OUT, report(files.flatMap((file) => byFile.get(file))));
const seconds = Math.round((Date.now() - began) / 1000);
console.log(
  `${String(lines.length)} constants in ${String(seconds)} s; ${OUT.slice(dirname(dirname(OUT)).length + 1)} is written`,
);
