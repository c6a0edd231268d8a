import { type ExternalPostgres, externalPostgres } from '../support/external-postgres.js';
import { pause } from '../support/ledger.js';
import { until } from '../support/product.js';
import { balance, IS_SHORT, NOTHING_WRONG, type ProductUnderFault, startUnderFault } from './faults.js';

const SHUTDOWN_MODES = ['fast', 'immediate', 'kill'] as const;
const STOPS = IS_SHORT ? 2 : 9;

describe('a product whose PostgreSQL server stops under load', () => {
  let database: ExternalPostgres;
  let subject: ProductUnderFault;

  beforeAll(async () => {
    database = await externalPostgres();
    subject = await startUnderFault({ DATABASE_URL: database.url });
  }, 120_000);

  afterAll(async () => {
    await subject.dispose();
    await database.dispose();
  }, 120_000);

  it('answers 503 with Retry-After, and recovers without a restart', async () => {
    const { product, readToken } = subject;
    const pid = product.pid();
    const ledger = subject.send({ prefix: 'database' });
    for (let stop = 0; stop < STOPS; stop++) {
      await ledger.progress(30);
      await database.stop(SHUTDOWN_MODES[stop % SHUTDOWN_MODES.length]);
      const refused = ledger.answers.get(503) ?? 0;
      await until('senders to be told', async () => ((ledger.answers.get(503) ?? 0) > refused ? true : undefined));
      const readiness = await product.readiness();
      expect(readiness?.status).toBe(503);
      expect(readiness?.checks.find(({ name }) => name === 'database')?.ok).toBe(false);
      await pause(1000 + 4000 * Math.random());
      await database.start();
      await ledger.progress(10);
      await until('the product to be ready', async () =>
        (await product.readiness())?.status === 200 ? true : undefined,
      );
    }
    await expect(balance(ledger, readToken)).resolves.toEqual(NOTHING_WRONG);
    // The product was never restarted.
    expect(product.isRunning()).toBe(true);
    expect(product.pid()).toBe(pid);
  }, 900_000);
});
