import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type Command, Option } from 'commander';
import { CHART_THEMES, type ChartTheme } from '#libs/charts';
import { METRIC_TYPES, type MetricType } from '#libs/contracts';
import { type Cli } from '../cli.js';
import { CliError, UsageError } from '../cli-error.js';
import { examples, timezoneOption, wholeNumberOption } from '../command-line.js';
import { openInput, reasonOf } from '../csv/open-input.js';
import { readSeriesCsv } from '../csv/read-series-csv.js';
import { anomalyJson, anomalyTable, summaryLine } from '../detect/anomaly-report.js';
import { drawDetection, plotFormatOf } from '../detect/detection-plot.js';
import { runDetection } from '../detect/run-detection.js';
import { scoresCsv } from '../detect/scores-csv.js';
import { startProgress, type Terminal } from '../terminal.js';

interface DetectOptions {
  plot?: string;
  scores?: string;
  timezone: string;
  type: MetricType;
  timestampColumn?: string;
  valueColumn?: string;
  json?: true;
  theme: ChartTheme;
  width: number;
  height: number;
}

/** Reading a file of this size takes long enough for a bar to be of use, bytes. */
const LONG_FILE_BYTES = 4 * 1024 * 1024;

/** Says before the long work, not after it, that a result cannot be written. */
function checkTarget(option: string, file: string | undefined): void {
  if (file !== undefined && !existsSync(dirname(file))) {
    throw new UsageError(`${option} ${file}: there is no folder ${dirname(file)}`);
  }
}

async function writeChunks(file: string, chunks: Iterable<string>): Promise<void> {
  const stream = createWriteStream(file);
  await once(stream, 'open');
  for (const chunk of chunks) {
    if (!stream.write(chunk)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}

async function writing(file: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw new CliError(`${file} cannot be written: ${reasonOf(error)}`);
  }
}

async function detect(file: string, options: DetectOptions, terminal: Terminal): Promise<void> {
  const plotFormat = options.plot === undefined ? undefined : plotFormatOf(options.plot);
  checkTarget('--plot', options.plot);
  checkTarget('--scores', options.scores);

  const input = await openInput(file, terminal.stdin);
  const isLong = (input.sizeBytes ?? 0) >= LONG_FILE_BYTES;
  const reading = startProgress(terminal, 'Reading', isLong ? input.sizeBytes : null);
  const series = await readSeriesCsv(input.stream, {
    ...options,
    source: input.source,
    onBytes: reading.advance,
  }).finally(reading.stop);

  if (isLong) terminal.err(`Scoring ${series.timestamps.length.toLocaleString('en')} rows …\n`);
  const detection = runDetection(series, options);

  if (options.scores !== undefined) {
    await writing(options.scores, writeChunks(options.scores, scoresCsv(series, detection.verdicts)));
  }
  if (options.plot !== undefined && plotFormat !== undefined) {
    const picture = drawDetection(series, detection, plotFormat, {
      title: file === '-' ? 'standard input' : basename(file).replace(/\.(csv|tsv|txt)$/i, ''),
      valueName: series.valueName ?? 'value',
      theme: options.theme,
      width: options.width,
      height: options.height,
    });
    await writing(options.plot, writeFile(options.plot, picture));
  }

  if (options.json) terminal.out(anomalyJson(detection, input.source));
  else {
    if (detection.anomalies.length > 0) {
      terminal.out(anomalyTable(detection.anomalies, options.timezone, terminal.columns));
    }
    terminal.out(summaryLine(detection));
  }
  for (const [what, target] of [
    ['Scores', options.scores],
    ['Picture', options.plot],
  ] as const) {
    if (target !== undefined) terminal.err(`${what} written to ${target}\n`);
  }
}

export function addDetectCommand(cli: Cli): Command {
  return cli.program
    .command('detect')
    .summary('find the anomalies of a CSV file; needs no server and no database')
    .description(
      'Finds the anomalies of one series in a CSV file (columns timestamp,value), without server and database.\n' +
        'Each row is judged by itself and the rows before it only, as it would have been live.',
    )
    .argument('<file>', 'CSV file; - reads standard input')
    .option('--plot <file>', 'draw a picture; the ending decides: .png, .svg or .html')
    .option('--scores <file>', 'write timestamp,value,yhat,yhat_lower,yhat_upper,score,anomalous for every row')
    .option('--json', 'print the anomalies as JSON instead of a table')
    .option(
      '--timezone <zone>',
      'IANA zone of times without offset, of daily habits and of the output',
      timezoneOption,
      'UTC',
    )
    .addOption(new Option('--type <type>', 'what the values are').choices(METRIC_TYPES).default('gauge'))
    .option('--timestamp-column <name>', 'column of the times (default: by name, else the first)')
    .option('--value-column <name>', 'column of the values (default: "value")')
    .addOption(new Option('--theme <theme>', 'colours of the picture').choices(CHART_THEMES).default('light'))
    .option('--width <pixels>', 'width of the picture (PNG: twice as many pixels)', wholeNumberOption(200, 4000), 1200)
    .option('--height <pixels>', 'height of the picture', wholeNumberOption(100, 2000), 420)
    .addHelpText(
      'after',
      `
Input: comma, semicolon or tab; a header is optional. Times are Unix seconds, Unix milliseconds or ISO 8601. An
empty value is a gap. Exit code 0 whether or not anomalies were found, 2 on bad input, 1 on other failures.
${examples(
  'plumbline detect requests.csv',
  'plumbline detect requests.csv --plot requests.png --scores scores.csv',
  'plumbline detect local-times.csv --timezone Europe/Oslo --json',
  'plumbline detect wide.csv --timestamp-column time --value-column latency_ms',
  'curl -s https://example.org/requests.csv | plumbline detect -',
)}`,
    )
    .action((file: string, options: DetectOptions) => detect(file, options, cli.terminal));
}
