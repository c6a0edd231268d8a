import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '../..');

interface AreaMap {
  withAreaMap(page: string): string;
  purposeInModule(text: string, path: string): string;
}

describe('the map of areas', () => {
  let map: AreaMap;

  beforeAll(async () => {
    map = (await import(pathToFileURL(join(ROOT, 'scripts/area-map.mjs')).href)) as AreaMap;
  });

  it('in docs/architecture.md matches the source; after a change run npm run area-map and commit', async () => {
    const page = await readFile(join(ROOT, 'docs/architecture.md'), 'utf8');
    expect(page).toBe(map.withAreaMap(page));
  });

  it('takes the purpose of an area from the comment above its module', () => {
    const text =
      "import { Module } from '@nestjs/common';\n\n/**\n * Greets the people of an\n * organisation. More.\n */\n@Module({})";
    expect(map.purposeInModule(text, 'greeting.module.ts')).toBe('Greets the people of an organisation.');
  });

  it('refuses a module without that comment', () => {
    const text =
      "import { Module } from '@nestjs/common';\n\n@Module({})\nexport class GreetingModule {}\n/** Later. */";
    expect(() => map.purposeInModule(text, 'greeting.module.ts')).toThrow(
      'greeting.module.ts needs a comment /** … */ above @Module',
    );
  });

  it('has a purpose for every generated area', async () => {
    const path = 'scripts/area-template/__area__.module.ts.txt';
    const template = await readFile(join(ROOT, path), 'utf8');
    expect(map.purposeInModule(template, path)).toBe('The __words_plural__ of an organisation.');
  });
});
