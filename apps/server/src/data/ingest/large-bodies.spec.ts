import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { type INestApplication } from '@nestjs/common';
import snappy from 'snappy';
import request from 'supertest';
import { createEdgeApp, FIXED_NOW, TOKENS } from '../../../../../test/support/edge-app.js';
import { FakeIngest } from '../../../../../test/support/fake-ingest.js';
import { LARGE_BODY_BYTES } from '../../common/http/body-parsing.js';
import { Pacer } from '../../common/fair-share/pacer.js';
import { RequestGate } from '../../common/http/request-gate.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { WorkerGoneError } from '../../common/workers/worker-channel.js';
import { IngestController } from './ingest.controller.js';
import { type ParserAnswer, ParserHost, type ParserRequest } from './parser-host.js';
import { ParserThreadService } from './body-parser.service.js';

/** Series headers per piece, far more than one organisation sends in small bodies. */
const LARGEST_PIECE = 4000;
/** Number of new names that are registered together. */
const NAMES_AT_ONCE = 1000;

describe('large bodies', () => {
  const fakes = new FakeIngest();
  let app: INestApplication;
  let calls: ParserRequest[];
  let answers: ParserAnswer[];

  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [IngestController], imports: [fakes.module] });
  });
  afterAll(() => app.close());

  beforeEach(() => {
    fakes.reset();
    calls = [];
    answers = [];
    const host = new ParserHost();
    threadDoes(async (call) => host.handle(call));
  });

  function threadDoes(work: (call: ParserRequest) => Promise<ParserAnswer>): void {
    jest.spyOn(app.get(ParserThreadService), 'call').mockImplementation(async (call) => {
      calls.push(call);
      const answer = await work(call);
      answers.push(answer);
      return answer;
    });
  }

  const post = (path: string, type: string, body: Buffer | string, token: string = TOKENS.ingest) =>
    request(app.getHttpServer() as Parameters<typeof request>[0])
      .post(path)
      .set('X-Auth-Token', token)
      .set('Content-Type', type)
      .serialize((sent: unknown) => sent as string)
      .send(body);

  const remoteWrite = (body: Buffer, type = 'application/x-protobuf') =>
    post('/ingest/prometheus', type, snappy.compressSync(body)).set('Content-Encoding', 'snappy');

  /** Bytes that no parser accepts: they must never be parsed. */
  const garbage = Buffer.alloc(LARGE_BODY_BYTES + 1, 0xff);
  const lines = (count: number, of = 'cpu') =>
    Array.from(
      { length: count },
      (_, i) => `${of},host=web-${String(i)} value=${String(i)} ${String(FIXED_NOW)}000000000\n`,
    ).join('');
  const jsonOf = (count: number, members: object = {}) =>
    JSON.stringify({
      ...members,
      metrics: Array.from({ length: count }, (_, i) => ({
        metric: 'cpu',
        value: i,
        labels: { host: `web-${String(i)}`, padding: 'x'.repeat(60) },
      })),
    });
  const kinds = () => calls.map(({ kind }) => kind);

  const NOTHING_FOUND: ParserAnswer = {
    kind: 'found',
    found: {
      switches: null,
      others: {
        withoutPoints: [],
        ended: [],
        metadata: [],
        withoutRow: { samples: 0, histograms: 0 },
        dataPoints: 0,
        histogramRows: null,
      },
      columns: {
        seriesIndex: new Uint32Array(1),
        timestamps: new Float64Array([FIXED_NOW]),
        values: new Float64Array([1]),
        count: 1,
      },
      refusals: { metrics: new Map(), badLines: [], omitted: { total: 0, names: new Set() } },
    },
  };
  const ONE_SERIES: ParserAnswer = {
    kind: 'series',
    series: [
      {
        ...{ name: 'a', displayName: 'a', labels: {}, type: null, unit: null, description: null },
        ...{ aggregation: null, backfill: false },
      },
    ],
    isLast: true,
  };

  it.each([
    ['JSON', () => post('/ingest/metrics', 'application/json', garbage), 'json'],
    ['InfluxDB lines', () => post('/ingest/influx', 'text/plain', garbage), 'influx'],
    ['InfluxDB 1', () => post('/write', 'text/plain', garbage), 'influx'],
    ['InfluxDB 2', () => post('/api/v2/write', 'text/plain', garbage), 'influx'],
    ['remote write 1.0', () => remoteWrite(garbage), 'prometheus'],
    [
      'remote write 2.0',
      () => remoteWrite(garbage, 'application/x-protobuf;proto=io.prometheus.write.v2.Request'),
      'prometheus',
    ],
    ['OTLP as protobuf', () => post('/v1/metrics', 'application/x-protobuf', garbage), 'otlp'],
    ['OTLP as JSON', () => post('/v1/metrics', 'application/json', garbage), 'otlp'],
    ['exposition text', () => post('/api/v1/import/prometheus', 'text/plain', garbage), 'prometheus'],
    ['CSV', () => post('/ingest/csv', 'text/csv', garbage), 'csv'],
    ['a CSV form', () => post('/ingest/csv', 'multipart/form-data; boundary=x', garbage), 'csv'],
  ])('are parsed by the parser thread only: %s', async (_, send, protocol) => {
    threadDoes(async ({ kind }) =>
      kind === 'parse' ? NOTHING_FOUND : kind === 'series' ? ONE_SERIES : { kind: 'ended' },
    );
    const answer = await send();
    expect([200, 204]).toContain(answer.status);
    expect(kinds()).toEqual(['parse', 'series', 'end']);
    expect(calls[0]).toMatchObject({ task: { work: { protocol }, orgId: 7 } });
    expect(fakes.log.points).toBe(1);
  });

  it('are only those over the limit', async () => {
    await post('/ingest/influx', 'text/plain', lines(100)).expect(204);
    await post('/ingest/metrics', 'application/json', jsonOf(100)).expect(204);
    expect(calls).toEqual([]);
  });

  it('are returned by the thread with every point, in a few pieces of limited size', async () => {
    await post('/ingest/influx', 'text/plain', lines(9000)).expect(204);
    expect(fakes.log.points).toBe(9000);
    expect(fakes.registry.ids.size).toBe(9000);
    const { values, ids } = fakes.log.appended[0]!.batch;
    expect([values[8999], ids[8999]]).toEqual([8999, fakes.registry.ids.get('cpu{host="web-8999"}')]);
    const pieces = answers.filter((answer) => answer.kind === 'series');
    const sizes = pieces.map(({ series }) => series.length);
    expect(pieces.length).toBe(3);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LARGEST_PIECE);
  });

  it('pause after each piece and each batch of names', async () => {
    let pauses = 0;
    const counted = () =>
      Object.assign(new Pacer(() => false), {
        pause: async () => {
          pauses++;
        },
      });
    const spy = jest.spyOn(app.get(RequestGate), 'pacerOf').mockImplementation(counted);
    await post('/ingest/influx', 'text/plain', lines(9000)).expect(204);
    expect(spy.mock.calls).toEqual([[7], [7]]);
    spy.mockRestore();
    const pieces = answers.filter((answer) => answer.kind === 'series');
    const lookups = Math.ceil(9000 / NAMES_AT_ONCE);
    expect(pauses).toBe(pieces.length - 1 + lookups);
  });

  it('are answered like small bodies', async () => {
    const bad = `${lines(9000)}cpu value=oops ${String(FIXED_NOW)}000000000\nover value=1\n`;
    const answer = await post('/ingest/influx', 'text/plain', bad).expect(207);
    expect(answer.body).toMatchObject({ accepted: 9000, refused: 2 });
    expect((answer.body as { message: string }).message).toContain('line 9001');
    const broken = await post('/ingest/metrics', 'application/json', `${jsonOf(3000)}]`).expect(400);
    expect(broken.body).toMatchObject({ error: 'malformed_body' });
    const wrong = await post('/ingest/metrics', 'application/json', jsonOf(3000, { backfill: 'often' })).expect(400);
    expect(wrong.body).toMatchObject({ error: 'validation_failed', details: [{ field: 'backfill' }] });
    const many = await post('/ingest/influx', 'text/plain', lines(50_001)).expect(413);
    expect(many.body).toMatchObject({ error: 'too_large' });
  });

  it('may only validate a key or request a test in themselves, without the ingest permission', async () => {
    const check = jsonOf(3000, { validate_key: true });
    await post('/ingest/metrics', 'application/json', check, TOKENS.read).expect(200, /"valid":true/);
    await post('/ingest/metrics', 'application/json', jsonOf(3000), TOKENS.read).expect(403);
    const test = await post('/ingest/metrics', 'application/json', jsonOf(3000, { test: true })).expect(200);
    expect(test.body).toMatchObject({ test: true, accepted: 3000 });
    expect(fakes.log.points).toBe(0);
    await post('/ingest/metrics', 'application/json', jsonOf(3000, { backfill: true })).expect(204);
    expect(fakes.log.appended.map(({ kind }) => kind)).toEqual(['backfill']);
  });

  it('are discarded by the thread when they cannot be stored', async () => {
    fakes.log.failure = new Error('the disk is full');
    await post('/ingest/influx', 'text/plain', lines(9000)).expect(500);
    expect(calls.at(-1)).toMatchObject({ kind: 'end', isStored: false });
    fakes.log.failure = undefined;
    await post('/ingest/influx', 'text/plain', lines(9000)).expect(204);
    expect(calls.at(-1)).toMatchObject({ kind: 'end', isStored: true });
  });

  it('move the histograms of their organisation to the thread, which then also parses small bodies', async () => {
    const buckets = (count: number, at: number) => ({
      name: 'seconds',
      unit: 's',
      histogram: {
        aggregationTemporality: 1,
        dataPoints: Array.from({ length: count }, (_, i) => ({
          attributes: [{ key: 'host', value: { stringValue: `web-${String(i)}` } }],
          timeUnixNano: `${String(at)}000000000`,
          count: '3',
          sum: 2,
          explicitBounds: [1, 2],
          bucketCounts: ['1', '1', '1'],
        })),
      },
    });
    const send = (count: number, at: number) => {
      const body = { resourceMetrics: [{ scopeMetrics: [{ metrics: [buckets(count, at)] }] }] };
      return post('/v1/metrics', 'application/json', JSON.stringify(body)).expect(200);
    };
    await send(1, FIXED_NOW - 120);
    expect(calls).toEqual([]);
    await send(2000, FIXED_NOW - 60);
    calls = [];
    await send(1, FIXED_NOW);
    expect(kinds()).toEqual(['parse', 'series', 'end']);
    await post('/ingest/influx', 'text/plain', lines(1)).expect(204);
    expect(calls).toHaveLength(3);
  });

  it('are answered 503 with Retry-After when the thread dies', async () => {
    threadDoes(async () => Promise.reject(new WorkerGoneError('out of memory')));
    const answer = await post('/ingest/influx', 'text/plain', garbage).expect(503);
    expect(answer.headers['retry-after']).toBe('1');
  });

  it('are dropped when their client disconnects, even while they wait', async () => {
    const host = new ParserHost();
    let resume!: () => void;
    const held = new Promise<void>((resolve) => (resume = resolve));
    threadDoes(async (call) => {
      if (call.kind === 'parse') await held;
      return host.handle(call);
    });
    const server = app.getHttpServer() as Server;
    if (!server.listening) await app.listen(0, '127.0.0.1');
    const clients = [1, 2, 3].map(() => {
      const controller = new AbortController();
      const { port } = server.address() as AddressInfo;
      const sent = fetch(`http://127.0.0.1:${String(port)}/ingest/influx`, {
        method: 'POST',
        headers: { 'X-Auth-Token': TOKENS.ingest, 'Content-Type': 'text/plain' },
        body: lines(9000),
        signal: controller.signal,
      }).catch(() => undefined);
      return { controller, sent };
    });
    const figure = async (name: string) => {
      const { values } = await app.get(MetricsRegistry).prometheus.getSingleMetric(name)!.get();
      return values.filter(({ labels }) => labels.queue === 'ingest bodies');
    };
    const waiting = async () => (await figure('plumbline_turns_waiting'))[0]!.value;
    const gone = async () =>
      (await figure('plumbline_turns_total')).find(({ labels }) => labels.outcome === 'gone')!.value;
    while ((await waiting()) < 1) await new Promise((next) => setImmediate(next));
    for (const { controller } of clients) controller.abort();
    while ((await gone()) < 1) await new Promise((next) => setImmediate(next));
    resume();
    while (kinds().filter((kind) => kind === 'end').length < 2) await new Promise((next) => setImmediate(next));
    await Promise.all(clients.map(({ sent }) => sent));
    expect(kinds().filter((kind) => kind === 'parse')).toHaveLength(2);
    expect(calls.at(-1)).toMatchObject({ kind: 'end', isStored: false });
    expect(fakes.log.points).toBe(0);
  });
});
