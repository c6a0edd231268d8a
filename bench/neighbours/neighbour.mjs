/** The requests of the neighbour, at a fixed rate that does not depend on the answers. */
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { METRICS } from './population.mjs';

const HOUR = 3600;
/** Milliseconds between two requests of a kind. */
const EVERY_MS = 200;

const KINDS = {
  ingest: ({ now }, i) => ({
    method: 'POST',
    path: '/ingest/influx',
    body: Array.from({ length: 50 }, (_, series) => `live,host=web-${series} value=${i} ${now}000000000`).join('\n'),
  }),
  anomalies: () => ({ method: 'GET', path: '/api/anomalies?limit=20' }),
  timeseries: ({ now }, i) => ({
    method: 'GET',
    path: `/api/metric/${METRICS[i % METRICS.length]}/timeseries?from=${now - 6 * HOUR}`,
  }),
};
export const KIND_NAMES = Object.keys(KINDS);

/** @returns by kind the milliseconds of each answer, and how many were refused or failed */
export async function measure(target, seconds) {
  const agent = new http.Agent({ keepAlive: true });
  const figures = Object.fromEntries(KIND_NAMES.map((kind) => [kind, { milliseconds: [], failures: 0 }]));
  const until = performance.now() + seconds * 1000;
  const pending = [];
  for (let i = 0; performance.now() < until; i++) {
    for (const kind of KIND_NAMES) {
      const began = performance.now();
      const done = send(target, agent, KINDS[kind](target, i)).then((isGood) => {
        figures[kind].milliseconds.push(performance.now() - began);
        if (!isGood) figures[kind].failures++;
      });
      pending.push(done);
    }
    await pause(EVERY_MS);
  }
  await Promise.all(pending);
  agent.destroy();
  return figures;
}

function send({ url, token }, agent, { method, path, body }) {
  return new Promise((resolve) => {
    const headers = { 'X-Auth-Token': token, 'Content-Type': 'text/plain' };
    const request = http.request(url + path, { method, agent, headers });
    request.once('response', (response) => {
      response.resume();
      response.once('close', () => resolve(response.statusCode < 400));
    });
    request.once('error', () => resolve(false));
    request.end(body);
  });
}
