const MARKS = { aim: 'aim met', must: 'must met', missed: 'MISSED' };
const HEADINGS = ['', 'median', 'least .. most', 'unit', 'per CPU s', 'x EWMA', 'must', 'aim', ''];
const RIGHT = new Set([1, 2, 4, 5, 6, 7]);

/**
 * Rows as a table for people. `per CPU s`: points per second of processor time, by which speed is judged; `x EWMA`:
 * time per point in multiples of an EWMA z-score over the same points.
 */
export function resultTable(rows) {
  const cells = rows.map(({ name, median, least, most, unit, perProcessorSecond, cost, must, aim, reached }) => [
    name,
    figure(median),
    least === most ? '' : `${figure(least)} .. ${figure(most)}`,
    unit,
    optional(perProcessorSecond),
    optional(cost),
    optional(must),
    optional(aim),
    MARKS[reached] ?? '',
  ]);
  const table = [HEADINGS, ...cells];
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const line = (row) =>
    row
      .map((cell, column) => (RIGHT.has(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd();
  return table.map(line).join('\n');
}

function optional(value) {
  return value === undefined ? '' : figure(value);
}

/** Three significant digits; whole numbers keep all of theirs. */
function figure(value) {
  const digits = Math.abs(value) >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 };
  return value.toLocaleString('en', digits);
}
