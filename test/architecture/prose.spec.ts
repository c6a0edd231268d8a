import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PROSE_RULES, proseOffences } from '../support/prose.js';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const SOURCES = ['apps', 'libs', 'test', 'bench', 'scripts'];
/** A comment on its own line or its continuation, or a comment after code. */
const COMMENT = /^\s*(\/\/|\/?\*)|\s\/\/ /;
/** Files that quote text to avoid. */
const QUOTES = new Set(['test/support/prose.ts', 'test/architecture/prose.spec.ts', 'CONTRIBUTING.md']);

async function filesOf(...patterns: string[]): Promise<string[]> {
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', ...patterns], {
    cwd: ROOT,
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.split('\0').filter((file) => file !== '' && !QUOTES.has(file));
}

async function offencesIn(files: readonly string[], isProse: (line: string) => boolean): Promise<string[]> {
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(ROOT, file), 'utf8').catch(() => '');
      return proseOffences(
        file,
        text.split('\n').map((line) => (isProse(line) ? line : null)),
      );
    }),
  );
  return found.flat();
}

describe('plain English', () => {
  it('is used in every document', async () => {
    expect(await offencesIn(await filesOf('*.md'), () => true)).toEqual([]);
  });

  // Those of server, CLI and libraries: user-texts.spec.ts.
  it('is used in every text of the console', async () => {
    expect(await offencesIn(await filesOf('apps/console/src/*.texts.ts'), () => true)).toEqual([]);
  });

  it('is used in every comment', async () => {
    const files = await filesOf(
      ...SOURCES.flatMap((folder) => ['ts', 'tsx', 'mjs'].map((end) => `${folder}/*.${end}`)),
    );
    // The name of the account.
    const isProse = (line: string): boolean => COMMENT.test(line) && !line.includes('postgres, nobody');
    expect(await offencesIn(files, isProse)).toEqual([]);
  });

  it('has its rules in CONTRIBUTING.md, with at least ten pairs of before and after', async () => {
    const text = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
    const section = /\n## How we write\n([^]*?)\n## /.exec(text)?.[1] ?? '';
    const befores = [...section.matchAll(/^\| (?!Before|---)([^|]+) \|/gm)].map(([, before]) => before!);
    expect(befores.length).toBeGreaterThanOrEqual(10);
    const unshown = PROSE_RULES.filter(({ avoid }) => !befores.some((before) => avoid.test(before)));
    expect(unshown.map(({ avoid }) => avoid.source)).toEqual([]);
  });
});
