import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { EventRecordingRepository } from '../../platform/event/event-recording.repository.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';

const DAY = 86_400;

let app: MetricApp;
let recorder: EventRecorderService;
let orgId: number;
let token: string;

beforeAll(async () => {
  app = await MetricApp.create();
  recorder = app.get(EventRecorderService);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg({ timezone: 'Europe/Oslo' })).id;
  token = await app.aToken(orgId, Permission.Read);
});

async function list(query = ''): Promise<Answer> {
  await recorder.flush();
  return app.call('get', `/org/events${query}`, { token });
}

const texts = ({ data }: Answer): string[] => (data.events as { text: string }[]).map(({ text }) => text);

describe('GET /org/events', () => {
  it('lists events, newest first', async () => {
    const user = await app.aUser(orgId, 'Ann');
    const metricId = await app.aMetric(orgId, 'web-1.cpu');
    recorder.record({
      orgId,
      type: 'metric_stale',
      level: 'notice',
      message: 'web-1.cpu has stopped sending.',
      metricId,
    });
    recorder.record({
      orgId,
      type: 'exclusion_added',
      level: 'info',
      title: 'Excluded',
      message: 'web-*',
      userId: user.id,
      ref: { kind: 'exclusion', id: '9' },
      details: { count: 3 },
      timestamp: START - 60,
    });
    const { status, data } = await list();
    expect(status).toBe(200);
    const nothing = {
      user_id: null,
      user_display_name: null,
      metric_id: null,
      metric: null,
      anomaly_id: null,
      watcher_id: null,
      ref: null,
      details: {},
    };
    expect(data).toEqual({
      events: [
        {
          ...nothing,
          id: expect.any(Number),
          timestamp: START,
          timestamp_string: 'October 9th 2025, 10:53',
          type: 'metric_stale',
          level: 'notice',
          title: 'Metric stale',
          text: 'web-1.cpu has stopped sending.',
          metric_id: metricId,
          metric: 'web-1.cpu',
        },
        {
          ...nothing,
          id: expect.any(Number),
          timestamp: START - 60,
          timestamp_string: 'October 9th 2025, 10:52',
          type: 'exclusion_added',
          level: 'info',
          title: 'Excluded',
          text: 'web-*',
          user_id: user.id,
          user_display_name: 'Ann',
          ref: { kind: 'exclusion', id: '9' },
          details: { count: 3 },
        },
      ],
      from: START - DAY,
      until: START,
      total: 2,
      limit: 100,
      offset: 0,
    });
  });

  it('filters by window, type, level and metric, in pages', async () => {
    const metricId = await app.aMetric(orgId, 'web-1.cpu');
    const about = { orgId, metricId, metric: 'web-1.cpu' };
    recorder.record({ ...about, type: 'metric_stale', level: 'notice', message: 'a', timestamp: START - 30 });
    recorder.record({ orgId, type: 'data_stopped', level: 'warning', message: 'b', timestamp: START - 20 });
    recorder.record({ ...about, type: 'metric_returned', level: 'info', message: 'c', timestamp: START - 10 });
    recorder.record({ orgId, type: 'custom', level: 'info', message: 'old', timestamp: START - 2 * DAY });
    expect(texts(await list())).toEqual(['c', 'b', 'a']);
    expect(texts(await list('?type=metric_stale,data_stopped'))).toEqual(['b', 'a']);
    expect(texts(await list('?level=info'))).toEqual(['c']);
    expect(texts(await list('?metric=web-1.cpu'))).toEqual(['c', 'a']);
    expect(texts(await list(`?metric=id:${String(metricId)}&type=metric_stale`))).toEqual(['a']);
    expect(texts(await list(`?from=${String(START - 3 * DAY)}&until=${String(START - 20)}`))).toEqual([
      'b',
      'a',
      'old',
    ]);
    const page = await list('?limit=1&offset=1');
    expect(texts(page)).toEqual(['b']);
    expect(page.data).toMatchObject({ total: 3, limit: 1, offset: 1 });
  });

  it('rejects an unknown type or metric', async () => {
    expect((await list('?type=unheard_of')).data.error.details).toMatchObject([{ field: 'type', code: 'not_one_of' }]);
    expect((await list('?metric=nobody')).data.error).toMatchObject({
      code: 'not_found',
      details: [{ field: 'metric' }],
    });
  });

  it('hides events of other organisations, and names of other users from demo users', async () => {
    const user = await app.aUser(orgId, 'Ann');
    recorder.record({ orgId, type: 'custom', level: 'info', message: 'ours', userId: user.id });
    recorder.record({ orgId: (await app.anOrg()).id, type: 'custom', level: 'info', message: 'theirs' });
    expect(texts(await list())).toEqual(['ours']);
    const visitor = await app.aUser(orgId, 'Visitor');
    await app.database.dataSource.query('UPDATE user_account SET demo = true WHERE id = $1', [visitor.id]);
    const { data } = await app.call('get', '/org/events', { session: await app.aSession(visitor.id) });
    expect(data.events).toMatchObject([{ text: 'ours', user_display_name: null }]);
  });

  it('deletes events after 400 days', async () => {
    recorder.record({ orgId, type: 'custom', level: 'info', message: 'old', timestamp: START - 401 * DAY });
    recorder.record({ orgId, type: 'custom', level: 'info', message: 'kept', timestamp: START - 399 * DAY });
    await recorder.flush();
    await app.get(EventRecordingRepository).dropExpired(app.clock.now(), 1000);
    expect(texts(await list(`?from=${String(START - 450 * DAY)}`))).toEqual(['kept']);
  });
});
