/**
 * `npm run test:faults -- [--short] [options of jest]`: tests the built product under faults. The short form repeats
 * every fault less often. Linux; the full disk and the clock need root and the Debian packages of
 * scripts/install-test-services.sh.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const jest = join(createRequire(import.meta.url).resolve('jest/package.json'), '../bin/jest.js');
const args = process.argv.slice(2);
const isShort = args.includes('--short');

const child = spawn(
  process.execPath,
  [
    ...['--experimental-vm-modules', '--no-warnings', jest, '-c', 'jest.faults.config.mjs'],
    ...args.filter((argument) => argument !== '--short'),
  ],
  {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, ...(isShort && { PLUMBLINE_FAULTS: 'short' }) },
    stdio: 'inherit',
  },
);
child.once('exit', (code) => process.exit(code ?? 1));
