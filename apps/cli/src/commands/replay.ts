import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { METRIC_TYPES, type MetricType } from '#libs/contracts';
import { CliError, ExitCode, UsageError } from '../cli-error.js';
import { type Cli, examples, timezoneOption } from '../command-line.js';
import { openInput, reasonOf } from '../csv/open-input.js';
import { readSeriesCsv } from '../csv/read-series-csv.js';
import { IngestClient, waitFor, type Receipt } from '../replay/ingest-client.js';
import { backfillSchedule, liveSchedule } from '../replay/schedule.js';
import { startProgress, type Progress, type Terminal } from '../terminal.js';

interface ReplayOptions {
  url: string;
  token?: string;
  tokenFile?: string;
  metric: string;
  speed: number;
  endNow?: true;
  type: MetricType;
  unit?: string;
  timezone: string;
  timestampColumn?: string;
  valueColumn?: string;
}

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

async function tokenOf({ token, tokenFile }: ReplayOptions): Promise<string> {
  if ((token === undefined) === (tokenFile === undefined)) {
    throw new UsageError('give the ingest token by --token or by --token-file');
  }
  if (token !== undefined) return token;
  try {
    return (await readFile(tokenFile!, 'utf8')).trim();
  } catch (error) {
    throw new UsageError(`${tokenFile!} cannot be read: ${reasonOf(error)}`);
  }
}

function add(total: Receipt, receipt: Receipt): void {
  total.accepted += receipt.accepted;
  total.refused += receipt.refused;
  for (const [reason, count] of Object.entries(receipt.reasons)) {
    total.reasons[reason] = (total.reasons[reason] ?? 0) + count;
  }
}

function summary(metric: string, total: Receipt, missing: number): string {
  const reasons = Object.entries(total.reasons).map(([reason, count]) => `${count.toLocaleString('en')} ${reason}`);
  const refused =
    total.refused === 0
      ? ''
      : `, ${total.refused.toLocaleString('en')} refused (${reasons.join(', ') || 'no reason given'})`;
  const without = missing === 0 ? '' : `, ${missing.toLocaleString('en')} rows without value left out`;
  return `${metric}: ${total.accepted.toLocaleString('en')} points accepted${refused}${without}\n`;
}

async function replay(file: string, options: ReplayOptions, terminal: Terminal): Promise<void> {
  const isLive = Number.isFinite(options.speed);
  if (isLive && options.endNow) throw new UsageError('--end-now goes with --speed max only');
  const token = await tokenOf(options);
  const input = await openInput(file, terminal.stdin);
  const { timestamps, values } = await readSeriesCsv(input.stream, { ...options, source: input.source });
  const points = values.reduce((count, value) => count + (Number.isFinite(value) ? 1 : 0), 0);

  const signal = terminal.interruption();
  const now = Date.now() / 1000;
  const last = timestamps.reduce((latest, timestamp) => Math.max(latest, timestamp), -Infinity);
  const schedule = isLive
    ? liveSchedule(timestamps, values, now, options.speed)
    : backfillSchedule(timestamps, values, options.endNow ? Math.floor(now - last) : 0);

  const total: Receipt = { accepted: 0, refused: 0, reasons: {} };
  const progress: Progress = startProgress(terminal, 'Sending', points, 'points');
  const client = new IngestClient(
    { ...options, token, unit: options.unit, backfill: !isLive },
    {
      fetch,
      sleep: waitFor,
      onWait: (reason, seconds) =>
        terminal.err(`${terminal.isInteractive ? '\n' : ''}${reason}; retrying in ${Math.ceil(seconds)} s\n`),
    },
  );
  try {
    for (const { dueAt, ...batch } of schedule) {
      const waitMs = dueAt * 1000 - Date.now();
      if (waitMs > 0) await waitFor(waitMs, signal);
      signal.throwIfAborted();
      add(total, await client.send(batch, signal));
      progress.advance(batch.timestamps.length);
    }
  } catch (error) {
    progress.stop();
    if (total.accepted > 0) terminal.err(summary(options.metric, total, values.length - points));
    if (signal.aborted) throw new CliError('interrupted', ExitCode.Interrupted);
    throw error;
  }
  progress.stop();
  terminal.out(summary(options.metric, total, values.length - points));
  if (total.accepted > 0) return;
  const isTooOld = (total.reasons.too_old ?? 0) > 0 && !options.endNow;
  throw new CliError(
    `the server accepted no point${isTooOld ? '; the rows are older than it keeps: --end-now moves them to now' : ''}`,
  );
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
    .option('--token-file <file>', 'file that holds the token, so that no list of processes shows it')
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
    .addHelpText(
      'after',
      `
With --speed max the rows are sent as history (back-fill) with their own times: the detector learns from
them, no alerts are sent. Rows older than the server keeps are refused; --end-now moves them. With a number the first
row happens now, and all intervals are divided by the number: 1 is real time, 60 makes an hour a minute. While the
server is busy, the command waits and retries; sending the same rows again is harmless.
${examples(
  'plumbline replay history.csv --token-file token.txt --metric web-1.cpu',
  'plumbline replay old.csv --token pl_… --metric old.series --end-now',
  'plumbline replay incident.csv --token pl_… --metric \'latency{service="checkout"}\' --unit ms --speed 60',
  'plumbline replay - --url https://plumbline.example.org --token pl_… --metric a.b < points.csv',
)}`,
    )
    .action((file: string, options: ReplayOptions) => replay(file, options, cli.terminal));
}
