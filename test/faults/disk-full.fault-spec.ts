import { type ExternalPostgres, externalPostgres } from '../support/external-postgres.js';
import { type Ledger, pause } from '../support/ledger.js';
import { until } from '../support/product.js';
import { type SmallDisk, smallDisk } from '../support/small-disk.js';
import { startVictoriaMetrics, type VictoriaMetrics } from '../support/victoria-metrics.js';
import { balance, IS_SHORT, NOTHING_WRONG, type ProductUnderFault, startUnderFault } from './faults.js';

const TIMES = IS_SHORT ? 1 : 3;
const FULL = /No space left on device/;

describe('a product whose database has a full disk', () => {
  let disk: SmallDisk;
  let database: ExternalPostgres | undefined;
  let subject: ProductUnderFault;

  beforeEach(async () => {
    disk = await smallDisk(600);
  });

  afterEach(async () => {
    await subject.dispose();
    await database?.dispose();
    await disk.dispose();
  }, 120_000);

  it('answers 503 with Retry-After, reports the reason in /readyz, and loses no point', async () => {
    const { url } = (database = await externalPostgres(disk.folder, { max_wal_size: '64MB', min_wal_size: '32MB' }));
    subject = await startUnderFault({ DATABASE_URL: url });
    const { product, readToken } = subject;
    const ledger = subject.send({ prefix: 'disk' });
    for (let time = 0; time < TIMES; time++) {
      await ledger.progress(30);
      await disk.fill();
      await reportedToSenders(ledger);
      const readiness = await until('the product to say so', async () => {
        const answer = await product.readiness();
        return answer?.status === 503 ? answer : undefined;
      });
      const messages = readiness.checks.filter(({ ok }) => !ok).map(({ message }) => message);
      if (database.isRunning()) expect(messages.join('\n')).toMatch(FULL);
      await pause(2000);
      await disk.free();
      // PostgreSQL exits when it cannot write its log; its operator starts it again.
      if (!database.isRunning()) await database.start();
      await ledger.progress(10);
      await ready();
    }
    await expect(balance(ledger, readToken)).resolves.toEqual(NOTHING_WRONG);
    expect(product.isRunning()).toBe(true);
  }, 600_000);

  it('loses no point when the embedded database is on the full disk', async () => {
    database = undefined;
    subject = await startUnderFault({ PLUMBLINE_DATA: disk.folder });
    const { product, readToken } = subject;
    const ledger = subject.send({ prefix: 'embedded' });
    for (let time = 0; time < TIMES; time++) {
      await ledger.progress(30);
      const outputStart = product.output().length;
      await disk.fill();
      await until('the disk to be felt', async () =>
        product.output().slice(outputStart).includes('No space left on device') || !product.isRunning()
          ? true
          : undefined,
      );
      await pause(5000);
      // When the embedded database exits, the product exits with the reason; its operator starts it again.
      if (!product.isRunning()) expect(product.output().slice(outputStart)).toMatch(FULL);
      await disk.free();
      if (!product.isRunning()) await product.restart();
      await ledger.progress(10);
      await ready();
    }
    await expect(balance(ledger, readToken)).resolves.toEqual(NOTHING_WRONG);
  }, 600_000);

  async function reportedToSenders(ledger: Ledger): Promise<void> {
    const before = ledger.answers.get(503) ?? 0;
    await until('senders to be told', async () => ((ledger.answers.get(503) ?? 0) > before ? true : undefined));
  }

  async function ready(): Promise<void> {
    await until(
      'the product to be ready',
      async () => ((await subject.product.readiness())?.status === 200 ? true : undefined),
      { timeoutMs: 120_000 },
    );
  }
});

describe('a product whose VictoriaMetrics has a full disk', () => {
  /** Few points, so that the limit is reached within seconds. */
  const MAX_WAITING = '2000';
  let disk: SmallDisk;
  let store: VictoriaMetrics;
  let subject: ProductUnderFault;

  beforeAll(async () => {
    disk = await smallDisk(150);
    store = await startVictoriaMetrics([], disk.folder);
    subject = await startUnderFault({
      SERIES_STORE_URL: store.url,
      SERIES_STORE_DELAY_SECONDS: '1',
      SERIES_STORE_WAITING_POINTS: MAX_WAITING,
      PLUMBLINE_INGEST_BACKLOG_POINTS: MAX_WAITING,
    });
  }, 240_000);

  afterAll(async () => {
    await subject.dispose();
    await store.dispose();
    await disk.dispose();
  }, 120_000);

  it('keeps accepted points, answers 429 when too many wait, and stores them once there is room', async () => {
    const ledger = subject.send({ prefix: 'store', lanes: 2, metricsPerLane: 5, slotsPerBody: 40, pauseMs: 50 });
    await ledger.progress(2);
    await disk.fill();
    const before = ledger.answers.get(429) ?? 0;
    await until('senders to be told', async () => (ledger.answers.get(429) ?? 0) > before, { timeoutMs: 120_000 });
    expect(subject.product.isRunning()).toBe(true);
    await disk.free();
    // VictoriaMetrics may have exited on the full disk; its operator starts it again.
    await store.kill();
    await store.start();
    await ledger.progress(10, 120_000);
    await expect(balance(ledger, subject.readToken)).resolves.toEqual(NOTHING_WRONG);
  }, 600_000);
});
