import { jest } from '@jest/globals';
import { IRREGULAR_PACE, type ProgressColumns, READY_DAILY, READY_RANGE, READY_WEEKLY } from '#libs/detection';
import { type SeriesHeader } from '#libs/protocols';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { EventRecordingRepository } from '../../platform/event/event-recording.repository.js';
import { MetricDescriptionsService } from './metric-descriptions.service.js';
import { MetricRegistryRepository } from './metric-registry.repository.js';
import { MetricRegistryService } from './metric-registry.service.js';
import { type MetricChange } from './metric-registry.types.js';
import { RegistryChangesRepository } from './registry-changes.repository.js';
import { RegistryChangesService } from './registry-changes.service.js';
import { RegistryEventsService } from './registry-events.service.js';

function aHeader(name: string, overrides: Partial<SeriesHeader> = {}): SeriesHeader {
  return {
    name,
    type: null,
    unit: null,
    description: null,
    aggregation: null,
    backfill: false,
    ...overrides,
  };
}

const NOW = 1_760_000_000;

describe('the metric registry', () => {
  let database: TestDatabase;
  let transactions: Transactions;
  let orgId: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    transactions = new Transactions(database.dataSource);
  });

  afterAll(() => database.drop());

  const recorders: EventRecorderService[] = [];
  afterEach(async () => {
    for (const recorder of recorders.splice(0)) await recorder.onApplicationShutdown();
  });

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

  const clock = new HandClock(NOW);

  /** The services of one process. */
  function aProcess() {
    const repository = new MetricRegistryRepository(database.dataSource);
    const changes = new RegistryChangesService(new RegistryChangesRepository(database.dataSource));
    const events = new EventRecorderService(new EventRecordingRepository(database.dataSource), clock);
    recorders.push(events);
    const descriptions = new MetricDescriptionsService(transactions, repository, changes, events, clock);
    const registryEvents = new RegistryEventsService(events, changes);
    const registry = new MetricRegistryService(transactions, repository, descriptions, changes, registryEvents);
    return { registry, changes, descriptions, events };
  }

  const aRegistry = () => aProcess().registry;
  const resolve = (names: string[], registry = aRegistry()) =>
    registry.resolve(
      orgId,
      'http',
      names.map((name) => aHeader(name)),
    );
  const rows = (): Promise<Record<string, unknown>[]> =>
    database.dataSource.query('SELECT * FROM metric WHERE org_id = $1 ORDER BY name', [orgId]);

  it('creates a metric for each new name, with the metadata of the first body', async () => {
    const header = aHeader('http_requests_total{job="api"}', {
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

  it('finds a known name in memory and in the database', async () => {
    const registry = aRegistry();
    const first = await resolve(['a', 'b'], registry);
    expect((await resolve(['b', 'a'], registry)).ids).toEqual(first.ids.slice().reverse());
    const other = await aRegistry().resolve(orgId, 'influx', [aHeader('a', { aggregation: 'max' })]);
    expect(other.ids[0]).toBe(first.ids[0]);
    expect((await rows())[0]).toMatchObject({ aggregation: 'last', source: 'http' });
  });

  it('finds known and removed names after new ones were created', async () => {
    const before = await resolve(['known', 'removed', 'new before']);
    await aRegistry().remove(orgId, [before.ids[1]!]);
    const registry = aRegistry();
    await resolve(['new'], registry);
    const { ids } = await resolve(['known', 'removed', 'newer'], registry);
    expect([...ids.slice(0, 2)]).toEqual([...before.ids.slice(0, 2)]);
    expect(await rows()).toMatchObject([
      { name: 'known', removed_at: null },
      { name: 'new' },
      { name: 'new before' },
      { id: ids[2], name: 'newer' },
      { name: 'removed', removed_at: null },
    ]);
  });

  it('separates the names of organisations', async () => {
    const mine = await resolve(['a']);
    orgId = await anOrg();
    expect((await resolve(['a'])).ids[0]).not.toBe(mine.ids[0]);
  });

  it('creates a metric once when many bodies with it arrive concurrently', async () => {
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

  it('accepts names longer than an index entry', async () => {
    const name = `${'ä'.repeat(1000)}.x`;
    const { ids } = await resolve([name]);
    expect((await resolve([name])).ids).toEqual(ids);
  });

  describe('under a metric limit', () => {
    beforeEach(async () => {
      orgId = await anOrg(2);
    });

    it('refuses new names over the limit, and accepts known ones', async () => {
      const registry = aRegistry();
      const { ids, refused } = await resolve(['a', 'b', 'c'], registry);
      expect([...refused]).toEqual([[2, 'over_quota']]);
      expect(ids[2]).toBe(0);
      const again = await resolve(['c', 'a', 'b'], registry);
      expect([...again.refused]).toEqual([[0, 'over_quota']]);
      expect([...again.ids]).toEqual([0, ids[0], ids[1]]);
    });

    it('gives the last free place to one of two concurrent requests', async () => {
      await resolve(['a']);
      const results = await Promise.all([resolve(['b']), resolve(['c'])]);
      expect(results.map(({ refused }) => refused.size).sort()).toEqual([0, 1]);
      expect(await rows()).toHaveLength(2);
    });

    it('counts removed metrics only after they send again', async () => {
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

    it('reports in advance which names would be refused, and creates nothing', async () => {
      await resolve(['a']);
      const { refused } = await aRegistry().probe(orgId, [aHeader('a'), aHeader('b'), aHeader('c')]);
      expect([...refused]).toEqual([[2, 'over_quota']]);
      expect(await rows()).toHaveLength(1);
    });
  });

  describe('search rows of many new metrics', () => {
    const FLOOD = 10_001;
    const repository = () => new MetricRegistryRepository(database.dataSource);
    const searchable = async (): Promise<{ metric_id: number; name: string; type: string; state: string }[]> =>
      database.dataSource.query(
        'SELECT metric_id, name, type, state FROM metric_search WHERE org_id = $1 ORDER BY metric_id',
        [orgId],
      );
    const floodOf = (count: number) => Array.from({ length: count }, (_, i) => `Flood${String(i)}`);
    async function writeAll(): Promise<void> {
      while ((await repository().writeSearchRows(NOW, 100_000)) > 0);
    }

    afterEach(writeAll);

    it('are written afterwards', async () => {
      const { ids } = await resolve(floodOf(FLOOD));
      expect(await searchable()).toEqual([]);
      await writeAll();
      const written = await searchable();
      expect(written.map(({ metric_id: id }) => id)).toEqual([...ids].sort((a, b) => a - b));
      expect(written.find(({ metric_id: id }) => id === ids[7])).toMatchObject({ name: 'flood7', state: 'active' });
    });

    it('do not delay those of another organisation', async () => {
      const registry = aRegistry();
      await resolve(floodOf(FLOOD), registry);
      orgId = await anOrg();
      await resolve(['a'], registry);
      expect(await searchable()).toMatchObject([{ name: 'a' }]);
    });

    it('include changes made before they are written', async () => {
      const { registry, descriptions } = aProcess();
      const { ids } = await resolve(floodOf(FLOOD), registry);
      await registry.remove(orgId, [ids[0]!]);
      await registry.erase(orgId, ids[1]!);
      await descriptions.noteCounters([ids[2]!]);
      await writeAll();
      const written = new Map((await searchable()).map((row) => [row.metric_id, row]));
      expect(written.size).toBe(FLOOD - 1);
      expect(written.get(ids[0]!)).toMatchObject({ state: 'removed' });
      expect(written.get(ids[2]!)).toMatchObject({ type: 'counter' });
    });

    it('are written again after a concurrent change', async () => {
      const { registry } = aProcess();
      const { ids } = await resolve(floodOf(FLOOD), registry);
      const [writing, removing] = [repository(), database.dataSource.createQueryRunner()];
      await removing.startTransaction();
      await removing.query('UPDATE metric SET removed_at = now() WHERE id = $1', [ids[0]]);
      await writing.writeSearchRows(NOW, 100_000);
      await removing.commitTransaction();
      await removing.release();
      await writeAll();
      expect((await searchable()).find(({ metric_id: id }) => id === ids[0])).toMatchObject({ state: 'removed' });
    });

    it('count against the quota before they are written', async () => {
      orgId = await anOrg(FLOOD);
      const registry = aRegistry();
      await resolve(floodOf(FLOOD), registry);
      expect((await resolve(['one more'], registry)).refused.get(0)).toBe('over_quota');
    });
  });

  it('returns definitions for detection, without erased metrics', async () => {
    const { ids } = await resolve(['a']);
    expect(await aRegistry().definitions([ids[0]!, 2_000_000_000])).toEqual([
      { id: ids[0], orgId, type: 'gauge', aggregation: 'last', slotSeconds: 60, timezone: 'UTC', mayBeCounter: true },
    ]);
  });

  it('returns the same definitions for just created metrics as from the database', async () => {
    const { registry, descriptions } = aProcess();
    const typed = [aHeader('counter', { type: 'counter', aggregation: 'max' }), aHeader('plain')];
    const created = [
      ...(await registry.resolve(orgId, 'prometheus', typed)).ids,
      ...(await registry.resolve(orgId, 'http', [aHeader('a'), aHeader('b'), aHeader('c')])).ids,
    ];
    await descriptions.noteCounters([created[2]!]);
    await registry.erase(orgId, created[3]!);
    const byId = async (other: MetricRegistryService) => (await other.definitions(created)).sort((x, y) => x.id - y.id);
    const found = await byId(registry);
    expect(found).toHaveLength(4);
    expect(found).toEqual(await byId(aRegistry()));
    // The registry returns a new definition from memory only once; then it queries the database.
    await aRegistry().erase(orgId, created[4]!);
    expect(await byId(registry)).toHaveLength(3);
  });

  it('stores the progress of metrics idempotently', async () => {
    const { ids } = await resolve(['a', 'b']);
    const progress: ProgressColumns = {
      // Not in the order of ids.
      ids: Uint32Array.of(ids[1]!, ids[0]!),
      firstTimestamps: Float64Array.of(60, 60),
      lastTimestamps: Float64Array.of(180, 180),
      lastValues: Float64Array.of(-1e300, 1.5),
      points: Float64Array.of(3, 3),
      valuesNeeded: Uint8Array.of(97, 0),
      resolutionSeconds: Float64Array.of(NaN, 60.4),
      shortPeriods: Float64Array.of(0, 86_400),
      longPeriods: Float64Array.of(0, 604_800),
      flags: Uint8Array.of(READY_DAILY | READY_WEEKLY, READY_RANGE | IRREGULAR_PACE),
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
        values_needed: 0,
        steady_pace: false,
        seasonal_periods: [86_400, 604_800],
        ready_range: true,
        ready_daily: false,
        ready_weekly: false,
      },
      {
        last_value: -1e300,
        resolution_seconds: null,
        values_needed: 97,
        steady_pace: null,
        seasonal_periods: [],
        ready_range: false,
        ready_daily: true,
        ready_weekly: true,
      },
    ]);
  });

  describe('metadata of an existing metric', () => {
    const one = async () => (await rows())[0];

    it('updates type, unit and description, notifies detection, and records an event', async () => {
      const { registry, descriptions, changes, events } = aProcess();
      const published: MetricChange[] = [];
      changes.subscribe((change) => published.push(change));
      const { ids } = await resolve(['a', 'b'], registry);
      const header = aHeader('a', { type: 'counter', unit: 's', description: 'Time spent' });
      await registry.resolve(orgId, 'http', [header]);
      await descriptions.flush();
      expect(await rows()).toMatchObject([
        { name: 'a', type: 'counter', type_source: 'explicit', unit: 's', description: 'Time spent' },
        { name: 'b', type: 'gauge', type_source: 'default', unit: null },
      ]);
      expect(published).toMatchObject([{ orgId, kind: 'redefined', metricIds: [ids[0]], metricType: 'counter' }]);
      await events.flush();
      expect(await eventsOf('metric_type_changed')).toMatchObject([{ metric_id: ids[0], level: 'notice' }]);
      expect(await registry.definitions([ids[0]!])).toMatchObject([{ type: 'counter', mayBeCounter: false }]);
    });

    it('is written once when repeated, and at most once a minute when changed', async () => {
      const { registry, descriptions, changes } = aProcess();
      const published: MetricChange[] = [];
      changes.subscribe((change) => published.push(change));
      await resolve(['a'], registry);
      const say = async (type: 'counter' | 'rate' | 'gauge') => {
        for (let i = 0; i < 3; i++) await registry.resolve(orgId, 'http', [aHeader('a', { type })]);
        await descriptions.flush();
      };
      await say('counter');
      await say('rate');
      expect(await one()).toMatchObject({ type: 'counter' });
      clock.seconds += 61;
      await say('rate');
      expect(await one()).toMatchObject({ type: 'rate' });
      expect(published).toHaveLength(2);
    });

    it('does not override the type of a stronger source', async () => {
      const { registry, descriptions } = aProcess();
      await registry.resolve(orgId, 'http', [aHeader('x_total', { type: 'rate', unit: 'ms' })]);
      await registry.resolve(orgId, 'prometheus', [
        aHeader('x_total', { type: 'counter', unit: 's', description: 'X' }),
      ]);
      await descriptions.flush();
      await registry.applyMetadata(orgId, [{ family: 'x', kind: 'counter', help: 'Y', unit: 'bytes' }]);
      await registry.noteCounter([(await one())!.id as number]);
      expect(await one()).toMatchObject({ type: 'rate', type_source: 'explicit', unit: 'ms', description: 'X' });
    });

    it('is read again after another process has changed it', async () => {
      const { registry, descriptions } = aProcess();
      await resolve(['a'], registry);
      const other = aProcess();
      const header = aHeader('a', { type: 'counter', unit: 's' });
      await other.registry.resolve(orgId, 'http', [header]);
      await other.descriptions.flush();
      await registry.resolve(orgId, 'http', [header]);
      await descriptions.flush();
      expect(await one()).toMatchObject({ type: 'counter', unit: 's' });
    });
  });

  describe('metadata of a family', () => {
    const family = (name: string, kind: string) => ({ family: name, kind, help: `Help of ${name}`, unit: 'seconds' });
    const withLabels = (name: string, label: string, overrides: Partial<SeriesHeader> = {}) =>
      aHeader(`${name}{l="${label}"}`, overrides);

    it('applies to its existing and future metrics', async () => {
      const { registry } = aProcess();
      await registry.resolve(orgId, 'prometheus', [
        withLabels('h_bucket', '1', { type: 'counter' }),
        withLabels('h_sum', '1', { type: 'counter' }),
        withLabels('g', '1'),
        withLabels('up', '1'),
      ]);
      await registry.applyMetadata(orgId, [family('h', 'histogram'), family('g', 'gauge'), family('c', 'counter')]);
      await registry.resolve(orgId, 'prometheus', [withLabels('c', '1'), withLabels('g', '2')]);
      const described = (await rows()).map((row) => [row.name, row.type, row.type_source, row.unit, row.description]);
      expect(described).toEqual([
        ['c{l="1"}', 'counter', 'metadata', 'seconds', 'Help of c'],
        ['g{l="1"}', 'gauge', 'metadata', 'seconds', 'Help of g'],
        ['g{l="2"}', 'gauge', 'metadata', 'seconds', 'Help of g'],
        ['h_bucket{l="1"}', 'counter', 'metadata', null, 'Help of h'],
        ['h_sum{l="1"}', 'counter', 'metadata', 'seconds', 'Help of h'],
        ['up{l="1"}', 'gauge', 'default', null, null],
      ]);
    });

    it('is applied once when repeated, and only to its organisation', async () => {
      const { registry } = aProcess();
      await registry.resolve(orgId, 'prometheus', [withLabels('c', '1')]);
      const first = orgId;
      orgId = await anOrg();
      await registry.resolve(orgId, 'prometheus', [withLabels('c', '1')]);
      await registry.applyMetadata(orgId, [family('c', 'counter')]);
      await database.dataSource.query(`UPDATE metric SET type = 'gauge', type_source = 'default' WHERE org_id = $1`, [
        orgId,
      ]);
      await registry.applyMetadata(orgId, [family('c', 'counter')]);
      expect(await rows()).toMatchObject([{ type: 'gauge' }]);
      orgId = first;
      expect(await rows()).toMatchObject([{ type: 'gauge', description: null }]);
    });
  });

  it('changes the type of detected counters, unless the type is known', async () => {
    const { registry, changes, events } = aProcess();
    const published: MetricChange[] = [];
    changes.subscribe((change) => published.push(change));
    const { ids } = await registry.resolve(orgId, 'influx', [aHeader('a'), aHeader('b', { type: 'gauge' })]);
    const prometheus = await registry.resolve(orgId, 'prometheus', [aHeader('c')]);
    await registry.noteCounter([...ids, ...prometheus.ids]);
    await registry.noteCounter([...ids]);
    expect(await rows()).toMatchObject([
      { name: 'a', type: 'counter', type_source: 'detected' },
      { name: 'b', type: 'gauge', type_source: 'explicit' },
      { name: 'c', type: 'gauge' },
    ]);
    expect(published).toMatchObject([{ orgId, kind: 'redefined', metricIds: [ids[0]], metricType: 'counter' }]);
    await events.flush();
    expect(await eventsOf('metric_type_changed')).toHaveLength(1);
  });

  describe('exclusions', () => {
    it('refuse excluded names without creating metrics, and evaluate each name once per change', async () => {
      const registry = aRegistry();
      let generation = 1;
      let excludedStart = 'test.';
      const asked: string[] = [];
      registry.useExclusions({
        generation: () => generation,
        excludes: (_orgId, name) => {
          asked.push(name);
          return name.startsWith(excludedStart);
        },
      });
      for (let body = 0; body < 3; body++) {
        const { ids, refused } = await resolve(['test.a', 'b', 'c'], registry);
        expect([...refused]).toEqual([[0, 'excluded']]);
        expect([...ids].map((id) => id > 0)).toEqual([false, true, true]);
      }
      expect(await rows()).toHaveLength(2);
      expect(asked.sort()).toEqual(['b', 'c', 'test.a']);

      generation = 2;
      excludedStart = 'b';
      expect([...(await registry.probe(orgId, [aHeader('b'), aHeader('c')])).refused]).toEqual([[0, 'excluded']]);
      const { ids, refused } = await resolve(['test.a', 'b', 'c'], registry);
      expect([...refused]).toEqual([[1, 'excluded']]);
      expect(ids[0]).toBeGreaterThan(0);
      expect((await rows()).map(({ name }) => name)).toEqual(['b', 'c', 'test.a']);
    });
  });

  describe('removed and erased metrics', () => {
    it('are published to every process when removed, and count again when they send again', async () => {
      const mine = aProcess();
      const other = aProcess();
      const published: MetricChange[] = [];
      other.changes.subscribe((change) => published.push(change));
      await other.changes.poll();
      const { ids } = await resolve(['a', 'b'], mine.registry);
      await resolve(['a', 'b'], other.registry);
      expect(await mine.registry.remove(orgId, [...ids.subarray(0, 1), 2_000_000_000])).toEqual([ids[0]]);
      expect(await mine.registry.remove(orgId, [ids[0]!])).toEqual([]);
      expect(await mine.registry.findIds(orgId, ['a', 'b'])).toEqual(new Map([['b', ids[1]]]));
      await other.changes.poll();
      await other.changes.poll();
      expect(published).toMatchObject([{ orgId, kind: 'removed', metricIds: [ids[0]] }]);
      expect((await resolve(['a'], other.registry)).ids[0]).toBe(ids[0]);
      expect(await rows()).toMatchObject([{ removed_at: null }, { removed_at: null }]);
      await other.events.flush();
      expect(await eventsOf('metric_returned')).toMatchObject([{ metric_id: ids[0] }]);
    });

    it('are deleted when erased, and become new metrics when they send again', async () => {
      const mine = aProcess();
      const other = aProcess();
      await other.changes.poll();
      const { ids } = await resolve(['a'], mine.registry);
      await resolve(['a'], other.registry);
      const theirs = await anOrg();
      expect(await mine.registry.erase(theirs, ids[0]!)).toBe(false);
      expect(await mine.registry.erase(orgId, ids[0]!)).toBe(true);
      expect(await mine.registry.erase(orgId, ids[0]!)).toBe(false);
      await other.changes.poll();
      const again = await resolve(['a'], other.registry);
      expect(again.ids[0]).toBeGreaterThan(ids[0]!);
      expect((await resolve(['a'], mine.registry)).ids).toEqual(again.ids);
    });
  });

  it('records events for new metrics individually or together, and for a full quota once an hour', async () => {
    const { registry, events, changes } = aProcess();
    const other = aProcess();
    await other.changes.poll();
    orgId = await anOrg(30);
    await resolve(['x', 'y'], registry);
    await resolve(
      Array.from({ length: 25 }, (_, i) => `m${String(i)}`),
      registry,
    );
    await resolve(['p', 'q', 'r', 's'], registry);
    await resolve(['t'], registry);
    await changes.poll();
    await other.changes.poll();
    await resolve(['u'], other.registry);
    await events.flush();
    await other.events.flush();
    const created = await eventsOf('metric_created');
    expect(created.map(({ metric_id }) => metric_id === null)).toEqual([false, false, true, false, false, false]);
    expect(await eventsOf('quota_exceeded')).toHaveLength(1);
  });

  it('keeps a hundred thousand names in memory without queries for known ones', async () => {
    const registry = aRegistry();
    const bodies = Array.from({ length: 20 }, (_, body) =>
      Array.from({ length: 5000 }, (_unused, i) => aHeader(`host-${String(body)}.disk-${String(i)}.used`)),
    );
    const first = [];
    for (const headers of bodies) first.push((await registry.resolve(orgId, 'http', headers)).ids);
    const queries = jest.spyOn(MetricRegistryRepository.prototype, 'findByName');
    for (const [body, headers] of bodies.entries()) {
      expect((await registry.resolve(orgId, 'http', headers)).ids).toEqual(first[body]);
    }
    expect(queries).not.toHaveBeenCalled();
    queries.mockRestore();
    expect(new Set(first.flatMap((ids) => [...ids])).size).toBe(100_000);
  }, 120_000);

  const eventsOf = (type: string): Promise<Record<string, unknown>[]> =>
    database.dataSource.query('SELECT * FROM org_event WHERE org_id = $1 AND type = $2 ORDER BY id', [orgId, type]);
});
