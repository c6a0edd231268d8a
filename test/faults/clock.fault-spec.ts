import { until } from '../support/product.js';
import { type StepClock, stepClock } from '../support/step-clock.js';
import { balance, IS_SHORT, NOTHING_WRONG, type ProductUnderFault, startUnderFault } from './faults.js';

const MINUTE = 60;
/** Successive clock errors in seconds. Points of the ledger are within the limits at each of them. */
const STEPS = IS_SHORT ? [1500, 0, -1200, 0] : [1500, -1200, 0, 2, -2, 900, 1500, -600, -1200, 0];

describe('a clock step while the product runs', () => {
  let clock: StepClock;
  let subject: ProductUnderFault;

  beforeAll(async () => {
    clock = await stepClock();
    subject = await startUnderFault(clock.env);
  }, 120_000);

  afterAll(async () => {
    await subject.dispose();
    await clock.dispose();
  }, 120_000);

  it('neither stops the product nor changes acknowledged points, forwards and backwards', async () => {
    const { product, readToken } = subject;
    const pid = product.pid();
    const firstSlot = Math.floor(Date.now() / 1000 / MINUTE) * MINUTE - 28 * MINUTE;
    const shape = { lanes: 3, metricsPerLane: 5, slots: 5, slotsPerBody: 5, trouble: null, pauseMs: 250 };
    const plan = { prefix: 'clock', firstSlot, isHistory: false, ...shape };
    const ledger = subject.send(plan);
    for (const step of STEPS) {
      await ledger.progress(15);
      await clock.set(step);
      await until('the product to see the new time', async () => {
        const { status } = await envelope();
        return Math.abs(status.created_timestamp - Date.now() / 1000 - step) < 5 ? true : undefined;
      });
      await ledger.progress(15);
      expect(await sendNow()).toEqual(step < -MINUTE ? { status: 207, reasons: { in_future: 1 } } : { status: 204 });
      await until('the product to be ready', async () =>
        (await product.readiness())?.status === 200 ? true : undefined,
      );
    }
    expect(product.pid()).toBe(pid);
    expect(product.isRunning()).toBe(true);
    await expect(balance(ledger, readToken)).resolves.toEqual(NOTHING_WRONG);
    await product.stop();
    await product.restart();
    await expect(ledger.differences(readToken)).resolves.toEqual([]);
  }, 300_000);

  async function envelope(): Promise<{ status: { created_timestamp: number } }> {
    const answer = await fetch(`${subject.product.url}/api/ping`);
    return (await answer.json()) as { status: { created_timestamp: number } };
  }

  /** Sends a point with the real time, as a sender with a correct clock does. */
  async function sendNow(): Promise<{ status: number; reasons?: Record<string, number> }> {
    const answer = await fetch(`${subject.product.url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'X-Auth-Token': subject.ingestToken, 'Content-Type': 'application/json' },
      body: JSON.stringify({ metric: 'clock.now', timestamp: Math.floor(Date.now() / 1000), value: 1 }),
    });
    if (answer.status === 204) return { status: 204 };
    const report = (await answer.json()) as { metrics: { reasons: Record<string, number> }[] };
    return { status: answer.status, reasons: report.metrics[0]?.reasons ?? {} };
  }
});
