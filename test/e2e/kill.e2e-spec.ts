import { type Product, startProduct, until } from '../support/product.js';

const MINUTE = 60;
const METRICS = 12;
const SLOTS = 1440;
const SLOTS_PER_REQUEST = 30;
/** Requests answered 204 before each kill: early, while detection works through a backlog, and late. */
const KILLS = [5, 40, 160];
/** Slots at which every series misbehaves. */
const TROUBLE = { from: 1000, until: 1020 };

interface Ledger {
  /** Values by slot start, of requests that were answered 204. */
  acknowledged: Map<number, number>;
  metric: string;
}

/** What a service that hums along would report, with one outburst; the same at every run. */
function valueOf(metric: number, slot: number): number {
  if (slot >= TROUBLE.from && slot < TROUBLE.until) return 900 + metric;
  const noise = Math.abs(Math.sin((slot + 1) * 12.9898 + metric * 78.233) * 43_758.5453) % 1;
  return Math.round((100 + metric + 3 * noise) * 1000) / 1000;
}

describe('a server that is killed during ingest', () => {
  let product: Product;
  let ingestToken: string;
  let readToken: string;
  const firstSlot = Math.floor(Date.now() / 1000 / MINUTE) * MINUTE - (SLOTS + 5) * MINUTE;
  const ledgers: Ledger[] = Array.from({ length: METRICS }, (_, i) => ({
    metric: `kill.series-${String(i)}`,
    acknowledged: new Map(),
  }));
  let answered = 0;
  let isRunning = true;

  beforeAll(async () => {
    product = await startProduct();
    ingestToken = await product.createToken(['ingest']);
    readToken = await product.createToken(['read']);
  }, 120_000);

  afterAll(async () => {
    await product.dispose();
  });

  it('keeps every point that it has acknowledged, and finds every anomaly once', async () => {
    const senders = ledgers.map((ledger, metric) => send(ledger, metric));
    for (const requests of KILLS) {
      await until(`${String(requests)} answers`, async () => (answered >= requests ? true : undefined), { everyMs: 2 });
      isRunning = false;
      await product.stop('SIGKILL');
      await product.restart();
      isRunning = true;
    }
    await Promise.all(senders);
    for (const { metric, acknowledged } of ledgers) {
      expect(acknowledged.size).toBe(SLOTS);
      await until(`every point of ${metric}`, async () =>
        (await missing(metric, acknowledged)) === 0 ? true : undefined,
      );
    }
    const { anomalies } = (await product.api(`/anomalies?from=${String(firstSlot)}&limit=1000`, readToken)) as {
      anomalies: { metric: string; timestamp: number }[];
    };
    const keys = anomalies.map(({ metric, timestamp }) => `${metric}@${String(timestamp)}`);
    expect(new Set(keys).size).toBe(keys.length);
    const trouble = firstSlot + TROUBLE.from * MINUTE;
    expect(anomalies.filter(({ timestamp }) => timestamp === trouble)).toHaveLength(METRICS);
  }, 240_000);

  /** Sends a series in order, one request after the other, and repeats what was not answered. */
  async function send(ledger: Ledger, metric: number): Promise<void> {
    for (let slot = 0; slot < SLOTS;) {
      const slots = Array.from({ length: Math.min(SLOTS_PER_REQUEST, SLOTS - slot) }, (_, i) => slot + i);
      const timestamps = slots.map((index) => firstSlot + index * MINUTE);
      const values = slots.map((index) => valueOf(metric, index));
      if (await isAcknowledged({ metrics: [{ metric: ledger.metric, timestamps, values }] })) {
        timestamps.forEach((timestamp, i) => ledger.acknowledged.set(timestamp, values[i]!));
        slot += slots.length;
        answered++;
      } else {
        await until('the server to be back', async () => (isRunning ? true : undefined));
      }
    }
  }

  async function isAcknowledged(body: object): Promise<boolean> {
    try {
      const answer = await fetch(`${product.url}/ingest/metrics`, {
        method: 'POST',
        headers: { 'X-Auth-Token': ingestToken, 'Content-Type': 'application/json', 'X-Backfill': 'true' },
        body: JSON.stringify(body),
      });
      if (![204, 429, 503].includes(answer.status)) throw new RefusedError(await answer.text());
      return answer.status === 204;
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      // The connection broke: the points may be stored or not.
      return false;
    }
  }

  /** How many acknowledged points cannot be read, or read otherwise than sent. */
  async function missing(metric: string, acknowledged: ReadonlyMap<number, number>): Promise<number> {
    const path = `/metric/${metric}/timeseries?from=${String(firstSlot)}&resolution=60&max_points=10000&fill=none`;
    const { points } = (await product.api(path, readToken)) as { points: [number, number][] };
    const stored = new Map(points);
    return [...acknowledged].filter(([timestamp, value]) => stored.get(timestamp) !== value).length;
  }
});

class RefusedError extends Error {}
