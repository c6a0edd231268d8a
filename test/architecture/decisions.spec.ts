import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const FOLDER = resolve(import.meta.dirname, '../../docs/decisions');
const LINK = /\[(\d+)\]\((\d{4}-[\w-]+\.md)\)/g;
/** The status below the heading of a decision. */
const STATUS = /^# (\d+)\. [^\n]+\n\n\*\*Status\.\*\* (Accepted\.|(?:Amended|Superseded) by [^\n]*: [^\n]+\.)\n\n/;

/** A status in short form, such as `Accepted` or `Amended 32, 40` with the numbers of the amending decisions. */
const inShort = (status: string): string =>
  [/^\w+/.exec(status)![0], [...status.matchAll(LINK)].map(([, number]) => number).join(', ')].join(' ').trim();

describe('decisions', () => {
  let files: string[];
  const texts = new Map<string, string>();
  let table: Map<string, string>;

  beforeAll(async () => {
    files = (await readdir(FOLDER)).filter((name) => /^\d{4}-/.test(name)).sort();
    for (const file of files) texts.set(file, await readFile(join(FOLDER, file), 'utf8'));
    const readme = await readFile(join(FOLDER, 'README.md'), 'utf8');
    const rows = [...readme.matchAll(/^\| \[\d+\. .+?\]\((\d{4}-[\w-]+\.md)\) \| (.+) \|$/gm)];
    table = new Map(rows.map(([, file, status]) => [file!, status!]));
    expect(rows).toHaveLength(table.size);
  });

  it('state below the heading that they are accepted, or by which decisions they are amended or superseded', () => {
    expect(files.filter((file) => !STATUS.test(texts.get(file)!))).toEqual([]);
  });

  it('have a unique number that matches their file name', () => {
    const numbers = files.map((file) => Number(file.slice(0, 4)));
    expect(new Set(numbers).size).toBe(numbers.length);
    const headings = files.map((file) => Number(/^# (\d+)\./.exec(texts.get(file)!)?.[1]));
    expect(headings).toEqual(numbers);
  });

  it('are changed only by existing later decisions', () => {
    const offences = files.flatMap((file) => {
      const status = STATUS.exec(texts.get(file)!)?.[2] ?? '';
      return [...status.matchAll(LINK)]
        .filter(
          ([, number, target]) =>
            !texts.has(target!) || Number(number) !== Number(target!.slice(0, 4)) || target! <= file,
        )
        .map(([link]) => `${file}: ${link}`);
    });
    expect(offences).toEqual([]);
  });

  it('are listed once in docs/decisions/README.md with the same status', () => {
    const wanted = files.map((file) => [file, inShort(STATUS.exec(texts.get(file)!)?.[2] ?? 'none')]);
    expect([...table].map(([file, status]) => [file, inShort(status)]).sort()).toEqual(wanted);
  });
});
