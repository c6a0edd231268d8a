import { type Command, InvalidArgumentError, Option } from 'commander';
import { METRIC_TYPES } from '#libs/contracts';
import { type Cli, decimalOption, examples, timeFormatOption, timezoneOption } from '../command-line.js';
import { type ReplayOptions } from '../replay/replay-file.js';

/** `max` and positive numbers. */
function speedOption(text: string): number {
  if (text === 'max') return Infinity;
  const speed = Number(text);
  if (!(speed > 0 && Number.isFinite(speed))) throw new InvalidArgumentError('Must be "max" or a number above 0.');
  return speed;
}

function urlOption(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError('Must be an address such as http://localhost:3000.');
  }
  return text;
}

export function addReplayCommand(cli: Cli): Command {
  return cli.program
    .command('replay')
    .summary('send a CSV file to a running server')
    .description('Sends one series of a CSV file (columns timestamp,value) to a running server as one metric.')
    .argument('<file>', 'CSV file; - reads standard input')
    .requiredOption('--metric <name>', 'name of the metric, with labels if any')
    .option('--url <address>', 'address of the server', urlOption, 'http://localhost:3000')
    .option('--token <token>', 'token with the permission ingest')
    .option('--token-file <file>', 'file that contains the token, which then does not appear in process lists')
    .addOption(
      new Option('--speed <speed>', '"max": history at once; a number: live, so many times as fast as it happened')
        .argParser(speedOption)
        .default(Infinity, '"max"'),
    )
    .option('--end-now', 'with --speed max: move all times so that the last row is now')
    .addOption(new Option('--type <type>', 'what the values are').choices(METRIC_TYPES).default('gauge'))
    .option('--unit <unit>', 'unit of the values')
    .option('--timezone <zone>', 'IANA zone of times without offset', timezoneOption, 'UTC')
    .option('--timestamp-column <name>', 'column of the times (default: by name, else the first)')
    .option('--value-column <name>', 'column of the values (default: "value")')
    .addOption(timeFormatOption())
    .addOption(decimalOption())
    .addHelpText(
      'after',
      `
With --speed max the rows are sent as history (backfill) with their own times: the detector learns from
them, no alerts are sent. Rows older than the server keeps are refused; --end-now moves them. With a number the first
row happens now, and all intervals are divided by the number: 1 is real time, 60 makes an hour a minute. While the
server is busy, the command waits and retries; sending the same rows again is harmless. Exit code 1 when the server refused any row,
2 when a row of the file cannot be read: nothing is sent then.
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
