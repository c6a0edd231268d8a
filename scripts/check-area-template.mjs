/** Proves in a copy of the repository that a generated area passes types, lint, import rules and its own tests. */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const AREA = 'sample-area';
const copy = await mkdtemp(join(tmpdir(), 'plumbline-area-'));

function run(command, args, cwd = copy) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${String(status)}\n${stdout}${stderr}`);
  return stdout;
}

try {
  const files = run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], ROOT).trim().split('\n');
  for (const file of files) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await cp(join(ROOT, file), join(copy, file));
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  run('node', ['scripts/new-area.mjs', AREA]);
  run('npm', ['run', '--silent', 'typecheck']);
  run('npx', ['eslint', `apps/server/src/${AREA}`, 'apps/server/src/app.module.ts', 'apps/server/migrations']);
  run('npx', ['prettier', '--check', 'apps/server/src']);
  run('npm', ['run', '--silent', 'depcruise']);
  run('npm', ['run', '--silent', 'build']);
  run('npm', ['run', '--silent', 'jest', '--', `apps/server/src/${AREA}`, 'apps/server/migrations']);
  console.log('A generated area passes all checks.');
} finally {
  await rm(copy, { recursive: true, force: true });
}
