import { type Role, ROLES } from '../../apps/server/src/common/config/server.config.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type Product, startProduct, until } from '../support/product.js';
import { postHead, rawSender } from '../support/raw-sender.js';

/** Large enough for the thread that parses large bodies, which must not end before them. */
const BODY_BYTES = 400_000;
const HALF = BODY_BYTES / 2;

/** Tables that the roles without requests use at their end, and that the test locks. */
const LOCKED: Partial<Record<Role, string>> = { detect: 'detection_checkpoint', notify: 'alert_delivery' };

describe('a process with one role', () => {
  let database: TestDatabase;
  const products = {} as Record<Role, Product>;

  beforeAll(async () => {
    database = await createTestDatabase();
    for (const role of ROLES) {
      products[role] = await startProduct({
        DATABASE_URL: database.url,
        PLUMBLINE_ROLES: role,
        PLUMBLINE_SECRET_KEY: 'ab'.repeat(32),
      });
    }
  }, 300_000);

  afterAll(async () => {
    for (const product of Object.values(products)) await product.dispose();
    await database.drop();
  }, 240_000);

  const liveness = async ({ managementUrl }: Product): Promise<number> =>
    (await fetch(`${managementUrl}/livez`)).status;

  /** The process is alive, but not ready because of its shutdown. */
  const isStopping = (product: Product) =>
    until('the process to be unready', async () => {
      const readiness = await product.readiness();
      if (readiness?.status !== 503) return false;
      expect(readiness.checks.filter(({ ok }) => !ok).map(({ name }) => name)).toContain('shutdown');
      expect(await liveness(product)).toBe(200);
      return true;
    });

  it.each(['ingest', 'api'] as const)('becomes unready with the role %s, then completes its requests', async (role) => {
    const product = products[role];
    expect(await liveness(product)).toBe(200);
    const token = await products.api.createToken(['ingest', 'read', 'write']);
    const points = `{"metrics":[{"metric":"web.load","timestamp":${String(Math.floor(Date.now() / 1000))},"value":1}]`;
    // The body consists mostly of white space, which both calls accept.
    const body = (role === 'ingest' ? points : '{"metric":"web.load"').padEnd(BODY_BYTES - 1) + '}';
    const path = role === 'ingest' ? '/ingest/metrics' : '/api/anomalies';
    const sender = await rawSender(product.url);
    sender.send(postHead(path, { 'Content-Type': 'application/json', 'X-Auth-Token': token }, BODY_BYTES));
    sender.send(body.slice(0, HALF));

    const stopped = product.stop();
    await isStopping(product);
    sender.send(body.slice(HALF));
    await sender.closed;

    expect(sender.answer()).toMatch(role === 'ingest' ? /^HTTP\/1\.1 204 / : /^HTTP\/1\.1 200 /);
    expect(sender.answer()).toMatch(/^Connection: close\r$/im);
    await expect(stopped).resolves.toEqual({ code: 0 });
  });

  it.each(['detect', 'notify'] as const)('becomes unready with the role %s, then completes its work', async (role) => {
    const product = products[role];
    expect(await liveness(product)).toBe(200);
    expect((await product.readiness())?.status).toBe(200);
    const lock = database.dataSource.createQueryRunner();
    await lock.startTransaction();
    await lock.query(`LOCK TABLE ${LOCKED[role]!} IN ACCESS EXCLUSIVE MODE`);
    // Other tests may wait for locks in other databases of the same server.
    await until('its work to wait', async () => {
      const [{ waiting }] = await lock.query(
        `SELECT count(*)::int AS waiting FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
          WHERE NOT granted AND datname = current_database() AND relation = '${LOCKED[role]!}'::regclass`,
      );
      return waiting > 0;
    });

    const stopped = product.stop();
    await isStopping(product);
    await lock.commitTransaction();
    await lock.release();

    await expect(stopped).resolves.toEqual({ code: 0 });
    expect(product.output()).not.toMatch(/without a last checkpoint/);
  });
});
