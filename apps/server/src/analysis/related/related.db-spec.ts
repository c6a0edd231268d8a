import { Permission } from '#libs/contracts';
import { seededRandom } from '#libs/synthetic';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { until } from '../../../../../test/support/product.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { IncidentGroupingModule } from '../incident/incident-grouping.module.js';
import { IncidentGroupingService } from '../incident/incident-grouping.service.js';
import { type RelatedMetricDto } from './dto/related.dto.js';
import { RelatedModule } from './related.module.js';

const SLOT = 60;
const FIRST = START - (START % SLOT) - 240 * SLOT;

let app: MetricApp;
let orgId: number;
let token: string;

beforeAll(async () => {
  app = await MetricApp.create({ clock: new HandClock() }, [IncidentGroupingModule, RelatedModule]);
});
afterAll(() => app.close());
beforeEach(async () => {
  orgId = (await app.anOrg()).id;
  token = await app.aToken(orgId, Permission.Read);
});

/** Seeded noise of −1..1. */
function noise(seed: number): number[] {
  const next = seededRandom(seed);
  return Array.from({ length: 300 }, () => 2 * next() - 1);
}

async function aSeries(name: string, host: string, valueAt: (slot: number) => number, every = 1): Promise<number> {
  const id = await app.aMetric(orgId, `${name}{host="${host}"}`, { labels: { host } });
  const slots = Array.from({ length: 240 / every }, (_, row) => row * every);
  await app.database.dataSource.query('UPDATE metric SET resolution_seconds = $2 WHERE id = $1', [id, every * SLOT]);
  await app.series.write({
    ids: Uint32Array.from(slots, () => id),
    timestamps: Float64Array.from(slots, (slot) => FIRST + slot * SLOT),
    values: Float64Array.from(slots, valueAt),
  });
  return id;
}

async function relatedTo(metricId: number, query = ''): Promise<RelatedMetricDto[]> {
  const { status, data } = await app.call('get', `/metric/id:${String(metricId)}/related${query}`, { token });
  expect(status).toBe(200);
  return data.related as RelatedMetricDto[];
}

describe('GET /metric/{metric_name}/related', () => {
  it('returns correlated metrics with their lag before metrics that only share a label', async () => {
    const load = noise(5);
    const cause = await aSeries('requests', 'web-1', (slot) => 100 + 20 * load[slot + 10]!);
    const follower = await aSeries('latency', 'web-1', (slot) => 5 + 2 * load[slot + 7]!);
    const stranger = await aSeries('disk_free', 'web-1', (slot) => noise(77)[slot]!);
    await aSeries('requests', 'db-1', (slot) => noise(99)[slot]!);

    const related = await relatedTo(cause);
    expect(related.map(({ metric_id }) => metric_id)).toEqual([follower, stranger]);
    expect(related[0]).toMatchObject({ lag_seconds: 180, shared_incidents: 0, basis: ['correlation', 'name'] });
    expect(related[0]!.coefficient).toBeGreaterThan(0.9);
    expect(related[1]).toMatchObject({ basis: ['name'], strength: 0.2 });
    expect((await relatedTo(follower))[0]).toMatchObject({ metric_id: cause, lag_seconds: -180 });
    expect(await relatedTo(cause, '?limit=1')).toHaveLength(1);
  });

  it('returns metrics with the same fault, with its lag and direction', async () => {
    const jitter = [3, 13, 23, 33, 43].map(noise);
    const step = (index: number, size: number, lag: number) => (slot: number) =>
      100 + jitter[index]![slot]! + (slot >= 150 + lag && slot < 180 + lag ? size : 0);
    const first = await aSeries('errors', 'web-1', step(0, 10, 0));
    const second = await aSeries('latency', 'web-1', step(1, 20, 1));
    const third = await aSeries('queue', 'web-1', step(2, 15, 3));
    const fourth = await aSeries('served', 'web-1', step(3, -12, 0));
    await aSeries('idle', 'web-1', (slot) => jitter[4]![slot]!);
    const found = async (id: number) =>
      (await relatedTo(id))
        .filter(({ basis }) => basis.includes('correlation'))
        .map(({ metric_id, coefficient, lag_seconds }) => [metric_id, Math.round(coefficient!), lag_seconds] as const)
        .sort(([one], [other]) => one - other);
    expect(await found(first)).toEqual([
      [second, 1, 60],
      [third, 1, 180],
      [fourth, -1, 0],
    ]);
    expect(await found(third)).toEqual([
      [first, 1, -180],
      [second, 1, -120],
      [fourth, -1, -180],
    ]);
    for (const { coefficient, basis } of await relatedTo(first)) {
      if (basis.includes('correlation')) expect(Math.abs(coefficient!)).toBeGreaterThanOrEqual(0.9);
    }
  });

  it('compares metrics of different intervals in the slots of the slower one', async () => {
    const load = noise(5);
    const valueAt = (slot: number): number => 100 + load[slot]! + (slot >= 100 && slot < 160 ? 20 : 0);
    const fast = await aSeries('requests', 'web-1', valueAt);
    const slow = await aSeries('jobs', 'web-1', valueAt, 5);
    for (const [one, other] of [
      [fast, slow],
      [slow, fast],
    ] as const) {
      const [related] = await relatedTo(one);
      expect(related).toMatchObject({ metric_id: other, basis: ['correlation', 'name'] });
      // A point represents its moment, but a slot of the faster metric represents its whole interval.
      expect(Math.abs(related!.lag_seconds)).toBeLessThanOrEqual(300);
      expect(related!.coefficient).toBeGreaterThanOrEqual(0.9);
    }
  });

  it('does not count missing data at the same time as a shared incident', async () => {
    const ids = [await app.aMetric(orgId, 'queue.length'), await app.aMetric(orgId, 'queue.age')];
    for (const id of ids) await app.anAnomaly(orgId, id, START - 3600, START - 3000);
    await app.database.dataSource.query(`UPDATE anomaly SET kind = 'missing_data' WHERE org_id = $1`, [orgId]);
    const grouped = async () => {
      await app.get(IncidentGroupingService).run();
      const rows = await app.database.dataSource.query<unknown[]>(
        'SELECT DISTINCT l.incident_id FROM incident_anomaly l JOIN anomaly a ON a.id = l.anomaly_id WHERE a.org_id = $1',
        [orgId],
      );
      return rows.length === 1 || undefined;
    };
    await until('the incident', grouped);
    expect(await relatedTo(ids[0]!)).toMatchObject([{ metric_id: ids[1], shared_incidents: 0, basis: ['name'] }]);
  });

  it('returns metrics that were anomalous in the same incidents', async () => {
    const one = await app.aMetric(orgId, 'queue.length');
    const other = await app.aMetric(orgId, 'queue.age');
    await app.aMetric(orgId, 'mail.sent');
    for (const ago of [86_400, 43_200]) {
      await app.anAnomaly(orgId, one, START - ago, START - ago + 60);
      await app.anAnomaly(orgId, other, START - ago + 30, START - ago + 60);
    }
    await app.get(IncidentGroupingService).run();
    let related = await relatedTo(one);
    while (related[0]?.shared_incidents !== 2) {
      await app.get(IncidentGroupingService).run();
      related = await relatedTo(one);
    }
    expect(related).toMatchObject([{ metric_id: other, coefficient: null, basis: ['incidents', 'name'] }]);
  });

  it('returns no metrics of other organisations', async () => {
    const mine = await app.aMetric(orgId, 'a{host="x"}', { labels: { host: 'x' } });
    await app.aMetric((await app.anOrg()).id, 'b{host="x"}', { labels: { host: 'x' } });
    expect(await relatedTo(mine)).toEqual([]);
    expect((await app.call('get', '/metric/nothing/related', { token })).status).toBe(404);
  });
});
