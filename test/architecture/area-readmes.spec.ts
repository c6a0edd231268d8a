import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const SERVER = join(ROOT, 'apps/server/src');
/** An area with more source files than this needs a README. */
const FEW = 10;
/** One screen. */
const MAX_LINES = 40;
const PARTS = ['Start reading', 'Entry points', 'Tables', 'Publishes', 'Listens to'];
const FILE = /`([\w./-]+\.ts)`/g;

const isSource = (name: string): boolean => name.endsWith('.ts') && !name.endsWith('spec.ts');

/** Areas such as `data/metric`, with the names of their source files. */
async function areas(): Promise<Map<string, string[]>> {
  const names = (await readdir(SERVER, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  const found = new Map<string, string[]>();
  for (const name of names.filter(isSource)) {
    const [neighbourhood, area, ...rest] = name.split('/');
    if (rest.length === 0) continue;
    const key = `${neighbourhood!}/${area!}`;
    found.set(key, [...(found.get(key) ?? []), name]);
  }
  return found;
}

/** Files that a text names and that do not exist below any of the folders. */
const missingIn = (text: string, folders: readonly string[]): string[] =>
  [...text.matchAll(FILE)]
    .map(([, file]) => file!)
    .filter((file) => !folders.some((folder) => existsSync(join(folder, file))));

describe('each area with many files', () => {
  let large: string[];
  const texts = new Map<string, string>();
  beforeAll(async () => {
    large = [...(await areas())].filter(([, files]) => files.length > FEW).map(([area]) => area);
    for (const area of large) {
      const file = join(SERVER, area, 'README.md');
      texts.set(area, existsSync(file) ? await readFile(file, 'utf8') : '');
    }
  });

  it('has a README of one screen with its purpose, start, tables, events and listeners', () => {
    expect(large.length).toBeGreaterThan(30);
    const offences = large.flatMap((area) => {
      const text = texts.get(area)!;
      if (text === '') return [`${area}/README.md is missing: see that of its neighbours`];
      const parts = PARTS.filter((part) => !text.includes(`**${part}**: `)).map((part) => `${area}: no "${part}"`);
      return text.split('\n').length > MAX_LINES ? [...parts, `${area}: longer than a screen`] : parts;
    });
    expect(offences).toEqual([]);
  });

  it('has a README that names only existing files', () => {
    const missing = large.flatMap((area) =>
      missingIn(texts.get(area)!, [join(SERVER, area), ROOT]).map((file) => `${area}: ${file}`),
    );
    expect(missing).toEqual([]);
  });

  it('has a README that names only tables and triggers of migrations', async () => {
    const folder = join(ROOT, 'apps/server/migrations');
    const names = (await readdir(folder, { recursive: true })).filter(isSource);
    const schema = (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
    const unknown = large.flatMap((area) => {
      const tables = /\*\*Tables\*\*: (.*)/.exec(texts.get(area)!)?.[1] ?? '';
      const words = [...tables.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
      return words.filter((name) => !schema.includes(`"${name}"`)).map((name) => `${area}: ${name}`);
    });
    expect(unknown).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  it('names only existing files, and the triggers that join anomaly, incident and alert', async () => {
    const page = await readFile(join(ROOT, 'docs/architecture.md'), 'utf8');
    const lives = page.slice(
      page.indexOf('## Step by step: a point, a read, an alert'),
      page.indexOf('## The path of a request'),
    );
    expect([...lives.matchAll(FILE)].length).toBeGreaterThan(30);
    expect(missingIn(lives, [SERVER, ROOT])).toEqual([]);
    for (const trigger of ['anomaly_opened', 'anomaly_opened_alert', 'incident_anomaly_joined']) {
      expect(lives).toContain(`\`${trigger}\``);
      expect(page).toMatch(new RegExp(`^\\| \`${trigger}\` \\|`, 'm'));
    }
  });

  it('describes every neighbourhood', async () => {
    const page = await readFile(join(ROOT, 'docs/architecture.md'), 'utf8');
    const neighbourhoods = (await readdir(SERVER, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const named = [...page.matchAll(/^\| `(\w+)` \| [^|]{20,} \|$/gm)].map(([, name]) => name!);
    expect(neighbourhoods.filter((name) => !named.includes(name))).toEqual([]);
  });
});
