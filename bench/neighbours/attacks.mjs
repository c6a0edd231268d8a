/** Attacks by one tenant, as closed loops over many connections; each runs until its process is ended. */
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { METRICS } from './population.mjs';

const MINUTE = 60;
const DAY = 86_400;
const CONNECTIONS = 40;
const SLOW_CONNECTIONS = 200;
const BENCHMARK_POINTS = 100_000;
const BENCHMARK_MODELS = ['plumbline'];
/** Pause after an answer that refuses the request. */
const PAUSE_MS = 50;

/** `run(target)`: `url`, `token`, `now` in Unix seconds; never resolves. */
export const ATTACKS = {
  'large ingest bodies': (target) => {
    const body = gzipSync(largeBody(target.now), { level: 1 });
    const headers = { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' };
    return atOnce(16, () => send(target, 'POST', '/ingest/influx', headers, body));
  },
  'slow open bodies': (target) =>
    atOnce(SLOW_CONNECTIONS, () => {
      const piece = Buffer.alloc(500_000, 'cpu value=1\n');
      return slowBody(target, piece);
    }),
  pictures: (target) =>
    atOnce(CONNECTIONS, (turn) =>
      get(
        target,
        `/image/metric?metric=${metric(turn)}&from=${target.now - 7 * DAY - turn}&width=1500&height=${300 + (turn % 900)}&format=png`,
      ),
    ),
  'expected ranges': (target) =>
    atOnce(CONNECTIONS, (turn) =>
      get(
        target,
        `/metric/${metric(turn)}/yhat?from=${target.now - DAY - turn * MINUTE}&until=${target.now - turn * MINUTE}`,
      ),
    ),
  'heavy reads': (target) =>
    atOnce(CONNECTIONS, (turn) =>
      get(
        target,
        `/metric/${metric(turn)}/timeseries?from=${target.now - 9990 * MINUTE}&max_points=10000&resolution=60`,
      ),
    ),
  benchmarks: (target) => {
    const timeseries = Array.from({ length: BENCHMARK_POINTS }, (_, i) => [
      target.now - (BENCHMARK_POINTS - i) * MINUTE,
      100 + 20 * Math.sin(i / 230) + (i % 97),
    ]);
    const body = JSON.stringify({ timeseries, models: BENCHMARK_MODELS });
    const headers = { 'Content-Type': 'application/json' };
    return atOnce(4, () => send(target, 'POST', '/api/benchmark/start', headers, body));
  },
  previews: (target) =>
    atOnce(CONNECTIONS, (turn) => {
      const body = JSON.stringify({ chips: ['history.*'], sensitivity: (turn % 100) / 100 });
      return send(target, 'POST', '/api/tuning/preview', { 'Content-Type': 'application/json' }, body);
    }),
  'searches and log-ins': (target) =>
    Promise.all([
      atOnce(CONNECTIONS, (turn) => get(target, `/metrics/search?q=${(turn * 7919) % 20_000}&limit=200`)),
      atOnce(20, (turn) => {
        const body = JSON.stringify({ email: `nobody${turn}@example.org`, password: 'a wrong long password' });
        return send(target, 'POST', '/api/login', { 'Content-Type': 'application/json' }, body);
      }),
    ]),
};

const metric = (turn) => METRICS[turn % METRICS.length];

/** 50,000 series with long names, the maximum of a body. */
function largeBody(now) {
  const host = 'x'.repeat(100);
  const lines = Array.from(
    { length: 50_000 },
    (_, i) =>
      `load,host=${host}${i % 2000},region=eu-west,zone=${i % 7},service=checkout value=${i} ${now - (i % 3000)}000000000`,
  );
  return `${lines.join('\n')}\n`;
}

async function atOnce(connections, work) {
  let turn = 0;
  const loop = async () => {
    for (;;) {
      const status = await work(turn++).catch(() => 0);
      if (status === 0 || status >= 400) await pause(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
}

const agent = new http.Agent({ keepAlive: true });

const get = (target, path) => send(target, 'GET', `/api${path}`, {});

function send({ url, token }, method, path, headers, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(url + path, { method, agent, headers: { 'X-Auth-Token': token, ...headers } });
    request.once('response', (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
      response.once('error', reject);
    });
    request.once('error', reject);
    request.end(body);
  });
}

/** The beginning of a large body, and then a byte every second. */
function slowBody({ url, token }, piece) {
  return new Promise((resolve) => {
    const headers = { 'X-Auth-Token': token, 'Content-Type': 'text/plain', 'Content-Length': '4000000' };
    const request = http.request(`${url}/ingest/influx`, { method: 'POST', headers });
    request.write(piece);
    const drip = setInterval(() => request.write('c'), 1000);
    const end = (status) => {
      clearInterval(drip);
      request.destroy();
      resolve(status);
    };
    request.once('response', ({ statusCode }) => end(statusCode));
    request.once('error', () => end(0));
  });
}
