import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SERVER = resolve(import.meta.dirname, '../../apps/server/src');

/** `LOCK_SPACE = 0x706c_0001`: the first of the two keys of a lock, which says what kind of lock it is. */
const DECLARATION = /const LOCK_SPACE = (0x[0-9a-f_]+)/;

it('every kind of advisory lock has a number of its own', () => {
  const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('spec.ts'),
  );
  const holders = new Map<string, string[]>();
  for (const file of files) {
    const number = DECLARATION.exec(readFileSync(join(SERVER, file), 'utf8'))?.[1];
    if (number !== undefined) holders.set(number, [...(holders.get(number) ?? []), file]);
  }
  expect(holders.size).toBeGreaterThan(5);
  expect([...holders].filter(([, names]) => names.length > 1)).toEqual([]);
});
