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

  it('change neither stored points nor the number of anomalies', async () => {
    const { product, readToken } = subject;
    const ledger = subject.send({ prefix: 'resend', repeats: true });
    for (let kill = 0; kill < KILLS; kill++) {
      await ledger.progress(100);
      await product.stop('SIGKILL');
      await product.restart();
    }
    await expect(balance(ledger, readToken)).resolves.toEqual(NOTHING_WRONG);
  }, 600_000);

  it('may resend a batch much later and concurrently without an effect', async () => {
    const { readToken } = subject;
    // A fixed start: by default, each sender derives it from its own start time.
    const firstSlot = Math.floor(Date.now() / 60_000) * 60 - 3 * 86_400;
    const plan = { prefix: 'again', lanes: 3, slots: 400, trouble: { from: 300, until: 320 }, firstSlot };
    // Three ledgers with three senders each send the same points concurrently; then a fourth sends them again.
    const ledgers = [1, 2, 3].map(() => subject.send(plan));
    await Promise.all(ledgers.map((ledger) => ledger.finish()));
    const last = subject.send(plan);
    await expect(balance(last, readToken)).resolves.toEqual(NOTHING_WRONG);
  }, 600_000);
});
