import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const SERVER = resolve(import.meta.dirname, '../../apps/server/src');

describe('advisory locks', () => {
  it('of different work have different first keys', async () => {
    const sources = (await readdir(SERVER, { recursive: true })).filter((file) => /(?<!spec)\.ts$/.test(file));
    const users = new Map<string, string[]>();
    for (const file of sources) {
      const key = /const LOCK_SPACE = (0x[0-9a-f_]+);/.exec(await readFile(join(SERVER, file), 'utf8'))?.[1];
      if (key !== undefined) users.set(key, [...(users.get(key) ?? []), file]);
    }
    expect(users.size).toBeGreaterThan(5);
    expect([...users].filter(([, files]) => files.length > 1)).toEqual([]);
  });
});
