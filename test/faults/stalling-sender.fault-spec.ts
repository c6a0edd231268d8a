import { type Ledger, pause } from '../support/ledger.js';
import { until } from '../support/product.js';
import { postHead, type RawSender, rawSender } from '../support/raw-sender.js';
import { balance, NOTHING_WRONG, type ProductUnderFault, startUnderFault } from './faults.js';

const SENDERS = 30;
const IDLE_SECONDS = 6;
const BODY_SECONDS = 12;

describe('senders that stall in the middle of a body', () => {
  let subject: ProductUnderFault;
  let ledger: Ledger;

  beforeAll(async () => {
    subject = await startUnderFault({
      PLUMBLINE_INGEST_BODY_IDLE_SECONDS: String(IDLE_SECONDS),
      PLUMBLINE_INGEST_BODY_SECONDS: String(BODY_SECONDS),
    });
    ledger = subject.send({ prefix: 'beside' });
  }, 120_000);

  afterAll(async () => {
    await subject.dispose();
  }, 120_000);

  it('lose their connection, store nothing, and do not delay other senders', async () => {
    // The first bodies take longer than later ones.
    await ledger.progress(5);
    const senders = await Promise.all(Array.from({ length: SENDERS }, (_, i) => half(`stall.silent-${String(i)}`)));
    // Other senders continue while these stall.
    await ledger.progress(10, IDLE_SECONDS * 1000);
    await closed(senders);
    expect(await metricsNamed('stall.silent')).toBe(0);
  });

  it('do not gain time by sending single bytes', async () => {
    const sender = await half('stall.dripping');
    const drip = setInterval(() => sender.send(' '), 300);
    await closed([sender]).finally(() => clearInterval(drip));
    expect(await metricsNamed('stall.dripping')).toBe(0);
  });

  it('store nothing when they cut the connection', async () => {
    const senders = await Promise.all(Array.from({ length: SENDERS }, (_, i) => half(`stall.cut-${String(i)}`)));
    for (const sender of senders) sender.cut();
    await ledger.progress(20);
    expect(await metricsNamed('stall.cut')).toBe(0);
  });

  it('are served when they continue in time', async () => {
    const text = bodyOf('stall.late');
    const sender = await half('stall.late');
    await pause(1000);
    sender.send(text.slice(text.length / 2));
    await until('the answer', async () => (sender.answer() === '' ? undefined : true));
    sender.cut();
    expect(sender.answer()).toMatch(/^HTTP\/1\.1 204 /);
    expect(await metricsNamed('stall.late')).toBe(1);
  });

  it('do not affect other senders', async () => {
    await expect(balance(ledger, subject.readToken)).resolves.toEqual(NOTHING_WRONG);
    expect((await subject.product.readiness())?.status).toBe(200);
  });

  /** A sender that has sent the first half of a body. */
  async function half(metric: string): Promise<RawSender> {
    const text = bodyOf(metric);
    const sender = await rawSender(subject.product.url);
    const headers = { 'X-Auth-Token': subject.ingestToken, 'Content-Type': 'text/plain' };
    sender.send(postHead('/ingest/influx?precision=s', headers, text.length) + text.slice(0, text.length / 2));
    return sender;
  }

  function bodyOf(metric: string): string {
    const line = `${metric} value=1 ${String(Math.floor(Date.now() / 1000))}\n`;
    return line.repeat(400);
  }

  async function closed(senders: readonly RawSender[]): Promise<void> {
    let count = 0;
    for (const sender of senders) void sender.closed.then(() => count++);
    await until('the connections to be closed', async () => (count === senders.length ? true : undefined), {
      timeoutMs: (BODY_SECONDS + 10) * 1000,
    });
    // A sender that still listens gets an error response.
    for (const sender of senders) expect(sender.answer()).toMatch(/^(HTTP\/1\.1 (400|408) |$)/);
  }

  async function metricsNamed(chip: string): Promise<number> {
    const answer = (await subject.product.api(`/metrics?chips=${chip}&limit=1`, subject.readToken)) as {
      total: number;
    };
    return answer.total;
  }
});
