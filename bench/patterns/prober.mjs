/** Another request, repeated by a separate thread with priority over all others. */
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { goFirst } from '../go-first.mjs';

const EVERY_MS = 100;

/** Sends requests between `start` and `stop`, with code that stays compiled. */
export function startProber(target) {
  const worker = new Worker(new URL(import.meta.url));
  return {
    start: () => worker.postMessage({ ...target, isOn: true }),
    /** @returns milliseconds of each answer since `start` */
    stop() {
      worker.postMessage({ isOn: false });
      return new Promise((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
      });
    },
    end: () => worker.terminate(),
  };
}

async function probe({ url, token }, isWanted) {
  const agent = new http.Agent({ keepAlive: true });
  const took = [];
  while (isWanted()) {
    const began = performance.now();
    await ask(url, token, agent);
    took.push(performance.now() - began);
    await pause(Math.max(0, EVERY_MS - (performance.now() - began)));
  }
  agent.destroy();
  return took;
}

function ask(url, token, agent) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent, headers: { 'X-Auth-Token': token } });
    request.once('response', (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`Answered with ${response.statusCode}`)),
      );
    });
    request.once('error', reject);
    request.end();
  });
}

if (!isMainThread) {
  goFirst();
  let isOn = false;
  parentPort.on('message', async (message) => {
    isOn = message.isOn;
    if (isOn) parentPort.postMessage(await probe(message, () => isOn));
  });
}
