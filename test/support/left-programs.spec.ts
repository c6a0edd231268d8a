import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const JEST = join(createRequire(import.meta.url).resolve('jest/package.json'), '../bin/jest.js');

describe('a run in which a failed test has left a program running', () => {
  it('ends with code 1, reports the program, and has ended it', async () => {
    const ended = run(
      process.execPath,
      [
        ...['--experimental-vm-modules', '--no-warnings', JEST, '--ci', '-c', 'jest.services.config.mjs'],
        ...['--testMatch', '<rootDir>/test/support/left-running.failing-spec.ts'],
      ],
      { cwd: ROOT },
    );

    const failure = (await ended.then(
      () => null,
      (error: unknown) => error,
    )) as { code: number; stderr: string } | null;

    expect(failure?.stderr).toMatch(/Exceeded timeout of 1000 ms/);
    expect(failure?.code).toBe(1);
    const pid = Number(/left running: (\d+)/.exec(failure?.stderr ?? '')?.[1]);
    expect(failure?.stderr).toContain(`Tests have left programs running, which were ended: ${String(pid)}\n`);
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  }, 60_000);
});
