import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../support/ledger.js';
import { balance, IS_SHORT, NOTHING_WRONG, type ProductUnderFault, startUnderFault } from './faults.js';

const KILLS = IS_SHORT ? 3 : 20;

describe('a product that is killed at random moments under load', () => {
  let subject: ProductUnderFault;

  beforeAll(async () => {
    subject = await startUnderFault();
  }, 120_000);

  afterAll(async () => {
    await subject.dispose();
  }, 120_000);

  it(`keeps acknowledged points and finds each anomaly once, over ${String(KILLS)} kills`, async () => {
    const { product, readToken } = subject;
    const ledger = subject.send({ prefix: 'kill' });
    for (let kill = 0; kill < KILLS; kill++) {
      await ledger.progress(1);
      await pause(100 + 2400 * Math.random());
      // Every third time the database is killed as well: the data on disk must suffice.
      if (kill % 3 === 2) process.kill(await postmaster(product.dataFolder), 'SIGKILL');
      await product.stop('SIGKILL');
      await product.restart();
    }
    await expect(balance(ledger, readToken)).resolves.toEqual(NOTHING_WRONG);
    expect(ledger.answers.get(0)).toBeGreaterThan(0);
  }, 900_000);
});

/** Process id of the embedded PostgreSQL. */
async function postmaster(dataFolder: string): Promise<number> {
  const file = await readFile(join(dataFolder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
  return Number(file.split('\n')[0]);
}
