import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { until } from '../../../../../test/support/product.js';
import { DefinitionChangesService } from '../../analysis/detection/definition-changes.service.js';
import { TuningApplicationService } from './tuning-application.service.js';
import { TuningModule } from './tuning.module.js';

const DAY = 86_400;

let app: MetricApp;
let orgId: number;
let token: string;

beforeAll(async () => {
  app = await MetricApp.create({ env: { PLUMBLINE_LIMIT_HEAVY: '1000' } }, [TuningModule]);
  await app.byHand(TuningApplicationService);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg()).id;
  token = await app.aToken(orgId, Permission.Read, Permission.Write);
});

const get = (path: string): Promise<Answer> => app.call('get', path, { token });
const post = (path: string, body: object): Promise<Answer> => app.call('post', path, { token }, body);
const put = async (id: number, body: object): Promise<Answer> => {
  const answer = await app
    .http()
    .put(`/api/tuning/${String(id)}`)
    .set('X-Auth-Token', token)
    .send(body);
  return { status: answer.status, headers: answer.headers, data: answer.body.data };
};

async function termsOf(id: number): Promise<unknown> {
  await app.get(TuningApplicationService).run();
  const [row] = await app.database.dataSource.query<{ terms: unknown }[]>(
    'SELECT t.terms FROM metric m LEFT JOIN detection_terms t ON t.id = m.terms_id WHERE m.id = $1',
    [id],
  );
  return row!.terms;
}

describe('tunings', () => {
  it('are created, partially updated and deleted, with audit entries and events', async () => {
    await app.aMetric(orgId, 'web.cpu');
    const { status, data } = await post('/tuning', {
      chips: 'cpu',
      name: 'calm',
      direction: 'up',
      min_duration_seconds: 300,
    });
    expect(status).toBe(200);
    const { id } = data.tuning;
    expect(data.tuning).toMatchObject({
      chips: ['cpu'],
      name: 'calm',
      sensitivity: 1,
      direction: 'up',
      min_duration_seconds: 300,
      period_seconds: null,
      minimum_size: null,
      false_alarms_per_month: null,
      metrics_count: 1,
      created_timestamp: START,
    });
    expect(data.tuning.kinds).toHaveLength(9);
    const changed = await put(id, { kinds: ['spike'], false_alarms_per_month: 0.5 });
    expect(changed.data.tuning).toMatchObject({
      name: 'calm',
      direction: 'up',
      kinds: ['spike'],
      false_alarms_per_month: 0.5,
    });
    expect((await get(`/tuning/${String(id)}`)).data.tuning).toEqual(changed.data.tuning);
    expect((await get('/tunings')).data).toMatchObject({ total: 1, tunings: [{ id }] });
    const stranger = await app.aToken((await app.anOrg()).id, Permission.Read, Permission.Write);
    expect((await app.call('get', `/tuning/${String(id)}`, { token: stranger })).status).toBe(404);
    expect((await app.call('delete', `/tuning/${String(id)}`, { token: stranger })).status).toBe(404);
    expect((await app.call('delete', `/tuning/${String(id)}`, { token })).status).toBe(200);
    expect((await get(`/tuning/${String(id)}`)).status).toBe(404);
    expect((await app.events(orgId)).map(([type]) => type)).toEqual([
      'tuning_added',
      'tuning_changed',
      'tuning_removed',
    ]);
    const entries = await app.database.dataSource.query<{ action: string }[]>(
      `SELECT action FROM audit_entry WHERE org_id = $1 AND action LIKE 'tuning.%' ORDER BY id`,
      [orgId],
    );
    expect(entries.map(({ action }) => action)).toEqual(['tuning.add', 'tuning.update', 'tuning.delete']);
  });

  it('with the same chips and name are stored once and remain unchanged', async () => {
    const first = await post('/tuning', { chips: ['web-*', 'cpu'], name: 'calm', sensitivity: 0.5 });
    const again = await post('/tuning', { chips: ['cpu', 'web-*'], name: 'calm', sensitivity: 2 });
    expect([again.status, again.data.tuning]).toEqual([200, first.data.tuning]);
    for (const other of [
      { chips: 'cpu', name: 'calm' },
      { chips: 'web-*,cpu' },
      { chips: 'web-*,cpu', name: 'Calm' },
    ]) {
      expect((await post('/tuning', other)).data.tuning.id).not.toBe(first.data.tuning.id);
    }
    const both = await Promise.all([1, 2].map(() => post('/tuning', { chips: 'disk' })));
    expect(both[0]!.data.tuning.id).toBe(both[1]!.data.tuning.id);
    expect((await get('/tunings')).data.total).toBe(5);
    expect((await app.events(orgId)).map(([type]) => type)).toEqual(Array(5).fill('tuning_added'));
  });

  it('that were deleted can be created again with new ids', async () => {
    const calm = { chips: ['cpu', 'web-*'], name: 'calm', sensitivity: 0.5 };
    const first = await post('/tuning', calm);
    await app.call('delete', `/tuning/${String(first.data.tuning.id)}`, { token });
    const again = await post('/tuning', { ...calm, sensitivity: 2 });
    expect([again.status, again.data.tuning.sensitivity]).toEqual([200, 2]);
    expect(again.data.tuning.id).not.toBe(first.data.tuning.id);
    expect((await get('/tunings')).data).toMatchObject({ total: 1, tunings: [{ id: again.data.tuning.id }] });
    const deleted = await app.call('delete', `/tuning/${String(first.data.tuning.id)}`, { token });
    expect([deleted.status, deleted.data.tuning]).toEqual([200, first.data.tuning]);
    expect((await get('/tunings')).data.total).toBe(1);
    expect((await app.events(orgId)).map(([type]) => type)).toEqual(['tuning_added', 'tuning_removed', 'tuning_added']);
  });

  it('apply to a metric by most chips, then by age, and also to new metrics', async () => {
    const id = await app.aMetric(orgId, 'web.cpu', { labels: { job: 'api' } });
    const wide = await post('/tuning', { chips: 'cpu', sensitivity: 0.5 });
    expect(await termsOf(id)).toEqual({ sensitivity: 0.5 });
    app.clock.seconds += 1;
    const newer = await post('/tuning', { chips: '*', sensitivity: 2 });
    expect(await termsOf(id)).toEqual({ sensitivity: 2 });
    const narrow = await post('/tuning', { chips: 'cpu,job:api', direction: 'down', minimum_size: 5 });
    expect(await termsOf(id)).toEqual({ direction: 'down', leastSize: 5 });
    const ids = (await get('/tunings?metric=web.cpu')).data.tunings.map((tuning: { id: number }) => tuning.id);
    expect(ids).toEqual([narrow, newer, wide].map(({ data }) => data.tuning.id));
    // A tuning with only defaults also takes precedence.
    await put(narrow.data.tuning.id, { direction: 'both', minimum_size: null });
    expect(await termsOf(id)).toBeNull();
    await app.call('delete', `/tuning/${String(narrow.data.tuning.id)}`, { token });
    expect(await termsOf(id)).toEqual({ sensitivity: 2 });
    const later = await app.aMetric(orgId, 'db.cpu');
    app.clock.seconds += 31;
    expect(await termsOf(later)).toEqual({ sensitivity: 2 });
    for (const { data } of [wide, newer]) await app.call('delete', `/tuning/${String(data.tuning.id)}`, { token });
    expect(await termsOf(id)).toBeNull();
  });

  it('reach detection through the point log', async () => {
    const id = await app.aMetric(orgId, 'web.cpu');
    await post('/tuning', { chips: 'cpu', sensitivity: 0.5 });
    await termsOf(id);
    const logged = async (): Promise<true | undefined> => {
      await app.get(DefinitionChangesService).run();
      const [left] = await app.database.dataSource.query<{ count: number }[]>(
        'SELECT count(*)::integer AS count FROM metric_definition_change WHERE metric_id = $1',
        [id],
      );
      return left!.count === 0 ? true : undefined;
    };
    await until('the change is in the log', logged);
  });

  it('preview their effect without changing anything', async () => {
    const id = await app.aMetric(orgId, 'web.cpu', { createdTimestamp: START - 20 * DAY });
    const rows = 6 * 1440;
    const first = Math.floor(START / 60) * 60 - (rows - 1) * 60;
    const spike = rows - 700;
    await app.series.write({
      ids: new Uint32Array(rows).fill(id),
      timestamps: Float64Array.from({ length: rows }, (_, row) => first + row * 60),
      values: Float64Array.from(
        { length: rows },
        (_, row) => 100 + ((row * 7919) % 101) / 10 + (row >= spike && row < spike + 4 ? 300 : 0),
      ),
    });
    const preview = (settings: object): Promise<Answer> =>
      post('/tuning/preview', { chips: 'cpu', from: START - DAY, ...settings });
    const { status, data } = await preview({ direction: 'down' });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      metrics_count: 1,
      previewed_count: 1,
      gone: 1,
      added: 0,
      before: {
        anomalies_count: 1,
        per_day: 1,
        anomalies: [{ metric: 'web.cpu', from: first + spike * 60 }],
      },
      after: { anomalies_count: 0, anomalies: [] },
    });
    expect((await preview({ direction: 'up' })).data).toMatchObject({
      gone: 0,
      added: 0,
      after: { anomalies_count: 1 },
    });
    expect((await get('/tunings')).data.total).toBe(0);
    // The next preview compares with the current settings.
    await post('/tuning', { chips: 'cpu', min_duration_seconds: 3600 });
    await termsOf(id);
    expect((await preview({})).data).toMatchObject({
      before: { anomalies_count: 0 },
      after: { anomalies_count: 1 },
      added: 1,
    });
    expect((await preview({ from: START - 40 * DAY })).data.error.details[0]).toMatchObject({
      code: 'window_too_long',
    });
  });

  it('with invalid settings are rejected', async () => {
    const { data } = await post('/tuning', { sensitivity: 9, direction: 'sideways', kinds: ['odd'], chips: '' });
    expect(data.error.details.map(({ field }: { field: string }) => field).sort()).toEqual([
      'chips',
      'direction',
      'kinds',
      'sensitivity',
    ]);
  });
});
