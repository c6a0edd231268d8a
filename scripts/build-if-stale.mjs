import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES = ['package.json', 'package-lock.json'];
const COMPILER = 'node_modules/typescript/bin/tsc';

/** Outputs and their sources. The time of `stamp` is the start of the last complete build. */
const SERVER = {
  stamp: 'dist/.built',
  /** The compiler's record also reveals builds by `npm run build`, but is not rewritten if nothing is compiled. */
  record: 'dist/.tsbuildinfo',
  sources: ['apps/server', 'apps/cli', 'libs', 'ormconfig.ts', ...PACKAGES, 'tsconfig.json', 'tsconfig.build.json'],
  // The first build skips the type check, which takes half of the time, since a fresh copy has no changes yet. The
  // compiler records what it has not checked, so the next build checks it.
  command: (isFirst) => ['run', 'build', ...(isFirst ? ['--', '--noCheck'] : [])],
};
const CONSOLE = {
  stamp: 'dist/.console-built',
  record: 'dist/console/index.html',
  sources: [
    'apps/console',
    ...['charts', 'client', 'contracts', 'wording'].map((lib) => `libs/${lib}`),
    'scripts/packed-twins.mjs',
    ...PACKAGES,
  ],
  command: () => ['run', 'build:console'],
};
const DOCS = {
  stamp: 'dist/.docs-built',
  record: 'dist/docs/index.html',
  sources: ['apps/docs', 'docs', 'scripts/packed-twins.mjs', ...PACKAGES],
  command: () => ['run', 'build:docs'],
};

const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * True if anything under `path` changed after `since`. Folders count too, since their time reveals removed files. Every
 * command calls this, so it uses the faster synchronous calls.
 */
function isNewer(path, since) {
  if (modifiedAt(path) > since) return true;
  return readdirSync(path, { withFileTypes: true }).some((entry) => {
    const inside = join(path, entry.name);
    return entry.isDirectory() ? isNewer(inside, since) : modifiedAt(inside) > since;
  });
}

function isStale({ stamp, record, sources }) {
  const builtAt = Math.max(modifiedAt(join(ROOT, stamp)), modifiedAt(join(ROOT, record)));
  return sources
    .map((source) => join(ROOT, source))
    .some((source) =>
      statSync(source, { throwIfNoEntry: false })?.isDirectory()
        ? isNewer(source, builtAt)
        : modifiedAt(source) > builtAt,
    );
}

/** Runs npm; resolves to its exit code and its output. */
function npm(parameters) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', parameters, { cwd: ROOT, shell: process.platform === 'win32' });
    const said = [];
    child.stdout.on('data', (chunk) => said.push(chunk));
    child.stderr.on('data', (chunk) => said.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: Buffer.concat(said).toString() }));
  });
}

async function build(part) {
  const startedAt = new Date();
  const { code, output } = await npm(part.command(modifiedAt(join(ROOT, part.record)) === 0));
  if (code !== 0) throw new Error(output);
  await writeFile(join(ROOT, part.stamp), '');
  await utimes(join(ROOT, part.stamp), startedAt, startedAt);
}

/**
 * Compiles the sources that are newer than `dist`, and with `withConsole` those of the web console and of the documents
 * too. Reports this on standard error. If compiling fails, prints the output of the compiler and rejects. An
 * installation without sources or compiler (the container image) counts as built.
 */
export async function buildIfStale({ withConsole = false } = {}) {
  if (!existsSync(join(ROOT, 'apps/cli/src/main.ts')) || !existsSync(join(ROOT, COMPILER))) return;
  const stale = (withConsole ? [SERVER, CONSOLE, DOCS] : [SERVER]).filter(isStale);
  if (stale.length === 0) return;
  const isFirst = modifiedAt(join(ROOT, SERVER.record)) === 0;
  process.stderr.write(isFirst ? 'Building for the first time, half a minute on an idle machine … ' : 'Building … ');
  const startedAt = Date.now();
  const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(1);
  const results = await Promise.allSettled(stale.map(build));
  const failures = results.flatMap(({ reason }) => (reason === undefined ? [] : [reason.message]));
  if (failures.length > 0) {
    process.stderr.write(`failed after ${seconds()} s\n${failures.join('\n')}\n`);
    throw new Error('The build failed.');
  }
  process.stderr.write(`done in ${seconds()} s\n`);
}
