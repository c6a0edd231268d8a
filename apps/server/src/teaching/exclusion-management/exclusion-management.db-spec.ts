import { DataSource } from 'typeorm';
import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { until } from '../../../../../test/support/product.js';
import { statementsOf } from '../../../../../test/support/statements.js';
import { ExclusionDirectoryService } from '../../data/exclusion/exclusion-directory.service.js';
import { ExclusionReapplicationService } from './exclusion-reapplication.service.js';

const DAY = 86_400;

let app: MetricApp;
let orgId: number;
let token: string;

beforeAll(async () => {
  app = await MetricApp.create();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg({ timezone: 'Europe/Oslo' })).id;
  token = await app.aToken(orgId, Permission.Read, Permission.Write, Permission.Ingest);
});

const get = (path: string): Promise<Answer> => app.call('get', path, { token });
const add = (body: object): Promise<Answer> => app.call('post', '/exclusion', { token }, body);

async function send(...metrics: string[]): Promise<{ status: number; body: { metrics?: unknown[] } }> {
  const points = metrics.map((metric) => ({ metric, value: 1, timestamp: app.clock.seconds }));
  return app.http().post('/ingest/metrics').set('X-Auth-Token', token).send({ metrics: points });
}

function metric(name: string): Promise<Record<string, unknown>> {
  return get(`/metric/${encodeURIComponent(name)}`).then(({ data }) => data.metric as Record<string, unknown>);
}

describe('exclusions', () => {
  it('are counted in one statement per list', async () => {
    for (const [n, job] of ['api', 'batch', 'api'].entries()) {
      await app.aMetric(orgId, `up{job="${job}",n="${String(n)}"}`, { labels: { job } });
    }
    await app.aMetric(orgId, 'down', { labels: { job: 'api' } });
    const counts: number[] = [];
    const list = async (): Promise<void> => {
      const { exclusions } = (await get('/exclusion/list')).data;
      counts.push(...exclusions.map(({ metrics_count }: { metrics_count: number }) => metrics_count));
    };
    for (const chips of ['job:api', 'job:batch', 'job:none', 'job:api,up*', 'down,-job:batch']) {
      expect((await add({ chips, type_id: 4 })).status).toBe(200);
    }
    const statements = await statementsOf(app.get(DataSource), list);
    expect(counts).toEqual([3, 1, 0, 2, 1]);
    // The application meanwhile applies exclusions with other statements.
    const counting = statements.filter((sql) => sql.includes('metric_search') && sql.includes('count('));
    expect(counting).toHaveLength(1);
  });

  it('have four types', async () => {
    const { status, data } = await get('/exclusion/types');
    expect(status).toBe(200);
    expect(data.types.map(({ id, code, schedulable }: Record<string, unknown>) => [id, code, schedulable])).toEqual([
      [1, 'analysis', false],
      [2, 'learning', true],
      [3, 'stale_alert', false],
      [4, 'alerting', true],
    ]);
  });

  it('are stored with their times, and returned with the metrics they cover', async () => {
    const user = await app.aUser(orgId, 'Ann');
    const session = await app.aSession(user.id);
    await app.aMetric(orgId, 'up{job="batch"}', { labels: { job: 'batch' } });
    await app.aMetric(orgId, 'up{job="api"}', { labels: { job: 'api' } });
    const { status, data } = await app.call(
      'post',
      '/exclusion',
      { session },
      {
        chips: ['job:batch'],
        type: 'alerting',
        reason: 'nightly run',
        until: START + 30 * DAY,
        recurrence_days: 'thu,fri',
        recurrence_start: '10:00',
        recurrence_duration_seconds: 7200,
      },
    );
    expect(status).toBe(200);
    expect(data).toMatchObject({ metrics: ['up{job="batch"}'], metrics_count: 1, message: 'OK' });
    const exclusion = {
      id: data.exclusion.id,
      type_id: 4,
      type: 'alerting',
      chips: ['job:batch'],
      reason: 'nightly run',
      metrics_count: 1,
      from_timestamp: null,
      until_timestamp: START + 30 * DAY,
      recurrence: { days: ['thu', 'fri'], start: '10:00', duration_seconds: 7200, timezone: 'Europe/Oslo' },
      // Thursday, 10:53 in Oslo.
      active: true,
      created_timestamp: expect.any(Number),
      created_by: user.id,
      created_by_display_name: 'Ann',
    };
    expect(data.exclusion).toEqual(exclusion);
    const second = (await add({ chips: 'job:api', type_id: 2, from: START + DAY })).data.exclusion;
    expect(second).toMatchObject({ type: 'learning', active: false, from_timestamp: START + DAY, created_by: null });

    const list = (query = '') => get(`/exclusion/list${query}`).then((answer) => answer.data);
    expect(await list()).toEqual({ exclusions: [exclusion, second], total: 2, limit: 100, offset: 0 });
    expect((await list('?active=true')).exclusions).toEqual([exclusion]);
    expect((await list('?active=false')).exclusions).toEqual([second]);
    expect(await list('?type_id=3')).toMatchObject({ exclusions: [], total: 0 });
    expect((await list('?limit=1&offset=1')).exclusions).toEqual([second]);

    expect((await metric('up{job="batch"}')).exclusion_ids).toEqual([exclusion.id]);
    const one = (await get(`/metric/${encodeURIComponent('up{job="batch"}')}`)).data;
    expect(one.exclusions).toEqual([exclusion]);
    expect(one.metric).toMatchObject({ analysis_state: 'collecting', counts_against_quota: true });
  });

  it('can be tested before they are added', async () => {
    const ids = [await app.aMetric(orgId, 'web-1.cpu'), await app.aMetric(orgId, 'WEB-2.cpu')];
    await app.aMetric(orgId, 'db-1.cpu');
    await app.anAnomaly(orgId, ids[0]!, START - 8 * DAY, START - 8 * DAY + 60);
    await app.anAnomaly(orgId, ids[1]!, START - 8 * DAY, START - 6 * DAY);
    await app.anAnomaly(orgId, ids[0]!, START - 60);
    expect((await get('/exclusion/test?chips=web-*')).data).toEqual({
      metrics: ['web-1.cpu', 'WEB-2.cpu'],
      count: 2,
      truncated: false,
      anomalies_last_7_days: 2,
      alerts_last_7_days: 0,
    });
    expect((await get('/exclusion/list')).data.total).toBe(0);
  });

  it.each([
    [{ type_id: 1 }, [['chips', 'required']]],
    [{ chips: '*', type_id: 1 }, [['chips', 'too_broad']]],
    [{ chips: 'cpu' }, [['type_id', 'exactly_one']]],
    [{ chips: 'cpu', type_id: 1, type: 'analysis' }, [['type_id', 'exactly_one']]],
    [{ chips: 'cpu', type_id: 5 }, [['type_id', 'out_of_range']]],
    [{ chips: 'cpu', type_id: 1, until: START + 60 }, [['until', 'unknown_parameter']]],
    [{ chips: 'cpu', type_id: 4, from: START + 60, until: START + 60 }, [['until', 'from_not_before_until']]],
    [
      { chips: 'cpu', type_id: 4, recurrence_days: ['mon'] },
      [
        ['recurrence_start', 'required'],
        ['recurrence_duration_seconds', 'required'],
      ],
    ],
    [
      {
        chips: 'cpu',
        type_id: 4,
        recurrence_days: ['mon'],
        recurrence_start: '24:00',
        recurrence_duration_seconds: 60,
      },
      [
        ['recurrence_start', 'bad_format'],
        ['recurrence_duration_seconds', 'out_of_range'],
      ],
    ],
    [{ chips: 'cpu,@source:http', type_id: 1 }, [['chips', 'bad_chip']]],
  ])('are rejected: %j', async (body, problems) => {
    const { status, data } = await add(body);
    expect(status).toBe(400);
    const details = data.error.details as { field: string; code: string }[];
    expect(details.map(({ field, code }) => [field, code]).sort()).toEqual([...problems].sort());
  });

  it('are unique by type, chips and times', async () => {
    expect((await add({ chips: 'cpu,-idle', type_id: 3 })).status).toBe(200);
    expect((await add({ chips: '-idle, cpu', type: 'stale_alert' })).data.error.code).toBe('already_exists');
    expect((await add({ chips: 'cpu,-idle', type_id: 4 })).status).toBe(200);
    expect((await add({ chips: 'cpu,-idle', type_id: 4, until: START + 60 })).status).toBe(200);
  });

  it('are limited to 500', async () => {
    await app.database.dataSource.query(
      `INSERT INTO exclusion (org_id, type_id, chips) SELECT $1, 3, ARRAY['metric' || i] FROM generate_series(1, 500) i`,
      [orgId],
    );
    expect((await add({ chips: 'cpu', type_id: 3 })).data.error.code).toBe('limit_reached');
  });

  it('refuse data of covered and new metrics until they are deleted', async () => {
    expect((await send('web-1.cpu', 'db-1.cpu')).status).toBe(204);
    const { data } = await add({ chips: 'web-*', type: 'analysis' });
    expect(data.metrics).toEqual(['web-1.cpu']);
    const refused = await send('web-1.cpu', 'web-2.cpu', 'db-1.cpu');
    expect(refused.status).toBe(207);
    expect(refused.body).toMatchObject({
      accepted: 1,
      refused: 2,
      metrics: [
        { metric: 'web-1.cpu', reasons: { excluded: 1 } },
        { metric: 'web-2.cpu', reasons: { excluded: 1 } },
      ],
    });
    expect((await get('/metric/web-2.cpu')).status).toBe(404);
    expect(await metric('web-1.cpu')).toMatchObject({ analysis_state: 'excluded', counts_against_quota: true });

    const { status, headers, data: deleted } = await get(`/exclusion/delete?exclusion_id=${String(data.exclusion.id)}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      deprecation: 'true',
      link: expect.stringContaining(`/exclusion/${String(data.exclusion.id)}>`),
    });
    expect(deleted).toMatchObject({ exclusion: { id: data.exclusion.id, active: false }, message: 'OK' });
    // The exclusion ended the series. Detection continues it only with a later point, because points of the same second
    // replace each other.
    app.clock.seconds += 60;
    expect((await send('web-1.cpu', 'web-2.cpu')).status).toBe(204);
    const released = await until('the metric to be analysed again', async () => {
      const record = await metric('web-1.cpu');
      return record.analysis_state === 'paused' ? undefined : record;
    });
    expect(released).toMatchObject({ analysis_state: 'collecting', exclusion_ids: [] });
    expect((await app.events(orgId)).filter(([type]) => type.startsWith('exclusion'))).toEqual([
      ['exclusion_added', null, 'No data: web-*'],
      ['exclusion_removed', null, 'No data: web-*'],
    ]);
  });

  it('close open anomalies, and covered metrics have no expected range', async () => {
    const id = await app.aMetric(orgId, 'web-1.cpu', { lastTimestamp: START - 100 });
    const open = await app.anAnomaly(orgId, id, START - 600);
    const past = await app.anAnomaly(orgId, id, START - 6000, START - 5000);
    const other = await app.anAnomaly(orgId, await app.aMetric(orgId, 'db-1.cpu'), START - 600);
    await add({ chips: 'web-1', type_id: 1 });
    const state = async (anomaly: number) => (await get(`/anomaly/${String(anomaly)}`)).data.anomaly as unknown;
    expect(await state(open)).toMatchObject({
      state: 'excluded',
      close_reason: 'excluded',
      until_timestamp: START - 100,
    });
    expect(await state(past)).toMatchObject({ state: 'resolved' });
    expect(await state(other)).toMatchObject({ state: 'open' });
    expect((await get('/metric/web-1.cpu/yhat')).data).toMatchObject({
      available: false,
      reason: 'excluded',
      yhat: [],
    });
  });

  it('remove metrics from the quota after a day', async () => {
    await app.aMetric(orgId, 'web-1.cpu');
    await app.aMetric(orgId, 'db-1.cpu');
    await add({ chips: 'web-1', type_id: 1 });
    const quota = async () => (await get('/org/getquotametrics')).data as unknown;
    expect(await quota()).toMatchObject({ metrics: ['db-1.cpu', 'web-1.cpu'], quota_used: 2 });
    app.clock.seconds += DAY + 1;
    expect(await quota()).toMatchObject({ metrics: ['db-1.cpu'], quota_used: 1 });
    expect(await metric('web-1.cpu')).toMatchObject({ counts_against_quota: false });
  });

  it('of one organisation do not affect others', async () => {
    const other = (await app.anOrg()).id;
    const { id } = (await add({ chips: 'web-1', type_id: 1 })).data.exclusion;
    const directory = app.get(ExclusionDirectoryService);
    expect(directory.excludes(orgId, 'web-1.cpu')).toBe(true);
    expect(directory.excludes(other, 'web-1.cpu')).toBe(false);
    const theirs = await app.aToken(other, Permission.Read, Permission.Write);
    expect((await app.call('delete', `/exclusion/${String(id)}`, { token: theirs })).status).toBe(404);
    expect(
      (await app.call('get', `/exclusion/delete?exclusion_id=${String(id)}`, { token: theirs })).data.error,
    ).toMatchObject({ code: 'not_found', details: [{ field: 'exclusion_id' }] });
  });

  it('are deleted idempotently', async () => {
    const { id } = (await add({ chips: 'web-1', type_id: 3 })).data.exclusion;
    for (let time = 0; time < 2; time++) {
      const { status, data } = await app.call('delete', `/exclusion/${String(id)}`, { token });
      expect(status).toBe(200);
      expect(data.exclusion).toMatchObject({ id, active: false });
    }
    expect((await app.events(orgId)).filter(([type]) => type === 'exclusion_removed')).toHaveLength(1);
    expect((await add({ chips: 'web-1', type_id: 3 })).status).toBe(200);
  });

  it('require the write permission for changes', async () => {
    const reader = await app.aToken(orgId, Permission.Read);
    expect((await app.call('post', '/exclusion', { token: reader }, { chips: 'cpu', type_id: 1 })).status).toBe(403);
    expect((await app.call('get', '/exclusion/add?chips=cpu&type_id=3', { token })).status).toBe(200);
    expect((await app.call('get', '/exclusion/list', { token: reader })).data.total).toBe(1);
  });

  it('added by another process are noticed and applied', async () => {
    const id = await app.aMetric(orgId, 'web-1.cpu');
    const anomaly = await app.anAnomaly(orgId, id, START - 60);
    await app.database.dataSource.query(`INSERT INTO exclusion (org_id, type_id, chips) VALUES ($1, 1, '{web-1}')`, [
      orgId,
    ]);
    const before = app.get(ExclusionDirectoryService).generation(orgId);
    expect(await app.get(ExclusionReapplicationService).run()).toBe(true);
    expect(app.get(ExclusionDirectoryService).generation(orgId)).toBeGreaterThan(before);
    expect((await send('web-1.cpu')).status).toBe(207);
    expect((await get(`/anomaly/${String(anomaly)}`)).data.anomaly.state).toBe('excluded');

    await app.database.dataSource.query('UPDATE exclusion SET deleted_at = now() WHERE org_id = $1', [orgId]);
    await app.get(ExclusionReapplicationService).run();
    expect((await send('web-1.cpu')).status).toBe(204);
    await until('the metric to be released', async () =>
      (await metric('web-1.cpu')).analysis_state === 'excluded' ? undefined : true,
    );
  });

  describe('that exist', () => {
    const change = (id: number, body: object): Promise<Answer> =>
      app.call('put', `/exclusion/${String(id)}`, { token }, body);

    it('are returned individually with their metrics', async () => {
      await app.aMetric(orgId, 'web-1.cpu');
      const { exclusion } = (await add({ chips: 'web-1', type_id: 4 })).data;
      expect((await get(`/exclusion/${String(exclusion.id)}`)).data).toEqual({
        exclusion,
        metrics: ['web-1.cpu'],
        metrics_count: 1,
      });
      await app.call('delete', `/exclusion/${String(exclusion.id)}`, { token });
      expect((await get(`/exclusion/${String(exclusion.id)}`)).status).toBe(404);
      expect((await change(exclusion.id, { reason: 'x' })).status).toBe(404);
    });

    it('are updated only in the sent members, idempotently, with an audit entry and an event', async () => {
      await app.aMetric(orgId, 'db-1.cpu');
      const times = { recurrence_days: 'mon,tue', recurrence_start: '22:00', recurrence_duration_seconds: 3600 };
      const { id } = (await add({ chips: 'web-1', type_id: 4, reason: 'nightly', ...times })).data.exclusion;
      for (let time = 0; time < 2; time++) {
        const { status, data } = await change(id, { chips: 'db-1', recurrence_start: '23:00', from: START });
        expect(status).toBe(200);
        expect(data).toMatchObject({
          exclusion: {
            id,
            chips: ['db-1'],
            reason: 'nightly',
            from_timestamp: START,
            until_timestamp: null,
            recurrence: { days: ['mon', 'tue'], start: '23:00', duration_seconds: 3600 },
          },
          metrics: ['db-1.cpu'],
          message: 'OK',
        });
      }
      expect((await change(id, { recurrence_days: '', reason: '' })).data.exclusion).toMatchObject({
        recurrence: null,
        reason: '',
      });
      const entries = await app.database.dataSource.query(
        `SELECT changes FROM audit_entry WHERE org_id = $1 AND action = 'exclusion.update' ORDER BY id`,
        [orgId],
      );
      expect(entries).toHaveLength(2);
      expect(entries[0]).toEqual({
        changes: [
          { field: 'chips', before: ['web-1'], after: ['db-1'] },
          { field: 'from', before: null, after: START },
          { field: 'recurrence_start', before: '22:00', after: '23:00' },
        ],
      });
      expect((await app.events(orgId)).filter(([type]) => type === 'exclusion_changed')).toEqual([
        ['exclusion_changed', null, 'Maintenance window: db-1 (nightly)'],
        ['exclusion_changed', null, 'Maintenance window: db-1'],
      ]);
    });

    it('are validated together with their unchanged members on update', async () => {
      const { id } = (await add({ chips: 'web-1', type_id: 4, until: START + 60 })).data.exclusion;
      const problems = async (body: object) =>
        ((await change(id, body)).data.error.details as { field: string; code: string }[]).map(
          ({ field, code }) => `${field} ${code}`,
        );
      expect(await problems({ from: START + 60 })).toEqual(['until from_not_before_until']);
      expect(await problems({ type: 'stale_alert' })).toEqual(['until unknown_parameter']);
      expect(await problems({ recurrence_start: '10:00' })).toEqual([
        'recurrence_days required',
        'recurrence_duration_seconds required',
      ]);
      expect(await problems({ type: 'alerting', type_id: 4 })).toEqual(['type_id exactly_one']);
      expect(await problems({ chips: '*' })).toEqual(['chips too_broad']);
      expect(await problems({ type: 'analysis', until: null, chips: 'cpu,@state:stale' })).toEqual(['chips bad_chip']);
      await add({ chips: 'web-2', type_id: 4 });
      expect((await change(id, { chips: 'web-2', until: null })).data.error.code).toBe('already_exists');
    });

    it('refuse newly covered data and accept data no longer covered after an update, in every process', async () => {
      await app.aMetric(orgId, 'web-1.cpu');
      const { id } = (await add({ chips: 'web-1', type_id: 1 })).data.exclusion;
      expect((await send('web-1.cpu', 'db-1.cpu')).body).toMatchObject({ metrics: [{ metric: 'web-1.cpu' }] });
      await change(id, { chips: 'db-1' });
      expect((await send('web-1.cpu', 'db-1.cpu')).body).toMatchObject({ metrics: [{ metric: 'db-1.cpu' }] });
      await until('the metric to be released', async () =>
        (await metric('web-1.cpu')).analysis_state === 'excluded' ? undefined : true,
      );
      // An update by another process.
      await app.database.dataSource.query(
        `UPDATE exclusion SET chips = '{cache}', revision = revision + 1 WHERE id = $1`,
        [id],
      );
      await app.get(ExclusionDirectoryService).refresh();
      expect((await send('db-1.cpu')).status).toBe(204);
    });
  });
});
