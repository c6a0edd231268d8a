import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort } from '../../scripts/free-port.mjs';
import { type Product, startProduct, until } from '../support/product.js';
import { snippet } from './guide.js';

const run = promisify(execFile);

/** Runs the lines of the guide in a shell. */
describe('curl and bash', () => {
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

  it.each([
    ['json.sh', 'till.sales', 42],
    ['line-protocol.sh', 'shop_latency{host="web-1"}', 12.5],
    ['exposition.sh', 'shop_queue{country="de"}', 17],
    ['gzip.sh', 'shop_errors{host="web-1"}', 3],
    ['csv.sh', 'shop.revenue', 1900],
    ['otlp.sh', 'shop.basket{service_name="shop"}', 7],
    ['graphite.sh', 'web-1.cpu.idle', 93],
  ])('send the point of %s in the guide', async (block, metric, value) => {
    const { stdout } = await run('bash', ['-euc', snippet(block, product, ingestToken, graphitePort)]);
    if (block !== 'graphite.sh') expect(stdout).toMatch(/^HTTP\/1\.1 (204|200) /m);
    const stored = await until(`a point of ${metric}`, async () => {
      const path = `/metric/${encodeURIComponent(metric)}/timeseries?resolution=60&fill=none`;
      const { points } = (await product.api(path, readToken)) as { points: [number, number][] };
      return points.length > 0 ? points : undefined;
    });
    expect(stored.at(-1)?.[1]).toBe(value);
  });
});
