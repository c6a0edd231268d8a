import { once } from 'node:events';
import { startProgram } from './programs.js';

/** Fails on purpose, for left-programs.spec.ts: no test run finds a file of this name by itself. */
it('waits in vain, and leaves a program running', async () => {
  const child = startProgram(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.stderr.write(`left running: ${String(child.pid)}\n`);
  await once(child, 'exit');
}, 1000);
