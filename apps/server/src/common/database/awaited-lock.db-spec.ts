import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { until } from '../../../../../test/support/product.js';
import { LOCK_MAINTENANCE } from '../../../../../libs/series/src/postgres/connection.js';
import { MIGRATIONS, SCHEMA } from '../../../migrations/index.js';
import { awaitLock, awaitLockInTransaction } from './awaited-lock.js';
import { migrate } from './migrate.js';
import { prepareDatabase } from './prepare-database.js';
import { Transactions } from './transactions.js';

describe('waiting for an advisory lock', () => {
  let database: TestDatabase;
  let holder: pg.Client;
  let pid: number;
  let lines: string[];
  const log = (line: string) => lines.push(line);
  const reported = () => until('a line about the wait', () => Promise.resolve(lines[0]));

  beforeEach(async () => {
    lines = [];
    database = await createTestDatabase();
    holder = new pg.Client({ connectionString: database.url, application_name: 'a holder' });
    await holder.connect();
    ({ pid } = (await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await holder.end().catch(() => undefined);
    await database.drop();
  });

  it('does not occur in a migration while the series store compacts', async () => {
    await holder.query(LOCK_MAINTENANCE);

    await migrate(database, MIGRATIONS, log);

    expect(lines).toEqual([]);
  });

  it('reports what a migration waits for, and the process that holds the lock', async () => {
    await holder.query('SELECT pg_advisory_lock($1)', [DATABASE_LOCKS.migration.number]);
    const migrating = prepareDatabase(database, SCHEMA, () => undefined, log);

    await reported();
    await holder.end();
    await migrating;

    expect(lines).toEqual([
      'Waiting for a lock that only one process may hold, for migrating the database: ' +
        `held by database process ${String(pid)} "a holder"`,
    ]);
  });

  it('holds no snapshot, which the creation of an index without a lock would wait for', async () => {
    await holder.query('CREATE TABLE large (id integer)');
    await holder.query('SELECT pg_advisory_lock($1)', [DATABASE_LOCKS.migration.number]);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      const waiting = awaitLock(client, DATABASE_LOCKS.migration, log);
      await reported();

      await holder.query('CREATE INDEX CONCURRENTLY large_idx ON large (id)');
      await holder.query('SELECT pg_advisory_unlock($1)', [DATABASE_LOCKS.migration.number]);

      await expect(waiting).resolves.toBeUndefined();
    } finally {
      await client.end();
    }
  });

  it('is also reported in a transaction', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(log);
    await holder.query('SELECT pg_advisory_lock($1, 0)', [DATABASE_LOCKS.secretKeys.number]);
    const work = new Transactions(database.dataSource).run(async (tx) => {
      await awaitLockInTransaction(tx, DATABASE_LOCKS.secretKeys);
    });

    await reported();
    await holder.end();
    await work;

    expect(lines).toEqual([
      'Waiting for a lock that only one process may hold, for registering or changing secret keys: ' +
        `held by database process ${String(pid)} "a holder"`,
    ]);
  });
});
