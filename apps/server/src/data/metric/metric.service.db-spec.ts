import { createHash } from 'node:crypto';
import { type DataSource } from 'typeorm';
import { Permission } from '#libs/contracts';
import { composeMetricName, type ParsedMetricName } from '#libs/protocols';
import { DEFAULT_ANALYSIS_VARIABLES } from '../../../../../test/support/analysis-variables.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { statementsOf } from '../../../../../test/support/statements.js';
import { AnomalyEntity } from '../../analysis/anomaly/anomaly.entity.js';
import { type CallerOrg } from '../../common/auth/caller.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { parseChips } from '../chips/chips.js';
import { type Links } from '../../common/http/links.js';
import { type ExclusionDirectoryService } from '../exclusion/exclusion-directory.service.js';
import { type ExclusionPresenterService } from '../exclusion/exclusion-presenter.service.js';
import { type OrgService } from '../../people/org/org.service.js';
import { type ListMetricsParams, type SearchMetricsParams } from './dto/list-metrics.params.js';
import { MetricStatesRepository } from './metric-states.repository.js';
import { MetricEntity, MetricSearchEntity } from './metric.entity.js';
import { MetricNotFoundError } from './metric.errors.js';
import { MetricTotalsService } from './metric-totals.service.js';
import { MetricRepository } from './metric.repository.js';
import { MetricCoverageService } from './metric-coverage.service.js';
import { MetricWatchersService } from './metric-watchers.service.js';
import { MetricService } from './metric.service.js';
import { SearchQueue } from './search-queue.js';

const NOW = 1_760_000_000;
const DAY = 86_400;

const LIST = { limit: 100, offset: 0, state: ['active', 'stale'], order: 'name' } satisfies ListMetricsParams;
const SEARCH = { limit: 20, offset: 0, state: ['active', 'stale'] } satisfies SearchMetricsParams;

describe('MetricService', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let metrics: MetricService;
  let org: CallerOrg;
  let otherOrg: CallerOrg;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = database.dataSource;
    const rows = new MetricRepository(
      dataSource.getRepository(MetricEntity),
      dataSource.getRepository(MetricSearchEntity),
    );
    const clock = new HandClock(NOW);
    const turns = new SearchQueue(new FairQueueRegistry(new MetricsRegistry()));
    metrics = new MetricService(
      rows,
      { getAnalysisVariables: () => Promise.resolve(DEFAULT_ANALYSIS_VARIABLES) } as unknown as OrgService,
      new MetricCoverageService(
        { findCovering: () => [] } as unknown as ExclusionDirectoryService,
        { present: () => Promise.resolve([]) } as unknown as ExclusionPresenterService,
        new MetricWatchersService(),
      ),
      { api: (path: string) => `https://plumbline.example.org/api${path}` } as Links,
      clock,
      turns,
      new MetricTotalsService(rows, turns, clock),
    );
  });
  afterAll(() => database.drop());

  beforeEach(async () => {
    await dataSource.query('DELETE FROM org');
    const rows = await dataSource.query<{ id: number }[]>(
      `INSERT INTO org (name) VALUES ('Ours'), ('Theirs') RETURNING id`,
    );
    [org, otherOrg] = rows.map(({ id }) => ({ id, timezone: 'Europe/Oslo', onboardingStatusId: 300 })) as [
      CallerOrg,
      CallerOrg,
    ];
  });

  /** Creates an active gauge with slots of 60 s and ten days of history; `labels` become part of its name. */
  async function aMetric(displayName: string, overrides: Partial<MetricEntity> = {}): Promise<number> {
    const parsed = composeMetricName(displayName, Object.entries(overrides.labels ?? {})) as ParsedMetricName;
    const row = {
      orgId: org.id,
      type: 'gauge' as const,
      aggregation: 'last' as const,
      source: 'json',
      createdAt: new Date((NOW - 10 * DAY) * 1000),
      firstTimestamp: NOW - 10 * DAY,
      lastTimestamp: NOW - 20,
      lastValue: 4.5,
      points: 14_400,
      resolutionSeconds: 60,
      readyRange: true,
      readyDaily: true,
      ...overrides,
      ...parsed,
      nameHash: createHash('sha256').update(parsed.name).digest(),
    };
    const { identifiers } = await dataSource.getRepository(MetricEntity).insert(row);
    return (identifiers[0] as { id: number }).id;
  }

  async function anAnomaly(metricId: number, overrides: Partial<AnomalyEntity> = {}): Promise<number> {
    const startTimestamp = overrides.startTimestamp ?? NOW - 3600;
    const { identifiers } = await dataSource.getRepository(AnomalyEntity).insert({
      orgId: org.id,
      metricId,
      startTimestamp,
      peakTimestamp: startTimestamp,
      endTimestamp: startTimestamp + 600,
      score: 0.8,
      severity: 40,
      kind: 'spike',
      state: 'resolved',
      ...overrides,
    });
    return (identifiers[0] as { id: number }).id;
  }

  const names = async (query: Partial<ListMetricsParams>): Promise<string[]> => {
    await new MetricStatesRepository(dataSource).refresh(NOW, 1000);
    return (await metrics.list(org, { ...LIST, ...query })).metrics.map(({ name }) => name);
  };

  describe('resolve', () => {
    it('finds a metric by name and by id', async () => {
      const id = await aMetric('up', { labels: { job: 'api' } });
      expect(await metrics.resolve(org.id, { id })).toMatchObject({
        id,
        name: 'up{job="api"}',
        labels: { job: 'api' },
      });
      expect((await metrics.resolve(org.id, { name: 'up{job="api"}' })).id).toBe(id);
    });

    it('finds a removed metric', async () => {
      const id = await aMetric('gone', { removedAt: new Date(NOW * 1000) });
      expect((await metrics.resolve(org.id, { id })).state).toBe('removed');
    });

    it('does not find a metric of another organisation', async () => {
      const id = await aMetric('secret', { orgId: otherOrg.id });
      for (const ref of [{ id }, { name: 'secret' }]) {
        await expect(metrics.resolve(org.id, ref)).rejects.toThrow(MetricNotFoundError);
      }
    });

    it.each([{ id: 2_147_483_648 }, { id: Number.MAX_SAFE_INTEGER }, { id: 1 }, { name: 'nobody' }])(
      'rejects unknown %j with not_found',
      async (ref) => {
        await expect(metrics.resolve(org.id, ref)).rejects.toMatchObject({ code: 'not_found', details: [] });
        await expect(metrics.resolve(org.id, ref, 'metric')).rejects.toMatchObject({ details: [{ field: 'metric' }] });
      },
    );
  });

  it('finds metrics by ids, and omits unknown ones', async () => {
    const [a, b] = [await aMetric('a'), await aMetric('b')];
    const theirs = await aMetric('c', { orgId: otherOrg.id });
    const found = await metrics.findByIds(org.id, [b, theirs, a, 2 ** 40]);
    expect(found.map(({ id }) => id)).toEqual([a, b].sort((x, y) => x - y));
    expect(await metrics.findByIds(org.id, [])).toEqual([]);
  });

  it('returns a metric with its anomalies', async () => {
    const id = await aMetric('http.requests', { labels: { path: '/a' } });
    await anAnomaly(id, { startTimestamp: NOW - 9 * DAY });
    const openId = await anAnomaly(id, { startTimestamp: NOW - 27 * 3600, endTimestamp: null, state: 'open' });
    const answer = await metrics.find({ kind: 'token', org, permissions: Permission.Read, tokenRef: 1 }, { id });
    expect(answer).toMatchObject({ watchers: [], exclusions: [] });
    expect(answer.metric).toMatchObject({
      id,
      state: 'active',
      analysis_state: 'live',
      created_string: 'September 29th 2025',
      last_string: 'just now',
      anomaly_count: 2,
      open_anomaly_id: openId,
      last_anomaly_timestamp: NOW - 27 * 3600,
      last_anomaly_string: '27 hours ago',
      long_term_trainable_from_timestamp: NOW + 20 * DAY,
      graph_url: 'https://plumbline.example.org/api/metric/http.requests%7Bpath%3D%22%2Fa%22%7D/graph',
    });
  });

  describe('list', () => {
    it('returns active and stale metrics by name, and other states on request', async () => {
      await aMetric('b');
      await aMetric('a', { lastTimestamp: NOW - 1000 });
      await aMetric('c', { lastTimestamp: NOW - 2 * DAY });
      await aMetric('d', { removedAt: new Date() });
      await aMetric('theirs', { orgId: otherOrg.id });
      expect(await names({})).toEqual(['a', 'b']);
      expect(await names({ state: ['inactive', 'removed'] })).toEqual(['c', 'd']);
      expect(await names({ state: [] })).toEqual(['a', 'b', 'c', 'd']);
    });

    it('treats a new metric without points as active', async () => {
      const nothing = {
        firstTimestamp: null,
        lastTimestamp: null,
        lastValue: null,
        points: 0,
        resolutionSeconds: null,
      };
      await aMetric('new', { ...nothing, createdAt: new Date((NOW - 60) * 1000) });
      await aMetric('empty', { ...nothing, createdAt: new Date((NOW - 2 * DAY) * 1000) });
      expect(await names({})).toEqual(['new']);
      expect(await names({ state: ['inactive'] })).toEqual(['empty']);
    });

    it('filters by text, chips, type and source', async () => {
      await aMetric('web.cpu', { labels: { host: 'web-1' } });
      await aMetric('web.cpu', { labels: { host: 'web-2' }, type: 'counter' });
      await aMetric('db.cpu', { source: 'prometheus' });
      expect(await names({ q: 'web' })).toHaveLength(2);
      expect(await names({ q: '*.cpu' })).toEqual(['db.cpu']);
      expect(await names({ q: 'host:web-1' })).toEqual([]);
      expect(await names({ chips: parseChips('host:web-1') })).toEqual(['web.cpu{host="web-1"}']);
      expect(await names({ chips: parseChips('cpu,-web'), q: 'db' })).toEqual(['db.cpu']);
      expect(await names({ type: 'counter' })).toEqual(['web.cpu{host="web-2"}']);
      expect(await names({ source: 'prometheus' })).toEqual(['db.cpu']);
    });

    it('sorts by name, age, last data and number of anomalies', async () => {
      const [b] = [await aMetric('b', { lastTimestamp: NOW - 300 })];
      await aMetric('a', { lastTimestamp: NOW - 200 });
      const c = await aMetric('c', { lastTimestamp: NOW - 100 });
      await anAnomaly(c, { startTimestamp: NOW - 10 });
      await anAnomaly(c, { startTimestamp: NOW - 20 });
      await anAnomaly(b);
      expect(await names({ order: 'name' })).toEqual(['a', 'b', 'c']);
      expect(await names({ order: 'created' })).toEqual(['c', 'a', 'b']);
      expect(await names({ order: 'last_data' })).toEqual(['c', 'a', 'b']);
      expect(await names({ order: 'anomalies' })).toEqual(['c', 'b', 'a']);
    });

    it.each(['name', 'created', 'last_data', 'anomalies'] as const)('returns the reverse list by %s', async (order) => {
      const ids: number[] = [];
      for (const name of ['b', 'a', 'd', 'c']) ids.push(await aMetric(name));
      await anAnomaly(ids[1]!);
      const all = await names({ order });
      expect(await names({ order, reverse: true })).toEqual(all.toReversed());
      expect(await names({ order, reverse: true, limit: 2, offset: 1 })).toEqual([all[2], all[1]]);
    });

    it('returns every row exactly once across pages', async () => {
      for (const host of ['a', 'b', 'c', 'd', 'e']) await aMetric('up', { labels: { host } });
      const pages = [0, 2, 4, 6].map((offset) => metrics.list(org, { ...LIST, order: 'created', limit: 2, offset }));
      const answers = await Promise.all(pages);
      expect(answers.map(({ metrics: rows }) => rows.length)).toEqual([2, 2, 1, 0]);
      expect(new Set(answers.flatMap(({ metrics: rows }) => rows.map(({ id }) => id))).size).toBe(5);
      expect(answers[1]).toMatchObject({ total: 5, limit: 2, offset: 2 });
    });
  });

  describe('search', () => {
    it('returns names and narrowing chips with their numbers of metrics', async () => {
      await aMetric('http', { labels: { job: 'api', host: 'web-1', env: 'prod' } });
      await aMetric('http', { labels: { Job: 'API', host: 'web-2', env: 'prod' } });
      await aMetric('http', { labels: { job: 'cron, nightly', host: 'web-1', env: 'prod' } });
      const answer = await metrics.search(org, { ...SEARCH, q: 'http' });
      expect(answer).toMatchObject({ total: 3, limit: 20, offset: 0 });
      expect(answer.metrics[0]).toEqual({
        id: expect.any(Number) as number,
        name: expect.stringContaining('http{') as string,
        display_name: 'http',
        labels: expect.objectContaining({ env: 'prod' }) as object,
        state: 'active',
      });
      expect(answer.chips).toEqual([
        { chip: 'host:web-1', metrics_count: 2 },
        { chip: expect.stringMatching(/^job:api$/i) as string, metrics_count: 2 },
        { chip: 'host:web-2', metrics_count: 1 },
        { chip: 'job:"cron, nightly"', metrics_count: 1 },
      ]);
      for (const { chip, metrics_count } of answer.chips) {
        const narrowed = await metrics.search(org, { ...SEARCH, chips: parseChips(['http', chip]) });
        expect({ chip, total: narrowed.total }).toEqual({ chip, total: metrics_count });
      }
    });

    it('suggests prefixes of dotted names and names before labels', async () => {
      for (const name of ['web.cpu.user', 'web.cpu.idle', 'web.disk', 'WEB.mem', 'db.cpu']) await aMetric(name);
      await aMetric('up', { labels: { job: 'a' } });
      await aMetric('up', { labels: { job: 'b' } });
      const answer = await metrics.search(org, { ...SEARCH, q: '*' });
      expect(answer.chips).toEqual(
        [
          { chip: expect.stringMatching(/^web\.\*$/i) as string, metrics_count: 4 },
          { chip: 'up{*', metrics_count: 2 },
          { chip: 'web.cpu.*', metrics_count: 2 },
          { chip: 'job:a', metrics_count: 1 },
          { chip: 'job:b', metrics_count: 1 },
          { chip: 'db.*', metrics_count: 1 },
        ].sort((a, b) => b.metrics_count - a.metrics_count),
      );
      for (const { chip, metrics_count } of answer.chips) {
        const narrowed = await metrics.search(org, { ...SEARCH, chips: parseChips([chip]) });
        expect({ chip, total: narrowed.total }).toEqual({ chip, total: metrics_count });
      }
    });

    it('does not suggest a chip that would be parsed differently', async () => {
      for (const job of ['a', 'b']) await aMetric('job:errors:rate5m', { labels: { job } });
      await aMetric('up', { labels: { job: 'a' } });
      const { chips } = await metrics.search(org, { ...SEARCH, q: '*' });
      expect(chips.map(({ chip }) => chip)).toEqual(['job:a', 'job:b', 'up{*']);
    });

    it('works with label values of several lines, which no chip can express', async () => {
      await aMetric('up', { labels: { job: 'a', note: 'one\ntwo' } });
      await aMetric('up', { labels: { job: 'b', note: 'one\ntwo' } });
      const { total, chips } = await metrics.search(org, { ...SEARCH, q: 'up' });
      expect({ total, chips }).toEqual({
        total: 2,
        chips: [
          { chip: 'job:a', metrics_count: 1 },
          { chip: 'job:b', metrics_count: 1 },
        ],
      });
    });

    it('suggests nothing when no chip would narrow the result', async () => {
      await aMetric('up', { labels: { job: 'api' } });
      expect(await metrics.search(org, { ...SEARCH, q: 'up' })).toMatchObject({ total: 1, chips: [] });
      expect(await metrics.search(org, { ...SEARCH, q: 'nobody' })).toMatchObject({ total: 0, metrics: [], chips: [] });
    });

    it('suggests at most 20 chips', async () => {
      for (let i = 0; i < 25; i++) await aMetric('up', { labels: { host: `h${String(i)}` } });
      expect((await metrics.search(org, { ...SEARCH, q: 'up' })).chips).toHaveLength(20);
    });
  });

  describe('the completion of chips', () => {
    const complete = async (typed: string, chips: string[] = []): Promise<Record<string, number>> => {
      const found = await metrics.completeChips(org, {
        chips: chips.length === 0 ? [] : parseChips(chips),
        typed,
        limit: 20,
      });
      return Object.fromEntries(found.map(({ chip, metrics_count: count }) => [chip, count]));
    };

    it('returns the typed text, and matching labels and name prefixes, including those of all metrics', async () => {
      await aMetric('web.cpu', { labels: { job: 'web', host: 'a' } });
      await aMetric('web.disk', { labels: { Job: 'WEB', host: 'b' } });
      await aMetric('db.cpu', { labels: { job: 'database', host: 'b' } });
      expect(await complete('WE')).toEqual({
        WE: 2,
        'web.*': 2,
        'web.cpu{*': 1,
        'web.disk{*': 1,
        [Object.keys(await complete('we')).find((chip) => /^job:web$/i.test(chip))!]: 2,
      });
      expect(await complete('host')).toEqual({ host: 3, 'host:b': 2, 'host:a': 1 });
      expect(await complete('b', ['host:b'])).toMatchObject({ b: 2, 'host:b': 2, 'db.*': 1, 'job:database': 1 });
    });

    it('finds values that chips write with quotes or with "*"', async () => {
      await aMetric('up.total', { labels: { note: 'a "b", c' } });
      expect(await complete('"b')).toEqual({ '"b': 1, 'note:"a \\"b\\", c"': 1 });
      expect(await complete('b')).toEqual({ b: 1, 'note:"a \\"b\\", c"': 1 });
      expect(await complete('up.*')).toEqual({ 'up.*': 1 });
    });

    it('returns the values of a label after its key and a colon, with counts', async () => {
      await aMetric('up', { labels: { job: 'shop', host: 'a' } });
      await aMetric('down', { labels: { JOB: 'Shop', host: 'b' } });
      await aMetric('up', { labels: { job: 'shell', subjob: 'shown' } });
      await aMetric('up', { labels: { job: 'mail', host: 'b' } });
      const shop = Object.keys(await complete('job:')).find((chip) => /^job:shop$/i.test(chip))!;
      expect(await complete('job:')).toEqual({ [shop]: 2, 'job:mail': 1, 'job:shell': 1 });
      for (const typed of ['job:sh', 'JOB:SH', 'job:"sh', 'job:sh*', 'job=sh', 'job="sh']) {
        expect([typed, await complete(typed)]).toEqual([typed, { [shop]: 2, 'job:shell': 1 }]);
      }
      expect(await complete('job:shop')).toEqual({ [shop]: 2 });
      expect(await complete('job:', ['host:b'])).toEqual({
        [Object.keys(await complete('job:', ['host:b'])).find((chip) => /^job:shop$/i.test(chip))!]: 1,
        'job:mail': 1,
      });
      expect(await complete('job:hop')).toEqual({});
    });

    it('returns label values after a minus, with the counts of the remaining metrics', async () => {
      await aMetric('up', { labels: { job: 'shop' } });
      await aMetric('up', { labels: { job: 'shell', host: 'b' } });
      await aMetric('up', { labels: { job: 'mail', host: 'b' } });
      await aMetric('down');
      for (const typed of ['-job:sh', '-job=sh', '-job:"sh']) {
        expect([typed, await complete(typed)]).toEqual([typed, { '-job:shop': 3, '-job:shell': 3 }]);
      }
      expect(await complete('-job:', ['host:b'])).toEqual({ '-job:shell': 1, '-job:mail': 1 });
      expect(await complete('-job:hop')).toEqual({});
    });

    it('returns sources, types and states of metrics', async () => {
      await aMetric('up', { source: 'prometheus' });
      await aMetric('down', { source: 'prometheus', labels: { host: 'b' } });
      await aMetric('left', { source: 'http', labels: { host: 'b' } });
      expect(await complete('@source:')).toEqual({ '@source:prometheus': 2, '@source:http': 1 });
      for (const typed of ['@source:pro', '@source:PRO', '@source:"pro', '@source:pro*']) {
        expect([typed, await complete(typed)]).toEqual([typed, { '@source:prometheus': 2 }]);
      }
      expect(await complete('-@source:p', ['host:b'])).toEqual({ '-@source:prometheus': 1 });
      expect(await complete('@type:')).toEqual({ '@type:gauge': 3 });
      expect(await complete('@source:none')).toEqual({});
    });

    it('returns values that need quotes, even before the closing quote', async () => {
      await aMetric('up', { labels: { note: 'a "b", c*' } });
      for (const typed of ['note:', 'note:a', 'note:a "b', 'note:"a \\"b', 'note:"a \\"b\\", c*"']) {
        expect([typed, await complete(typed)]).toEqual([typed, { 'note:"a \\"b\\", c*"': 1 }]);
      }
    });

    it('returns text with a colon as quoted text if only names contain it', async () => {
      await aMetric('job:errors:rate5m');
      expect(await complete('job:err')).toEqual({ '"job:err"': 1 });
    });

    it('returns nothing if no metric contains the typed text', async () => {
      await aMetric('up');
      expect(await complete('down')).toEqual({});
    });

    it('queries the names once', async () => {
      await aMetric('up', { labels: { job: 'api' } });
      for (const typed of ['up', 'job:a']) {
        const statements = await statementsOf(dataSource, () => complete(typed));
        expect(statements.filter((sql) => sql.includes('metric_search'))).toHaveLength(1);
      }
    });

    it('estimates counts of many new metrics, and does not suggest a label that all metrics have', async () => {
      // Simulates the statistics of the table until some seconds after the first metrics.
      await dataSource.query('DELETE FROM metric');
      await dataSource.query('ANALYZE');
      await dataSource.query(
        `INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source, last_timestamp)
         SELECT $1, name, sha256(convert_to(name, 'UTF8')), 'web.cpu', jsonb_build_object('env', 'prod', 'az', az),
                'gauge', 'last', 'json', $2
         FROM generate_series(1, 30000) AS i, concat('az-', i % 2) AS az,
              concat('web.cpu{az="', az, '",env="prod",i="', i, '"}') AS name`,
        [org.id, NOW - 20],
      );
      const found = await complete('');
      expect(found).toMatchObject({ 'env:prod': 30_000, 'web.*': 30_000, 'web.cpu{*': 30_000 });
      for (const az of ['az:az-0', 'az:az-1']) expect(Math.abs(found[az]! - 15_000)).toBeLessThan(1500);
      await dataSource.query('ANALYZE metric');
      const narrowing = (await metrics.search(org, { ...SEARCH, q: '*' })).chips.map(({ chip }) => chip);
      expect(narrowing.sort()).toEqual(['az:az-0', 'az:az-1']);
    });
  });
});
