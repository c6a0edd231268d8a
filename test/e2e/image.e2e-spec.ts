import { execFile } from 'node:child_process';
import { copyFile, cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** The compiled program as in the Dockerfile, without the library for evaluation. */
describe('the content of the container image', () => {
  let folder: string;

  const node = (...args: string[]): Promise<Ended> =>
    new Promise((done) => {
      const child = execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) =>
        done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
      child.stdin?.end();
    });
  const plumbline = (...args: string[]): Promise<Ended> => node('dist/apps/cli/src/main.js', ...args);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-image-'));
    expect(await readFile(join(ROOT, 'Dockerfile'), 'utf8')).toContain('rm -r dist/libs/evaluation');
    await cp(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
    await rm(join(folder, 'dist/libs/evaluation'), { recursive: true });
    await copyFile(join(ROOT, 'package.json'), join(folder, 'package.json'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ['nab', '.'],
    ['labelled', '.'],
    ['ablation', '.'],
    ['baselines', '.'],
  ])('refuses the benchmark %s, and explains where to run it', async (...args) => {
    expect(await plumbline('bench', ...args)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'plumbline: The container image does not have the benchmarks (libs/evaluation). Run them in a copy of the ' +
        'source: npm ci, then npx plumbline bench …\n',
    });
  });

  it('shows the help of all commands', async () => {
    const { code, stdout } = await plumbline('bench', '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('measure the detector on the Numenta');
  });

  it('contains everything that the server imports', async () => {
    const program = `await import('./dist/apps/server/src/bootstrap.js'); process.exit(0);`;
    expect(await node('--input-type=module', '-e', program)).toMatchObject({ code: 0, stderr: '' });
  });
});
