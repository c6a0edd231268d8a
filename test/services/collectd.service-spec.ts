import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/free-port.mjs';
import { type Product, startProduct, until } from '../support/product.js';
import { endProgram, startProgram } from '../support/programs.js';
import { snippet } from './guide.js';

interface Found {
  name: string;
  type: string;
  source: string;
  last_value: number | null;
}

/** A real collectd that reads this machine every second, configured with the lines of the guide. */
describe('a collectd that writes to the product', () => {
  let product: Product;
  let ingestToken: string;
  let readToken: string;
  let graphitePort: string;

  beforeAll(async () => {
    graphitePort = String(await freePort());
    product = await startProduct({ PLUMBLINE_GRAPHITE_ADDRESS: graphitePort });
    ingestToken = await product.createToken(['ingest']);
    readToken = await product.createToken(['read']);
  }, 120_000);

  afterAll(async () => {
    await product.dispose();
  }, 120_000);

  it('creates metrics with write_graphite', async () => {
    const collectd = await startCollectd(
      'by-graphite',
      snippet('collectd-graphite.conf', product, ingestToken, graphitePort),
    );
    try {
      const [load] = await analysed('by-graphite.load.load.shortterm');
      expect(load).toMatchObject({ name: 'by-graphite.load.load.shortterm', source: 'graphite' });
      const [memory] = await analysed('by-graphite.memory.memory-used');
      expect(memory?.last_value).toBeGreaterThan(0);
      expect(collectd.log()).not.toMatch(/write_graphite plugin: (?!Successfully)/);
    } finally {
      await collectd.stop();
    }
  });

  it('creates metrics with write_http', async () => {
    const collectd = await startCollectd('by-http', snippet('collectd-http.conf', product, ingestToken));
    try {
      const [memory] = await analysed('host:by-http,memory,type_instance:used');
      expect(memory).toMatchObject({
        name: 'memory{host="by-http",type_instance="used"}',
        type: 'gauge',
        source: 'http',
      });
      const [traffic] = await analysed('host:by-http,interface_if_octets_rx,plugin_instance:lo');
      expect(traffic).toMatchObject({ type: 'counter' });
      expect(collectd.log()).not.toMatch(/write_http plugin: .*(HTTP error|failed)/);
    } finally {
      await collectd.stop();
    }
  });

  async function analysed(chips: string): Promise<Found[]> {
    return until(
      `metrics with ${chips}`,
      async () => {
        const { metrics } = (await product.api(`/metrics?chips=${encodeURIComponent(chips)}&limit=5`, readToken)) as {
          metrics: Found[];
        };
        const isAnalysed = metrics.every((metric) => metric.last_value !== null);
        return metrics.length > 0 && isAnalysed ? metrics : undefined;
      },
      { timeoutMs: 60_000, everyMs: 500 },
    );
  }
});

async function startCollectd(hostname: string, writer: string) {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-collectd-'));
  const file = join(folder, 'collectd.conf');
  await writeFile(
    file,
    `Hostname "${hostname}"
Interval 1
BaseDir "${folder}"
PIDFile "${join(folder, 'pid')}"
TypesDB "/usr/share/collectd/types.db"
LoadPlugin load
LoadPlugin memory
LoadPlugin interface
${writer}`,
  );
  const child = startProgram('collectd', ['-f', '-C', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  return {
    log: () => log,
    async stop() {
      await endProgram(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
