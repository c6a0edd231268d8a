import { PostgresSeriesStore, VictoriaMetricsSeriesStore, type VictoriaMetricsSeriesStoreOptions } from '#libs/series';
import { batch, seriesStoreContract } from '../../libs/series/src/series-store.contract.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/product.js';
import { clusterInFrontOf, startVictoriaMetrics, type VictoriaMetrics } from '../support/victoria-metrics.js';

const AT_ONCE = { delaySeconds: 0, batchSeconds: 0, settleSeconds: 0, deleteAfterSeconds: 0 };

const DAY = 86_400;
const tiers = {
  tier1: { resolutionSeconds: 60, periodSeconds: 7 * DAY },
  tier2: { resolutionSeconds: 600, periodSeconds: 90 * DAY },
};

let database: TestDatabase;
let vm: VictoriaMetrics;

beforeAll(async () => {
  [database, vm] = await Promise.all([createTestDatabase(), startVictoriaMetrics()]);
});
afterAll(async () => {
  await Promise.all([database.drop(), vm.dispose()]);
});

const names: VictoriaMetricsSeriesStoreOptions['names'] = (_, ids) =>
  Promise.resolve(new Map(ids.map((id) => [id, { org: 1, name: `metric_${String(id)}`, labels: { host: 'a' } }])));

/** Erases everything written, as users do: the next test gets new generations of the same series. */
async function reset(): Promise<void> {
  const store = openStore({ tiers });
  const rows: { id: number }[] = await database.dataSource.query('SELECT metric_id AS id FROM series_outside');
  await store.erase(rows.map(({ id }) => id));
  await store.close();
  await database.dataSource.query('TRUNCATE series_ahead');
}

function openStore(options: Partial<VictoriaMetricsSeriesStoreOptions>): VictoriaMetricsSeriesStore {
  return new VictoriaMetricsSeriesStore({
    address: { writeUrl: vm.url },
    connectionString: database.url,
    tiers,
    names,
    ...options,
  });
}

describe('VictoriaMetricsSeriesStore that moves every other write immediately', () => {
  let writings = 0;

  seriesStoreContract(() =>
    Promise.resolve({
      open: (ofStore) => {
        const store = openStore({ tiers: ofStore, policy: AT_ONCE });
        const write = store.write.bind(store);
        store.write = async (rows) => {
          await write(rows);
          if (writings++ % 2 === 0) await store.maintain();
        };
        return Promise.resolve(store);
      },
      dispose: reset,
    }),
  );
});

describe('VictoriaMetricsSeriesStore with VictoriaMetrics', () => {
  const FAR = 2 ** 40;
  const MIDNIGHT = 20_454 * DAY;
  let store: VictoriaMetricsSeriesStore;

  const rawOf = async (id: number) => {
    const { timestamps, values } = await store.readRaw(id, 0, FAR);
    return Array.from(timestamps, (timestamp, i) => [timestamp, values[i]]);
  };
  const waiting = async (): Promise<number> => {
    const rows: { n: number }[] = await database.dataSource.query('SELECT count(*)::int AS n FROM series_ahead');
    return rows[0]!.n;
  };
  const exported = async (
    selector: string,
    path = '',
  ): Promise<{ metric: Record<string, string>; values: number[] }[]> => {
    await fetch(`${vm.url}/internal/force_flush`);
    const body = new URLSearchParams({ 'match[]': selector, start: '0' });
    const text = await (await fetch(`${vm.url}${path}/api/v1/export`, { method: 'POST', body })).text();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { metric: Record<string, string>; values: number[] });
  };

  beforeEach(() => {
    store = openStore({ policy: AT_ONCE });
  });
  afterEach(async () => {
    await store.close();
    await reset();
  });

  it('can be queried in MetricsQL by original names and labels, with the newest value of a changed slot', async () => {
    await store.write(batch([1, MIDNIGHT, 1.5], [1, MIDNIGHT + 60, 1 / 3]));
    await store.maintain();
    await store.write(batch([1, MIDNIGHT + 60, 7]));
    await store.maintain();
    await fetch(`${vm.url}/internal/force_flush`);

    const body = new URLSearchParams({
      query: 'last_over_time(metric_1{host="a"}[1m])',
      start: String(MIDNIGHT + 59),
      end: String(MIDNIGHT + 119),
      step: '60',
      nocache: '1',
    });
    const answer = (await (await fetch(`${vm.url}/api/v1/query_range`, { method: 'POST', body })).json()) as {
      data: { result: { metric: Record<string, string>; values: [number, string][] }[] };
    };

    expect(answer.data.result.flatMap(({ values }) => values.map(([, value]) => Number(value)))).toEqual([1.5, 7]);
    expect(answer.data.result[0]!.metric).toMatchObject({ host: 'a', plumbline_org: '1' });
  });

  it('loses no accepted point when the server is killed', async () => {
    const settling = openStore({ policy: { ...AT_ONCE, settleSeconds: 2 } });
    const rows = Array.from({ length: 500 }, (_, i) => [1 + (i % 5), MIDNIGHT + i * 60, i / 7] as const);
    await store.write(batch(...rows.slice(0, 250)));
    await settling.maintain();
    expect(await waiting()).toBeGreaterThan(0);
    await vm.kill();
    await store.write(batch(...rows.slice(250)));
    await expect(settling.maintain()).rejects.toThrow(/cannot be reached/);
    await vm.start();

    await until('all points to be found', async () => (await settling.maintain()).recentPoints === 0);

    await settling.close();
    for (const id of [1, 2, 3, 4, 5]) {
      expect(await rawOf(id)).toEqual(rows.filter(([one]) => one === id).map(([, at, value]) => [at, value]));
    }
  });

  it('imports points again that a server has lost, and keeps the newest value of each slot', async () => {
    await store.write(batch([1, MIDNIGHT, 1], [1, MIDNIGHT + 60, 2]));
    const settling = openStore({ policy: { ...AT_ONCE, settleSeconds: 1000 } });
    await settling.maintain();
    await settling.close();
    // Simulates a server that is killed before it has written the points.
    await fetch(`${vm.url}/internal/force_flush`);
    await fetch(`${vm.url}/api/v1/admin/tsdb/delete_series?match[]=${encodeURIComponent('{plumbline_id=~"1(-.*)?"}')}`);
    await store.write(batch([1, MIDNIGHT, 5]));

    await until('nothing to wait', async () => (await store.maintain()).recentPoints === 0);

    expect(await rawOf(1)).toEqual([
      [MIDNIGHT, 5],
      [MIDNIGHT + 60, 2],
    ]);
  });

  it('stores distinct samples for a slot that changes more than 999 times', async () => {
    await store.write(batch([1, MIDNIGHT, 0]));
    await store.maintain();
    await database.dataSource.query('UPDATE series_outside SET last_later = 998');
    for (const value of [1, 2, 3]) {
      await store.write(batch([1, MIDNIGHT, value]));
      await store.maintain();
      expect(await rawOf(1)).toEqual([[MIDNIGHT, value]]);
    }
  });

  it('keeps all bits of values that a decimal block would round', async () => {
    const values = [0.1 + 0.2, -0, 1e-9, 123_456_789.123_456_78, 2 ** 53, 1e22, 1 / 3, 5e-324, 100.25];
    for (const [i, value] of values.entries()) {
      await store.write(batch([1, MIDNIGHT + i * 60, value]));
      await store.maintain();
    }
    expect(await waiting()).toBe(0);
    await fetch(`${vm.url}/internal/force_merge`);

    expect((await rawOf(1)).map(([, value]) => value)).toEqual(values);
  });

  it('deletes the samples of erased series on the server', async () => {
    await store.write(batch([41, MIDNIGHT, 1], [42, MIDNIGHT, 1]));
    await store.maintain();
    await store.erase([41]);
    expect(await rawOf(41)).toEqual([]);
    await store.maintain();

    expect((await exported('{__name__=~"metric_4[12]"}')).map(({ metric }) => metric.__name__)).toEqual(['metric_42']);
  });

  it('rejects points while too many wait, and accepts them after the others have moved', async () => {
    const small = openStore({ policy: AT_ONCE, mostWaitingPoints: 1 });
    await small.write(batch([1, MIDNIGHT, 1], [1, MIDNIGHT + 60, 1]));
    const other = openStore({ policy: AT_ONCE, mostWaitingPoints: 1 });

    await expect(other.write(batch([1, MIDNIGHT + 120, 1]))).rejects.toThrow(/wait for VictoriaMetrics/);

    await other.maintain();
    const third = openStore({ policy: AT_ONCE, mostWaitingPoints: 1 });
    await third.write(batch([1, MIDNIGHT + 120, 1]));
    await Promise.all([small, other, third].map((one) => one.close()));
  });

  it('accepts roll-ups and points of the PostgreSQL store, and returns them unchanged', async () => {
    const postgres = new PostgresSeriesStore({ connectionString: database.url, tiers });
    const rows = Array.from({ length: 3000 }, (_, i) => [51, MIDNIGHT + i * 600, Math.sin(i)] as const);
    await postgres.write(batch(...rows));
    await postgres.applyRetention(MIDNIGHT + 20 * DAY);
    const whole = await postgres.readStored(51, 0, MIDNIGHT + 30 * DAY);
    expect([whole.rollups.length, whole.points.timestamps.length]).toEqual([13, 1128]);

    await store.write({ ids: new Uint32Array(1128).fill(51), ...whole.points });
    await store.writeRollups(51, whole.rollups);
    await store.settle();

    expect(await store.readStored(51, 0, MIDNIGHT + 30 * DAY)).toEqual(whole);
    const days = { id: 51, from: MIDNIGHT, until: MIDNIGHT + 30 * DAY, resolutionSeconds: 3600, envelope: true };
    for (const name of ['avg', 'last', 'max'] as const) {
      expect(await store.read({ ...days, function: name })).toEqual(await postgres.read({ ...days, function: name }));
    }
    expect(await store.extent(51)).toEqual(await postgres.extent(51));
    // A late point for a roll-up counts once in both stores.
    for (const one of [postgres, store]) await one.write(batch([51, MIDNIGHT + 60, 500], [51, MIDNIGHT, 0]));
    expect(await store.read({ ...days, function: 'sum' })).toEqual(await postgres.read({ ...days, function: 'sum' }));
    const [first] = whole.rollups;
    await store.writeRollups(51, [first!]);
    expect((await store.readStored(51, MIDNIGHT + DAY, MIDNIGHT + 2 * DAY - 1)).rollups).toEqual([whole.rollups[1]]);
    await postgres.erase([51]);
    await postgres.close();
  });

  it('stores the organisations in separate tenants of a cluster', async () => {
    const cluster = await clusterInFrontOf(vm.url);
    const ofTwo: VictoriaMetricsSeriesStoreOptions['names'] = (_, ids) =>
      Promise.resolve(new Map(ids.map((id) => [id, { org: 7 + (id % 2), name: 'shared', labels: {} }])));
    const clustered = openStore({
      address: {
        writeUrl: `${cluster.url}/insert/{org}/prometheus`,
        readUrl: `${cluster.url}/select/{org}/prometheus`,
      },
      names: ofTwo,
      policy: AT_ONCE,
    });
    await clustered.write(batch([1001, MIDNIGHT, 1], [1002, MIDNIGHT, 2], [1001, MIDNIGHT + 60, 1 / 3]));
    await until('the points to be found', async () => (await clustered.maintain()).recentPoints === 0);

    const read = async (id: number) => [...(await clustered.readRaw(id, 0, FAR)).values];
    expect([await read(1001), await read(1002)]).toEqual([[1, 1 / 3], [2]]);
    expect(await clustered.extent(1001)).toEqual({ first: MIDNIGHT, last: MIDNIGHT + 60 });
    await clustered.erase([1001]);
    await clustered.maintain();
    expect([await read(1001), await read(1002)]).toEqual([[], [2]]);
    expect([...cluster.tenants]).toContain('delete 8');
    // Series that earlier tests have left to be deleted are in another tenant.
    const asked = [...cluster.tenants].filter((tenant) => !tenant.startsWith('delete')).sort();
    expect(asked).toEqual(['insert 7', 'insert 8', 'select 7', 'select 8']);
    await clustered.close();
    await cluster.close();
  });
});
