import { once } from 'node:events';
import { type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Permission } from '#libs/contracts';
import { AreaApp, type AreaAppOptions } from '../../../../../test/support/area-app.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { postHead, rawSender } from '../../../../../test/support/raw-sender.js';
import { until } from '../../../../../test/support/product.js';
import { DeletedOrgsService } from '../../people/org/deleted-orgs.service.js';
import { DetectionBacklogService } from '../detection-backlog/detection-backlog.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { POINT_LOG, type PointLog } from '../../platform/storage/storage.types.js';
import { BodyBudgetService } from './body-budget.service.js';
import { GraphiteServerService } from './graphite-server.service.js';
import { IngestModule } from './ingest.module.js';
import { RefusalEventsService } from './refusal-events.service.js';
import { TestMetricsModule } from './test-metrics.module.js';

class IngestApp extends AreaApp {
  static async create(options: AreaAppOptions = {}): Promise<IngestApp> {
    const clock = new HandClock(START, 0);
    return new IngestApp(await this.start([IngestModule, TestMetricsModule], { ...options, clock }), clock);
  }
}

describe('ingest with a database', () => {
  let app: IngestApp;
  let orgId: number;
  let ingestToken: string;
  let readToken: string;

  beforeAll(async () => {
    app = await IngestApp.create({
      env: { PLUMBLINE_GRAPHITE_ADDRESS: '127.0.0.1:0', PLUMBLINE_INGEST_BACKLOG_POINTS: '1000' },
    });
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    app.clock.seconds = START;
    ({ id: orgId } = await app.anOrg());
    await app.database.dataSource.query('UPDATE org SET metric_limit = 3 WHERE id = $1', [orgId]);
    ingestToken = await app.aToken(orgId, Permission.Ingest);
    readToken = await app.aToken(orgId, Permission.Read);
  });

  const send = (body: object) =>
    app
      .http()
      .post('/ingest/metrics')
      .set('X-Auth-Token', ingestToken)
      .set('X-Test-Only', 'true')
      .send(body)
      .expect(200);
  const testMetrics = async () =>
    (await app.http().get('/api/org/testmetrics').set('X-Auth-Token', readToken).expect(200)).body.data;
  const point = (metric: string, value: unknown = 1) => ({ metric, value, timestamp: app.clock.seconds });

  describe('GET /org/testmetrics', () => {
    const NOTHING = {
      metrics: [],
      ingest_count: 0,
      dropped: [],
      drop_count: 0,
      metrics_with_no_values: [],
      no_values_count: 0,
      metric_details: {},
      quota_preview: { new_metrics_count: 0, quota_used: 0, metric_limit: 3, fits: true },
    };

    it('is empty before the first test send', async () => {
      expect(await testMetrics()).toEqual(NOTHING);
    });

    it('reports the effect of all test sends of the last ten minutes, and stores no metric', async () => {
      await app.http().post('/ingest/metrics').set('X-Auth-Token', ingestToken).send(point('known')).expect(204);
      await send({ metrics: [point('known', 2), point('b{host="x"}', 3)] });
      app.clock.seconds += 60;
      await send({
        metrics: [point('b{host="x"}', 4), point('c', 'high'), { ...point('d'), timestamp: START - 90_000 }],
      });
      const answer = await testMetrics();
      expect(answer).toEqual({
        metrics: ['known', 'b{host="x"}'],
        ingest_count: 2,
        dropped: [{ metric: 'd', reason: 'too_old' }],
        drop_count: 1,
        metrics_with_no_values: ['c'],
        no_values_count: 1,
        metric_details: {
          known: expect.objectContaining({ points: 1, last_value: 2, last_timestamp: START, source: 'http' }),
          'b{host="x"}': {
            labels: { host: 'x' },
            type: 'gauge',
            source: 'http',
            points: 2,
            last_value: 4,
            last_timestamp: START + 60,
            merged_points: 0,
          },
        },
        quota_preview: { new_metrics_count: 1, quota_used: 1, metric_limit: 3, fits: true },
      });
    });

    it('reports that the quota is too small for the new metrics', async () => {
      await send({ metrics: ['a', 'b', 'c', 'd'].map((name) => point(name)) });
      const { quota_preview: preview, dropped, ingest_count: count } = await testMetrics();
      expect(preview).toEqual({ new_metrics_count: 4, quota_used: 0, metric_limit: 3, fits: false });
      expect([count, dropped]).toEqual([3, [{ metric: 'd', reason: 'over_quota' }]]);
    });

    it('forgets test sends after ten minutes, and hides them from other organisations', async () => {
      await send(point('a'));
      const { id: otherId } = await app.anOrg();
      const other = await app.aToken(otherId, Permission.Read);
      const { body } = await app.http().get('/api/org/testmetrics').set('X-Auth-Token', other).expect(200);
      expect(body.data.metrics).toEqual([]);
      app.clock.seconds += 601;
      expect(await testMetrics()).toEqual(NOTHING);
    });

    it('keeps the newest test sends of an organisation within a size limit', async () => {
      const name = (send: number, i: number) => `${'n'.repeat(900)}.${String(send)}.${String(i)}`;
      for (let turn = 0; turn < 4; turn++) {
        await send({ metrics: Array.from({ length: 3000 }, (_, i) => point(name(turn, i), i < 3 ? 1 : 'none')) });
      }
      const rows = await app.database.dataSource.query<{ bytes: number }[]>(
        'SELECT sum(bytes)::integer AS bytes FROM test_send WHERE org_id = $1',
        [orgId],
      );
      expect(rows[0]!.bytes).toBeLessThan(8_000_000);
      expect((await testMetrics()).metrics).toContain(name(3, 0));
    });
  });

  it('stores Graphite lines in the log, and records refused points as an event', async () => {
    const socket = connect(app.get(GraphiteServerService).port!, '127.0.0.1');
    const log = app.app.get<PointLog>(POINT_LOG, { strict: false });
    const appended = log.waitForAppend(20_000);
    socket.write(`${ingestToken}.web-1.load 1.5 ${String(START)}\n${ingestToken}.web-1.load x ${String(START)}\n`);
    await appended;
    socket.end();
    await once(socket, 'close');
    const metrics = await app.database.dataSource.query('SELECT name, source FROM metric WHERE org_id = $1', [orgId]);
    expect(metrics).toEqual([{ name: 'web-1.load', source: 'graphite' }]);
    // Refused points are counted after their line was read, and are reported in a separate write.
    const reported = await until('what was refused to be told', async () => {
      app.get(RefusalEventsService).flush();
      await app.get(EventRecorderService).flush();
      const events: unknown[] = await app.database.dataSource.query(
        `SELECT details FROM org_event WHERE org_id = $1 AND type = 'ingest_refused'`,
        [orgId],
      );
      return events.length > 0 && events;
    });
    expect(reported).toEqual([{ details: expect.objectContaining({ reason: 'not_numeric', points: 1 }) }]);
  });

  it.each([
    [
      'by this process',
      async (id: number) => {
        app.get(DeletedOrgsService).record(id);
      },
    ],
    [
      'by another one',
      async (id: number) => {
        await app.database.dataSource.query('UPDATE org SET deleted_at = now() WHERE id = $1', [id]);
        app.clock.seconds += 5;
      },
    ],
  ])('stores nothing of a body whose organisation was deleted %s during the upload', async (_, deleteOrg) => {
    const server = app.app.getHttpServer() as Server;
    if (!server.listening) await app.app.listen(0, '127.0.0.1');
    const sender = await rawSender(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    const body = `late value=1 ${String(START)}000000000\n`;
    const headers = { 'X-Auth-Token': ingestToken, 'Content-Type': 'text/plain' };
    sender.send(postHead('/ingest/influx', headers, body.length));
    sender.send(body.slice(0, 10));
    const budget = app.get(BodyBudgetService);
    while (budget.heldBytes === 0) await new Promise((next) => setImmediate(next));
    await deleteOrg(orgId);
    sender.send(body.slice(10));
    while (!sender.answer().includes('"code"')) await new Promise((next) => setImmediate(next));
    sender.cut();
    expect(sender.answer()).toMatch(/^HTTP\/1.1 40[14] /);
    expect(await app.database.dataSource.query('SELECT name FROM metric WHERE org_id = $1', [orgId])).toEqual([]);
  });

  it('answers 429 while detection is behind', async () => {
    const values = Array.from({ length: 1000 }, (_, i) => i);
    const body = { metric: 'a', timestamps: values.map((i) => START - i), values };
    const post = () => app.http().post('/ingest/metrics').set('X-Auth-Token', ingestToken).send(body);
    await post().expect(204);
    await app.get(DetectionBacklogService).refresh();
    await post().expect(429);
  });
});
