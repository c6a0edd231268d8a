import { jest } from '@jest/globals';
import pg from 'pg';
import { breakingProxy } from '../../../../test/support/breaking-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { batch, pointLogContract } from '../point-log.contract.js';
import { PostgresPointLog } from './postgres-point-log.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function empty(): Promise<void> {
  await database.dataSource.query('TRUNCATE point_log, point_log_layout');
}

describe('PostgresPointLog', () => {
  pointLogContract(() =>
    Promise.resolve({
      open: (opening) =>
        PostgresPointLog.open({ connectionString: database.url, now: () => Date.now() / 1000, ...opening }),
      dispose: empty,
    }),
  );

  describe('in its database', () => {
    let log: PostgresPointLog;

    beforeEach(async () => {
      log = await PostgresPointLog.open({ connectionString: database.url, now: () => 1_800_000_000 });
    });
    afterEach(async () => {
      await log.close();
      await empty();
    });

    it('commits simultaneous appends in one transaction', async () => {
      await Promise.all(Array.from({ length: 100 }, (_, i) => log.append(batch([i, i, i]), 'live')));

      const [row]: [{ transactions: number; records: number }] = await database.dataSource.query(
        'SELECT count(DISTINCT xmin::text)::int AS transactions, count(*)::int AS records FROM point_log',
      );
      expect(row).toEqual({ transactions: 1, records: 8 });
    });

    it('rejects all appends of a failed commit, stores none of them, and continues with the next', async () => {
      await database.dataSource.query('ALTER TABLE point_log ADD CONSTRAINT refuse CHECK (partition <> 5) NOT VALID');
      const failing = log.append(batch([1, 10, 1], [5, 10, 1]), 'live');
      const failingToo = log.append(batch([1, 20, 1]), 'live');
      await expect(failing).rejects.toThrow(/refuse/);
      await expect(failingToo).rejects.toThrow(/refuse/);
      await database.dataSource.query('ALTER TABLE point_log DROP CONSTRAINT refuse');

      await log.append(batch([1, 30, 1]), 'live');

      const records = await log.read(1, 0, 100);
      expect(records.map((record) => [...record.batch.timestamps])).toEqual([[30]]);
      expect(await log.read(5, 0, 100)).toEqual([]);
      expect(log.stats()).toEqual({ queuedAppends: 0, queuedPoints: 0 });
    });

    it('reconnects after its connections were terminated, and is notified of appends again', async () => {
      const other = await PostgresPointLog.open({ connectionString: database.url, now: () => 1_800_000_000 });
      await log.append(batch([1, 10, 1]), 'live');
      await database.dataSource.query(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'plumbline point log%'`);

      // The first append may still get a terminated connection.
      await log.append(batch([1, 20, 1]), 'live').catch(() => undefined);
      await log.append(batch([1, 30, 1]), 'live');
      await other.append(batch([1, 40, 1]), 'live').catch(() => undefined);
      const notified = log.waitForAppend(60_000);
      await other.append(batch([1, 50, 1]), 'live');
      await notified;

      const last = (await log.read(1, 0, 100)).at(-1)!;
      expect([...last.batch.timestamps]).toEqual([50]);
      await other.close();
    });

    it('recovers when a connection breaks between two statements of a commit', async () => {
      const proxy = await breakingProxy(database.url, 'pg_advisory_xact_lock');
      const far = await PostgresPointLog.open({ connectionString: proxy.url, now: () => 1_800_000_000 });
      await expect(far.append(batch([1, 10, 1]), 'live')).rejects.toThrow(/not queryable/);
      await far.append(batch([1, 20, 1]), 'live');

      const records = await log.read(1, 0, 100);
      expect(records.map((record) => [...record.batch.timestamps])).toEqual([[20]]);
      await far.close();
      await proxy.close();
    });

    it('throws for a record with an unknown layout', async () => {
      await database.dataSource.query(`INSERT INTO point_log VALUES (1, 1, 0, 0, 0, '\\x0200000000000000')`);

      await expect(log.read(1, 0, 100)).rejects.toThrow(/layout 2/);
    });

    it('stores large batches as records that a reader can read one at a time', async () => {
      const count = 150_000;
      const half = (from: number) => ({
        ids: new Uint32Array(count / 2).fill(3),
        timestamps: Float64Array.from({ length: count / 2 }, (_, i) => from + i),
        values: new Float64Array(count / 2).fill(1.5),
      });

      await Promise.all([log.append(half(0), 'backfill'), log.append(half(count / 2), 'backfill')]);

      const first = await log.read(3, 0, 1000);
      expect(first.map((record) => record.batch.ids.length)).toEqual([count / 2]);
      const rest = await log.read(3, first[0]!.position, 1_000_000);
      expect(rest.at(-1)!.batch.timestamps.at(-1)).toBe(count - 1);
    });
  });

  describe('with a thousand partitions', () => {
    const PARTITIONS = 1024;
    const every = Array.from({ length: PARTITIONS }, (_, partition) => partition);
    let log: PostgresPointLog;
    let reader: PostgresPointLog;

    beforeEach(async () => {
      const options = { connectionString: database.url, now: () => 1_800_000_000, partitions: PARTITIONS };
      log = await PostgresPointLog.open(options);
      reader = await PostgresPointLog.open(options);
    });
    afterEach(async () => {
      await reader.close();
      await log.close();
      await empty();
    });

    /** Reads every partition after a position, and counts the statements. */
    const readAll = async (after: number) => {
      const statements = jest.spyOn(pg.Client.prototype, 'query');
      try {
        const records = await Promise.all(every.map((partition) => reader.read(partition, after, 20_000)));
        return { records, statements: statements.mock.calls.length };
      } finally {
        statements.mockRestore();
      }
    };

    it('reads all partitions with at most two statements, each with its own records', async () => {
      await log.append(batch(...every.map((id): [number, number, number] => [id, 10, id])), 'live');
      await log.append(batch([7, 20, 1], [1030, 20, 2]), 'live');

      const { records, statements } = await readAll(0);

      expect(statements).toBeLessThanOrEqual(2);
      expect(records.map((found) => found.flatMap((record) => [...record.batch.ids]))).toEqual(
        every.map((partition) => (partition === 6 ? [6, 1030] : partition === 7 ? [7, 7] : [partition])),
      );
    });

    it('fails only the reader of an unreadable record', async () => {
      await log.append(batch([1, 10, 1], [2, 10, 2]), 'live');
      await database.dataSource.query(`UPDATE point_log SET payload = '\\x09' WHERE partition = 1`);

      const [broken, sound] = await Promise.allSettled([reader.read(1, 0, 100), reader.read(2, 0, 100)]);

      expect(broken).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/layout/) } });
      expect(sound).toMatchObject({ status: 'fulfilled', value: [{ batch: { ids: Uint32Array.of(2) } }] });
    });
  });
});
