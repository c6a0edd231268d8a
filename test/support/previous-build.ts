import { transformFile } from '@swc/core';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const SOURCES = ['apps/server', 'apps/cli', 'libs'];
const MIGRATIONS = 'apps/server/migrations/1*.ts';
const TESTS = /\.(spec|db-spec|contract|fixture|d)\.ts$/;

/** A build of the version before the current one, from which an installation is updated. */
export interface PreviousBuild {
  /** Value for `startProduct`. */
  root: string;
  /** The commit of the build; null if the clone has no history, in which case it is the current build. */
  commit: string | null;
  dispose(): Promise<void>;
}

/**
 * Builds the previous version: the last release, or without one the commit before the newest migration, so that the new
 * build has a migration to run. `PLUMBLINE_PREVIOUS` names another commit. It runs with the current packages. In a
 * shallow clone without history the current build is used instead, and a line of output reports that.
 */
export async function previousBuild(): Promise<PreviousBuild> {
  const commit = await previousCommit();
  if (commit === null) {
    process.stderr.write('No history in this clone: the build of now is updated by itself (git fetch --unshallow)\n');
    return { root: ROOT, commit, dispose: () => Promise.resolve() };
  }
  const root = await mkdtemp(join(tmpdir(), 'plumbline-previous-'));
  const archive = join(root, 'sources.tar');
  await run('git', ['-C', ROOT, 'archive', '-o', archive, commit, 'package.json', ...SOURCES]);
  await run('tar', ['-xf', archive, '-C', root]);
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const folder of SOURCES) await transpile(root, folder);
  return { root, commit, dispose: () => rm(root, { recursive: true, force: true }) };
}

async function previousCommit(): Promise<string | null> {
  const named = process.env.PLUMBLINE_PREVIOUS;
  if (named !== undefined) return git('rev-parse', '--verify', `${named}^{commit}`);
  const release = await git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^').catch(() => null);
  if (release !== null) return git('rev-parse', '--verify', `${release}^{commit}`);
  const migration = await git('log', '-1', '--format=%H', '--diff-filter=A', '--', MIGRATIONS).catch(() => 'HEAD');
  return git('rev-parse', '--verify', `${migration}^`).catch(() => null);
}

async function git(...args: string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', ROOT, ...args]);
  const answer = stdout.trim();
  if (answer === '') throw new Error(`git ${args.join(' ')} answers nothing`);
  return answer;
}

/** Transpiles without type checks, which takes seconds; the types were checked when the commit was created. */
async function transpile(root: string, folder: string): Promise<void> {
  const names = await readdir(join(root, folder), { recursive: true });
  const sources = names.filter((name) => name.endsWith('.ts') && !TESTS.test(name));
  await Promise.all(
    sources.map(async (name) => {
      const { code } = await transformFile(join(root, folder, name), {
        swcrc: false,
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
      });
      const target = join(root, 'dist', folder, name.replace(/\.ts$/, '.js'));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, code);
    }),
  );
}
