import { once } from 'node:events';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { AdvisoryLocks } from './advisory-locks.js';
import { connectionOptions } from './connection.js';

const SPACE = 4711;

describe('advisory locks', () => {
  let database: TestDatabase;
  let otherSource: DataSource;
  let mine: AdvisoryLocks;
  let others: AdvisoryLocks;

  beforeEach(async () => {
    database = await createTestDatabase();
    otherSource = await new DataSource({ ...connectionOptions(database.url), poolSize: 2 }).initialize();
    mine = new AdvisoryLocks(database.dataSource);
    others = new AdvisoryLocks(otherSource);
  });

  afterEach(async () => {
    await otherSource.destroy();
    await database.drop();
  });

  it('are exclusive per key across processes', async () => {
    const lock = await mine.tryAcquire(SPACE, 1);
    expect(lock).not.toBeNull();
    expect(await mine.tryAcquire(SPACE, 1)).toBeNull();
    expect(await others.tryAcquire(SPACE, 1)).toBeNull();
    const another = await others.tryAcquire(SPACE, 2);
    expect(another).not.toBeNull();
    await lock!.release();
    const taken = await others.tryAcquire(SPACE, 1);
    expect(taken).not.toBeNull();
    await taken!.release();
    await another!.release();
  });

  it('signal the loss of the connection, and can be acquired again', async () => {
    const lock = await mine.tryAcquire(SPACE, 1);
    const lost = once(lock!.lost, 'abort');
    await otherSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = $1
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [SPACE],
    );
    await lost;
    await lock!.release();
    const again = await mine.tryAcquire(SPACE, 1);
    expect(again).not.toBeNull();
    await again!.release();
  });

  it('remove their listeners from a connection that they return to the pool', async () => {
    const listeners = async (): Promise<number> => {
      const runner = otherSource.createQueryRunner();
      const client = (await runner.connect()) as { listenerCount(event: string): number };
      const count = client.listenerCount('end') + client.listenerCount('error');
      await runner.release();
      return count;
    };
    const before = await listeners();
    for (let i = 0; i < 5; i++) await others.runAlone(SPACE, 1, () => Promise.resolve());
    expect(await listeners()).toBe(before);
  });

  it('return their connection to the pool after the last release', async () => {
    for (let i = 0; i < 30; i++) await (await mine.tryAcquire(SPACE, i))!.release();
    await expect(database.dataSource.destroy()).resolves.toBeUndefined();
  });

  it('run work in only one process at a time', async () => {
    const lock = await others.tryAcquire(SPACE, 0);
    let runs = 0;
    const work = async () => {
      runs++;
    };
    expect(await mine.runAlone(SPACE, 0, work)).toBe(false);
    await lock!.release();
    expect(await mine.runAlone(SPACE, 0, work)).toBe(true);
    expect(runs).toBe(1);
  });
});
