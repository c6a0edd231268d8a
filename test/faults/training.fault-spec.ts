import { pause } from '../support/ledger.js';
import { DAY, HOUR, MINUTE, QuietSeries } from '../support/nightly.js';
import { until } from '../support/product.js';
import { IS_SHORT, type ProductUnderFault, startUnderFault } from './faults.js';

const KILLS = IS_SHORT ? 4 : 12;
const METRIC = 'db-1.backup.bytes';

describe('a product that is killed during a training', () => {
  let subject: ProductUnderFault;
  let series: QuietSeries;

  beforeAll(async () => {
    subject = await startUnderFault();
    const token = await subject.product.createToken(['read', 'write', 'ingest']);
    series = new QuietSeries(subject.product, token, Math.floor(Date.now() / 1000 / DAY) * DAY - 9 * DAY);
  }, 120_000);

  afterAll(() => subject.dispose(), 120_000);

  it(`has completed the training or not started it, over ${String(KILLS)} kills`, async () => {
    const { product } = subject;
    const extras = series.everyDay(7, 7, { at: 2 * HOUR, length: 30 * MINUTE, height: 50 });
    await series.send(METRIC, { first: 0, days: 8, extras });
    const [{ id }] = await series.anomaliesOn(METRIC, 7);
    const outcomes: boolean[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const answered = series.call('POST', '/anomaly/train', { anomaly_id: id }).then(
        () => true,
        () => false,
      );
      // The kills are spread from before the request is read to after the patterns are built.
      await pause((kill * 300) / KILLS + 20 * Math.random());
      await product.stop('SIGKILL');
      const isAnswered = await answered;
      await product.restart();
      const isDone = await isTrained(id);
      // An answered training is done, even if the product is killed right after.
      if (isAnswered) expect(isDone).toBe(true);
      outcomes.push(isDone);
      if (isDone) await series.call('POST', `/anomaly/${String(id)}/untrain`);
      expect(await leftovers(id)).toEqual({ state: 'resolved', pending: 0, patterns: 0 });
    }
    await series.call('POST', '/anomaly/train', { anomaly_id: id });
    expect(await isTrained(id)).toBe(true);
    expect(outcomes).toHaveLength(KILLS);
  }, 900_000);

  /** Waits until no pattern is pending. If trained, both patterns exist; otherwise there is no change. */
  async function isTrained(id: number): Promise<boolean> {
    const found = await until('the patterns to be built', async () => {
      const left = await leftovers(id);
      return left.pending === 0 ? left : undefined;
    });
    if (found.state === 'trained') {
      expect(found.patterns).toBe(2);
      return true;
    }
    expect(found).toEqual({ state: 'resolved', pending: 0, patterns: 0 });
    return false;
  }

  async function leftovers(id: number) {
    const { anomaly } = await series.call('GET', `/anomaly/${String(id)}`);
    const { total: pending } = await series.call('GET', '/patterns/pending');
    const { total: patterns } = await series.call('GET', `/metric/${METRIC}/patterns`);
    return { state: anomaly.state as string, pending: pending as number, patterns: patterns as number };
  }
});
