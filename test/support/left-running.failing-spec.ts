import { once } from 'node:events';
import { startProgram } from './programs.js';

/** Fails on purpose, for left-programs.spec.ts. No other test run includes a file with this name. */
it('times out and leaves a program running', async () => {
  const child = startProgram(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.stderr.write(`left running: ${String(child.pid)}\n`);
  await once(child, 'exit');
}, 1000);
