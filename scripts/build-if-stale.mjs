import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Bears the time at which the last complete build began. */
const STAMP = 'dist/.built';
/** The compiler's own record tells of builds by `npm run build`, but is not rewritten when nothing had to be compiled. */
const COMPILER_RECORD = 'dist/.tsbuildinfo';
const COMPILER = 'node_modules/typescript/bin/tsc';
const SOURCES = [
  'apps/server',
  'apps/cli',
  'libs',
  'ormconfig.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * True when anything under `path` changed after `since`. Folders count too: their time tells of removed files. Every command
 * comes through here, so it asks the file system without the detour of promises.
 */
function isNewer(path, since) {
  if (modifiedAt(path) > since) return true;
  return readdirSync(path, { withFileTypes: true }).some((entry) => {
    const inside = join(path, entry.name);
    return entry.isDirectory() ? isNewer(inside, since) : modifiedAt(inside) > since;
  });
}

function isStale() {
  const builtAt = Math.max(modifiedAt(join(ROOT, STAMP)), modifiedAt(join(ROOT, COMPILER_RECORD)));
  return SOURCES.map((source) => join(ROOT, source)).some((source) =>
    statSync(source, { throwIfNoEntry: false })?.isDirectory()
      ? isNewer(source, builtAt)
      : modifiedAt(source) > builtAt,
  );
}

/**
 * Runs `npm run build`; resolves to its exit code and everything it said. The first build leaves the types unchecked, which
 * takes half of the time: in a fresh copy nothing was changed yet. The compiler remembers what it has
 * not checked, so the next build does it.
 */
function build(isFirst) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', 'build', ...(isFirst ? ['--', '--noCheck'] : [])], {
      cwd: ROOT,
      shell: process.platform === 'win32',
    });
    const said = [];
    child.stdout.on('data', (chunk) => said.push(chunk));
    child.stderr.on('data', (chunk) => said.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: Buffer.concat(said).toString() }));
  });
}

/**
 * Compiles the TypeScript sources when they are newer than `dist`. Says so on standard error, and shows what the compiler said when
 * it fails (then rejects). An installation without sources or compiler (the container image) is taken as built.
 */
export async function buildIfStale() {
  const hasSources = existsSync(join(ROOT, 'apps/cli/src/main.ts')) && existsSync(join(ROOT, COMPILER));
  if (!hasSources || !isStale()) return;
  const isFirst = modifiedAt(join(ROOT, COMPILER_RECORD)) === 0;
  process.stderr.write(isFirst ? 'Building for the first time, up to half a minute … ' : 'Building … ');
  const startedAt = new Date();
  const { code, output } = await build(isFirst);
  const seconds = ((Date.now() - startedAt.getTime()) / 1000).toFixed(1);
  if (code !== 0) {
    process.stderr.write(`failed after ${seconds} s\n${output}\n`);
    throw new Error('The build failed.');
  }
  process.stderr.write(`done in ${seconds} s\n`);
  await writeFile(join(ROOT, STAMP), '');
  await utimes(join(ROOT, STAMP), startedAt, startedAt);
}
