import { type Command, Option } from 'commander';
import { METRIC_TYPES } from '#libs/contracts';
import { type Cli, examples, timezoneOption, wholeNumberOption } from '../command-line.js';
import { type DetectOptions } from '../detect/detect-file.js';

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
    .addOption(new Option('--theme <theme>', 'colours of the picture').choices(['light', 'dark']).default('light'))
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
    .action(async (file: string, options: DetectOptions) => {
      // Loaded on demand: the drawing library is large, and help and usage errors should come at once.
      const { detectFile } = await import('../detect/detect-file.js');
      await detectFile(file, options, cli.terminal);
    });
}
