/**
 * Tests in a copy of the repository that `npm run g:area` needs no manual change: types, lint, format, import rules,
 * the tests of the generated areas, and every test with a list of areas, routes or tables.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** One area in the lowest neighbourhood, which may not use organisations, and one in the default neighbourhood. */
const AREAS = ['platform/sample-entry', 'sample-area'];
const FOLDERS = ['apps/server/src/platform/sample-entry', 'apps/server/src/views/sample-area'];
/** In addition to test/architecture and test/walls: schema, reset of a demo, erasure and sealed columns. */
const LISTS = ['apps/server/migrations', 'demo-reset.db-spec', 'org-erasure.db-spec', 'keys.db-spec'];
/** Tests of test/architecture that do not depend on areas: they prove rules with their own violations. */
const BESIDE_AREAS = '/(channel-from-description|customs|dependency-rules|release)\\.spec\\.ts$';
/** `npm test` sends more requests, but to the existing areas. */
const FUZZ_REQUESTS = '300';
/** The walks over all calls cover only the new areas here; the tests of the repository cover the others. */
const WALK_PATHS = '/sample';
const copy = await mkdtemp(join(tmpdir(), 'plumbline-area-'));

const execute = promisify(execFile);

async function run(command, args, { cwd = copy, env = {} } = {}) {
  const began = Date.now();
  const line = [command, ...args].join(' ');
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
  const running = execute(command, args, options);
  running.child.stdin.end();
  const { stdout } = await running.catch(({ code, stdout: out = '', stderr = '' }) => {
    throw new Error(`${line} ended with ${String(code)}\n${out}${stderr}`);
  });
  console.log(`    ${line.slice(0, 80)} (${String(Math.round((Date.now() - began) / 1000))} s)`);
  return stdout;
}

/** Waits for all runs, even if one fails, because they work in the copy. */
async function together(...runs) {
  const failed = (await Promise.allSettled(runs)).filter(({ status }) => status === 'rejected');
  if (failed.length > 0) throw new Error(failed.map(({ reason }) => reason.message).join('\n'));
}

const lines = (text) => text.split('\n').filter((line) => line !== '');

try {
  for (const file of lines(
    await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT }),
  )) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await cp(join(ROOT, file), join(copy, file));
  }
  await run('git', ['init', '--quiet']);
  await run('git', ['add', '--all']);
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  // With the existing build, only the changes are compiled.
  if (existsSync(join(ROOT, 'dist'))) await cp(join(ROOT, 'dist'), join(copy, 'dist'), { recursive: true });
  await run('node', ['scripts/new-area.mjs', ...AREAS]);
  // All other files have been checked in the repository.
  const changed = lines(
    await run('git', ['ls-files', '--modified', '--others', '--exclude-standard', '--exclude=/node_modules']),
  );
  // Each of these keeps one core busy.
  await together(
    run('npx', ['oxlint', ...changed.filter((file) => file.endsWith('.ts'))]),
    run('npx', [
      'eslint',
      '--max-warnings',
      '0',
      '--no-warn-ignored',
      ...changed.filter((file) => file.endsWith('.ts')),
    ]),
    run('npx', ['prettier', '--check', '--ignore-unknown', ...changed]),
    // Direct and indirect imports of the areas, to find cycles. The only files that import the areas are the two lists,
    // to
    // which no import rule applies.
    ...['.dependency-cruiser.cjs', '.dependency-cruiser.areas.cjs'].map((rules) =>
      run('npx', ['depcruise', '--config', rules, ...FOLDERS]),
    ),
  );
  await run(
    'npm',
    [
      ...['run', '--silent', 'jest', '--', ...FOLDERS, 'test/architecture', 'test/walls', ...LISTS],
      // Last, because this option takes all following arguments as patterns.
      ...['--ci', `--testPathIgnorePatterns=${BESIDE_AREAS}`],
    ],
    { env: { PLUMBLINE_FUZZ_REQUESTS: FUZZ_REQUESTS, PLUMBLINE_WALK_PATHS: WALK_PATHS } },
  );
  console.log('A generated area passes all checks.');
} finally {
  await rm(copy, { recursive: true, force: true });
}
