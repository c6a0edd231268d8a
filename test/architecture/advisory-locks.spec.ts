import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DATABASE_LOCKS } from '#libs/database-locks';

const ROOT = resolve(import.meta.dirname, '../..');
const LIST = 'libs/database-locks/src/index.ts';
const NUMBERS: ReadonlySet<number> = new Set(Object.values(DATABASE_LOCKS).map(({ number }) => number));

/** Text of a source file without its comments. */
async function sourceOf(file: string): Promise<string> {
  const text = await readFile(join(ROOT, file), 'utf8');
  return text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
}

async function sources(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const folder of ['apps', 'libs', 'scripts', 'test']) {
    for (const file of await readdir(join(ROOT, folder), { recursive: true })) {
      const path = join(folder, file);
      if (/\.(ts|mjs)$/.test(file) && path !== LIST) found.set(path, await sourceOf(path));
    }
  }
  return found;
}

/** Numbers in a text that have the form of lock numbers, in TypeScript or SQL. */
function lockNumbers(text: string): number[] {
  return [...text.matchAll(/\b0x(706c_?[0-9a-f]{4})\b|\bx'(706c[0-9a-f]{4})'/gi)].map((match) =>
    Number.parseInt((match[1] ?? match[2]!).replace('_', ''), 16),
  );
}

describe('advisory locks', () => {
  it('have unique numbers and purposes', () => {
    const locks = Object.values(DATABASE_LOCKS);

    expect(NUMBERS.size).toBe(locks.length);
    expect(new Set(locks.map(({ purpose }) => purpose)).size).toBe(locks.length);
    expect(locks.filter(({ number }) => number >>> 16 !== 0x706c)).toEqual([]);
  });

  it('use only numbers from the list; specs may repeat a number of the list', async () => {
    const offences: string[] = [];
    for (const [file, text] of await sources()) {
      const isSpec = file.endsWith('spec.ts');
      const numbers = lockNumbers(text).filter((number) => !isSpec || !NUMBERS.has(number));
      // `const LOCK_SPACE = 4711`, `pg_advisory_lock(4711)`, `runAlone(4711, …)`
      const literals = isSpec
        ? []
        : [...text.matchAll(/(_LOCK|LOCK_SPACE) = \d|\w*advisory\w*\(\d|\b(runAlone|tryAcquire)\(\d/g)];
      if (numbers.length + literals.length > 0) offences.push(file);
    }

    expect(offences).toEqual([]);
  });

  it('are acquired only by code that imports the list', async () => {
    const users: string[] = [];
    const strangers: string[] = [];
    for (const [file, text] of await sources()) {
      const isUser = /\bpg_(try_)?advisory_(xact_)?lock(_shared)?\(|\blocks\.(runAlone|tryAcquire)\(/.test(text);
      if (!isUser || file.endsWith('spec.ts') || file.endsWith('common/database/advisory-locks.ts')) continue;
      users.push(file);
      if (!text.includes("from '#libs/database-locks'")) strangers.push(file);
    }

    expect(users.length).toBeGreaterThan(10);
    expect(strangers).toEqual([]);
  });
});
