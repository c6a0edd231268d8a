import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MAX_MARKS_IN_A_ROW } from '#libs/contracts';
import { MAX_KEPT_KEY_LENGTH, parseLimits } from '#libs/protocols';
import { MAX_CONTAINERS, MAX_NESTING } from '../../apps/server/src/common/http/body-parsing.js';
import { MAX_NAME_PARTS, MAX_NAMES } from '../../apps/server/src/common/validation/request-parameters.js';

const ROOT = resolve(import.meta.dirname, '../..');

/** Items of levels 1 and 2 of version 4.0.3 of the standard: the last number of each item by section. */
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
  // The standard removed 4.1.4.
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
  ['7.1', upTo(4)],
  ['7.2', upTo(2)],
  // The standard removed 7.3.2.
  ['7.3', [1, 3, 4]],
  ['7.4', upTo(3)],
  // The other items of this section are of level 3.
  ['8.1', upTo(4)],
  ['8.2', upTo(3)],
  ['8.3', upTo(8)],
  ['9.1', upTo(3)],
  ['9.2', upTo(4)],
  ['10.2', upTo(2)],
  ['10.3', upTo(3)],
  ['11.1', upTo(8)],
  ['12.1', upTo(3)],
  ['12.2', upTo(1)],
  ['12.3', upTo(6)],
  ['12.4', upTo(2)],
  ['12.5', upTo(2)],
  ['12.6', upTo(1)],
  // The standard removed the numbers that are missing here and below.
  ['13.1', [1, 3, 4, 5]],
  ['13.2', [1, 2, 3, 5, 6]],
  ['13.3', upTo(2)],
  ['13.4', upTo(2)],
  ['14.1', upTo(4)],
  ['14.2', upTo(6)],
  ['14.3', [2, 3]],
  ['14.4', upTo(7)],
  ['14.5', upTo(4)],
];

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, at) => at + 1);
}

/** Cells of the rows of all tables, without headers. */
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

  it('lists every item of the standard once, in order', () => {
    const wanted = SECTIONS.flatMap(([section, items]) => items.map((item) => `${section}.${String(item)}`));
    expect(rowsOf(text).map(([item]) => item)).toEqual(wanted);
  });

  it('states for every item whether it is met, and how or why not', () => {
    const faulty = rowsOf(text).filter(
      (cells) => cells.length !== 4 || !/^(Yes|No|–)$/.test(cells[2] ?? '') || cells[1] === '' || cells[3] === '',
    );
    expect(faulty).toEqual([]);
  });

  it('names a test for every met item from chapter V7 on', () => {
    const met = rowsOf(text).filter(([item = '', , isMet]) => isMet === 'Yes' && Number.parseInt(item, 10) >= 7);
    expect(met.length).toBeGreaterThan(50);
    const untested = met.filter(([, , , how = '']) => !/spec\.ts`|\(#abuse-cases\)|\bSee \d/.test(how));
    expect(untested.map(([item]) => item)).toEqual([]);
  });

  it('states the limits on the cost of input as in the code', () => {
    const { maxNameLength, maxLabels } = parseLimits(0);
    const bounds: Record<string, number> = {
      'Levels of a JSON body': MAX_NESTING,
      'Objects and lists in a JSON body': MAX_CONTAINERS,
      'Names of parameters, in the query and in the body each': MAX_NAMES,
      'Parts of a dotted name': MAX_NAME_PARTS,
      'Accents and other marks in a row, in any text': MAX_MARKS_IN_A_ROW,
      'Characters of a metric name': maxNameLength,
      'Labels of a metric': maxLabels,
      'Spelling of a name that is kept in memory': MAX_KEPT_KEY_LENGTH,
    };
    for (const [what, bound] of Object.entries(bounds)) {
      const row = text.split('\n').find((line) => line.startsWith(`| ${what} |`));
      expect(`${what}: ${String(parseInt(row?.split(' | ')[1] ?? '', 10))}`).toBe(`${what}: ${String(bound)}`);
    }
  });

  it('names only existing files', () => {
    const named = [...text.matchAll(/`((?:apps|libs|test|docs|scripts)\/[^`\s]+)`/g)].map(([, path]) => path!);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([]);
  });

  it('names a test for every abuse case', () => {
    const [, section = ''] = text.split('## Abuse cases');
    const [table = ''] = section.split('\n## ');
    const cases = table.split('\n').filter((line) => line.startsWith('| ') && !/^\| (---|Case)/.test(line));
    expect(cases.length).toBeGreaterThan(10);
    expect(cases.filter((line) => !/`(?:apps|libs|test)\/[^`]+spec\.ts` \|$/.test(line))).toEqual([]);
  });
});
