import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { configurationDocument } from '../../apps/server/src/common/config/config-doc.js';
import { settingsOf } from '../../apps/server/src/common/config/setting.decorator.js';
import { CONFIG_CLASSES } from '../../apps/server/src/config.registry.js';

const ROOT = resolve(import.meta.dirname, '../..');

describe('the configuration', () => {
  it('matches docs/configuration.md; after a change run npm run config:doc and commit', async () => {
    expect(await readFile(resolve(ROOT, 'docs/configuration.md'), 'utf8')).toBe(configurationDocument(CONFIG_CLASSES));
  });

  it('has every class in config.registry.ts', async () => {
    const files = await readdir(resolve(ROOT, 'apps/server/src'), { recursive: true });
    const modules = await Promise.all(
      files
        .filter((file) => file.endsWith('.config.ts'))
        .map((file) => import(resolve(ROOT, 'apps/server/src', file)) as Promise<Record<string, unknown>>),
    );
    const exported = modules.flatMap((module) => Object.entries(module)).filter(([name]) => name.endsWith('Config'));
    expect(exported.map(([name]) => name).sort()).toEqual(CONFIG_CLASSES.map(({ name }) => name).sort());
  });

  it('has no variable twice', () => {
    const names = CONFIG_CLASSES.flatMap((configClass) => settingsOf(configClass).map(({ env }) => env));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
