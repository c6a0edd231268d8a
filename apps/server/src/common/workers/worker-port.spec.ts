import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BUILT = resolve(import.meta.dirname, '../../../../../dist/apps/server/src/common/workers/worker-port.js');

/** The niceness of a thread in a process that was started with `niceness`. */
async function nicenessOfThread(niceness: number, waits: string): Promise<number> {
  const thread = `
    import { getPriority } from 'node:os';
    import { serveWorker } from '${pathToFileURL(BUILT).href}';
    serveWorker(() => ({ response: getPriority(0), transfer: [] }), '${waits}');`;
  const program = `
    import { Worker } from 'node:worker_threads';
    const worker = new Worker(new URL(${JSON.stringify(`data:text/javascript,${encodeURIComponent(thread)}`)}));
    worker.on('message', ({ response }) => { console.log(response); process.exit(0); });
    worker.postMessage({ call: 1, request: null });`;
  const args = ['-n', String(niceness), process.execPath, '--input-type=module', '-e', program];
  return Number((await run('nice', args)).stdout);
}

describe('a worker thread', () => {
  // Without privileges a thread may only raise its niceness; an attempt to lower it would end the thread.
  it.each([
    ['shared', 0, 5],
    ['single', 0, 10],
    ['shared', 12, 17],
    ['single', 12, 19],
  ])('that is %s in a process of niceness %i has niceness %i', async (waits, niceness, expected) => {
    const { stdout } = await run('nice');
    const own = Number(stdout);
    expect(await nicenessOfThread(niceness, waits)).toBe(Math.min(19, own + expected));
  });
});
