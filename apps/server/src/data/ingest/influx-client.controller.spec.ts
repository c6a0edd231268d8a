import { gzipSync } from 'node:zlib';
import { type INestApplication } from '@nestjs/common';
import request from 'supertest';
import { createEdgeApp, TOKENS } from '../../../../../test/support/edge-app.js';
import { FakeIngest } from '../../../../../test/support/fake-ingest.js';
import { type HandClock } from '../../../../../test/support/hand-clock.js';
import { Clock } from '../../common/clock.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { InfluxClientController } from './influx-client.controller.js';
import { IngestConfig } from './ingest.config.js';

const CREATE = 'CREATE DATABASE "telegraf"';

describe('endpoints for InfluxDB clients', () => {
  const fakes = new FakeIngest();
  let app: INestApplication;
  let check: () => unknown = () => undefined;

  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [InfluxClientController], imports: [fakes.module] });
    app.get(ReadinessRegistry).register('test', () => check());
  });
  afterAll(() => app.close());
  beforeEach(() => fakes.reset());

  const http = () => request(app.getHttpServer() as Parameters<typeof request>[0]);
  const later = () => (app.get<HandClock>(Clock).seconds += 2);

  it.each(['get', 'head'] as const)('%s /ping returns 204 with a version and without credentials', async (method) => {
    for (const token of [undefined, 'pl_unknown', TOKENS.expired]) {
      const asked = http()[method]('/ping');
      const answer = await (token === undefined ? asked : asked.set('X-Auth-Token', token)).expect(204);
      expect(answer.headers['x-influxdb-version']).toBe('1.8.10');
      expect(answer.body).toEqual({});
    }
    await http().get('/ping?verbose=true').set('Accept', 'text/html').expect(204);
  });

  it('GET /health reports whether the process is ready, without the cause', async () => {
    later();
    const ready = await http().get('/health').expect(200);
    expect(ready.body).toEqual({ name: 'plumbline', status: 'pass', message: 'ready' });
    check = () => {
      throw new Error('the database at db-1 is away');
    };
    later();
    const away = await http().get('/health').expect(503);
    expect(away.body).toEqual({ name: 'plumbline', status: 'fail', message: 'not ready' });
    check = () => undefined;
    later();
    await http().get('/health').expect(200);
  });

  it('GET /health runs the checks once for requests within a second', async () => {
    let times = 0;
    check = () => times++;
    later();
    await Promise.all(Array.from({ length: 5 }, () => http().get('/health').expect(200)));
    check = () => undefined;
    expect(times).toBe(1);
  });

  it('GET /ping has the rate limit of anonymous ingest requests', async () => {
    const answer = await http().get('/ping').set('X-Auth-Token', TOKENS.ingest);
    expect(answer.headers['x-ratelimit-limit']).toBe(String(app.get(IngestConfig).ingestStrangers));
  });

  it.each([
    ['POST with a form', () => http().post('/query').type('form').send({ q: CREATE })],
    ['POST with a query string', () => http().post('/query').query({ q: CREATE })],
    ['GET', () => http().get('/query').query({ q: CREATE })],
    ['GET, in small letters', () => http().get('/query').query({ q: ' create database x with duration 3d' })],
  ])('/query accepts CREATE DATABASE and stores nothing: %s', async (_, ask) => {
    const answer = await ask().auth('telegraf', TOKENS.ingest).expect(200);
    expect(answer.body).toEqual({ results: [{ statement_id: 0 }] });
    expect(fakes.log.appended).toEqual([]);
  });

  it('/query accepts a gzip body', async () => {
    const form = http()
      .post('/query')
      .set('Content-Type', 'application/x-www-form-urlencoded')
      .set('Content-Encoding', 'gzip')
      .set('Authorization', `Token ${TOKENS.ingest}`);
    await form
      .serialize((sent: unknown) => sent as string)
      .send(gzipSync(`q=${encodeURIComponent(CREATE)}`))
      .expect(200);
  });

  it('/query accepts the token like the ingest paths, and as the parameter p', async () => {
    await http().get('/query').query({ q: CREATE, u: 'any', p: TOKENS.ingest }).expect(200);
    await http().get('/query').query({ q: CREATE }).set('X-Auth-Token', TOKENS.ingest).expect(200);
    await http().get('/query').query({ q: CREATE }).set('Authorization', `Bearer ${TOKENS.ingest}`).expect(200);
    const nobody = await http().post('/query').type('form').send({ q: CREATE }).expect(401);
    expect(nobody.body).toMatchObject({ code: 401, error: 'not_authenticated' });
    await http().get('/query').query({ q: CREATE, p: TOKENS.read }).expect(403);
  });

  it('/query succeeds with any number of waiting points', async () => {
    fakes.backlog.points = 1e12;
    await http().get('/query').query({ q: CREATE, p: TOKENS.ingest }).expect(200);
  });

  it.each(['SHOW DATABASES', 'SELECT * FROM cpu', 'DROP DATABASE x', '', 'CREATE DATABASES', 'x CREATE DATABASE y'])(
    '/query rejects "%s" and names the endpoint for reading',
    async (q) => {
      const answer = await http().get('/query').query({ q, p: TOKENS.ingest }).expect(400);
      expect(answer.body).toEqual({ error: expect.stringContaining('/api/metric/{metric_name}/timeseries') });
      expect(String(answer.body.error).startsWith('missing required parameter')).toBe(q === '');
    },
  );
});
