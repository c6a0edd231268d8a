import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('measurement-process.mjs', import.meta.url));

/** Runs one measurement in a new process; resolves to its rows. */
export function runMeasurement(name, task) {
  return new Promise((resolve, reject) => {
    const child = fork(CHILD, [name, JSON.stringify(task)], {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    let rows;
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (complaint += text));
    child.on('message', (message) => (rows = message));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0 && rows !== undefined) resolve(rows);
      else reject(new Error(complaint.trim() || `the process ended with ${code}`));
    });
  });
}
