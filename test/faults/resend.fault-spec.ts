import { balance, IS_SHORT, NOTHING_WRONG, type ProductUnderFault, startUnderFault } from './faults.js';

const KILLS = IS_SHORT ? 1 : 4;

describe('senders that send everything two or three times', () => {
  let subject: ProductUnderFault;

  beforeAll(async () => {
    subject = await startUnderFault();
  }, 120_000);

  afterAll(async () => {
    await subject.dispose();
  }, 120_000);

  it('change nothing: not what is stored, and not how often an anomaly is found', async () => {
    const { product, readToken } = subject;
    const ledger = subject.send({ prefix: 'resend', repeats: true });
    for (let kill = 0; kill < KILLS; kill++) {
      await ledger.progress(100);
      await product.stop('SIGKILL');
      await product.restart();
    }
    await expect(balance(ledger, readToken)).resolves.toEqual(NOTHING_WRONG);
  }, 600_000);

  it('may come back with a batch long after, also while others send it', async () => {
    const { readToken } = subject;
    // Fixed: by itself, the last sender would begin where its own start says.
    const firstSlot = Math.floor(Date.now() / 60_000) * 60 - 3 * 86_400;
    const plan = { prefix: 'again', lanes: 3, slots: 400, trouble: { from: 300, until: 320 }, firstSlot };
    // The same metrics, the same points, by three times three senders at once; then once more when all is known.
    const ledgers = [1, 2, 3].map(() => subject.send(plan));
    await Promise.all(ledgers.map((ledger) => ledger.finish()));
    const last = subject.send(plan);
    await expect(balance(last, readToken)).resolves.toEqual(NOTHING_WRONG);
  }, 600_000);
});
