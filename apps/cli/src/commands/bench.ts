import { type Command, InvalidArgumentError } from 'commander';
import { type BenchAblationOptions } from '../bench/bench-ablation.js';
import { type BenchBaselinesOptions } from '../bench/bench-baselines.js';
import { type BenchLabelledOptions } from '../bench/bench-labelled.js';
import { type BenchNabOptions } from '../bench/bench-nab.js';
import { type BenchNoiseOptions } from '../bench/bench-noise.js';
import { loadBenchmark } from '../bench/load-benchmark.js';
import { type Cli, decimalOption, examples, timeFormatOption, wholeNumberOption } from '../command-line.js';

function thresholdOption(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number > 0 && number <= 1)) {
    throw new InvalidArgumentError('Must be a number above 0, at most 1.');
  }
  return number;
}

/** The bounds are the same as for a tuning. */
function budgetOption(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0.01 && number <= 100)) {
    throw new InvalidArgumentError('Must be a number from 0.01 to 100.');
  }
  return number;
}

function shareOption(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number <= 0.9)) {
    throw new InvalidArgumentError('Must be a number from 0 to 0.9.');
  }
  return number;
}

const JSON_HELP = 'print JSON instead of tables, or also write it to a file (.json)';
const TIMESTAMP_COLUMN_HELP = 'column of the times (default: by name, else the first)';
const VALUE_COLUMN_HELP = 'column of the values (default: "value", else the only one left)';
const THRESHOLD_HELP = 'scores from here on are alarms (0.5 is where each column says so)';

/** `plumbline bench`: how well the detector performs on labelled data of the user. */
export function addBenchCommand(cli: Cli): void {
  const bench = cli.program
    .command('bench')
    .summary('measure the detector on labelled data; needs no server and no database')
    .description('Measures the detector on labelled data, each row judged by itself and the rows before it only.');

  bench
    .command('nab')
    .summary('on the Numenta Anomaly Benchmark')
    .description(
      'Scores the detector on the Numenta Anomaly Benchmark by its own rules, each of its columns novelty, spike and score:\n' +
        'three profiles, at a fixed threshold, at the best one for the whole corpus (as scoreboards do), and with the\n' +
        'threshold chosen on other files (five folds); and its expected range outside of the windows.',
    )
    .argument('<folder>', 'copy of github numenta/NAB: data/**/*.csv and labels/combined_windows.json')
    .option('--json [file]', JSON_HELP)
    .option('--files', 'a line per file as well')
    .option('--threshold <score>', THRESHOLD_HELP, thresholdOption, 0.5)
    .option('--cut <share>', 'leave out this share of each file at its start: less history', shareOption, 0)
    .option('--average <rows>', 'average this number of rows into one: coarser sampling', wholeNumberOption(1, 1000), 1)
    .addHelpText(
      'after',
      examples(
        'plumbline bench nab ./NAB',
        'plumbline bench nab ./NAB --files --json nab.json',
        'plumbline bench nab ./NAB --cut 0.08',
        'plumbline bench nab ./NAB --average 2',
      ),
    )
    .action(async (folder: string, options: BenchNabOptions) => {
      const { benchNab } = await loadBenchmark(() => import('../bench/bench-nab.js'));
      await benchNab(folder, options, cli.terminal);
    });

  bench
    .command('labelled')
    .summary('on folders of CSV files with a label column')
    .description(
      'Scores the detector on folders of CSV files with a label per row, each of its columns novelty, spike and score, and\n' +
        'alarm, which opens anomalies: event F1 at one threshold for all series of a folder (fixed, and the best there is),\n' +
        'false alarms, delay, AUC-PR and VUS-PR; and its expected range outside of the labels.',
    )
    .argument('<folders...>', 'each is a data set: its CSV files, those in folders within too')
    .option('--json [file]', JSON_HELP)
    .option('--files', 'a line per file as well')
    .option('--threshold <score>', THRESHOLD_HELP, thresholdOption, 0.5)
    .option('--budget <n>', 'false alarms a month to ask for, as a tuning does; else the shipped level', budgetOption)
    .option('--timestamp-column <name>', TIMESTAMP_COLUMN_HELP)
    .option('--value-column <name>', VALUE_COLUMN_HELP)
    .addOption(timeFormatOption())
    .addOption(decimalOption())
    .addHelpText(
      'after',
      `
Labels: a column label, anomaly, is_anomaly or the like with 0 and 1, or false and true. Files without one are left out.
Not judged: the first 15 % of a series, at most 2,880 rows (168 when rows are half an hour apart or more).
${examples(
  'plumbline bench labelled ./kpi ./cloud',
  'plumbline bench labelled ./kpi --files',
  'plumbline bench labelled ./kpi --json figures.json',
)}`,
    )
    .action(async (folders: string[], options: BenchLabelledOptions) => {
      const { benchLabelled } = await loadBenchmark(() => import('../bench/bench-labelled.js'));
      await benchLabelled(folders, options, cli.terminal);
    });

  addBaselinesCommand(bench, cli);
  addAblationCommand(bench, cli);
  addNoiseCommand(bench, cli);
}

/** `plumbline bench ablation`: the contribution of each component of the scores. */
export function addAblationCommand(bench: Command, cli: Cli): void {
  bench
    .command('ablation')
    .summary('measure the contribution of each component of the scores')
    .description(
      'Scores novelty, spike and score as they are and without each of their components, at the shipped level and at the\n' +
        'best one there is: NAB scores for a copy of the Numenta Anomaly Benchmark, event F1 for folders of CSV files with\n' +
        'a label per row. On NAB also: novelty with its components and its level chosen on other files, and on files with\n' +
        'less history, coarser sampling, other units, sign and clock. Takes a minute for a million rows.',
    )
    .argument('<folders...>', 'each is a data set: a copy of NAB (labels/combined_windows.json) or labelled CSV files')
    .option('--json [file]', JSON_HELP)
    .option('--timestamp-column <name>', TIMESTAMP_COLUMN_HELP)
    .option('--value-column <name>', VALUE_COLUMN_HELP)
    .addOption(timeFormatOption())
    .addOption(decimalOption())
    .addHelpText(
      'after',
      examples('plumbline bench ablation ./NAB ./kpi ./cloud', 'plumbline bench ablation ./NAB --json ablation.json'),
    )
    .action(async (folders: string[], options: BenchAblationOptions) => {
      const { benchAblation } = await loadBenchmark(() => import('../bench/bench-ablation.js'));
      await benchAblation(folders, options, cli.terminal);
    });
}

/** `plumbline bench baselines`: the detector compared with published methods. */
export function addBaselinesCommand(bench: Command, cli: Cli): void {
  bench
    .command('baselines')
    .summary('compare the detector with published methods')
    .description(
      'Scores the detector and published methods (moving average, Holt-Winters, isolation forest, …) on the same data, each\n' +
        'at its own threshold and at the best one there is: NAB scores for a copy of the Numenta Anomaly Benchmark, event\n' +
        'F1, AUC-PR and VUS-PR for folders of CSV files with a label per row; F1 also with the threshold chosen on a half of\n' +
        'the series and judged on the other one, a hundred times. Takes minutes for a million rows.',
    )
    .argument('<folders...>', 'each is a data set: a copy of NAB (labels/combined_windows.json) or labelled CSV files')
    .option('--models <ids>', 'only these, with commas between: plumbline, ewma, sigma_vote, … (default: all)')
    .option('--mute <rows>', 'rows that a baseline is quiet after an alarm', wholeNumberOption(0, 100_000), 0)
    .option('--json [file]', JSON_HELP)
    .option('--timestamp-column <name>', TIMESTAMP_COLUMN_HELP)
    .option('--value-column <name>', VALUE_COLUMN_HELP)
    .addOption(timeFormatOption())
    .addOption(decimalOption())
    .addHelpText(
      'after',
      examples(
        'plumbline bench baselines ./NAB ./kpi ./cloud',
        'plumbline bench baselines ./NAB --mute 80',
        'plumbline bench baselines ./kpi --models plumbline,seasonal_profile --json figures.json',
      ),
    )
    .action(async (folders: string[], options: BenchBaselinesOptions) => {
      const { benchBaselines } = await loadBenchmark(() => import('../bench/bench-baselines.js'));
      await benchBaselines(folders, options, cli.terminal);
    });
}

/** `plumbline bench noise`: false alarms and visible trouble on generated series. */
function addNoiseCommand(bench: Command, cli: Cli): void {
  bench
    .command('noise')
    .summary('false alarms and trouble found on ordinary series; needs no data')
    .description(
      'Runs the detector and published methods over seeded series of nineteen ordinary kinds (daily, weekly, counts,\n' +
        'latencies, queues, nightly jobs, …), 28 days of minutes (or --step) each: anomalies opened while nothing happens, and the\n' +
        'share of visible trouble found when some is put in, with its delay. Nine special kinds besides, each at its own pace: jobs of\n' +
        'a week and a month, the change of the clocks, slow rows, a deployment, a ramp that falls, a flat line with one row off.',
    )
    .option('--seeds <n>', 'series of each kind', wholeNumberOption(1, 1000), 20)
    .option(
      '--baseline-seeds <n>',
      'the same for published methods, some of which are slow',
      wholeNumberOption(1, 1000),
      2,
    )
    .option('--step <minutes>', 'minutes from one row to the next, up to an hour', wholeNumberOption(1, 60), 1)
    .option('--models <ids>', 'only these, with commas between: plumbline, ewma, sigma_vote, … (default: all)')
    .option('--kinds', 'a line per kind of series as well')
    .option('--json [file]', JSON_HELP)
    .addHelpText(
      'after',
      examples(
        'plumbline bench noise --models plumbline --kinds',
        'plumbline bench noise --models plumbline --step 5',
        'plumbline bench noise --seeds 4 --json noise.json',
      ),
    )
    .action(async (options: BenchNoiseOptions) => {
      const { benchNoise } = await loadBenchmark(() => import('../bench/bench-noise.js'));
      await benchNoise(options, cli.terminal);
    });
}
