/**
 * Proves in a copy of the repository that `npm run g:area` leaves nothing to do by hand: types, lint, format, import
 * rules, the tests of the generated areas, and every test that holds a list of areas, routes or tables.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The lowest neighbourhood, which may not use organisations, and the one that is taken when none is named. */
const AREAS = ['platform/sample-entry', 'sample-area'];
const FOLDERS = ['apps/server/src/platform/sample-entry', 'apps/server/src/views/sample-area'];
/** Besides test/architecture and test/walls: schema, reset of a demo, erasure and sealed columns. */
const LISTS = ['apps/server/migrations', 'demo-reset.db-spec', 'org-erasure.db-spec', 'keys.db-spec'];
/** `npm test` sends more, to the areas that are there. */
const FUZZ_REQUESTS = '300';
const copy = await mkdtemp(join(tmpdir(), 'plumbline-area-'));

function run(command, args, { cwd = copy, env = {} } = {}) {
  const began = Date.now();
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${String(status)}\n${stdout}${stderr}`);
  console.log(
    `    ${[command, ...args].join(' ').slice(0, 80)} (${String(Math.round((Date.now() - began) / 1000))} s)`,
  );
  return stdout;
}

try {
  const files = run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
    .trim()
    .split('\n');
  for (const file of files) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await cp(join(ROOT, file), join(copy, file));
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  run('node', ['scripts/new-area.mjs', ...AREAS]);
  run('npm', ['run', '--silent', 'typecheck']);
  run('npx', ['eslint', ...FOLDERS, 'apps/server/src/app.module.ts', 'apps/server/migrations', 'test/walls']);
  run('npx', ['prettier', '--check', 'apps/server', 'libs/contracts', 'test/architecture', 'test/walls']);
  run('npm', ['run', '--silent', 'depcruise']);
  run('npm', ['run', '--silent', 'jest', '--', '--ci', ...FOLDERS, 'test/architecture', 'test/walls', ...LISTS], {
    env: { PLUMBLINE_FUZZ_REQUESTS: FUZZ_REQUESTS },
  });
  console.log('A generated area passes all checks.');
} finally {
  await rm(copy, { recursive: true, force: true });
}
