import { type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/free-port.mjs';
import { type Product, startProduct, until } from '../support/product.js';
import { endProgram, startProgram } from '../support/programs.js';
import { type StepClock, stepClock } from '../support/step-clock.js';
import { snippet } from './guide.js';

const AWAY_SECONDS = 3 * 3600;
/** Time on the real clock for which the product is stopped while Prometheus continues. */
const GAP_MS = 10_000;

interface Slots {
  points: [timestamp: number, value: number][];
}

/**
 * A real Prometheus that was cut off for hours. The product is stopped, and its clock is set three hours ahead before
 * its restart: everything that Prometheus has kept, and sends from then on, is three hours old for the product.
 */
describe('a Prometheus that was cut off from the product', () => {
  let clock: StepClock;
  let product: Product;
  let folder: string;
  let prometheus: ChildProcess | undefined;
  let readToken: string;
  let port: number;

  beforeAll(async () => {
    clock = await stepClock();
    product = await startProduct(clock.env);
    const ingestToken = await product.createToken(['ingest']);
    readToken = await product.createToken(['read']);
    folder = await mkdtemp(join(tmpdir(), 'plumbline-backlog-'));
    port = await freePort();
    await writeFile(
      join(folder, 'prometheus.yml'),
      `global: { scrape_interval: 1s }
scrape_configs:
  - job_name: prometheus
    static_configs: [{ targets: ['127.0.0.1:${String(port)}'] }]
${snippet('prometheus.yml', product, ingestToken)}    queue_config: { min_backoff: 100ms, max_backoff: 500ms, batch_send_deadline: 1s }
`,
    );
    prometheus = startProgram(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${String(port)}`,
      ],
      { stdio: 'ignore' },
    );
  });

  afterAll(async () => {
    await endProgram(prometheus);
    await product.dispose();
    await clock.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const counter = async (name: string): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
    return Number(new RegExp(`^prometheus_remote_storage_${name}\\{.*\\} (\\S+)$`, 'm').exec(text)?.[1] ?? '0');
  };

  /** Values of a metric on the management port, by labels. */
  const managed = async (name: string): Promise<Map<string, number>> => {
    const text = await (await fetch(`${product.managementUrl}/metrics`)).text();
    const found = text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'));
    return new Map(Array.from(found, ([, labels = '', value]) => [labels, Number(value)]));
  };

  it('delivers samples that are three hours old without a loss', async () => {
    await until('samples to arrive', async () => {
      const [points = 0] = (await managed('plumbline_ingest_points_total')).values();
      return points > 500 ? true : undefined;
    });
    await product.stop();
    const stoppedAt = Math.floor(Date.now() / 1000);
    await new Promise((next) => setTimeout(next, GAP_MS));
    await clock.set(AWAY_SECONDS);
    await product.restart();
    const backAt = Math.floor(Date.now() / 1000);

    await until('the samples of the time between', async () => {
      const highest = await counter('queue_highest_sent_timestamp_seconds');
      return highest > backAt + 2 ? true : undefined;
    });
    expect([await counter('samples_failed_total'), await counter('samples_dropped_total')]).toEqual([0, 0]);
    // Summaries without observations are NaN.
    const refused = [...(await managed('plumbline_ingest_refused_points_total')).keys()];
    expect(refused.filter((labels) => !labels.includes('not_finite'))).toEqual([]);

    const name = encodeURIComponent(`up{instance="127.0.0.1:${String(port)}",job="prometheus"}`);
    const first = stoppedAt - (stoppedAt % 60);
    const last = backAt - (backAt % 60);
    const slots = await until('the slots of the time between', async () => {
      const path = `/metric/${name}/timeseries?from=${String(first)}&until=${String(backAt + 120)}&resolution=60&fill=none`;
      const { points } = (await product.api(path, readToken)) as Slots;
      return points.some(([timestamp]) => timestamp >= last) ? points : undefined;
    });
    const expected = Array.from({ length: (last - first) / 60 + 1 }, (_, i) => [first + i * 60, 1]);
    expect(slots.slice(0, expected.length)).toEqual(expected);
    const { events } = (await product.api('/org/events?type=ingest_refused', readToken)) as { events: unknown[] };
    expect(events).toEqual([]);
  });
});
