import { type Command } from 'commander';
import { type BenchBaselinesOptions } from '../bench/bench-baselines.js';
import { loadBenchmark } from '../bench/load-benchmark.js';
import { type Cli, decimalOption, examples, timeFormatOption, wholeNumberOption } from '../command-line.js';

/** `plumbline bench baselines`: the detector beside published methods. */
export function addBaselinesCommand(bench: Command, cli: Cli): void {
  bench
    .command('baselines')
    .summary('the detector beside published methods')
    .description(
      'Scores the detector and published methods (moving average, Holt-Winters, isolation forest, …) on the same data, each\n' +
        'at its own threshold and at the best one there is: NAB scores for a copy of the Numenta Anomaly Benchmark, event\n' +
        'F1, AUC-PR and VUS-PR for folders of CSV files with a label per row; F1 also with the threshold chosen on a half of\n' +
        'the series and judged on the other one, a hundred times. Takes minutes for a million rows.',
    )
    .argument('<folders...>', 'each is a data set: a copy of NAB (labels/combined_windows.json) or labelled CSV files')
    .option('--models <ids>', 'only these, with commas between: plumbline, ewma, sigma_vote, … (default: all)')
    .option('--mute <rows>', 'rows that a baseline is quiet after an alarm', wholeNumberOption(0, 100_000), 0)
    .option('--json [file]', 'print JSON instead of tables, or write it to a file (.json) besides')
    .option('--timestamp-column <name>', 'column of the times (default: by name, else the first)')
    .option('--value-column <name>', 'column of the values (default: "value", else the only one left)')
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
