import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Product, startProduct, until } from '../support/product.js';
import { startProgram } from '../support/programs.js';

const ROOT = resolve(import.meta.dirname, '../..');
const MINUTE = 60;
const SLOTS = 600;
const METRICS = ['backup.one', 'backup.two', 'backup.three'];
/** Slots in which all metrics are anomalous. */
const TROUBLE = { from: 500, until: 520 };

describe('a backup of a running product', () => {
  let root: string;
  let product: Product;
  let ingestToken: string;
  let readToken: string;
  const firstSlot = Math.floor(Date.now() / 1000 / MINUTE) * MINUTE - (SLOTS + 600) * MINUTE;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'plumbline-backup-'));
    product = await startProduct();
    ingestToken = await product.createToken(['ingest']);
    readToken = await product.createToken(['read']);
  }, 120_000);

  afterAll(async () => {
    await product.dispose();
    await rm(root, { recursive: true, force: true });
  });

  async function plumbline(args: string[], env: Record<string, string>) {
    const child = startProgram(process.execPath, [join(ROOT, 'dist/apps/cli/src/main.js'), ...args], {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: '', PORT: '0', MANAGEMENT_PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err, [code]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    return { code, out, err };
  }

  const valueOf = (metric: number, slot: number): number => {
    if (slot >= TROUBLE.from && slot < TROUBLE.until) return 900 + metric;
    const noise = Math.abs(Math.sin((slot + 1) * 12.9898 + metric * 78.233) * 43_758.5453) % 1;
    return Math.round((100 + metric + 3 * noise) * 1000) / 1000;
  };

  /** @param metric name and number */
  async function send([name, number]: [string, number], from: number, until: number): Promise<void> {
    const slots = Array.from({ length: until - from }, (_, i) => from + i);
    const timestamps = slots.map((slot) => firstSlot + slot * MINUTE);
    const values = slots.map((slot) => valueOf(number, slot));
    const answer = await fetch(`${product.url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'X-Auth-Token': ingestToken, 'Content-Type': 'application/json', 'X-Backfill': 'true' },
      body: JSON.stringify({ metrics: [{ metric: name, timestamps, values }] }),
    });
    if (answer.status !== 204) throw new Error(`${answer.status}: ${await answer.text()}`);
  }

  const pointsOf = async (of: Product, metric: string): Promise<Map<number, number>> => {
    const path = `/metric/${metric}/timeseries?from=${firstSlot}&resolution=60&max_points=10000&fill=none`;
    return new Map(((await of.api(path, readToken)) as { points: [number, number][] }).points);
  };
  const anomaliesOf = async (of: Product): Promise<unknown[]> => {
    const { anomalies } = (await of.api(`/anomalies?from=${firstSlot}&limit=1000`, readToken)) as {
      anomalies: { id: number; metric: string; timestamp: number; severity: number }[];
    };
    return anomalies.map(({ id, metric, timestamp, severity }) => ({ id, metric, timestamp, severity }));
  };

  it('is taken under load, and returns the same data after a restore into an empty folder', async () => {
    for (const [number, name] of METRICS.entries()) await send([name, number], 0, SLOTS);
    const before = await until('the anomalies', async () => {
      const found = await anomaliesOf(product);
      const points = await pointsOf(product, METRICS[0]!);
      return found.length >= METRICS.length && points.size === SLOTS && found;
    });
    /** Slots of a metric that is sent during the backup, with the times of their acknowledgements. */
    const acknowledged: { slot: number; at: number }[] = [];
    const over = new AbortController();
    const sender = (async () => {
      for (let slot = 0; !over.signal.aborted; slot++) {
        await send(['backup.meanwhile', 9], slot, slot + 1);
        acknowledged.push({ slot, at: Date.now() });
      }
    })();
    await until('points meanwhile', () => Promise.resolve(acknowledged.length > 5));
    const folder = join(root, 'backup');
    const backup = await plumbline(['backup', folder], { PLUMBLINE_DATA: product.dataFolder }).finally(() => {
      over.abort();
    });
    await sender;
    expect(backup).toMatchObject({ code: 0, err: expect.stringContaining('It includes the secret key') as string });
    const [, endedAt] =
      /^Backup complete in .*: \d+ MB \(\d+ MB of files and \d+ MB of changes meanwhile\), all that was acknowledged before (\S+)\n$/.exec(
        backup.out,
      )!;
    const expected = acknowledged.filter(({ at }) => at < Date.parse(endedAt!));
    expect(expected.length).toBeGreaterThan(5);

    const dataFolder = join(root, 'restored');
    expect(await plumbline(['restore', folder], { PLUMBLINE_DATA: dataFolder })).toMatchObject({ code: 0 });
    const again = await plumbline(['restore', folder], { PLUMBLINE_DATA: dataFolder });
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('is not empty') as string });

    const restored = await startProduct({ PLUMBLINE_DATA: dataFolder });
    try {
      expect(await anomaliesOf(restored)).toEqual(before);
      for (const name of METRICS) expect(await pointsOf(restored, name)).toEqual(await pointsOf(product, name));
      await until('every point that was acknowledged before the end', async () => {
        const points = await pointsOf(restored, 'backup.meanwhile');
        return expected.every(({ slot }) => points.get(firstSlot + slot * MINUTE) === valueOf(9, slot));
      });
      const { metrics } = (await restored.api('/metrics?limit=100', readToken)) as { metrics: { name: string }[] };
      expect(metrics.map(({ name }) => name).sort()).toEqual([...METRICS, 'backup.meanwhile'].sort());
    } finally {
      await restored.dispose();
    }
  }, 240_000);

  it('is refused for an external database, with the command to use', async () => {
    const env = { DATABASE_URL: 'postgres://plumbline:hush@127.0.0.1:1/plumbline' };
    const folder = join(root, 'unused');
    const backup = await plumbline(['backup', folder], env);
    expect(backup).toMatchObject({ code: 2, out: '', err: expect.stringContaining('pg_dump -Fc') as string });
    const restore = await plumbline(['restore', folder], env);
    expect(restore).toMatchObject({ code: 2, out: '', err: expect.stringContaining('pg_restore') as string });
    expect(backup.err + restore.err).not.toContain('hush');
    expect(await readdir(root)).not.toContain('unused');
  });
});
