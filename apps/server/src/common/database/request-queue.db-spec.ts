import { availableParallelism } from 'node:os';
import { DataSource, type QueryRunner } from 'typeorm';
import { createEmptyDatabase } from '../../../../../test/support/database.js';
import { ClientGoneError } from '../fair-share/fair-queue.js';
import { FairQueueRegistry } from '../fair-share/fair-queue-registry.js';
import { currentRequest, RequestContext } from '../http/request-context.js';
import { MetricsRegistry } from '../telemetry/metrics.js';
import { connectionOptions } from './connection.js';
import { DatabaseConfig } from './database.config.js';
import { fairDriver } from './fair-pool.js';
import { RequestQueue } from './request-queue.js';

const LOCK = 7;
/** Connections that one organisation may use. */
const PER_ORG = Math.min(4, availableParallelism());
const config = Object.assign(new DatabaseConfig(), {
  poolSize: 10,
  lockTimeoutSeconds: 300,
  statementTimeoutSeconds: 300,
});

describe('the database request queue under many requests of one organisation', () => {
  let drop: () => Promise<void>;
  let url: string;
  let dataSource: DataSource;
  let metrics: MetricsRegistry;
  let holder: QueryRunner;

  beforeAll(async () => {
    const database = await createEmptyDatabase();
    ({ drop, url } = database);
    metrics = new MetricsRegistry();
    const turns = new RequestQueue(new FairQueueRegistry(metrics), config);
    dataSource = new DataSource({ ...connectionOptions(database.url, config), driver: fairDriver(turns) });
    await dataSource.initialize();
    holder = dataSource.createQueryRunner();
  });
  afterAll(async () => {
    await holder.release();
    await dataSource.destroy();
    await drop();
  });
  beforeEach(() => holder.query('SELECT pg_advisory_lock($1)', [LOCK]));

  /** Runs work as a separate request of the party. */
  function asRequest<T>(party: string | undefined, work: () => Promise<T>, context = new RequestContext(undefined)) {
    context.party = party;
    return currentRequest.run(context, work);
  }

  const blocked = () => dataSource.query<unknown[]>('SELECT pg_advisory_xact_lock_shared($1)', [LOCK]);
  const quick = () => dataSource.query<{ n: number }[]>('SELECT 1 AS n');
  const release = () => holder.query('SELECT pg_advisory_unlock($1)', [LOCK]);

  async function waitingRequests(): Promise<number> {
    const { values } = await metrics.prometheus.getSingleMetric('plumbline_turns_waiting')!.get();
    return values.find(({ labels }) => labels.queue === 'database')!.value;
  }

  it('serves other organisations and requests without one', async () => {
    const busy = Array.from({ length: 40 }, () => asRequest('org:1', blocked));
    expect(await waitingRequests()).toBe(40 - PER_ORG);
    expect(await asRequest('org:2', quick)).toEqual([{ n: 1 }]);
    expect(await asRequest(undefined, quick)).toEqual([{ n: 1 }]);
    await release();
    await Promise.all(busy);
    expect(await waitingRequests()).toBe(0);
  });

  it('gives a request that holds a connection another one before waiting requests of its organisation', async () => {
    const nested = asRequest('org:1', () =>
      dataSource.transaction(async (tx) => {
        await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [LOCK]);
        return Promise.all([quick(), quick()]);
      }),
    );
    const busy = Array.from({ length: 20 }, () => asRequest('org:1', blocked));
    await release();
    expect(await nested).toEqual([[{ n: 1 }], [{ n: 1 }]]);
    await Promise.all(busy);
  });

  it('rejects requests beyond the queue of one organisation, and serves other organisations', async () => {
    const busy = Array.from({ length: 200 + PER_ORG }, () => asRequest('org:1', blocked));
    await expect(asRequest('org:1', quick)).rejects.toMatchObject({ code: 'overloaded' });
    expect(await asRequest('org:2', quick)).toEqual([{ n: 1 }]);
    await release();
    await Promise.all(busy);
  });

  it('drops a queued request whose client has disconnected, and finishes one that has started', async () => {
    const [dropped, finished] = [new RequestContext(undefined), new RequestContext(undefined)];
    await asRequest('org:1', quick, finished);
    // A turn is released in the next round of the event loop.
    await new Promise((next) => setImmediate(next));
    const busy = Array.from({ length: 200 + PER_ORG }, () => asRequest('org:1', blocked));
    busy.push(...Array.from({ length: PER_ORG }, () => asRequest('org:2', blocked)));
    const late = asRequest('org:2', quick, dropped);
    dropped.recordGone();
    finished.recordGone();
    const startedQuery = asRequest('org:1', quick, finished);
    await expect(late).rejects.toBeInstanceOf(ClientGoneError);
    await release();
    expect(await startedQuery).toEqual([{ n: 1 }]);
    await Promise.all(busy);
  });

  it('releases the turn when the database rejects a connection', async () => {
    const away = new URL(url);
    away.pathname = '/no_such_database';
    const registry = new FairQueueRegistry(new MetricsRegistry());
    const driver = fairDriver(new RequestQueue(registry, config));
    const pool = new driver.Pool({ connectionString: away.toString() });
    const failed = Array.from({ length: 20 }, () => asRequest('org:1', () => pool.query('SELECT 1')));
    const results = await Promise.allSettled(failed);
    expect(results.map((result) => result.status === 'rejected' && (result.reason as { code: string }).code)).toEqual(
      new Array(20).fill('3D000'),
    );
    await pool.end();
  });
});
