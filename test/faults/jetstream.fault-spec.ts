import { type Ledger, pause } from '../support/ledger.js';
import { type NatsServer, natsServer } from '../support/nats.js';
import { until } from '../support/product.js';
import { type SmallDisk, smallDisk } from '../support/small-disk.js';
import { balance, IS_SHORT, NOTHING_WRONG, type ProductUnderFault, startUnderFault } from './faults.js';

const KILLS = IS_SHORT ? 2 : 4;
/** Few metrics, because the test is about request bodies in transit. */
const PLAN = { lanes: 2, metricsPerLane: 5, slotsPerBody: 40 };

describe('a product whose point log is in JetStream', () => {
  let server: NatsServer;
  let disk: SmallDisk | undefined;
  let subject: ProductUnderFault;

  afterEach(async () => {
    await subject.dispose();
    await server.dispose();
    await disk?.dispose();
    disk = undefined;
  }, 120_000);

  it('keeps acknowledged points and stores none twice when nats-server and the product are killed', async () => {
    server = await natsServer();
    subject = await startUnderFault({ POINT_LOG_URL: `nats://${server.host}` });
    const { product, readToken } = subject;
    const ledger = subject.send({ ...PLAN, prefix: 'kill' });
    for (let kill = 0; kill < KILLS; kill++) {
      await ledger.progress(5);
      await pause(500 * Math.random());
      // Every second time the product is killed as well.
      if (kill % 2 === 1) await product.stop('SIGKILL');
      await server.stop('SIGKILL');
      if (kill % 2 === 0) await reportedToSenders(ledger);
      await server.start();
      if (kill % 2 === 1) await product.restart();
    }
    await expect(balance(ledger, readToken)).resolves.toEqual(NOTHING_WRONG);
  }, 600_000);

  it('answers 503 and is not ready while the disk of nats-server is full, and loses no point', async () => {
    disk = await smallDisk(200);
    server = await natsServer({ folder: disk.folder });
    subject = await startUnderFault({ POINT_LOG_URL: `nats://${server.host}` });
    const { product, readToken } = subject;
    const ledger = subject.send({ ...PLAN, prefix: 'disk' });
    await ledger.progress(20);
    await disk.fill();
    await reportedToSenders(ledger);
    await until('the product to say so', async () => (await product.readiness())?.status === 503);
    await disk.free();
    // JetStream stays disabled until the server is restarted.
    await server.stop('SIGKILL');
    await server.start();
    await ledger.progress(10);
    await until('the product to be ready', async () => (await product.readiness())?.status === 200, {
      timeoutMs: 120_000,
    });
    await expect(balance(ledger, readToken)).resolves.toEqual(NOTHING_WRONG);
  }, 600_000);
});

async function reportedToSenders(ledger: Ledger): Promise<void> {
  const before = ledger.answers.get(503) ?? 0;
  await until('senders to be told', async () => (ledger.answers.get(503) ?? 0) > before);
}
