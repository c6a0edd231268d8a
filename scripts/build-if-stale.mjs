import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
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

const modifiedAt = async (path) => (existsSync(path) ? (await stat(path)).mtimeMs : 0);

/** True when anything under `path` changed after `since`. Folders count too: their time tells of removed files. */
async function isNewer(path, since) {
  if (!existsSync(path)) return false;
  const entry = await stat(path);
  if (entry.mtimeMs > since) return true;
  if (!entry.isDirectory()) return false;
  for (const name of await readdir(path)) {
    if (await isNewer(join(path, name), since)) return true;
  }
  return false;
}

async function isStale() {
  const builtAt = Math.max(await modifiedAt(join(ROOT, STAMP)), await modifiedAt(join(ROOT, COMPILER_RECORD)));
  for (const source of SOURCES) {
    if (await isNewer(join(ROOT, source), builtAt)) return true;
  }
  return false;
}

/** Runs `npm run build`; resolves to its exit code and everything it said. */
function build() {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', 'build'], { cwd: ROOT, shell: process.platform === 'win32' });
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
  if (!hasSources || !(await isStale())) return;
  process.stderr.write('Building … ');
  const startedAt = new Date();
  const { code, output } = await build();
  const seconds = ((Date.now() - startedAt.getTime()) / 1000).toFixed(1);
  if (code !== 0) {
    process.stderr.write(`failed after ${seconds} s\n${output}\n`);
    throw new Error('The build failed.');
  }
  process.stderr.write(`done in ${seconds} s\n`);
  await writeFile(join(ROOT, STAMP), '');
  await utimes(join(ROOT, STAMP), startedAt, startedAt);
}
