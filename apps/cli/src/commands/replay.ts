import { type Command, InvalidArgumentError, Option } from 'commander';
import { METRIC_TYPES } from '#libs/contracts';
import { type Cli, decimalOption, examples, timeFormatOption, timezoneOption, withServer } from '../command-line.js';
import { type ReplayOptions } from '../replay/replay-file.js';

/** `max` and positive numbers. */
function speedOption(text: string): number {
  if (text === 'max') return Infinity;
  const speed = Number(text);
  if (!(speed > 0 && Number.isFinite(speed))) throw new InvalidArgumentError('Must be "max" or a number above 0.');
  return speed;
}

export function addReplayCommand(cli: Cli): Command {
  const command = cli.program
    .command('replay')
    .summary('send a CSV file to a running server')
    .description('Sends one series of a CSV file (columns timestamp,value) to a running server as one metric.')
    .argument('<file>', 'CSV file; - reads standard input')
    .requiredOption('--metric <name>', 'name of the metric, with labels if any');
  return withServer(command, 'ingest')
    .addOption(
      new Option(
        '--speed <speed>',
        '"max": all rows at once, as history; a number: live, that many times as fast as recorded',
      )
        .argParser(speedOption)
        .default(Infinity, '"max"'),
    )
    .option('--end-now', 'with --speed max: move all times so that the last row is now')
    .addOption(new Option('--type <type>', 'what the values are').choices(METRIC_TYPES).default('gauge'))
    .option('--unit <unit>', 'unit of the values')
    .option('--timezone <zone>', 'IANA time zone of times without offset', timezoneOption, 'UTC')
    .option('--timestamp-column <name>', 'column of the times (default: by name, else the first)')
    .option('--value-column <name>', 'column of the values (default: "value")')
    .addOption(timeFormatOption())
    .addOption(decimalOption())
    .addHelpText(
      'after',
      `
With --speed max the rows are sent as history (backfill) with their own times: the detector learns from them, and no
alerts are sent. Rows older than the retention of the server are refused; --end-now moves them. With a number, the first
row is sent now, and all intervals are divided by the number: 1 is real time, with 60 an hour takes a minute. While the
server is busy or cannot be reached, the command waits and retries; sending the same rows again is harmless. Exit code 1
if the server refused a row, 2 if a row of the file cannot be read: nothing is sent then.
${examples(
  'plumbline replay history.csv --token-file token.txt --metric web-1.cpu',
  'plumbline replay old.csv --token pl_… --metric old.series --end-now',
  'plumbline replay incident.csv --token pl_… --metric \'latency{service="checkout"}\' --unit ms --speed 60',
  'plumbline replay - --url https://plumbline.example.org --token pl_… --metric a.b < points.csv',
)}`,
    )
    .action(async (file: string, options: ReplayOptions) => {
      const { replayFile } = await import('../replay/replay-file.js');
      await replayFile(file, options, cli.terminal);
    });
}
