export type CsvCell = string | number | boolean | null | undefined;

/** Spreadsheets interpret cells that start like this as formulas. */
const BEGINS_A_FORMULA = /^[=+\-@\t\r]/;
const IS_A_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * A cell of RFC 4180. A cell that a spreadsheet would run as a formula gets a leading apostrophe, unless it is a
 * number.
 */
export function csvCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  const plain = String(cell);
  const text = BEGINS_A_FORMULA.test(plain) && !IS_A_NUMBER.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table of RFC 4180: a line of names, then the rows; every line ends with CR LF. */
export function csvText(names: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [names, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/** Makes the browser download a text as a file. */
export function saveFile(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has started to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
