import { breakingProxy } from '../../../../test/support/breaking-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { batch, seriesStoreContract } from '../series-store.contract.js';
import { PostgresSeriesStore } from './postgres-series-store.js';

const DAY = 86_400;
const MIDNIGHT = 20_454 * DAY;
const FAR_FUTURE = 1_000_000 * DAY;
const tiers = {
  tier1: { resolutionSeconds: 60, periodSeconds: 7 * DAY },
  tier2: { resolutionSeconds: 600, periodSeconds: 90 * DAY },
};

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('PostgresSeriesStore', () => {
  seriesStoreContract(() =>
    Promise.resolve({
      open: (tiers) => Promise.resolve(new PostgresSeriesStore({ connectionString: database.url, tiers })),
      dispose: async () => {
        // Without any partition the next test begins where a new installation does.
        const store = new PostgresSeriesStore({ connectionString: database.url, tiers });
        await store.applyRetention(FAR_FUTURE);
        await store.close();
        await database.dataSource.query('TRUNCATE series_retention');
      },
    }),
  );

  describe('in its database', () => {
    let store: PostgresSeriesStore;

    beforeEach(() => {
      store = new PostgresSeriesStore({ connectionString: database.url, tiers });
    });
    afterEach(() => store.close());

    it('does not touch rows that are written again with the same values', async () => {
      await store.write(batch([1, MIDNIGHT, 1], [1, MIDNIGHT + 60, 2]));
      const versions = () => database.dataSource.query('SELECT xmin::text, ts FROM series_point ORDER BY ts');
      const before: unknown = await versions();

      await store.write(batch([1, MIDNIGHT, 1], [1, MIDNIGHT + 60, 2]));

      expect(await versions()).toEqual(before);
    });

    it('works again when its connections were cut', async () => {
      await store.write(batch([1, MIDNIGHT, 1]));
      await database.dataSource.query(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'plumbline series store'`);

      // The first may still be given a connection that is gone.
      await store.write(batch([1, MIDNIGHT, 2])).catch(() => undefined);
      await store.write(batch([1, MIDNIGHT, 3]));

      expect([...(await store.readRaw(1, MIDNIGHT, MIDNIGHT)).values]).toEqual([3]);
    });

    it('survives a connection that breaks between two statements of a write', async () => {
      const proxy = await breakingProxy(database.url, 'pg_advisory_xact_lock');
      const far = new PostgresSeriesStore({ connectionString: proxy.url, tiers });
      await expect(far.write(batch([1, MIDNIGHT, 1]))).rejects.toThrow(/not queryable/);
      await far.write(batch([1, MIDNIGHT, 2]));

      expect([...(await store.readRaw(1, MIDNIGHT, MIDNIGHT)).values]).toEqual([2]);
      await far.close();
      await proxy.close();
    });

    it('stores nothing of a batch that fails', async () => {
      await store.write(batch([1, MIDNIGHT, 1]));
      await database.dataSource.query('ALTER TABLE series_rollup ADD CONSTRAINT refuse CHECK (max < 100) NOT VALID');

      await expect(store.write(batch([1, MIDNIGHT, 2], [1, MIDNIGHT + 60, 100]))).rejects.toThrow(/refuse/);
      await database.dataSource.query('ALTER TABLE series_rollup DROP CONSTRAINT refuse');

      expect([...(await store.readRaw(1, MIDNIGHT, MIDNIGHT + 60)).values]).toEqual([1]);
    });

    it('refuses tiers that do not fit into each other', () => {
      const odd = { ...tiers, tier2: { resolutionSeconds: 90, periodSeconds: DAY } };

      expect(() => new PostgresSeriesStore({ connectionString: database.url, tiers: odd })).toThrow(RangeError);
    });
  });
});
