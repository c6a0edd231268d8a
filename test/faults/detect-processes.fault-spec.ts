import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Ledger } from '../support/ledger.js';
import { type Product, startProduct, until } from '../support/product.js';
import { balance, NOTHING_WRONG, UNLIMITED } from './faults.js';

const PARTITIONS = 8;
/** Several metrics in each partition, and a pause, so that senders outlast the start of processes. */
const PLAN = { metricsPerLane: 8, pauseMs: 50 };

describe('several detection processes', () => {
  let database: TestDatabase;
  /** Has every role except `detect`. */
  let others: Product;
  const detectors: Product[] = [];
  let ledger: Ledger | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    others = await start('api,ingest,notify');
    detectors.push(await start('detect'));
  }, 240_000);

  afterAll(async () => {
    await ledger?.abandon();
    for (const product of [...detectors, others]) await product.dispose();
    await database.drop();
  }, 240_000);

  const start = (roles: string): Promise<Product> =>
    startProduct({
      ...UNLIMITED,
      DATABASE_URL: database.url,
      PLUMBLINE_ROLES: roles,
      PLUMBLINE_SECRET_KEY: 'ab'.repeat(32),
    });

  /** The number of partitions of each running process. */
  async function shares(): Promise<number[]> {
    const running = detectors.filter((product) => product.isRunning());
    return Promise.all(
      running.map(async ({ managementUrl }) => {
        const text = await (await fetch(`${managementUrl}/metrics`)).text();
        return Number(/^plumbline_detection_partitions (\d+)$/m.exec(text)?.[1]);
      }),
    );
  }

  const areShared = (...expected: number[]): Promise<true> =>
    until(`partitions to be shared ${expected.join(' and ')}`, async () => {
      const found = (await shares()).sort((one, other) => other - one);
      return found.join() === expected.join() || undefined;
    });

  it('share the partitions and lose no point when one joins, one is killed and one stops', async () => {
    const [ingestToken, readToken] = [await others.createToken(['ingest']), await others.createToken(['read'])];
    await areShared(PARTITIONS);
    ledger = new Ledger(others, ingestToken, { ...PLAN, prefix: 'shared' }).start();
    await ledger.progress(1);

    detectors.push(await start('detect'), await start('detect'));
    await areShared(3, 3, 2);
    await ledger.progress(1);

    await detectors[0]!.stop('SIGKILL');
    await areShared(4, 4);
    await ledger.progress(1);

    await detectors[1]!.stop();
    await areShared(PARTITIONS);
    await expect(balance(ledger, readToken)).resolves.toEqual(NOTHING_WRONG);
  }, 600_000);
});
