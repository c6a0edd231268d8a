import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '../..');

describe('the map of areas', () => {
  it('in docs/architecture.md matches the source; after a change run npm run area-map and commit', async () => {
    const { withAreaMap } = (await import(pathToFileURL(join(ROOT, 'scripts/area-map.mjs')).href)) as {
      withAreaMap(page: string): string;
    };
    const page = await readFile(join(ROOT, 'docs/architecture.md'), 'utf8');
    expect(page).toBe(withAreaMap(page));
  });
});
