import { type INestApplication } from '@nestjs/common';
import request from 'supertest';
import { PointLogFullError } from '#libs/point-log';
import { createEdgeApp, FIXED_NOW, TOKENS } from '../../../../../test/support/edge-app.js';
import { FakeIngest } from '../../../../../test/support/fake-ingest.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { IngestController } from './ingest.controller.js';
import { RefusalEventsService } from './refusal-events.service.js';

const fakes = new FakeIngest({ maxBacklogPoints: 1000 });
const line = `cpu value=1 ${String(FIXED_NOW)}000000000\n`;

describe('back pressure on the ingest paths', () => {
  let app: INestApplication;

  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [IngestController], imports: [fakes.module] });
  });
  afterAll(() => app.close());
  beforeEach(() => fakes.reset());

  const send = (body = line, token: string = TOKENS.ingest) =>
    request(app.getHttpServer() as Parameters<typeof request>[0])
      .post('/write')
      .set('X-Auth-Token', token)
      .type('text')
      .send(body);

  async function counter(name: string, labels: Record<string, string> = {}): Promise<number> {
    const { values } = await app.get(MetricsRegistry).prometheus.getSingleMetric(name)!.get();
    const found = values.find((value) => Object.entries(labels).every(([key, text]) => value.labels[key] === text));
    return found?.value ?? 0;
  }

  const rejected = (reason: string) => counter('plumbline_ingest_rejected_bodies_total', { reason });

  it('answers 429 without reading the body while the detection backlog is full', async () => {
    fakes.backlog.points = 1000;
    const before = await counter('plumbline_ingest_body_bytes_total');
    const answer = await send().expect(429);
    expect(answer.body).toMatchObject({ error: 'rate_limited', message: 'Too many points are waiting for analysis.' });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(await rejected('backlog_full')).toBe(1);
    expect(await counter('plumbline_ingest_body_bytes_total')).toBe(before);
    fakes.backlog.points = 999;
    await send().expect(204);
  });

  it('answers 429 while the queue is full, and reads no further body until there is room', async () => {
    fakes.log.queuedPoints = 500;
    fakes.log.failure = new PointLogFullError(500);
    await send().expect(429);
    const before = await counter('plumbline_ingest_body_bytes_total');
    fakes.log.failure = undefined;
    const answer = await send().expect(429);
    expect(answer.headers['retry-after']).toBeDefined();
    expect(await counter('plumbline_ingest_body_bytes_total')).toBe(before);
    fakes.log.queuedPoints = 499;
    await send().expect(204);
    expect(await rejected('queue_full')).toBe(2);
  });

  it('rejects an invalid token first, even while the backlog is full', async () => {
    fakes.backlog.points = 1000;
    await send(line, 'pl_unknown').expect(401);
    await send(line, TOKENS.read).expect(403);
  });

  it('counts bytes, points and refused points', async () => {
    const points = () => counter('plumbline_ingest_points_total', { protocol: 'influx' });
    const refused = () => counter('plumbline_ingest_refused_points_total', { protocol: 'influx', reason: 'too_old' });
    const before = [await points(), await refused(), await counter('plumbline_ingest_body_bytes_total')] as const;
    const body = `${line}cpu value=1 1000000000\n`;
    await send(body).expect(400);
    expect([await points(), await refused(), await counter('plumbline_ingest_body_bytes_total')]).toEqual([
      before[0] + 1,
      before[1] + 1,
      before[2] + body.length,
    ]);
  });

  it('answers 204 for text fields only, counts them, and records no event', async () => {
    const omitted = () => counter('plumbline_ingest_omitted_values_total', { protocol: 'influx' });
    const before = await omitted();
    app.get(RefusalEventsService).flush();
    fakes.events = [];
    await send('system uptime_format="12 days"\nsystem os="linux",kernel="6"').expect(204);
    app.get(RefusalEventsService).flush();
    expect([await omitted(), fakes.events]).toEqual([before + 3, []]);
  });

  it('records one event per reason for refused points, with the first problem', async () => {
    const TOO_OLD =
      'the timestamp must be at most 86400 s ago, got 1000000000, taken for precision=ns: 1970-01-01; send history with backfill';
    app.get(RefusalEventsService).flush();
    fakes.events = [];
    for (let i = 0; i < 3; i++) await send(`cpu value=1 1000000000\ncpu value=x\nmem value=1 1000000000`).expect(400);
    app.get(RefusalEventsService).flush();
    expect(fakes.events).toEqual([
      {
        orgId: 7,
        type: 'ingest_refused',
        level: 'warning',
        title: 'Points refused: too_old',
        message: `6 points were refused (too_old), sent by influx; for example cpu: ${TOO_OLD}`,
        details: { reason: 'too_old', points: 6, protocols: ['influx'], metrics: ['cpu', 'mem'], problems: [TOO_OLD] },
      },
      expect.objectContaining({
        details: {
          reason: 'not_numeric',
          points: 3,
          protocols: ['influx'],
          metrics: ['cpu value=x'],
          problems: ['field "value" must be a number, a boolean or a string in double quotes, got "x"'],
        },
      }),
    ]);
    app.get(RefusalEventsService).flush();
    expect(fakes.events).toHaveLength(2);
  });
});
