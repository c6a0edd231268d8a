import { VictoriaMetricsSeriesStore, type VictoriaMetricsSeriesStoreOptions } from '#libs/series';
import { seriesStoreContract } from '../../libs/series/src/series-store.contract.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startVictoriaMetrics, type VictoriaMetrics } from '../support/victoria-metrics.js';

const AT_ONCE = { delaySeconds: 0, batchSeconds: 0, settleSeconds: 0, doomSeconds: 0 };

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

const names: VictoriaMetricsSeriesStoreOptions['names'] = (ids) =>
  Promise.resolve(new Map(ids.map((id) => [id, { org: 1, name: `metric_${String(id)}`, labels: { host: 'a' } }])));

/** What was written is erased, as users do it: the next test goes on with other generations of the same series. */
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

describe.each([false, true])('VictoriaMetricsSeriesStore, points moved at once: %s', (isMovedAtOnce) => {
  seriesStoreContract(() =>
    Promise.resolve({
      open: (tiers) => {
        const store = openStore({ tiers, policy: isMovedAtOnce ? AT_ONCE : {} });
        if (isMovedAtOnce) {
          const write = store.write.bind(store);
          store.write = async (batch) => {
            await write(batch);
            await store.maintain();
          };
        }
        return Promise.resolve(store);
      },
      dispose: reset,
    }),
  );
});
