import Table from 'cli-table3';

const EDGES = ['top', 'bottom', 'left', 'right'].flatMap((side) =>
  ['', '-mid', '-left', '-right'].map((part) => side + part),
);
const NO_LINES = Object.fromEntries([...EDGES, 'mid', 'mid-mid'].map((part) => [part, '']));

/** Columns of text with a header, without lines: for people, and for grep. */
export function plainTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: [...head],
    chars: { ...NO_LINES, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  });
  table.push(...rows.map((row) => [...row]));
  const lines = table.toString().split('\n');
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
