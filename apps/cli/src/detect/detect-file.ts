import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type ChartTheme } from '#libs/charts';
import { CliError, UsageError } from '../cli-error.js';
import { openInput, reasonOf } from '../csv/open-input.js';
import { readSeriesCsv, type SpellingOptions } from '../csv/read-series-csv.js';
import { inOrderOfTime } from '../csv/series-order.js';
import { startProgress } from '../progress.js';
import { type Terminal } from '../terminal.js';
import { anomalyJson, anomalyTable, summaryLine } from './anomaly-report.js';
import { drawDetection, plotFormatOf } from './detection-plot.js';
import { type DetectionOptions, requireJudgedRows, runDetection } from './run-detection.js';
import { scoresCsv } from './scores-csv.js';

export interface DetectOptions extends DetectionOptions, SpellingOptions {
  plot?: string;
  scores?: string;
  timestampColumn?: string;
  valueColumn?: string;
  json?: true;
  theme: ChartTheme;
  width: number;
  height: number;
}

/** Minimum size of a file whose reading shows a progress bar, bytes. */
const LONG_FILE_BYTES = 4 * 1024 * 1024;

/** Reports before the long work, not after it, if a result cannot be written. */
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

/** The command `detect`: reads a file, runs detection, writes the requested files, and prints the anomalies. */
export async function detectFile(file: string, options: DetectOptions, terminal: Terminal): Promise<void> {
  const plotFormat = options.plot === undefined ? undefined : plotFormatOf(options.plot);
  checkTarget('--plot', options.plot);
  checkTarget('--scores', options.scores);

  const input = await openInput(file, terminal.stdin);
  const isLong = (input.sizeBytes ?? 0) >= LONG_FILE_BYTES;
  const reading = startProgress(terminal, 'Reading', isLong ? input.sizeBytes : null);
  const read = await readSeriesCsv(input.stream, {
    ...options,
    source: input.source,
    onBytes: reading.advance,
  }).finally(reading.stop);

  const ordered = inOrderOfTime(read);
  const { series } = ordered;
  requireJudgedRows(input.source, series, options.type);
  if (isLong) terminal.err(`Scoring ${series.timestamps.length.toLocaleString('en')} rows …\n`);
  const detection = runDetection(series, options);

  if (options.scores !== undefined) {
    await writing(options.scores, writeChunks(options.scores, scoresCsv(ordered, detection.verdicts)));
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
