/**
 * `npm run check:reproducible`: builds the product again from scratch in a folder with another name, and compares every
 * file of the image content with the build of the repository: the program, the console and the bill of materials. Takes
 * a minute and a half of processor time.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = ['apps', 'libs', 'bin', 'scripts', 'docs', 'package.json', 'package-lock.json', 'ormconfig.ts'];
const SETTINGS = ['tsconfig.json', 'tsconfig.build.json'];

function run(cwd, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${String(status)}:\n${stdout}${stderr}`);
  return stdout;
}

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The hashes of the files below a folder, with their relative paths. */
function hashesOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length + 1), hashOf(readFileSync(path))];
  });
}

const folder = mkdtempSync(join(tmpdir(), 'plumbline-the-other-'));
try {
  for (const path of [...SOURCES, ...SETTINGS]) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // The output does not depend on the type check.
  run(folder, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck');
  run(folder, 'node_modules/vite/bin/vite.js', 'build', '-c', 'apps/console/vite.config.ts', '--logLevel', 'warn');
  rmSync(join(folder, 'dist/.tsbuildinfo'), { force: true });
  const built = hashesOf(join(folder, 'dist'));
  const different = built.filter(([path, hash]) => {
    const here = join(ROOT, 'dist', path);
    return !existsSync(here) || hashOf(readFileSync(here)) !== hash;
  });
  // npm does not follow links, so both bills are generated in the folder with the packages.
  const bills = [run(ROOT, 'scripts/sbom.mjs'), run(ROOT, 'scripts/sbom.mjs')];
  if (bills[0] !== bills[1]) different.push(['sbom.json']);
  for (const [path] of different) process.stdout.write(`differs: ${path}\n`);
  process.stdout.write(`${String(built.length + 1)} files, ${String(different.length)} differ\n`);
  process.exitCode = different.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
