/**
 * Tests that the Nest command line works in this repository: `nest build` compiles changed files to the same output as
 * `npm run build`, `nest info` lists the installed packages, `nest generate` finds the source folder. Run `npm run
 * build` first.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
/** The files that `nest build` must compile again. */
const SAMPLE = 'apps/server/src/bootstrap';
/** The compiler's record of compiled files. It is restored, so that the next `npm run build` is fast. */
const RECORD = join(DIST, '.tsbuildinfo');
const KEPT_RECORD = `${RECORD}.kept`;

function nest(...args) {
  const command = [join(ROOT, 'node_modules/@nestjs/cli/bin/nest.js'), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`nest ${args.join(' ')} ended with ${String(status)}\n${stdout}${stderr}`);
  return stdout;
}

function expectIn(output, ...texts) {
  for (const text of texts) if (!output.includes(text)) throw new Error(`Expected "${text}" in:\n${output}`);
}

/** Hashes of the compiled files, by path. */
async function compiled() {
  const files = (await readdir(DIST, { recursive: true })).filter((file) => /\.js(\.map)?$/.test(file)).sort();
  const digests = new Map();
  for (const file of files) {
    digests.set(
      file,
      createHash('sha256')
        .update(await readFile(join(DIST, file)))
        .digest('hex'),
    );
  }
  return digests;
}

/** The record, changed so that the sample counts as modified. */
async function recordOfChange() {
  const record = JSON.parse(await readFile(RECORD, 'utf8'));
  const index = record.fileNames.findIndex((name) => name.endsWith(`${SAMPLE}.ts`));
  if (index < 0) throw new Error(`${RECORD} does not know ${SAMPLE}.ts`);
  const info = record.fileInfos[index];
  record.fileInfos[index] = typeof info === 'string' ? 'changed' : { ...info, version: 'changed' };
  return JSON.stringify(record);
}

const before = await compiled();
const changed = await recordOfChange();
await rename(RECORD, KEPT_RECORD);
try {
  await writeFile(RECORD, changed);
  await rm(join(DIST, `${SAMPLE}.js`));
  nest('build');
  const after = await compiled();
  const different = [...new Set([...before.keys(), ...after.keys()])].filter(
    (file) => before.get(file) !== after.get(file),
  );
  if (different.length > 0) throw new Error(`nest build makes other files than npm run build: ${different.join(', ')}`);
} finally {
  await rm(RECORD, { force: true });
  await rename(KEPT_RECORD, RECORD);
}
expectIn(nest('info'), 'common version', 'core version', 'cli version');
expectIn(
  nest('generate', 'module', 'sample-area', '--dry-run'),
  'apps/server/src/sample-area/sample-area.module.ts',
  'apps/server/src/app.module.ts',
);
console.log('nest build, nest info and nest generate work.');
