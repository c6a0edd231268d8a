import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCES = 'apps/server/src';
const ENTRY = /new URL\('(\.[^']*)\.js', import\.meta\.url\)/g;
const QUEUE = /\.open\('([^']+)', \{/g;

/** Source texts of the server, by path. */
async function sources(): Promise<Map<string, string>> {
  const names = await readdir(join(ROOT, SOURCES), { recursive: true });
  const paths = names.filter((name) => name.endsWith('.ts') && !name.endsWith('spec.ts'));
  const read = async (path: string): Promise<[string, string]> => [
    path,
    await readFile(join(ROOT, SOURCES, path), 'utf8'),
  ];
  return new Map(await Promise.all(paths.map(read)));
}

describe('threads', () => {
  // Without the file of a thread, the thread that answers requests silently does its work.
  it('have an entry file each, and each entry file belongs to a thread', async () => {
    const texts = await sources();
    const named = [...texts].flatMap(([path, text]) =>
      [...text.matchAll(ENTRY)].map(([, entry]) => `${join(dirname(path), entry!)}.ts`),
    );
    const serving = [...texts].filter(([, text]) => /^serveWorker\(/m.test(text)).map(([path]) => path);
    expect(named.length).toBeGreaterThan(8);
    expect(named.sort()).toEqual(serving.sort());
  });
});

describe('fair queues', () => {
  it('are listed in the architecture and in the page about attacks', async () => {
    const names = [...(await sources()).values()].flatMap((text) => [...text.matchAll(QUEUE)].map(([, name]) => name!));
    expect(names.length).toBeGreaterThan(8);
    for (const page of ['docs/architecture.md', 'docs/guide/under-attack.md']) {
      const text = await readFile(join(ROOT, page), 'utf8');
      expect([page, names.filter((name) => !text.includes(`\`${name}\``))]).toEqual([page, []]);
    }
  });
});
