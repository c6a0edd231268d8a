/**
 * The neighbour, in a separate thread that has priority over all others if the system allows it: in reality its client
 * runs on another machine, and its wait for a processor of this machine says nothing about the product.
 */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { goFirst } from '../go-first.mjs';
import { measure } from './neighbour.mjs';

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

if (!isMainThread) {
  goFirst();
  parentPort.on('message', async ({ target, seconds }) => parentPort.postMessage(await measure(target, seconds)));
}
