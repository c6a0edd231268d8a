import { BodyTooLargeError, describeRefusals, MalformedBodyError, parseCsv, parseLimits } from '#libs/protocols';
import { DAY } from '../../common/time.js';
import { type BenchmarkSeries, MAX_POINTS } from './benchmark.types.js';

/** A file may be of any age. */
const LONG_AGO_SECONDS = 100 * 365 * DAY;
const TWO_COLUMNS = 'value';

/** Points in any order, or a CSV file; `timezone` applies to its times without a zone. */
export type SentSeries = BenchmarkSeries | { file: Uint8Array; timezone: string; now: number };

/** A series that could be read. */
export interface OrderedSeries {
  /** In chronological order. */
  series: BenchmarkSeries;
  /** Usual number of seconds between points. */
  step: number;
  /** The unreadable parts of the file, with the first lines; empty if there are none. */
  refused: string;
}

export type SeriesAnswer = OrderedSeries | { problem: string };

class FileProblem extends Error {}

/** Sorts the points of a series; the same code runs in a worker thread and in the calling one. */
export function readSeries(sent: SentSeries): SeriesAnswer {
  try {
    const { refused, ...columns } = 'file' in sent ? seriesOfFile(sent) : { ...sent, refused: '' };
    const series = inOrder(columns);
    return { series, step: medianStep(series.timestamps), refused };
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return { problem: error.message };
  }
}

type SentFile = Extract<SentSeries, { file: Uint8Array }>;

function seriesOfFile(sent: SentFile): BenchmarkSeries & { refused: string } {
  const { batch, refusals } = parsed(sent);
  const names = new Set(batch.series.map(({ name }) => name));
  if (names.size > 1) throw new FileProblem('data_file must have one series, it has several');
  const [problem] = refusals.badLines;
  if (batch.count === 0 && problem) {
    throw new FileProblem(`data_file has no points: line ${String(problem.line)}, ${problem.problem}`);
  }
  return {
    timestamps: batch.timestamps.slice(0, batch.count).map(Math.floor),
    values: batch.values.slice(0, batch.count),
    refused: describeRefusals(refusals, batch.count + refusals.total),
  };
}

function parsed({ file, timezone, now }: SentFile): ReturnType<typeof parseCsv> {
  const limits = parseLimits(now, { backfill: true, backfillMaxAgeSeconds: LONG_AGO_SECONDS, maxPoints: MAX_POINTS });
  const parse = (metric: string | null): ReturnType<typeof parseCsv> => parseCsv(file, { metric, timezone }, limits);
  try {
    try {
      return parse(null);
    } catch (error) {
      // A time and a value in each line, without a name.
      if (!(error instanceof MalformedBodyError) || error.details[0]?.field !== 'metric') throw error;
      return parse(TWO_COLUMNS);
    }
  } catch (error) {
    if (error instanceof MalformedBodyError) {
      throw new FileProblem(`data_file is not a CSV file with one series: ${error.message}`);
    }
    if (error instanceof BodyTooLargeError) {
      throw new FileProblem(`data_file must have at most ${String(MAX_POINTS)} points`);
    }
    throw error;
  }
}

/** In chronological order, without points without a value; of two points with the same time the later one is kept. */
function inOrder({ timestamps, values }: BenchmarkSeries): BenchmarkSeries {
  const rows = Array.from(timestamps.keys())
    .filter((row) => Number.isFinite(values[row]!))
    .sort((one, other) => timestamps[one]! - timestamps[other]! || one - other);
  const kept = rows.filter((row, index) => timestamps[row] !== timestamps[rows[index + 1] ?? -1]);
  return {
    timestamps: Float64Array.from(kept, (row) => timestamps[row]!),
    values: Float64Array.from(kept, (row) => values[row]!),
  };
}

function medianStep(timestamps: Float64Array): number {
  const steps = timestamps
    .slice(1)
    .map((timestamp, row) => timestamp - timestamps[row]!)
    .sort();
  return Math.max(1, Math.round(steps[steps.length >>> 1] ?? 1));
}
