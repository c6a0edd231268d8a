import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** Items of levels 1 and 2 of the standard's version 4.0.3, as the last number of each section. */
const SECTIONS: readonly (readonly [section: string, items: readonly number[]])[] = [
  ['2.1', upTo(12)],
  ['2.2', upTo(3)],
  ['2.3', upTo(3)],
  ['2.4', upTo(5)],
  ['2.5', upTo(7)],
  ['2.6', upTo(3)],
  ['2.7', upTo(6)],
  ['2.8', upTo(7)],
  ['2.9', upTo(3)],
  ['2.10', upTo(4)],
  ['3.1', upTo(1)],
  ['3.2', upTo(4)],
  ['3.3', upTo(4)],
  ['3.4', upTo(5)],
  ['3.5', upTo(3)],
  ['3.7', upTo(1)],
  // The fourth was taken out of the standard.
  ['4.1', [1, 2, 3, 5]],
  ['4.2', upTo(2)],
  ['4.3', upTo(3)],
  ['5.1', upTo(5)],
  ['5.2', upTo(8)],
  ['5.3', upTo(10)],
  ['5.4', upTo(3)],
  ['5.5', upTo(4)],
  ['6.1', upTo(3)],
  ['6.2', upTo(6)],
  ['6.3', upTo(2)],
  ['6.4', upTo(2)],
];

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, at) => at + 1);
}

/** Cells of the rows of all tables, without the heads. */
function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
}

describe('docs/security.md', () => {
  let text: string;
  beforeAll(async () => {
    text = await readFile(resolve(ROOT, 'docs/security.md'), 'utf8');
  });

  it('has every item of the standard once, in order', () => {
    const wanted = SECTIONS.flatMap(([section, items]) => items.map((item) => `${section}.${String(item)}`));
    expect(rowsOf(text).map(([item]) => item)).toEqual(wanted);
  });

  it('says of every item whether it is met, and how or why not', () => {
    const faulty = rowsOf(text).filter(
      (cells) => cells.length !== 4 || !/^(Yes|No|–)$/.test(cells[2] ?? '') || cells[1] === '' || cells[3] === '',
    );
    expect(faulty).toEqual([]);
  });

  it('names files that are there', () => {
    const named = [...text.matchAll(/`((?:apps|libs|test|docs|scripts)\/[^`\s]+)`/g)].map(([, path]) => path!);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([]);
  });
});
