import { type Command, InvalidArgumentError, Option } from 'commander';
import { METRIC_TYPES, type MetricType } from '#libs/contracts';
import {
  type Cli,
  decimalOption,
  examples,
  timeFormatOption,
  timezoneOption,
  wholeNumberOption,
} from '../command-line.js';
import { type DetectOptions } from '../detect/detect-file.js';

const UNIT_SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
const DURATION = /^(\d+(?:\.\d+)?)([smhdw])$/;
/** Hardly any data contains a season longer than a year twice. */
const LONGEST_SECONDS = 366 * UNIT_SECONDS.d;

/** Seconds, 0 for none; or `auto`: found in the data. */
type Period = number | 'auto';

const MIN_SENSITIVITY = 0.2;
const MAX_SENSITIVITY = 5;

/** The options in the form in which commander passes them. */
export interface DetectFlags extends Omit<DetectOptions, 'type' | 'periodSeconds'> {
  type: MetricType;
  counter?: true;
  period: Period;
}

function sensitivityOption(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= MIN_SENSITIVITY && number <= MAX_SENSITIVITY)) {
    throw new InvalidArgumentError(`Must be a number from ${MIN_SENSITIVITY} to ${MAX_SENSITIVITY}.`);
  }
  return number;
}

export function detectOptionsOf({ counter, period, type, ...rest }: DetectFlags): DetectOptions {
  return {
    ...rest,
    type: counter === true ? 'counter' : type,
    ...(period === 'auto' ? {} : { periodSeconds: period }),
  };
}

export function addDetectCommand(cli: Cli): Command {
  return cli.program
    .command('detect')
    .summary('find the anomalies of a CSV file; needs no server and no database')
    .description(
      'Finds the anomalies of one series in a CSV file (columns timestamp,value), without server and database. ' +
        'Each row is judged from itself and earlier rows only, as live data is.',
    )
    .argument('<file>', 'CSV file; - reads standard input')
    .option('--plot <file>', 'draw a picture; the extension selects the format: .png, .svg or .html')
    .option('--scores <file>', 'write the scores of every row as CSV')
    .option('--json', 'print the anomalies as JSON instead of a table')
    .option(
      '--timezone <zone>',
      'IANA time zone of times without offset, of daily patterns and of the output',
      timezoneOption,
      'UTC',
    )
    .addOption(new Option('--type <type>', 'what the values are').choices(METRIC_TYPES).default('gauge'))
    .addOption(
      new Option('--counter', 'the values only grow, except at resets: their rate is analysed').conflicts('type'),
    )
    .option(
      '--period <duration>',
      'length of the repeating pattern, such as 45m, 12h, 1d or 7d; none; or auto: found in the data',
      periodOf,
      'auto',
    )
    .option(
      '--sensitivity <number>',
      `${MIN_SENSITIVITY} to ${MAX_SENSITIVITY}: higher values find more anomalies and cause more false alarms`,
      sensitivityOption,
      1,
    )
    .option('--timestamp-column <name>', 'column of the times (default: by name, else the first)')
    .option('--value-column <name>', 'column of the values (default: "value")')
    .addOption(timeFormatOption())
    .addOption(decimalOption())
    .addOption(new Option('--theme <theme>', 'colours of the picture').choices(['light', 'dark']).default('light'))
    .option('--width <pixels>', 'width of the picture (PNG: twice as many pixels)', wholeNumberOption(200, 4000), 1200)
    .option('--height <pixels>', 'height of the picture', wholeNumberOption(100, 2000), 420)
    .addHelpText(
      'after',
      `
Input: comma, semicolon or tab; a header is optional; rows in any order. Times are Unix seconds, milliseconds,
microseconds or nanoseconds (by their size), eight digits yyyyMMdd, ISO 8601, or of the form that --time-format gives. An
empty value is a gap. The first 100 rows are only learnt from.

Exit code 0 whether or not anomalies were found; 2 if a row cannot be read (the first three such lines are shown), if
most rows have the time of another row, or if there are too few rows to judge one: nothing is judged then; 1 on other
failures.

Scores: timestamp,value,yhat,yhat_lower,yhat_upper,novelty,spike,score,anomalous,kind, a line per row of the input, its
timestamp as it was written. Scores are 0 to 1, from 0.5 on an alarm: novelty rates what has not been seen before (once),
spike what was not to be expected next, score both together. None of them opens an anomaly (docs/detection.md says what
does); anomalous is 1 while one is open, kind is its kind.
${examples(
  'plumbline detect requests.csv',
  'plumbline detect requests.csv --plot requests.png --scores scores.csv',
  'plumbline detect local-times.csv --timezone Europe/Oslo --json',
  'plumbline detect backups.csv --period 7d --sensitivity 2',
  'plumbline detect bytes-sent.csv --counter --period none',
  'plumbline detect wide.csv --timestamp-column time --value-column latency_ms',
  'plumbline detect umsatz.csv --time-format "dd.MM.yyyy HH:mm" --decimal , --timezone Europe/Berlin',
  'curl -s https://example.org/requests.csv | plumbline detect -',
)}`,
    )
    .action(async (file: string, flags: DetectFlags) => {
      // Loaded on demand: the drawing library is large, and help and usage errors must appear immediately.
      const { detectFile } = await import('../detect/detect-file.js');
      await detectFile(file, detectOptionsOf(flags), cli.terminal);
    });
}

/**
 * Reads a season: a duration (`45m`, `12h`, `1d`, `7d`) in seconds, `none` as 0, `auto` as it is.
 *
 * @throws InvalidArgumentError with the violated rule
 */
export function periodOf(text: string): Period {
  if (text === 'auto') return text;
  if (text === 'none') return 0;
  const parts = DURATION.exec(text);
  if (!parts) throw new InvalidArgumentError('Must be auto, none or a duration such as 45m, 12h, 1d or 7d.');
  const seconds = Number(parts[1]) * UNIT_SECONDS[parts[2] as keyof typeof UNIT_SECONDS];
  if (seconds < 1)
    throw new InvalidArgumentError('A period lasts a second at least; none says that there is no season.');
  if (seconds > LONGEST_SECONDS) throw new InvalidArgumentError('A period lasts 366 days at most.');
  return seconds;
}
