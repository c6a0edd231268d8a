/**
 * `npm run test:cluster -- [--short] [options of jest]`: tests the built product on three hosts (network namespaces of
 * this machine) while hosts are cut off and killed. The short form cuts off one and kills one. Linux; needs root and
 * the Debian packages of scripts/install-test-services.sh.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { lacking, removeAbandoned, removeNetwork } from '../test/cluster/namespaces.mjs';

const lacks = await lacking();
if (lacks.length > 0) {
  process.stderr.write(`test:cluster cannot run here. It needs:\n${lacks.map((what) => `- ${what}\n`).join('')}`);
  process.exit(1);
}
await removeAbandoned();

const jest = join(createRequire(import.meta.url).resolve('jest/package.json'), '../bin/jest.js');
const args = process.argv.slice(2);
const isShort = args.includes('--short');
const id = String(process.pid);

const child = spawn(
  process.execPath,
  [
    ...['--experimental-vm-modules', '--no-warnings', jest, '-c', 'jest.cluster.config.mjs'],
    ...args.filter((argument) => argument !== '--short'),
  ],
  {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, PLUMBLINE_CLUSTER_ID: id, ...(isShort && { PLUMBLINE_CLUSTER: 'short' }) },
    stdio: 'inherit',
  },
);
// Ctrl-C reaches the tests as well. This process keeps running to remove the network after they have ended.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.once('exit', (code) => void removeNetwork(id).finally(() => process.exit(code ?? 1)));
