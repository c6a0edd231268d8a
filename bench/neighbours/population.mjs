/** Two tenants: an attacker with weeks of readable history, and its neighbour. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
const MINUTE = 60;
const SLOTS = 10_000;
const BODY_SLOTS = 5000;

/** Metrics of each tenant that have a history. */
export const METRICS = Array.from({ length: 10 }, (_, i) => `history.series-${i}`);
/** Further metrics of the attacker, for searches. */
const OTHERS = 20_000;

/** @returns targets of the attack and of its neighbour: `url`, `token`, `now`; and the number of points */
export async function tenants(product) {
  const attacker = { url: product.url, token: await tokenOf(product, 'Attackers'), now: nowOf() };
  const neighbour = { url: product.url, token: await tokenOf(product, 'Neighbours'), now: nowOf() };
  for (const tenant of [attacker, neighbour]) await sendHistory(tenant);
  for (let start = 0; start < OTHERS; start += 5000) {
    const metrics = Array.from({ length: 5000 }, (_, i) => ({ metric: `search.metric-${start + i}`, value: i }));
    await post(attacker, { metrics });
  }
  return { attacker, neighbour, points: 2 * METRICS.length * SLOTS + OTHERS };
}

const nowOf = () => Math.floor(Date.now() / 1000 / MINUTE) * MINUTE;

async function tokenOf(product, org) {
  await command(product, 'org', 'create', org);
  const printed = await command(product, 'token', 'create', '--org', org, '--permissions', 'ingest,read');
  const token = /pl_[\w-]{43}/.exec(printed)?.[0];
  if (token === undefined) throw new Error(`No token was made: ${printed}`);
  return token;
}

async function command(product, ...words) {
  const env = { ...process.env, PLUMBLINE_DATA: product.dataFolder };
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'bin/plumbline.mjs'), ...words], { env });
  return stdout;
}

async function sendHistory(tenant) {
  for (const metric of METRICS) {
    for (let first = 0; first < SLOTS; first += BODY_SLOTS) {
      const timestamps = Array.from({ length: BODY_SLOTS }, (_, i) => tenant.now - (SLOTS - first - i) * MINUTE);
      const values = timestamps.map((time) => 100 + 20 * Math.sin(time / 14_000) + (time % 97));
      await post(tenant, { backfill: true, metrics: [{ metric, timestamps, values }] });
    }
  }
}

async function post({ url, token }, body) {
  const headers = { 'X-Auth-Token': token, 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/ingest/metrics`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`/ingest/metrics answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
