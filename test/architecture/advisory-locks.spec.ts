import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const SOURCES = resolve(import.meta.dirname, '../../apps/server/src');

describe('advisory locks of the database', () => {
  it('have a first key of their own each: work that has nothing to do with other work does not wait for it', async () => {
    const files = (await readdir(SOURCES, { recursive: true })).filter(
      // Those of the database area have one key only, which PostgreSQL keeps apart from pairs.
      (file) => file.endsWith('.ts') && !file.endsWith('spec.ts') && !file.startsWith('common/database/'),
    );
    const texts = await Promise.all(files.map((file) => readFile(resolve(SOURCES, file), 'utf8')));
    const keys = texts.flatMap((text) =>
      [...text.matchAll(/^(?:export )?const \w+ = (0x706c_\w{4});/gm)].map((m) => m[1]),
    );
    expect(keys.length).toBeGreaterThan(8);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });
});
