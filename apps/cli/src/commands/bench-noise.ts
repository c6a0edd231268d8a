import { type Command } from 'commander';
import { type BenchNoiseOptions } from '../bench/bench-noise.js';
import { loadBenchmark } from '../bench/load-benchmark.js';
import { type Cli, examples, wholeNumberOption } from '../command-line.js';

/** `plumbline bench noise`: false alarms and visible trouble on generated series. */
export function addNoiseCommand(bench: Command, cli: Cli): void {
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
    .option('--json [file]', 'print JSON instead of tables, or write it to a file (.json) besides')
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
