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

const JSON_HELP = 'print JSON instead of tables; with a file name (.json), print tables and write the JSON there';
const TIMESTAMP_COLUMN_HELP = 'column of the times (default: by name, else the first)';
const VALUE_COLUMN_HELP = 'column of the values (default: "value", else the only other one)';
const THRESHOLD_HELP = 'scores from this value on are alarms (0.5 is the level of each column)';

/** `plumbline bench`: how well the detector performs on labelled data of the user. */
export function addBenchCommand(cli: Cli): void {
  const bench = cli.program
    .command('bench')
    .summary('measure the detector on labelled data; needs no server and no database')
    .description(
      'Measures the detector on labelled data. Each row is judged from itself and earlier rows only, as live data is.',
    );

  bench
    .command('nab')
    .summary('measure the detector on the Numenta Anomaly Benchmark (NAB)')
    .description(
      'Scores the columns novelty, spike and score of the detector on the Numenta Anomaly Benchmark by its own rules: ' +
        'three profiles, at a fixed threshold, at the best threshold for the whole corpus (as scoreboards do), and at the ' +
        'threshold chosen on other files (five folds). Also measures the expected range outside of the anomaly windows.',
    )
    .argument('<folder>', 'copy of github numenta/NAB: data/**/*.csv and labels/combined_windows.json')
    .option('--json [file]', JSON_HELP)
    .option('--files', 'also print a line per file')
    .option('--threshold <score>', THRESHOLD_HELP, thresholdOption, 0.5)
    .option('--cut <share>', 'leave out this share at the start of each file: less history', shareOption, 0)
    .option('--average <rows>', 'average this many rows to one: coarser sampling', wholeNumberOption(1, 1000), 1)
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
    .summary('measure the detector on folders of CSV files with a label column')
    .description(
      'Scores the columns novelty, spike and score of the detector, and alarm, which opens anomalies, on folders of CSV files ' +
        'with a label per row: event F1 at one threshold for all series of a folder (fixed, and the best one), ' +
        'false alarms, delay, AUC-PR and VUS-PR. Also measures the expected range outside of the labels.',
    )
    .argument('<folders...>', 'each is a data set: its CSV files, including those in subfolders')
    .option('--json [file]', JSON_HELP)
    .option('--files', 'also print a line per file')
    .option('--threshold <score>', THRESHOLD_HELP, thresholdOption, 0.5)
    .option(
      '--budget <n>',
      'target of false alarms per month, as in a tuning (default: the shipped level)',
      budgetOption,
    )
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
      'Scores novelty, spike and score with all components and without each of them, at the shipped level and at the ' +
        'best one: NAB scores for a copy of the Numenta Anomaly Benchmark, event F1 for folders of CSV files with ' +
        'a label per row. On NAB also: novelty with its components and its level chosen on other files, and on files with ' +
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
      'Scores the detector and published methods (moving average, Holt-Winters, isolation forest, …) on the same data, each ' +
        'at its own threshold and at the best one: NAB scores for a copy of the Numenta Anomaly Benchmark, event ' +
        'F1, AUC-PR and VUS-PR for folders of CSV files with a label per row; F1 also with the threshold chosen on half of ' +
        'the series and measured on the other half, a hundred times. Takes minutes for a million rows.',
    )
    .argument('<folders...>', 'each is a data set: a copy of NAB (labels/combined_windows.json) or labelled CSV files')
    .option('--models <ids>', 'only these, separated by commas: plumbline, ewma, sigma_vote, … (default: all)')
    .option(
      '--mute <rows>',
      'number of rows for which a baseline raises no further alarm',
      wholeNumberOption(0, 100_000),
      0,
    )
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
    .summary('measure false alarms and missed trouble on generated series; needs no data')
    .description(
      'Runs the detector and published methods over seeded series of nineteen ordinary kinds (daily, weekly, counts, ' +
        'latencies, queues, nightly jobs, …), 28 days with a row per minute (or --step): anomalies opened while nothing happens, and the ' +
        'share of inserted visible trouble that is found, with its delay. Also nine special kinds, each with its own interval: jobs of ' +
        'a week and a month, clock changes, slow rows, a deployment, a falling ramp, a flat line with one outlier.',
    )
    .option('--seeds <n>', 'number of series of each kind', wholeNumberOption(1, 1000), 20)
    .option(
      '--baseline-seeds <n>',
      'number of series of each kind for published methods, some of which are slow',
      wholeNumberOption(1, 1000),
      2,
    )
    .option('--step <minutes>', 'minutes between rows, at most 60', wholeNumberOption(1, 60), 1)
    .option('--models <ids>', 'only these, separated by commas: plumbline, ewma, sigma_vote, … (default: all)')
    .option('--kinds', 'also print a line per kind of series')
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
