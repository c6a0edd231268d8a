import { type ProgressColumns, READY_DAILY, READY_RANGE, READY_WEEKLY } from '#libs/detection';
import { type SeriesHeader } from '#libs/protocols';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { Transactions } from '../common/database/transactions.js';
import { MetricRegistryRepository } from './metric-registry.repository.js';
import { MetricRegistry } from './metric-registry.service.js';

function aHeader(name: string, overrides: Partial<SeriesHeader> = {}): SeriesHeader {
  return {
    name,
    displayName: name,
    labels: {},
    type: null,
    unit: null,
    description: null,
    aggregation: null,
    backfill: false,
    ...overrides,
  };
}

describe('the metric registry', () => {
  let database: TestDatabase;
  let transactions: Transactions;
  let orgId: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    transactions = new Transactions(database.dataSource);
  });

  afterAll(() => database.drop());

  beforeEach(async () => {
    orgId = await anOrg();
  });

  async function anOrg(metricLimit: number | null = null): Promise<number> {
    const [{ id }] = await database.dataSource.query(
      `INSERT INTO org (name, metric_limit) VALUES ('x', $1) RETURNING id`,
      [metricLimit],
    );
    return id;
  }

  const aRegistry = () => new MetricRegistry(transactions, new MetricRegistryRepository(database.dataSource));
  const resolve = (names: string[], registry = aRegistry()) =>
    registry.resolve(
      orgId,
      'http',
      names.map((name) => aHeader(name)),
    );
  const rows = (): Promise<Record<string, unknown>[]> =>
    database.dataSource.query('SELECT * FROM metric WHERE org_id = $1 ORDER BY name', [orgId]);

  it('makes a metric of each new name, with what the first body says of it', async () => {
    const header = aHeader('http_requests_total{job="api"}', {
      displayName: 'http_requests_total',
      labels: { job: 'api' },
      type: 'counter',
      unit: 'requests',
      description: 'Requests served',
      aggregation: 'max',
    });
    const { ids, refused } = await aRegistry().resolve(orgId, 'prometheus', [header, aHeader('b')]);
    expect(refused.size).toBe(0);
    expect(await rows()).toMatchObject([
      { id: ids[1], name: 'b', type: 'gauge', aggregation: 'last', unit: null, description: null },
      {
        id: ids[0],
        name: header.name,
        display_name: 'http_requests_total',
        labels: { job: 'api' },
        type: 'counter',
        aggregation: 'max',
        unit: 'requests',
        description: 'Requests served',
        source: 'prometheus',
      },
    ]);
  });

  it('knows a name again: from memory, from the database, and whatever later bodies say', async () => {
    const registry = aRegistry();
    const first = await resolve(['a', 'b'], registry);
    expect((await resolve(['b', 'a'], registry)).ids).toEqual(first.ids.slice().reverse());
    const changed = await aRegistry().resolve(orgId, 'influx', [aHeader('a', { type: 'counter' })]);
    expect(changed.ids[0]).toBe(first.ids[0]);
    expect((await rows())[0]).toMatchObject({ type: 'gauge', source: 'http' });
  });

  it('keeps the names of organisations apart', async () => {
    const mine = await resolve(['a']);
    orgId = await anOrg();
    expect((await resolve(['a'])).ids[0]).not.toBe(mine.ids[0]);
  });

  it('makes a metric once when many bodies bring it at the same time', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `m${String(i)}`);
    const registries = [aRegistry(), aRegistry()];
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        resolve(i % 3 === 0 ? [...names].reverse() : names, registries[i % registries.length]),
      ),
    );
    expect(await rows()).toHaveLength(200);
    expect(results.every(({ ids }) => !ids.includes(0))).toBe(true);
    expect(results[1]!.ids).toEqual(results[2]!.ids);
  });

  it('takes names longer than an index entry', async () => {
    const name = `${'ä'.repeat(1000)}.x`;
    const { ids } = await resolve([name]);
    expect((await resolve([name])).ids).toEqual(ids);
  });

  describe('under a metric limit', () => {
    beforeEach(async () => {
      orgId = await anOrg(2);
    });

    it('refuses new names over it, while known ones go on', async () => {
      const registry = aRegistry();
      const { ids, refused } = await resolve(['a', 'b', 'c'], registry);
      expect([...refused]).toEqual([[2, 'over_quota']]);
      expect(ids[2]).toBe(0);
      const again = await resolve(['c', 'a', 'b'], registry);
      expect([...again.refused]).toEqual([[0, 'over_quota']]);
      expect([...again.ids]).toEqual([0, ids[0], ids[1]]);
    });

    it('gives the last place to one of two who want it', async () => {
      await resolve(['a']);
      const results = await Promise.all([resolve(['b']), resolve(['c'])]);
      expect(results.map(({ refused }) => refused.size).sort()).toEqual([0, 1]);
      expect(await rows()).toHaveLength(2);
    });

    it('does not count metrics that were taken out of the quota until they send again', async () => {
      const before = await resolve(['a', 'b']);
      await database.dataSource.query(`UPDATE metric SET removed_at = now() WHERE org_id = $1 AND name = 'a'`, [orgId]);
      expect((await resolve(['c'])).refused.size).toBe(0);
      expect([...(await resolve(['a'])).refused.values()]).toEqual(['over_quota']);
      await database.dataSource.query(`UPDATE metric SET removed_at = now() WHERE org_id = $1 AND name = 'b'`, [orgId]);
      const back = await resolve(['a']);
      expect(back.ids[0]).toBe(before.ids[0]);
      const [{ removed }] = await database.dataSource.query(
        `SELECT removed_at IS NOT NULL AS removed FROM metric WHERE id = $1`,
        [back.ids[0]],
      );
      expect(removed).toBe(false);
    });

    it('says beforehand what would be refused, and makes nothing', async () => {
      await resolve(['a']);
      const { refused } = await aRegistry().probe(orgId, [aHeader('a'), aHeader('b'), aHeader('c')]);
      expect([...refused]).toEqual([[2, 'over_quota']]);
      expect(await rows()).toHaveLength(1);
    });
  });

  it('describes metrics for detection, without those that were erased', async () => {
    const { ids } = await resolve(['a']);
    expect(await aRegistry().definitions([ids[0]!, 2_000_000_000])).toEqual([
      { id: ids[0], orgId, type: 'gauge', aggregation: 'last', slotSeconds: 60, timezone: 'UTC' },
    ]);
  });

  it('writes how far metrics are, any number of times', async () => {
    const { ids } = await resolve(['a', 'b']);
    const progress: ProgressColumns = {
      // Not in the order of ids.
      ids: Uint32Array.of(ids[1]!, ids[0]!),
      firstTimestamps: Float64Array.of(60, 60),
      lastTimestamps: Float64Array.of(180, 180),
      lastValues: Float64Array.of(-1e300, 1.5),
      points: Float64Array.of(3, 3),
      resolutionSeconds: Float64Array.of(NaN, 60.4),
      shortPeriods: Float64Array.of(0, 86_400),
      longPeriods: Float64Array.of(0, 604_800),
      readiness: Uint8Array.of(READY_DAILY | READY_WEEKLY, READY_RANGE),
    };
    const registry = aRegistry();
    for (let i = 0; i < 2; i++) await transactions.run((tx) => registry.recordProgress(progress, tx));
    expect(await rows()).toMatchObject([
      {
        first_timestamp: 60,
        last_timestamp: 180,
        last_value: 1.5,
        points: 3,
        resolution_seconds: 60,
        seasonal_periods: [86_400, 604_800],
        ready_range: true,
        ready_daily: false,
        ready_weekly: false,
      },
      {
        last_value: -1e300,
        resolution_seconds: null,
        seasonal_periods: [],
        ready_range: false,
        ready_daily: true,
        ready_weekly: true,
      },
    ]);
  });
});
