/**
 * Proves in a copy of the repository that `npm run g:area` leaves nothing to do by hand: types, lint, format, import
 * rules, the tests of the generated areas, and every test that holds a list of areas, routes or tables.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The lowest neighbourhood, which may not use organisations, and the one that is taken when none is named. */
const AREAS = ['platform/sample-entry', 'sample-area'];
const FOLDERS = ['apps/server/src/platform/sample-entry', 'apps/server/src/views/sample-area'];
/** Besides test/architecture and test/walls: schema, reset of a demo, erasure and sealed columns. */
const LISTS = ['apps/server/migrations', 'demo-reset.db-spec', 'org-erasure.db-spec', 'keys.db-spec'];
/** Of test/architecture: they prove rules by offences of their own, whatever areas there are. */
const BESIDE_AREAS = '/(channel-from-description|customs|dependency-rules|release)\\.spec\\.ts$';
/** `npm test` sends more, to the areas that are there. */
const FUZZ_REQUESTS = '300';
/** Of the walks over all calls, those of the areas: the others are walked by the tests of the repository. */
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

/** Waits for all of them, also where one fails: they work in the copy. */
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
  // With what was built here, only what the areas change is compiled.
  if (existsSync(join(ROOT, 'dist'))) await cp(join(ROOT, 'dist'), join(copy, 'dist'), { recursive: true });
  await run('node', ['scripts/new-area.mjs', ...AREAS]);
  // Types, lint and format of all other files are those of the repository.
  const changed = lines(
    await run('git', ['ls-files', '--modified', '--others', '--exclude-standard', '--exclude=/node_modules']),
  );
  // Each of them keeps one core busy.
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
    // What the areas import, by however many steps, so that a circle through them is found too. Of the files that import
    // them, only the two lists do, to which no rule of imports applies.
    ...['.dependency-cruiser.cjs', '.dependency-cruiser.areas.cjs'].map((rules) =>
      run('npx', ['depcruise', '--config', rules, ...FOLDERS]),
    ),
  );
  await run(
    'npm',
    [
      ...['run', '--silent', 'jest', '--', ...FOLDERS, 'test/architecture', 'test/walls', ...LISTS],
      // Last, as it takes every argument that follows for a pattern, too.
      ...['--ci', `--testPathIgnorePatterns=${BESIDE_AREAS}`],
    ],
    { env: { PLUMBLINE_FUZZ_REQUESTS: FUZZ_REQUESTS, PLUMBLINE_WALK_PATHS: WALK_PATHS } },
  );
  console.log('A generated area passes all checks.');
} finally {
  await rm(copy, { recursive: true, force: true });
}
