import { InvalidArgumentError } from 'commander';
import { type BenchLabelledOptions } from '../bench/bench-labelled.js';
import { type BenchNabOptions } from '../bench/bench-nab.js';
import { loadBenchmark } from '../bench/load-benchmark.js';
import { addAblationCommand } from './bench-ablation.js';
import { addBaselinesCommand } from './bench-baselines.js';
import { addNoiseCommand } from './bench-noise.js';
import { type Cli, decimalOption, examples, timeFormatOption, wholeNumberOption } from '../command-line.js';

function thresholdOption(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number > 0 && number <= 1)) {
    throw new InvalidArgumentError('Must be a number above 0, at most 1.');
  }
  return number;
}

/** The bounds are those of a tuning. */
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

const JSON_HELP = 'print JSON instead of tables, or write it to a file (.json) besides';
const THRESHOLD_HELP = 'scores from here on are alarms (0.5 is where each column says so)';

/** `plumbline bench`: how good the detector is on labelled data that the caller has. */
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
    .option('--average <rows>', 'average so many rows to one: coarser sampling', wholeNumberOption(1, 1000), 1)
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
    .option('--timestamp-column <name>', 'column of the times (default: by name, else the first)')
    .option('--value-column <name>', 'column of the values (default: "value", else the only one left)')
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
