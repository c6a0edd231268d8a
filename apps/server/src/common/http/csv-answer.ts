import { StreamableFile } from '@nestjs/common';

/** Formats of an answer that is also available as a table. */
export const TABLE_FORMATS = ['json', 'csv'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Null is an empty cell. */
export type CsvCell = string | number | boolean | null;

export interface CsvTable {
  /** Names of the columns: the header line. */
  columns: readonly string[];
  rows: Iterable<readonly CsvCell[]>;
}

/** The answer in the requested format: unchanged, for the envelope, or as `text/csv`. */
export async function inFormat<Answer>(
  format: TableFormat,
  answer: Promise<Answer>,
  toTable: (answer: Answer) => CsvTable,
): Promise<Answer | StreamableFile> {
  if (format === 'json') return answer;
  const bytes = Buffer.from(csvText(toTable(await answer)));
  return new StreamableFile(bytes, { type: 'text/csv; charset=utf-8', length: bytes.length });
}

/** RFC 4180. */
export function csvText({ columns, rows }: CsvTable): string {
  let text = `${columns.map(cellText).join(',')}\r\n`;
  for (const row of rows) text += `${row.map(cellText).join(',')}\r\n`;
  return text;
}

/** A time in the format of cells, RFC 3339 in UTC. @param timestamp Unix seconds */
export function csvTime(timestamp: number | null): string | null {
  return timestamp === null ? null : new Date(timestamp * 1000).toISOString().replace('.000Z', 'Z');
}

/** Spreadsheets execute a text that begins with one of these as a formula; a negative number is not a text. */
const FORMULA = /^[=+\-@]/;

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) || safe !== cell ? `"${safe.replaceAll('"', '""')}"` : safe;
}
