import { Permission } from '#libs/contracts';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { IncidentGroupingModule } from '../incident/incident-grouping.module.js';
import { IncidentGrouping } from '../incident/incident-grouping.service.js';
import { RelatedModule } from './related.module.js';
import { type RelatedMetricDto } from './related.types.js';

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

/** A fixed noise of −1..1. */
function noise(seed: number): number[] {
  let state = seed;
  return Array.from(
    { length: 300 },
    () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 1_073_741_824 - 1,
  );
}

async function aSeries(name: string, host: string, valueAt: (slot: number) => number): Promise<number> {
  const id = await app.aMetric(orgId, `${name}{host="${host}"}`, { labels: { host } });
  const slots = Array.from({ length: 240 }, (_, slot) => slot);
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
  it('names what moves with the metric and by how much it follows, before what only shares a label', async () => {
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

  it('names what is anomalous in the same incidents', async () => {
    const one = await app.aMetric(orgId, 'queue.length');
    const other = await app.aMetric(orgId, 'queue.age');
    await app.aMetric(orgId, 'mail.sent');
    for (const ago of [86_400, 43_200]) {
      await app.anAnomaly(orgId, one, START - ago, START - ago + 60);
      await app.anAnomaly(orgId, other, START - ago + 30, START - ago + 60);
    }
    await app.get(IncidentGrouping).run();
    let related = await relatedTo(one);
    while (related[0]?.shared_incidents !== 2) {
      await app.get(IncidentGrouping).run();
      related = await relatedTo(one);
    }
    expect(related).toMatchObject([{ metric_id: other, coefficient: null, basis: ['incidents', 'name'] }]);
  });

  it('names nothing of other organisations', async () => {
    const mine = await app.aMetric(orgId, 'a{host="x"}', { labels: { host: 'x' } });
    await app.aMetric((await app.anOrg()).id, 'b{host="x"}', { labels: { host: 'x' } });
    expect(await relatedTo(mine)).toEqual([]);
    expect((await app.call('get', '/metric/nothing/related', { token })).status).toBe(404);
  });
});
