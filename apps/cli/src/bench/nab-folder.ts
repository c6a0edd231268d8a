import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RowRange } from '#libs/evaluation';
import { TimeReader } from '#libs/protocols';
import { UsageError } from '../cli-error.js';
import { reasonOf } from '../csv/open-input.js';
import { readSeriesCsv } from '../csv/read-series-csv.js';
import { type CsvFile, csvFilesIn } from './csv-folder.js';
import { type WindowedSeries } from './harder-series.js';

/** Unix seconds, both inclusive. */
interface TimeWindow {
  start: number;
  end: number;
}

/** One file of a folder in the layout of the Numenta Anomaly Benchmark. */
export interface NabFile extends CsvFile {
  windows: TimeWindow[];
}

function isWindowList(value: unknown): value is [string, string][] {
  const isWindow = (pair: unknown): boolean =>
    Array.isArray(pair) && pair.length === 2 && pair.every((time) => typeof time === 'string');
  return Array.isArray(value) && value.every(isWindow);
}

async function readWindows(path: string): Promise<Map<string, TimeWindow[]>> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? `it is not JSON (${error.message})` : reasonOf(error);
    throw new UsageError(`${path} cannot be read: ${reason}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new UsageError(`${path}: expected an object of file names and their windows`);
  }
  const times = new TimeReader({ timezone: 'UTC', format: null });
  return new Map(
    Object.entries(content).map(([name, list]: [string, unknown]) => {
      if (!isWindowList(list)) throw new UsageError(`${path}: "${name}" is not a list of [start, end] times`);
      const read = (text: string): number => {
        const bytes = Buffer.from(text);
        const time = times.read(bytes, 0, bytes.length);
        if (Number.isNaN(time))
          throw new UsageError(`${path}: "${name}": timestamp "${text}" is neither Unix time nor ISO 8601`);
        return time;
      };
      return [name, list.map(([start, end]) => ({ start: read(start), end: read(end) }))];
    }),
  );
}

/**
 * The files of `data/` with their windows from `labels/combined_windows.json`, by name, and the labelled files that are
 * missing. Every file must have an entry in the labels; it may be empty.
 */
export async function nabFilesIn(folder: string): Promise<{ files: NabFile[]; absent: string[] }> {
  const labels = join(folder, 'labels', 'combined_windows.json');
  const windowsOf = await readWindows(labels);
  const files = (await csvFilesIn(join(folder, 'data'))).map((file) => {
    const windows = windowsOf.get(file.name);
    if (!windows) throw new UsageError(`${labels} has no entry for ${file.name}`);
    return { ...file, windows: windows.sort((a, b) => a.start - b.start) };
  });
  const present = new Set(files.map(({ name }) => name));
  return { files, absent: Array.from(windowsOf.keys()).filter((name) => !present.has(name)) };
}

/**
 * Rows of a window: from the first row at or after its start to the first row at its end, or otherwise the last row
 * before its end.
 */
function rowsOf({ start, end }: TimeWindow, timestamps: Float64Array): RowRange {
  const first = timestamps.findIndex((timestamp) => timestamp >= start);
  const atOrAfterEnd = timestamps.findIndex((timestamp) => timestamp >= end);
  if (atOrAfterEnd === -1) return { first, last: timestamps.length - 1 };
  return { first, last: timestamps[atOrAfterEnd] === end ? atOrAfterEnd : atOrAfterEnd - 1 };
}

export async function readNabFile(file: NabFile, onBytes: (count: number) => void): Promise<WindowedSeries> {
  const { timestamps, values } = await readSeriesCsv(createReadStream(file.path), {
    source: file.path,
    timezone: 'UTC',
    onBytes,
  });
  const windows = file.windows.map((window) => rowsOf(window, timestamps));
  windows.forEach(({ first, last }, i) => {
    if (first === -1 || last < first || first <= (windows[i - 1]?.last ?? -1)) {
      throw new UsageError(`${file.path}: window ${i + 1} of its labels holds no row of its own`);
    }
  });
  return { timestamps, values, windows };
}
