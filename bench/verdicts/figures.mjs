/**
 * `npm run detection:figures`: measures the detector on a dozen seeded kinds and, with `--data`, on a tenth of labelled
 * data that is not part of this repository. Prints the figures next to those of test/golden/detection-figures.json and
 * exits with 1 if one has fallen by more than 0.03; `--write` stores them as the new ones.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Table from 'cli-table3';
import { Command } from 'commander';
import { csvFilesIn } from '../../dist/apps/cli/src/bench/csv-folder.js';
import { readLabelledFile } from '../../dist/apps/cli/src/bench/labelled-folder.js';
import { detectSeries } from '../../dist/libs/detection/src/index.js';
import { scoreEvents } from '../../dist/libs/evaluation/src/index.js';
import { countOf, figuresOf } from './count.mjs';
import { dozen } from './dozen.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const KEPT = join(ROOT, 'test/golden/detection-figures.json');
const MAY_FALL = 0.03;
/** An anomaly opens at this value of `alarm`. */
const THRESHOLD = 0.5;
/** Folders of labelled series, and which of their files, by name, are used: one in ten. */
const SETS = ['kpi', 'cloud', 'synthetic'];
const ONE_OF = 10;

const options = new Command('figures')
  .option('--data <folder>', 'labelled data: a folder with kpi, cloud and synthetic', join(ROOT, '../shared/data'))
  .option('--write', 'take these figures for the new ones; those of data that is not there stay')
  .parse()
  .opts();

/** Figures of one set, each from 0 to 1; higher is better. */
function ofDozen() {
  const { found, quiet } = figuresOf(dozen({ withQuiet: true }).map((series) => countOf(detectSeries, series)));
  return { 'a dozen kinds: visible trouble found': found, 'a dozen kinds: weeks without a false alarm': quiet };
}

async function ofLabelled(set) {
  const files = (await csvFilesIn(join(options.data, set))).sort((a, b) => (a.name < b.name ? -1 : 1));
  const judged = [];
  for (const file of files.filter((_, index) => index % ONE_OF === 0)) {
    const series = await readLabelledFile(file, {}, () => undefined);
    if (series === null) continue;
    const { timestamps, values, labels, pace } = series;
    judged.push({ scores: detectSeries(timestamps, values, { type: 'gauge' }).alarm, labels, pace });
  }
  return { [`${set}: event F1 of ${String(judged.length)} series`]: scoreEvents(judged, THRESHOLD).f1 };
}

const kept = existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : {};
const figures = ofDozen();
if (existsSync(options.data)) for (const set of SETS) Object.assign(figures, await ofLabelled(set));
else console.log(`${options.data} is not there: the seeded kinds alone are measured.`);

const table = new Table({
  head: ['figure', 'kept', 'now'],
  colAligns: ['left', 'right', 'right'],
  style: { head: [], border: [] },
});
const fallen = [];
for (const [name, value] of Object.entries(figures)) {
  const before = kept[name];
  if (before !== undefined && value < before - MAY_FALL) fallen.push(name);
  table.push([name, before?.toFixed(3) ?? '–', value.toFixed(3)]);
}
console.log(table.toString());
if (options.write) {
  const rounded = Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(4))]);
  writeFileSync(KEPT, `${JSON.stringify({ ...kept, ...Object.fromEntries(rounded) }, null, 2)}\n`);
} else if (fallen.length > 0) {
  console.error(`Fallen by more than ${String(MAY_FALL)}: ${fallen.join('; ')}.`);
  console.error('Where that is meant, say why in docs/detection.md and run npm run detection:figures -- --write.');
  process.exitCode = 1;
}
