/**
 * The neighbour in a thread of its own that goes before all others where the system allows it: in reality its client is
 * another machine, and what it waits for a processor of this one says nothing about the product.
 */
import { setPriority } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { measure } from './neighbour.mjs';

const PRIORITY = -10;

/** Measures one after the other, with code that stays compiled: `measure` of `neighbour.mjs`, and `stop`. */
export function startMeasurer() {
  const worker = new Worker(new URL(import.meta.url));
  const next = () =>
    new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  return {
    async measure(target, seconds) {
      worker.postMessage({ target, seconds });
      const figures = await next();
      worker.removeAllListeners('error');
      return figures;
    },
    stop: () => worker.terminate(),
  };
}

function goFirst() {
  // Elsewhere this would be the priority of the whole process, and of all that it starts.
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, PRIORITY);
  } catch {
    console.error('The neighbour waits for a processor like all others: only root may give it a higher priority.');
  }
}

if (!isMainThread) {
  goFirst();
  parentPort.on('message', async ({ target, seconds }) => parentPort.postMessage(await measure(target, seconds)));
}
