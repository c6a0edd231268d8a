import { type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Ledger } from '../support/ledger.js';
import { type NatsServer, natsServer } from '../support/nats.js';
import { type Product, startProduct, until } from '../support/product.js';
import { startProgram } from '../support/programs.js';

const PASSWORD = 'only-for-the-log';

describe('a product with POINT_LOG_URL', () => {
  let server: NatsServer;
  let product: Product;
  /** Read at every start. */
  const env: Record<string, string> = { PLUMBLINE_LIMIT_API: '1000000' };
  let readToken: string;
  let ingestToken: string;

  beforeAll(async () => {
    server = await natsServer({ config: `authorization { user: plumbline, password: "${PASSWORD}" }` });
    env.POINT_LOG_URL = url();
    product = await startProduct(env);
    readToken = await product.createToken(['read']);
    ingestToken = await product.createToken(['ingest']);
  }, 120_000);

  afterAll(async () => {
    await product.dispose();
    await server.dispose();
  }, 120_000);

  const url = (parameters = ''): string => `nats://plumbline:${PASSWORD}@${server.host}${parameters}`;

  /** Sends a day of a few metrics, which all misbehave once, and waits for its points and its anomalies. */
  async function expectDetection(prefix: string): Promise<void> {
    const ledger = new Ledger(product, ingestToken, { prefix, lanes: 1, metricsPerLane: 5, slotsPerBody: 60 }).start();
    await ledger.finish();
    expect(await ledger.differences(readToken)).toEqual([]);
    expect(await ledger.anomalyProblems(readToken)).toEqual([]);
  }

  /** Starts with another address; answers what the refused start says. */
  async function refusedStart(pointLogUrl: string): Promise<string> {
    const options: SpawnOptions = {
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        ...{ PORT: '0', MANAGEMENT_PORT: '0', PLUMBLINE_DEMO: 'off', PLUMBLINE_DATA: product.dataFolder },
        POINT_LOG_URL: pointLogUrl,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    };
    const main = resolve(import.meta.dirname, '../../dist/apps/server/src/main.js');
    const child = startProgram(process.execPath, [main], options, product.dataFolder);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (said += text.toString()));
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(2);
    expect(said).not.toContain(PASSWORD);
    return said;
  }

  it('stores points and finds anomalies by way of JetStream', async () => {
    await expectDetection('first');
    expect(product.output()).toContain(`Accepted points go to NATS JetStream at ${server.host}, stream plumbline`);
    expect((await product.readiness())?.checks).toContainEqual(
      expect.objectContaining({ name: 'point log', ok: true }),
    );
  });

  it('is not ready while the server is away, and ready when it is back', async () => {
    await server.stop('SIGKILL');
    const away = await until('the product to say so', async () => {
      const readiness = await product.readiness();
      return readiness?.status === 503 ? readiness : undefined;
    });
    const { message } = away.checks.find(({ name }) => name === 'point log')!;
    expect(message).toMatch(/NATS JetStream at .* does not answer/);
    await server.start();
    await until('the product to be ready', async () => (await product.readiness())?.status === 200);
  });

  it('refuses to start without POINT_LOG_URL from then on, and says what to do', async () => {
    await product.stop();
    expect(await refusedStart('')).toMatch(/is in NATS JetStream, and POINT_LOG_URL is not set.*move=postgresql/);
    expect(await refusedStart('kafka://plumbline@host')).toMatch(/POINT_LOG_URL: the value must begin with nats:\/\//);
  });

  it('never shows the credentials', () => {
    expect(product.output()).not.toContain(PASSWORD);
  });
});
