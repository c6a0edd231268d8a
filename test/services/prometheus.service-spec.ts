import { type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/free-port.mjs';
import { type Product, startProduct, until } from '../support/product.js';
import { endProgram, startProgram } from '../support/programs.js';
import { snippet } from './guide.js';

interface MetricsAnswer {
  total: number;
  metrics: { name: string; type: string; source: string; last_value: number | null }[];
}

/** A real Prometheus that scrapes the product and itself every second, and writes the samples to the product. */
describe('a Prometheus that remote-writes to the product', () => {
  let product: Product;
  let folder: string;
  let prometheus: ChildProcess | undefined;
  let log = '';
  let readToken: string;
  let port: number;

  beforeAll(async () => {
    product = await startProduct();
    const ingestToken = await product.createToken(['ingest']);
    readToken = await product.createToken(['read']);
    folder = await mkdtemp(join(tmpdir(), 'plumbline-prometheus-'));
    port = await freePort();
    await writeFile(
      join(folder, 'prometheus.yml'),
      `global: { scrape_interval: 1s }
scrape_configs:
  - job_name: plumbline
    static_configs: [{ targets: ['${new URL(product.managementUrl).host}'] }]
  # Its summaries hold NaN until they have seen something.
  - job_name: prometheus
    static_configs: [{ targets: ['127.0.0.1:${String(port)}'] }]
${snippet('prometheus.yml', product, ingestToken)}    metadata_config: { send_interval: 2s }
`,
    );
    prometheus = startProgram(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${String(port)}`,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    for (const stream of [prometheus.stdout, prometheus.stderr]) {
      stream?.on('data', (chunk: Buffer) => (log += chunk.toString()));
    }
  });

  afterAll(async () => {
    await endProgram(prometheus);
    await product.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it('creates metrics with labels, types and source', async () => {
    const answer = await until(
      'the scraped metrics',
      async () => {
        const found = (await product.api(
          '/metrics?chips=process_cpu_seconds_total,job:plumbline&limit=10',
          readToken,
        )) as MetricsAnswer;
        // A metric is listed before its first point has been analysed.
        const isAnalysed = found.metrics.every((metric) => metric.last_value !== null);
        return found.total > 0 && isAnalysed ? found : undefined;
      },
      { timeoutMs: 60_000, everyMs: 500 },
    );
    const cpu = answer.metrics.find((metric) => metric.name.startsWith('process_cpu_seconds_total{'));
    expect(cpu).toMatchObject({ type: 'counter', source: 'prometheus' });
    expect(cpu?.name).toContain('job="plumbline"');
    expect(cpu?.last_value).not.toBeNull();
  });

  it('has no failed and no retried samples', async () => {
    // Counters of Prometheus: samples that were sent, failed permanently, or retried.
    const counters = await until('two hundred samples to be sent', async () => {
      const text = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
      const read = (name: string): number =>
        Number(new RegExp(`^prometheus_remote_storage_${name}\\{.*\\} (\\S+)$`, 'm').exec(text)?.[1] ?? '0');
      const sent = read('samples_total');
      return sent > 200
        ? { sent, failed: read('samples_failed_total'), retried: read('samples_retried_total') }
        : undefined;
    });
    expect(counters).toMatchObject({ failed: 0, retried: 0 });
    expect(log).not.toMatch(/level=(error|warn)/);
  });

  it('loses no sample while the product is restarted', async () => {
    await product.stop();
    await product.restart();
    const before = Date.now() / 1000;
    await until('a sample from after the restart', async () => {
      const found = (await product.api(
        '/metrics?chips=process_cpu_seconds_total,job:plumbline&limit=1',
        readToken,
      )) as {
        metrics: { last_timestamp: number }[];
      };
      return (found.metrics[0]?.last_timestamp ?? 0) >= before - 60 ? true : undefined;
    });
    const text = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
    expect(/^prometheus_remote_storage_samples_failed_total\{.*\} (\S+)$/m.exec(text)?.[1] ?? '0').toBe('0');
  });
});
