import { type Command } from 'commander';
import { type BenchAblationOptions } from '../bench/bench-ablation.js';
import { loadBenchmark } from '../bench/load-benchmark.js';
import { type Cli, decimalOption, examples, timeFormatOption } from '../command-line.js';

/** `plumbline bench ablation`: what each component of the scores is worth. */
export function addAblationCommand(bench: Command, cli: Cli): void {
  bench
    .command('ablation')
    .summary('what each component of the scores is worth')
    .description(
      'Scores novelty, spike and score as they are and without each of their components, at the shipped level and at the\n' +
        'best one there is: NAB scores for a copy of the Numenta Anomaly Benchmark, event F1 for folders of CSV files with\n' +
        'a label per row. On NAB also: novelty with its components and its level chosen on other files, and on files with\n' +
        'less history, coarser sampling, other units, sign and clock. Takes a minute for a million rows.',
    )
    .argument('<folders...>', 'each is a data set: a copy of NAB (labels/combined_windows.json) or labelled CSV files')
    .option('--json [file]', 'print JSON instead of tables, or write it to a file (.json) besides')
    .option('--timestamp-column <name>', 'column of the times (default: by name, else the first)')
    .option('--value-column <name>', 'column of the values (default: "value", else the only one left)')
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
