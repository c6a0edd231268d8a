import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import Table from 'cli-table3';
import { CliError, UsageError } from '../cli-error.js';
import { reasonOf } from '../csv/open-input.js';
import { type Terminal } from '../terminal.js';
import { type DetectorRun } from './detector-run.js';

/** `--json` without a file prints the result instead of the tables; with a file it also writes the result there. */
export type JsonTarget = true | string | undefined;

/** Reports, before the long work, if the file cannot be written or is a folder. */
export function checkJsonTarget(target: JsonTarget): void {
  if (typeof target !== 'string') return;
  if (!target.toLowerCase().endsWith('.json')) throw new UsageError(`--json ${target}: the file must end in .json`);
  if (!existsSync(dirname(target))) throw new UsageError(`--json ${target}: there is no folder ${dirname(target)}`);
}

/** A table for people: the first columns are text, left-aligned; all others are numbers, right-aligned. */
export function benchTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  textColumns = 1,
): string {
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, column) => (column < textColumns ? 'left' : 'right')),
    // Plain text: the table is also read in files and mails.
    style: { head: [], border: [], compact: true },
  });
  table.push(...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell))));
  return `${table.toString()}\n`;
}

/** Judging a column of scores takes about this share of the time for reading and scoring its files. */
const JUDGING_SHARE = 0.1;

/** The share of judging one column in a progress bar that counts the bytes of the read files. */
export function judgingBytes(fileBytes: number): number {
  return Math.round(JUDGING_SHARE * fileBytes);
}

/** `–` for unknown values. */
export function fixed(value: number | null, digits: number): string {
  return value === null || !Number.isFinite(value) ? '–' : value.toFixed(digits);
}

/** `58 files, 365,558 rows; the detector took 1.20 s (304,000 points/s)` */
export function runLine(files: number, run: DetectorRun): string {
  const rate = Math.round(run.pointsPerSecond / 1000) * 1000;
  return (
    `${files} ${files === 1 ? 'file' : 'files'}, ${run.points.toLocaleString('en')} rows; ` +
    `the detector took ${run.seconds.toFixed(2)} s (${rate.toLocaleString('en')} points/s)\n`
  );
}

/** Members of every JSON result. */
export function runJson(files: number, run: DetectorRun): Record<string, number> {
  return { files, rows: run.points, seconds: run.seconds, points_per_second: Math.round(run.pointsPerSecond) };
}

/** Outputs the result in the requested form. */
export async function writeResult(text: string, json: object, target: JsonTarget, terminal: Terminal): Promise<void> {
  const jsonText = `${JSON.stringify(json, null, 2)}\n`;
  if (target === true) {
    terminal.out(jsonText);
    return;
  }
  terminal.out(text);
  if (target === undefined) return;
  try {
    await writeFile(target, jsonText);
  } catch (error) {
    throw new CliError(`${target} cannot be written: ${reasonOf(error)}`);
  }
  terminal.err(`Figures written to ${target}\n`);
}
