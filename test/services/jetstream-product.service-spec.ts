import { type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { connect } from '@nats-io/transport-node';
import { Ledger, type LedgerPlan } from '../support/ledger.js';
import { type NatsServer, natsServer } from '../support/nats.js';
import { type Product, startProduct, until } from '../support/product.js';
import { startProgram } from '../support/programs.js';

const PASSWORD = 'only-for-the-log';
const DAY = 86_400;

describe('a product with POINT_LOG_URL and DETECTION_STATE_URL', () => {
  let server: NatsServer;
  let product: Product;
  /** Read at every start of the product. */
  const env: Record<string, string> = { PLUMBLINE_LIMIT_API: '1000000', PLUMBLINE_CHECKPOINT_SECONDS: '1' };
  const firstSlot = Math.floor(Date.now() / 60_000) * 60 - 3 * DAY;
  let readToken: string;
  let ingestToken: string;

  beforeAll(async () => {
    server = await natsServer({ config: `authorization { user: plumbline, password: "${PASSWORD}" }` });
    env.POINT_LOG_URL = url();
    env.DETECTION_STATE_URL = url();
    product = await startProduct(env);
    readToken = await product.createToken(['read']);
    ingestToken = await product.createToken(['ingest']);
  }, 120_000);

  afterAll(async () => {
    await product.dispose();
    await server.dispose();
  }, 120_000);

  const url = (parameters = ''): string => `nats://plumbline:${PASSWORD}@${server.host}${parameters}`;

  /** Objects of learnt state on the server, by bucket, and the number of their messages: two for each object. */
  async function storedState(): Promise<{ objects: string[]; messages: number }> {
    const connection = await connect({ servers: server.host, user: 'plumbline', pass: PASSWORD });
    try {
      const { streams } = await jetstreamManager(connection);
      const objects: string[] = [];
      let messages = 0;
      for (let partition = 0; partition < 8; partition++) {
        const bucket = `plumbline-state-${String(partition)}`;
        messages += (await streams.info(`OBJ_${bucket}`)).state.messages;
        const listed = await (await new Objm(connection).open(bucket)).list();
        objects.push(...listed.map(({ name }) => `${bucket} ${name}`));
      }
      return { objects, messages };
    } finally {
      await connection.close();
    }
  }

  /** The number of partitions that have saved pages and no unsaved ones. */
  async function savedPartitions(): Promise<number> {
    const answer = await fetch(`${product.managementUrl}/metrics`);
    return (await answer.text()).match(/^plumbline_detection_unsaved_pages{.*} 0$/gm)?.length ?? 0;
  }

  /** Sends points of a few metrics, by default for a day, with one anomaly each, and checks points and anomalies. */
  async function expectDetection(prefix: string, plan: Partial<LedgerPlan> = {}): Promise<void> {
    const usual = { prefix, lanes: 1, metricsPerLane: 5, slotsPerBody: 60, firstSlot };
    const ledger = new Ledger(product, ingestToken, { ...usual, ...plan }).start();
    await ledger.finish();
    expect(await ledger.differences(readToken)).toEqual([]);
    expect(await ledger.anomalyProblems(readToken)).toEqual([]);
  }

  /** Starts the product with other addresses; returns the output of the failed start. */
  async function refusedStart(addresses: Record<string, string>): Promise<string> {
    const options: SpawnOptions = {
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        ...{ PORT: '0', MANAGEMENT_PORT: '0', PLUMBLINE_DEMO: 'off', PLUMBLINE_DATA: product.dataFolder },
        ...{ POINT_LOG_URL: url(), DETECTION_STATE_URL: url(), ...addresses },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    };
    const main = resolve(import.meta.dirname, '../../dist/apps/server/src/main.js');
    const child = startProgram(process.execPath, [main], options, product.dataFolder);
    let errorText = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => (errorText += text.toString()));
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(2);
    expect(errorText).not.toContain(PASSWORD);
    return errorText;
  }

  it('stores points and finds anomalies through JetStream', async () => {
    await expectDetection('first');
    expect(product.output()).toContain(`Accepted points go to NATS JetStream at ${server.host}, stream plumbline`);
    expect((await product.readiness())?.checks).toContainEqual(
      expect.objectContaining({ name: 'point log', ok: true }),
    );
  });

  it('continues with the learnt state in the object store after a kill', async () => {
    // Five metrics, each in its own partition: an object of two messages, and afterwards the row that names it.
    await until('the pages', async () => (await storedState()).messages >= 10 && (await savedPartitions()) === 5);
    const window = `from=${String(firstSlot)}&until=${String(firstSlot + DAY)}`;
    const anomalies = async () => {
      const answer = await product.api(`/anomalies?${window}&limit=100`, readToken);
      const found = (answer as { anomalies: Record<string, unknown>[] }).anomalies;
      // The time left for training changes every second.
      return found.map(({ training: _, ...anomaly }) => anomaly);
    };
    const before = await until('every anomaly to have its incident', async () => {
      const found = await anomalies();
      return found.every((anomaly) => anomaly.incident_id !== null) && found;
    });
    const outputStart = product.output().length;

    await product.stop('SIGKILL');
    await product.restart();

    expect(await anomalies()).toEqual(before);
    // Series without learnt state could not find the anomaly after only an hour of points.
    await expectDetection('first', {
      firstSlot: firstSlot + DAY,
      slots: 120,
      trouble: { from: 60, until: 80 },
    });
    expect(product.output().slice(outputStart)).toMatch(/Partition \d: \d series restored in/);
    expect(product.output().slice(outputStart)).not.toMatch(/relearn/);
  });

  it('erases the learnt state of a deleted metric from the object store', async () => {
    await until('the pages', async () => (await savedPartitions()) === 5);
    const before = await storedState();
    const admin = await product.createToken(['admin']);
    await product.call('DELETE', '/metric/first.lane-0.page-0.metric-0', admin);
    // The metric was alone in its partition: only its page is replaced, and none of its messages remain.
    await until('its page to be replaced', async () => {
      const { objects, messages } = await storedState();
      const replaced = before.objects.filter((name) => !objects.includes(name));
      return replaced.length === 1 && messages === 2 * objects.length;
    });
  });

  it('is not ready while the server is stopped, and is ready again after its restart', async () => {
    await server.stop('SIGKILL');
    const away = await until('the product to say so', async () => {
      const readiness = await product.readiness();
      return readiness?.status === 503 ? readiness : undefined;
    });
    const { message } = away.checks.find(({ name }) => name === 'point log')!;
    expect(message).toMatch(/NATS JetStream at .* does not answer/);
    await server.start();
    await until('the product to be ready', async () => (await product.readiness())?.status === 200);
  });

  it('does not start without POINT_LOG_URL afterwards, and explains what to do', async () => {
    await product.stop();
    expect(await refusedStart({ POINT_LOG_URL: '' })).toMatch(
      /is in NATS JetStream, and POINT_LOG_URL is not set.*move=postgresql/,
    );
    expect(await refusedStart({ POINT_LOG_URL: 'kafka://plumbline@host' })).toMatch(
      /POINT_LOG_URL: the value must begin with nats:\/\//,
    );
  });

  it('does not start without DETECTION_STATE_URL either', async () => {
    expect(await refusedStart({ DETECTION_STATE_URL: '' })).toMatch(/DETECTION_STATE_URL is not set.*move=postgresql/);
  });

  it('does not print the credentials', () => {
    expect(product.output()).not.toContain(PASSWORD);
  });
});
