import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Product, startProduct, until } from '../support/product.js';
import { startVictoriaMetrics, type VictoriaMetrics } from '../support/victoria-metrics.js';

const PROGRAM = resolve(import.meta.dirname, '../../dist/apps/cli/src/main.js');
const SERVER = resolve(import.meta.dirname, '../../dist/apps/server/src/main.js');
const SLOTS = 200;

/** The product with its points first in PostgreSQL, then copied to VictoriaMetrics. */
describe('the product with VictoriaMetrics', () => {
  let vm: VictoriaMetrics;
  let product: Product;
  const env: Record<string, string> = {};
  let read: string;
  let ingest: string;
  const newest = Math.floor(Date.now() / 60_000) * 60 - 60;
  const first = newest - (SLOTS - 1) * 60;
  const valueAt = (at: number) => 50 + Math.sin(at / 600) / 3;

  beforeAll(async () => {
    vm = await startVictoriaMetrics();
    product = await startProduct(env);
    [read, ingest] = [await product.createToken(['read']), await product.createToken(['ingest'])];
  });
  afterAll(async () => {
    await product.dispose();
    await vm.dispose();
  });

  const send = async (name: string, from: number, until: number): Promise<void> => {
    const timestamps = Array.from({ length: (until - from) / 60 + 1 }, (_, i) => from + i * 60);
    const metrics = [{ metric: name, labels: { job: 'till' }, timestamps, values: timestamps.map(valueAt) }];
    const sent = await fetch(`${product.url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': ingest },
      body: JSON.stringify({ metrics }),
    });
    expect(sent.status).toBe(204);
  };
  /** Values of a PromQL query, one per minute. */
  const queried = async (origin: string, query: string): Promise<[number, number][]> => {
    const asked = new URLSearchParams({ query, start: String(first), end: String(newest), step: '60', nocache: '1' });
    const headers = { Authorization: `Bearer ${read}` };
    const path = origin === product.url ? '/prometheus/api/v1/query_range' : '/api/v1/query_range';
    const answer = (await (await fetch(`${origin}${path}?${String(asked)}`, { headers })).json()) as {
      data: { result: { values: [number, string][] }[] };
    };
    return (answer.data.result[0]?.values ?? []).map(([at, value]) => [at, Number(value)]);
  };
  const all = (from: number): [number, number][] =>
    Array.from({ length: (newest - from) / 60 + 1 }, (_, i) => [from + i * 60, valueAt(from + i * 60)]);
  const readable = (name: string) =>
    until(`${name} to be readable`, async () => {
      const values = await queried(product.url, name);
      return values.length >= SLOTS && values.at(-1)![1] === valueAt(newest) ? values : undefined;
    });
  const cli = (...args: string[]) =>
    promisify(execFile)(process.execPath, [PROGRAM, ...args], {
      env: { ...process.env, NODE_OPTIONS: '', PLUMBLINE_DATA: product.dataFolder, ...env },
    });

  /** Output of a start that fails because of its settings. */
  const refusal = async (settings: Record<string, string>): Promise<string> => {
    const ended = await promisify(execFile)(process.execPath, [SERVER], {
      env: { ...process.env, NODE_OPTIONS: '', PLUMBLINE_DATA: product.dataFolder, ...env, ...settings },
    }).catch((error: unknown) => error as { code: number; stderr: string });
    expect(ended).toMatchObject({ code: 2 });
    return ended.stderr;
  };

  it('does not start with a VictoriaMetrics without the points, or with a short retention', async () => {
    await send('till_load', first, newest);
    const before = await readable('till_load');
    await product.stop();
    Object.assign(env, { SERIES_STORE_URL: vm.url, SERIES_STORE_DELAY_SECONDS: '1' });

    expect(await refusal({})).toMatch(/plumbline store copy --from postgres --to victoria-metrics/);

    const { stdout } = await cli('store', 'copy', '--from', 'postgres', '--to', 'victoria-metrics');
    expect(stdout).toContain(`Copied and compared ${String(SLOTS)} points and 0 days of roll-ups`);

    const short = await startVictoriaMetrics(['-retentionPeriod=1']);
    const forgetful = await refusal({ SERIES_STORE_URL: short.url });
    await short.dispose();
    expect(forgetful).toMatch(/keeps points for 31 days \(-retentionPeriod=1\).*start it with -retentionPeriod=730d/s);

    await product.restart();
    expect(await readable('till_load')).toEqual(before);
  });

  it('stores points in VictoriaMetrics, where MetricsQL finds them by their original name', async () => {
    await send('till_errors', first, newest);
    expect(await readable('till_errors')).toEqual(all(first));

    const stored = await until('the points to have moved', async () => {
      const values = await queried(vm.url, 'till_errors{job="till"}');
      return values.length >= SLOTS ? values : undefined;
    });

    for (const [at, value] of stored) expect(value).toBeCloseTo(valueAt(at), 5);
  });

  it('reports that VictoriaMetrics is stopped, accepts points, and moves them after its restart', async () => {
    await vm.kill();
    await send('till_queue', first, newest);
    const check = await until('the check to see it', async () => {
      const found = (await product.readiness())!.checks.find(({ name }) => name === 'series store');
      return found?.message === null ? undefined : found;
    });
    expect(check).toMatchObject({
      ok: true,
      message: expect.stringContaining('points wait in the database') as string,
    });
    await vm.start();

    expect(await readable('till_queue')).toEqual(all(first));
    expect(await readable('till_errors')).toEqual(all(first));
  });

  it('moves back to PostgreSQL with all points', async () => {
    await product.stop();
    await cli('store', 'copy', '--from', 'victoria-metrics', '--to', 'postgres');
    delete env.SERIES_STORE_URL;
    await product.restart();

    for (const name of ['till_load', 'till_errors', 'till_queue']) expect(await readable(name)).toEqual(all(first));
  });
});
