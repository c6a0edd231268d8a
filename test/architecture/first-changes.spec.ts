import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/first-changes.md'), 'utf8');
const PARSER = 'libs/protocols/src/opentsdb/parse-opentsdb.ts';

/** Runs a program with `input`, and returns its output. */
const fed = (input: string, command: string, ...args: string[]): Promise<string> =>
  new Promise((done, fail) => {
    const child = execFile(command, args, { cwd: ROOT }, (error, stdout, stderr) => {
      if (error === null) done(stdout);
      else fail(new Error(stderr, { cause: error }));
    });
    child.stdin?.end(input);
  });

describe('the walk-throughs in docs/first-changes.md', () => {
  it('apply to the current sources', async () => {
    const diffs = [...PAGE.matchAll(/^```diff\n([^]*?)^```$/gm)].map(([, diff]) => diff!);
    expect(diffs).toHaveLength(1);
    await expect(fed(diffs[0]!, 'git', 'apply', '--check', '-')).resolves.toBe('');
  });

  it('contain a parser that works with the current library', async () => {
    const code = [...PAGE.matchAll(/^```ts (\S+)\n([^]*?)^```$/gm)].find(([, path]) => path === PARSER)![2]!;
    const library = pathToFileURL(join(ROOT, 'dist/libs/protocols/src/')).href;
    const script = ts
      .transpile(code, { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022 })
      .replaceAll("from '../", `from '${library}`);
    const program = `${script}
      const { parseLimits } = await import('${library}batch/limits.js');
      const { batch } = parseOpentsdb(Buffer.from('put up 1760000000 1 host=web-1\\nget'), parseLimits(1760000000));
      console.log(batch.series[0].name, batch.timestamps[0], batch.values[0], batch.count);`;
    expect(await fed(program, process.execPath, '--input-type=module')).toBe('up{host="web-1"} 1760000000 1 1\n');
  });

  it('name only existing files, folders and scripts', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...PAGE.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    // Files that the walk-throughs create do not exist yet.
    const created = /opentsdb|ntfy|views\/greeting/;
    const paths = [...PAGE.matchAll(/(?<=[\s`])((?:apps|libs|test|docs)\/[\w./-]*\w)/g)].map(([, path]) => path!);
    const missing = paths.filter(
      (path) => !created.test(path) && ![path, `${path}.spec.ts`].some((each) => existsSync(join(ROOT, each))),
    );
    expect(missing).toEqual([]);
  });
});
