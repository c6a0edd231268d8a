/**
 * Measures the guarantees of the detector over many seeded series (libs/evaluation/src/behaviour). Prints a table, and
 * exits with 1 if a cell does not reach its goal. Run `npm run build` first.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Presets, SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import { Command, InvalidArgumentError } from 'commander';
import { figureOf, figureText, goalText, isReached, notesOf, SCENES } from '../../dist/libs/evaluation/src/index.js';

function wholeNumber(text) {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return Number(text);
}

const options = new Command('behaviour')
  .option('--trials <n>', 'seeded trials for each cell', wholeNumber, 200)
  .option('--only <text>', 'only cells whose name contains this', '')
  .option('--threads <n>', 'worker threads', wholeNumber, availableParallelism())
  .option('--json', 'print JSON instead of a table')
  .parse()
  .opts();
const only = options.only.toLowerCase();

/** One row for each selected cell, in the order of the list. */
const rows = SCENES.flatMap((scene, index) =>
  scene.cells.map(({ name, goal }, cell) => ({
    scene: index,
    cell,
    name,
    goal,
    tally: { outcomes: [], errors: [] },
    seconds: 0,
  })),
).filter(({ name }) => name.toLowerCase().includes(only));
if (rows.length === 0) {
  console.error(`no cell has "${options.only}" in its name`);
  process.exit(1);
}

/**
 * Trials of the slowest scenes are interleaved with the others, so that all threads are busy until shortly before the
 * end.
 */
const scenes = [...new Set(rows.map(({ scene }) => scene))];
const jobs = Array.from({ length: options.trials }, (_, trial) => scenes.map((scene) => ({ scene, trial }))).flat();

/** Outcomes by (scene, cell), with a place for each trial, so that sums do not depend on the order of the threads. */
const byCell = new Map(rows.map((row) => [`${row.scene} ${row.cell}`, { row, outcomes: [], errors: [] }]));

function take({ scene, trial, results }) {
  for (const { cell, outcome, error, seconds } of results) {
    const kept = byCell.get(`${scene} ${cell}`);
    if (outcome !== undefined) kept.outcomes[trial] = outcome;
    if (error !== undefined) kept.errors[trial] = `trial ${trial}: ${error}`;
    kept.row.seconds += seconds;
  }
}

function runThread(done) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('worker.mjs', import.meta.url), { workerData: { only } });
    const next = () => {
      const job = jobs.pop();
      if (job !== undefined) worker.postMessage(job);
      else void worker.terminate().then(resolve);
    };
    worker.on('message', (message) => {
      take(message);
      done();
      next();
    });
    worker.on('error', reject);
    next();
  });
}

const bar = new SingleBar(
  { format: 'Trials {bar} {value}/{total}, {duration_formatted}', stream: process.stderr, clearOnComplete: true },
  Presets.shades_classic,
);
const isWatched = process.stderr.isTTY;
const startedAt = performance.now();
if (isWatched) bar.start(jobs.length, 0);
await Promise.all(
  Array.from({ length: Math.min(options.threads, jobs.length) }, () => runThread(() => isWatched && bar.increment())),
);
if (isWatched) bar.stop();
const seconds = (performance.now() - startedAt) / 1000;

for (const { row, outcomes, errors } of byCell.values()) {
  row.tally = { outcomes: outcomes.filter(Boolean), errors: errors.filter(Boolean) };
  row.isReportOnly = row.goal.kind === 'none';
  row.passed = isReached(row.goal, row.tally);
}
const judged = rows.filter(({ isReportOnly, passed }) => !isReportOnly || !passed);
const failed = rows.filter(({ passed }) => !passed);

if (options.json) {
  const cells = rows.map(({ name, goal, tally, passed, isReportOnly, seconds }) => ({
    name,
    goal: goalText(goal),
    measured: tally.outcomes.length > 0 ? figureOf(tally) : null,
    measured_text: figureText(goal, tally),
    passed: isReportOnly && passed ? null : passed,
    notes: notesOf(tally),
    errors: tally.errors,
    seconds,
  }));
  console.log(JSON.stringify({ trials: options.trials, seconds, failed: failed.length, cells }, null, 2));
} else {
  const table = new Table({
    head: ['cell', 'goal', 'measured', '', 's'],
    colAligns: ['left', 'left', 'left', 'left', 'right'],
    style: { head: [], border: [], compact: true },
  });
  for (const { name, goal, tally, passed, isReportOnly, seconds } of rows) {
    const result = !passed ? 'FAIL' : isReportOnly ? '' : 'pass';
    table.push([name, goalText(goal), figureText(goal, tally), result, seconds.toFixed(1)]);
  }
  console.log(table.toString());
  for (const { name, tally } of failed) {
    const what = [...tally.errors.slice(0, 1), notesOf(tally)].filter((text) => text !== '').join('; ');
    if (what !== '') console.log(`${name}: ${what}`);
  }
  const passed = judged.length - failed.length;
  console.log(`${passed} of ${judged.length} cells pass; ${options.trials} trials each, ${seconds.toFixed(0)} s`);
}
process.exitCode = failed.length > 0 ? 1 : 0;
