import { type Balancer, startBalancer } from '../support/balancer.js';
import { type ExternalPostgres, externalPostgres } from '../support/external-postgres.js';
import { Ledger, pause } from '../support/ledger.js';
import { type PreviousBuild, previousBuild } from '../support/previous-build.js';
import { clientOf, type Product, startProduct } from '../support/product.js';
import { balance, NOTHING_WRONG, UNLIMITED } from './faults.js';

/** How long a balancer keeps sending to a process that is shutting down. */
const PROPAGATION_MS = 1000;
/** Few metrics and a pause, because the test is about request bodies in transit. */
const PLAN = { lanes: 2, metricsPerLane: 5, slotsPerBody: 40, pauseMs: 100 };

describe('a rolling update of an installation with two processes', () => {
  let previous: PreviousBuild;
  let database: ExternalPostgres;
  let balancer: Balancer;
  let ledger: Ledger | undefined;
  const started: Product[] = [];

  beforeAll(async () => {
    previous = await previousBuild();
    database = await externalPostgres();
    balancer = await startBalancer();
  }, 240_000);

  afterAll(async () => {
    await ledger?.abandon();
    for (const product of started) await product.dispose();
    await balancer.close();
    await database.dispose();
    await previous.dispose();
  }, 240_000);

  /** Starts a process with all roles, of the current or the given build, behind the balancer. */
  async function serve(root?: string): Promise<Product> {
    const env = { ...UNLIMITED, DATABASE_URL: database.url, PLUMBLINE_SECRET_KEY: 'ab'.repeat(32) };
    const product = await startProduct(env, { root });
    started.push(product);
    balancer.endpoints.add(portOf(product));
    return product;
  }

  async function retire(product: Product): Promise<void> {
    balancer.endpoints.delete(portOf(product));
    await pause(PROPAGATION_MS);
    await expect(product.stop()).resolves.toEqual({ code: 0 });
  }

  it('accepts every point, loses none and opens no anomaly twice', async () => {
    const client = clientOf(balancer.url);
    const old = [await serve(previous.root), await serve(previous.root)];
    const readToken = await client.createToken(['read']);
    ledger = new Ledger(client, await client.createToken(['ingest']), { ...PLAN, prefix: 'update' }).start();
    await ledger.progress(10);

    for (const product of old) {
      // The first new process migrates, and the old ones continue on the migrated database.
      await serve();
      await ledger.progress(20);
      expect(product.isRunning()).toBe(true);
      await retire(product);
      await ledger.progress(20);
    }

    expect({ refused: balancer.refused(), unserved: balancer.unserved() }).toEqual({ refused: 0, unserved: 0 });
    await expect(balance(ledger, readToken)).resolves.toEqual(NOTHING_WRONG);
    for (const product of old)
      expect(product.output()).not.toMatch(/column .* does not exist|relation .* does not exist/);
  }, 600_000);
});

const portOf = (product: Product): number => Number(new URL(product.url).port);
