import { jest } from '@jest/globals';
import pg from 'pg';
import { breakingProxy } from '../../../../test/support/breaking-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { until } from '../../../../test/support/product.js';
import { batch, seriesStoreContract } from '../series-store.contract.js';
import { PostgresSeriesStore, type PostgresSeriesStoreOptions } from './postgres-series-store.js';

const DAY = 86_400;
const MIDNIGHT = 20_454 * DAY;
const FAR_FUTURE = 1_000_000 * DAY;
const tiers = {
  tier1: { resolutionSeconds: 60, periodSeconds: 7 * DAY },
  tier2: { resolutionSeconds: 600, periodSeconds: 90 * DAY },
};

/** Every run folds all points, and compacts the days that are over at its `now`. */
const AT_ONCE = { closePoints: 1, closedSeconds: 0, quietSeconds: 0, latePart: 0, lateSeconds: 0 };
const POLICIES: Record<string, PostgresSeriesStoreOptions['policy']> = {
  'with the default policy': {},
  'that folds into blocks immediately': { ...AT_ONCE, blockPoints: 0, blockSeconds: 0 },
  'that collects points before folding': { ...AT_ONCE, blockPoints: 20, blockSeconds: 3600 },
};

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Drops all partitions, so that the next test begins like a new installation. */
async function reset(): Promise<void> {
  const store = new PostgresSeriesStore({ connectionString: database.url, tiers });
  await store.applyRetention(FAR_FUTURE);
  await store.close();
  await database.dataSource.query('DELETE FROM series_erased');
}

describe.each(Object.entries(POLICIES))('PostgresSeriesStore %s', (_, policy) => {
  seriesStoreContract(() =>
    Promise.resolve({
      open: (tiers) => Promise.resolve(new PostgresSeriesStore({ connectionString: database.url, tiers, policy })),
      dispose: reset,
    }),
  );
});

describe('PostgresSeriesStore in its database', () => {
  let store: PostgresSeriesStore;

  const query = <T>(sql: string): Promise<T[]> => database.dataSource.query(sql);
  const rawOf = async (id: number) => {
    const { timestamps, values } = await store.readRaw(id, 0, FAR_FUTURE);
    return Array.from(timestamps, (timestamp, i) => [timestamp, values[i]]);
  };

  beforeEach(() => {
    const policy = { ...AT_ONCE, blockPoints: 20, blockSeconds: 3600 };
    store = new PostgresSeriesStore({ connectionString: database.url, tiers, policy });
  });
  afterEach(async () => {
    await store.close();
    await reset();
  });

  describe('erase', () => {
    const minutes = (id: number) =>
      Array.from({ length: 300 }, (_, i) => [id, MIDNIGHT + i * 60, i] as [number, number, number]);

    it('removes points that cannot be decoded', async () => {
      await store.write(batch(...minutes(1)));
      await store.maintain(MIDNIGHT + 2 * DAY);
      await store.write(batch([1, MIDNIGHT + DAY, 1]));
      expect(await query('SELECT FROM series_block')).not.toEqual([]);
      await query(`UPDATE series_block SET payload = '\\x00'; UPDATE series_recent SET payload = '\\x00'`);
      try {
        await expect(rawOf(1)).rejects.toThrow(RangeError);

        await store.erase([1]);

        expect(await rawOf(1)).toEqual([]);
      } finally {
        // Folding and retention would fail on them.
        await query('DELETE FROM series_block; DELETE FROM series_recent');
      }
    });

    it('executes as many statements for many series as for one', async () => {
      const ids = Array.from({ length: 50 }, (_, i) => i + 1);
      await store.write(batch(...ids.map((id) => [id, MIDNIGHT, id] as [number, number, number])));
      const statements = jest.spyOn(pg.Client.prototype, 'query');
      try {
        await store.erase([1]);
        const forOne = statements.mock.calls.length;
        await store.erase(ids);
        expect(forOne).toBeGreaterThan(0);
        expect(statements.mock.calls.length - forOne).toBe(forOne);
      } finally {
        statements.mockRestore();
      }
    });
  });

  it('recovers after its connections were terminated', async () => {
    await store.write(batch([1, MIDNIGHT, 1]));
    await query(`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'plumbline series store'`);

    // The first write may still use a terminated connection.
    await store.write(batch([1, MIDNIGHT, 2])).catch(() => undefined);
    await store.write(batch([1, MIDNIGHT, 3]));

    expect(await rawOf(1)).toEqual([[MIDNIGHT, 3]]);
  });

  it('rejects a write whose connection breaks, and accepts the next one', async () => {
    const proxy = await breakingProxy(database.url, 'pg_advisory_xact_lock');
    const far = new PostgresSeriesStore({ connectionString: proxy.url, tiers });
    await expect(far.write(batch([1, MIDNIGHT, 1]))).rejects.toThrow(/not queryable/);
    await far.write(batch([1, MIDNIGHT, 2]));

    expect(await rawOf(1)).toEqual([[MIDNIGHT, 2]]);
    await far.close();
    await proxy.close();
  });

  it('combines simultaneous writes into one transaction, and rejects only the invalid one', async () => {
    const ids = Array.from({ length: 200 }, (_, i) => i + 1);
    const statements = jest.spyOn(pg.Client.prototype, 'query');
    let written: PromiseSettledResult<void>[];
    try {
      written = await Promise.allSettled([
        ...ids.map((id) => store.write(batch([id, MIDNIGHT, 1], [id, MIDNIGHT + 60, id]))),
        store.write(batch([1, MIDNIGHT + 0.5, 1])),
      ]);
      expect(statements.mock.calls.filter(([sql]) => sql === 'COMMIT').length).toBe(1);
    } finally {
      statements.mockRestore();
    }
    expect(written.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: expect.any(RangeError) }]);
    for (const id of ids) {
      expect(await rawOf(id)).toEqual([
        [MIDNIGHT, 1],
        [MIDNIGHT + 60, id],
      ]);
    }
  });

  it('stores nothing of a batch that fails', async () => {
    await store.write(batch([1, MIDNIGHT, 1]));
    await query('ALTER TABLE series_recent ADD CONSTRAINT refuse CHECK (points < 2) NOT VALID');

    await expect(store.write(batch([2, MIDNIGHT, 2], [1, MIDNIGHT, 2], [1, MIDNIGHT + 60, 2]))).rejects.toThrow(
      /refuse/,
    );
    await query('ALTER TABLE series_recent DROP CONSTRAINT refuse');

    expect(await rawOf(1)).toEqual([[MIDNIGHT, 1]]);
    expect(await rawOf(2)).toEqual([]);
  });

  it('compacts a closed day into one block and removes the former blocks', async () => {
    for (let hour = 0; hour < 24; hour++) {
      const at = MIDNIGHT + hour * 3600;
      await store.write(batch(...Array.from({ length: 60 }, (_, i) => [7, at + i * 60, hour + i / 8] as const)));
      await store.maintain(MIDNIGHT);
    }
    const blocks = 'SELECT points FROM series_block';
    expect((await query(blocks)).length).toBeGreaterThan(1);
    const before = await rawOf(7);

    expect(await store.maintain(MIDNIGHT + 3 * DAY)).toMatchObject({ compactedDays: 1, recentPoints: 0 });

    expect(await query(blocks)).toEqual([{ points: 1440 }]);
    expect(await rawOf(7)).toEqual(before);
    expect(await query(`SELECT relname FROM pg_class WHERE relname LIKE 'series_block_2%compacted'`)).toEqual([]);
    expect(await store.maintain(MIDNIGHT + 3 * DAY)).toMatchObject({ compactedDays: 0 });
  });

  it('folds points into a new day only after earlier readers have ended', async () => {
    const policy = { ...AT_ONCE, blockPoints: 0, blockSeconds: 0 };
    const folding = new PostgresSeriesStore({ connectionString: database.url, tiers, policy });
    const rows = Array.from({ length: 60 }, (_, i) => [1, MIDNIGHT + i * 60, i] as const);
    await folding.write(batch(...rows));
    // Like a statement that is planned but has not read yet.
    const reader = database.dataSource.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT FROM series_block LIMIT 0');

    const maintaining = folding.maintain(MIDNIGHT);
    const waiting = `SELECT FROM pg_locks WHERE relation = 'series_block'::regclass AND NOT granted`;
    await until('maintenance to wait', async () => ((await query(waiting)).length > 0 ? true : undefined), {
      everyMs: 5,
    });
    const unfolded = 'SELECT points FROM series_recent WHERE seq > (SELECT folded_seq FROM series_state)';
    expect(await reader.query(unfolded)).toEqual([{ points: 60 }]);
    await reader.commitTransaction();
    await reader.release();

    expect(await maintaining).toMatchObject({ foldedPoints: 60, writtenBlocks: 1 });
    expect(await rawOf(1)).toEqual(rows.map(([, at, value]) => [at, value]));
    await folding.close();
  });

  it('keeps points of many series in recent chunks until there are enough for blocks', async () => {
    const write = (minute: number) =>
      store.write(batch(...Array.from({ length: 500 }, (_, id) => [id + 1, MIDNIGHT + minute * 60, minute] as const)));
    for (let minute = 0; minute < 10; minute++) {
      await write(minute);
      expect(await store.maintain(MIDNIGHT)).toMatchObject({ writtenBlocks: 0, recentPoints: 500 * (minute + 1) });
    }
    expect(await rawOf(499)).toHaveLength(10);
    for (let minute = 10; minute < 24; minute++) await write(minute);
    expect(await store.maintain(MIDNIGHT)).toMatchObject({ writtenBlocks: 500, recentPoints: 0 });
    expect(await rawOf(499)).toHaveLength(24);
  });

  it('runs maintenance during a long read transaction', async () => {
    const backup = database.dataSource.createQueryRunner();
    await backup.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await backup.query('SELECT count(*) FROM series_recent');
    for (let minute = 0; minute < 5; minute++) {
      await store.write(batch([1, MIDNIGHT + minute * 60, minute]));
      await store.maintain(MIDNIGHT);
    }
    await backup.query('COMMIT');
    await backup.release();

    expect(await rawOf(1)).toHaveLength(5);
  }, 60_000);

  it.each([
    ['closing', 'UPDATE', ['series_state']],
    ['folding into blocks', 'INSERT', ['series_block']],
    ['holding', 'INSERT', ['series_recent_10', 'series_recent_11']],
    ['noting days', 'INSERT', ['series_block_day']],
  ])('loses nothing when %s fails, and continues afterwards', async (_, event, tables) => {
    await store.write(batch(...Array.from({ length: 50 }, (_, i) => [1, MIDNIGHT + i * 60, i] as const)));
    await store.write(batch([2, MIDNIGHT, 1]));
    const before = [await rawOf(1), await rawOf(2)];
    await query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
    for (const table of tables) {
      await query(`CREATE TRIGGER refuse BEFORE ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse()`);
    }

    for (let n = 0; n < 3; n++) {
      await expect(store.maintain(MIDNIGHT)).rejects.toThrow(/refused/);
      expect([await rawOf(1), await rawOf(2)]).toEqual(before);
    }
    await query(`DROP FUNCTION refuse CASCADE`);
    await store.write(batch([2, MIDNIGHT, 3]));
    await store.maintain(MIDNIGHT);

    expect([await rawOf(1), await rawOf(2)]).toEqual([before[0], [[MIDNIGHT, 3]]]);
  });

  it('keeps all points when maintenance is killed at random times', async () => {
    const ids = Array.from({ length: 40 }, (_, n) => n + 1);
    const written = new Map<number, [number, number][]>(ids.map((id) => [id, []]));
    const other = new PostgresSeriesStore({ connectionString: database.url, tiers, policy: AT_ONCE });
    let isOver = false;
    const kill = async () => {
      while (!isOver) {
        await new Promise((resolve) => setTimeout(resolve, 3 + 40 * Math.random()));
        await query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'plumbline series maintenance'`);
      }
    };
    const keep = async (keeper: PostgresSeriesStore) => {
      for (let n = 0; !isOver; n++) await keeper.maintain(MIDNIGHT + (n % 4) * DAY).catch(() => undefined);
    };
    const check = async () => {
      for (const id of ids) expect(await rawOf(id)).toEqual(written.get(id));
    };
    const background = [kill(), keep(store), keep(other)];
    for (let round = 0; round < 40; round++) {
      const at = MIDNIGHT + round * 3600;
      const rows = ids.flatMap((id) =>
        [0, 60, 120].map((offset) => [id, at + offset, Math.sin(id * at + offset)] as const),
      );
      await store.write(batch(...rows));
      for (const [id, timestamp, value] of rows) written.get(id)!.push([timestamp, value]);
      if (round % 8 === 7) await check();
    }
    isOver = true;
    await Promise.all(background);
    await check();
    await store.maintain(MIDNIGHT + 9 * DAY).catch(() => undefined);
    await store.maintain(MIDNIGHT + 9 * DAY);
    await check();
    await other.close();
  }, 60_000);

  describe('when some series expire from a tier before others', () => {
    const short = { ...tiers, tier1: { resolutionSeconds: 60, periodSeconds: DAY } };
    const shorter = { ...short, tier2: { resolutionSeconds: 600, periodSeconds: 2 * DAY } };
    const planOf = (held: typeof tiers, ...ids: number[]) => ({
      groups: [{ tiers: held, ids: Uint32Array.from(ids) }],
      newestId: 100,
    });
    const size = async (table: string) =>
      (await query<{ size: number }>(`SELECT pg_table_size('${table}')::int AS size`))[0]!.size;

    beforeEach(() =>
      store.write(
        batch(
          ...[1, 2, 3].flatMap((id) =>
            Array.from({ length: 1440 }, (_, i) => [id, MIDNIGHT + i * 60, Math.sin(i * id) * 1e6] as const),
          ),
        ),
      ),
    );

    it('reclaims the space of their points', async () => {
      await store.applyRetention(MIDNIGHT + 3 * DAY, planOf(short, 1, 2));
      expect(await query('SELECT metric_id FROM series_block')).toEqual([{ metric_id: 3 }]);
      const [{ name }] = (await query<{ name: string }>(
        'SELECT tableoid::regclass::text AS name FROM series_block',
      )) as [{ name: string }];
      const before = await size(name);

      expect(await store.maintain(MIDNIGHT + 3 * DAY)).toMatchObject({ compactedDays: 1 });

      expect(await size(name)).toBeLessThan(before);
      expect(await rawOf(3)).toHaveLength(1440);
    });

    it('reclaims the space of their roll-ups', async () => {
      const now = MIDNIGHT + 40 * DAY;
      await store.applyRetention(now);
      expect(await query('SELECT metric_id FROM series_rollup ORDER BY 1')).toHaveLength(3);

      await store.applyRetention(now, planOf(shorter, 2));

      expect(await query('SELECT metric_id FROM series_rollup ORDER BY 1')).toEqual([
        { metric_id: 1 },
        { metric_id: 3 },
      ]);
      expect(await query(`SELECT relname FROM pg_class WHERE relname LIKE '%kept'`)).toEqual([]);
      expect(
        await query('SELECT DISTINCT count(*)::int FROM pg_indexes WHERE tablename LIKE $$series_rollup_2%$$'),
      ).toEqual([{ count: 1 }]);
    });

    it('keeps the points when dropping them fails, and drops them the next time', async () => {
      await query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
      await query(`CREATE TRIGGER refuse BEFORE UPDATE ON series_block_day FOR EACH ROW EXECUTE FUNCTION refuse()`);
      await expect(store.applyRetention(MIDNIGHT + 3 * DAY, planOf(short, 1))).rejects.toThrow(/refused/);
      expect(await rawOf(1)).toHaveLength(1440);
      await query('DROP FUNCTION refuse CASCADE');

      await store.applyRetention(MIDNIGHT + 3 * DAY, planOf(short, 1));

      expect(await rawOf(1)).toEqual([]);
      const hour = {
        id: 1,
        from: MIDNIGHT,
        until: MIDNIGHT + DAY - 1,
        resolutionSeconds: 3600,
        envelope: false,
      } as const;
      expect((await store.read({ ...hour, function: 'last' })).values).toHaveLength(24);
    });
  });

  it('rejects tier 2 slots that are longer than an hour or no multiple of tier 1 slots', async () => {
    const odd = (resolutionSeconds: number) => ({ ...tiers, tier2: { resolutionSeconds, periodSeconds: DAY } });
    const openWith = (resolutionSeconds: number) => () =>
      new PostgresSeriesStore({ connectionString: database.url, tiers: odd(resolutionSeconds) });

    expect(openWith(90)).toThrow(RangeError);
    expect(openWith(7200)).toThrow(/at most 3600 seconds/);
    await expect(store.dropTier1([1], odd(90))).rejects.toThrow(RangeError);
    const plan = { groups: [{ tiers: odd(90), ids: Uint32Array.of(1) }], newestId: 1 };
    await expect(store.applyRetention(MIDNIGHT, plan)).rejects.toThrow(RangeError);
  });
});
