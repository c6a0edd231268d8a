import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const CODE = /\.(?:ts|tsx|mjs|cjs)$/;
/** Entities are found by file name, and the types of the client are generated from the API description. */
const FOUND_OTHERWISE = /\.entity\.ts$|^libs\/client\/src\/schema\.ts$/;
const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(const enum|const|let|function\*?|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm;
const VALUE = /^(?:const|let|function)/;

/** Exported names that no other file uses. Their own file may use them without exporting them. */
function unusedExports(files: ReadonlyMap<string, string>): string[] {
  const uses = new Map<string, Map<string, number>>();
  for (const [file, text] of files) {
    for (const [name] of text.matchAll(/[A-Za-z_$][\w$]*/g)) {
      const counts = uses.get(name) ?? new Map<string, number>();
      uses.set(name, counts.set(file, (counts.get(file) ?? 0) + 1));
    }
  }
  return [...files].flatMap(([file, text]) => {
    if (!/^(?:apps|libs)\//.test(file) || FOUND_OTHERWISE.test(file)) return [];
    return [...text.matchAll(EXPORT)].flatMap(([, kind, name]) => {
      const counts = uses.get(name!)!;
      const isUnused = counts.size === 1 && (VALUE.test(kind!) || counts.get(file) === 1);
      return isUnused ? [`${file}: ${name!}`] : [];
    });
  });
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

describe('exports', () => {
  it('are used by another file, or are types of used exports', async () => {
    const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      maxBuffer: 1e8,
    });
    const names = [...new Set(stdout.split('\n'))].filter((file) => CODE.test(file));
    const texts = await Promise.all(
      names.map(async (file): Promise<[string, string]> => {
        // The index still contains removed files.
        const text = await readFile(join(ROOT, file), 'utf8').catch(() => '');
        return [file, withoutComments(text)];
      }),
    );
    expect(texts.length).toBeGreaterThan(1000);
    expect(unusedExports(new Map(texts))).toEqual([]);
  });

  it('are reported when no other file uses them', () => {
    const files = new Map([
      ['apps/a.ts', 'export const used = 1;\nexport const inside = 2;\nexport type Dead = 3;\nconst x = inside;\n'],
      [
        'libs/b/src/b.ts',
        "import { used } from './a.js';\nexport interface Told {}\nexport function tell(): Told {}\n",
      ],
      ['test/c.ts', 'tell();\n'],
    ]);
    expect(unusedExports(files)).toEqual(['apps/a.ts: inside', 'apps/a.ts: Dead']);
  });
});
