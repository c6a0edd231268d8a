import { gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { type INestApplication, Logger } from '@nestjs/common';
import snappy from 'snappy';
import request from 'supertest';
import { PointLogFullError } from '#libs/point-log';
import { createEdgeApp, FIXED_NOW, SESSIONS, TOKENS } from '../../../../../test/support/edge-app.js';
import { FakeIngest } from '../../../../../test/support/fake-ingest.js';
import { CredentialDirectory } from '../../common/auth/caller.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { IngestController } from './ingest.controller.js';
import { RefusalEventsService } from './refusal-events.service.js';

const NOW = FIXED_NOW;
const fakes = new FakeIngest();
const { log, registry } = fakes;

describe('the ingest paths', () => {
  let app: INestApplication;

  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [IngestController], imports: [fakes.module] });
  });

  afterAll(() => app.close());

  beforeEach(() => fakes.reset());

  const http = () => request(app.getHttpServer() as Parameters<typeof request>[0]);

  const POINT = { metric: 'web-1.cpu', timestamp: NOW, value: 1.5 };

  const json = (body: object | string, path = '/ingest/metrics') =>
    http()
      .post(path)
      .set('X-Auth-Token', TOKENS.ingest)
      .set('Content-Type', 'application/json')
      .send(typeof body === 'string' ? body : JSON.stringify(body));

  /** Sends the bytes unchanged: the serializer would convert them to JSON. */
  const gzipped = (bytes: Buffer) =>
    http()
      .post('/ingest/metrics')
      .set('X-Auth-Token', TOKENS.ingest)
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'gzip')
      .serialize((body: unknown) => body as string)
      .send(bytes);

  const lines = (text: string, path = '/ingest/influx') =>
    http().post(path).set('X-Auth-Token', TOKENS.ingest).set('Content-Type', 'text/plain').send(text);

  /** A remote write request with one series. The protobuf is hand-written, so that the test needs no encoder. */
  const writeRequest = (name: string, samples: [value: number | 'stale', timestamp: number][]): Buffer => {
    const varint = (value: bigint): Buffer => {
      const bytes: number[] = [];
      for (let left = value; ; left >>= 7n) {
        if (left < 0x80n) return Buffer.from([...bytes, Number(left)]);
        bytes.push(Number(left & 0x7fn) | 0x80);
      }
    };
    const block = (field: number, content: Buffer) =>
      Buffer.concat([Buffer.from([(field << 3) | 2]), varint(BigInt(content.length)), content]);
    const text = (field: number, value: string) => block(field, Buffer.from(value));
    const labels = [
      ['__name__', name],
      ['job', 'api'],
    ].map(([key, value]) => block(1, Buffer.concat([text(1, key!), text(2, value!)])));
    const points = samples.map(([value, timestamp]) => {
      const number = Buffer.alloc(8);
      if (value === 'stale') number.writeBigUInt64LE(0x7ff0_0000_0000_0002n);
      else number.writeDoubleLE(value);
      return block(
        2,
        Buffer.concat([Buffer.from([0x09]), number, Buffer.from([0x10]), varint(BigInt(timestamp * 1000))]),
      );
    });
    return block(1, Buffer.concat([...labels, ...points]));
  };

  const remoteWrite = (body: Buffer, path = '/api/v1/write', type = 'application/x-protobuf') =>
    http()
      .post(path)
      .set('Authorization', `Bearer ${TOKENS.ingest}`)
      .set('Content-Type', type)
      .set('Content-Encoding', 'snappy')
      .send(body);

  describe('accepted points', () => {
    it('are answered 204 without a body after they are stored', async () => {
      const answer = await json(POINT).expect(204);
      expect(answer.text).toBe('');
      expect(log.appended).toEqual([
        {
          kind: 'live',
          batch: { ids: Uint32Array.of(1), timestamps: Float64Array.of(NOW), values: Float64Array.of(1.5) },
        },
      ]);
    });

    it.each([
      ['many', { metrics: [POINT, { ...POINT, metric: 'b' }] }, 2],
      ['one', POINT, 1],
      ['a bare list', [POINT, POINT], 2],
      ['columns of a metric', { metrics: [{ metric: 'a', timestamps: [NOW - 60, NOW], values: [1, 2] }] }, 2],
      ['columns of several', { timestamps: [NOW - 60, NOW], series: { a: [1, 2], b: [null, 2] } }, 3],
    ])('may be sent as JSON: %s', async (_, body, points) => {
      await json(body).expect(204);
      expect(log.points).toBe(points);
    });

    it('are counted for the organisation, unlike refused points and test points', async () => {
      await json({ metrics: [POINT, { metric: 'over.a', value: 1 }] }).expect(207);
      await json(POINT).set('X-Test-Only', 'true');
      expect([...fakes.counted]).toEqual([[7, 1]]);
    });

    describe('in any order within a day', () => {
      const stored = () =>
        log.appended.map(({ kind, batch }) => [kind, Array.from(batch.timestamps, (timestamp) => timestamp - NOW)]);

      it('are live up to an hour old, and backfill if older', async () => {
        await json({ ...POINT, timestamp: NOW - 3599 }).expect(204);
        await json({ ...POINT, timestamp: NOW - 3601 }).expect(204);
        await json({ ...POINT, timestamp: NOW - 86_399 }).expect(204);
        expect(stored()).toEqual([
          ['live', [-3599]],
          ['backfill', [-3601]],
          ['backfill', [-86_399]],
        ]);
      });

      it('are stored in order of time for each series, backfill first', async () => {
        const timestamps = [0, -7200, -60, -7260, -60, -10_800].map((seconds) => NOW + seconds);
        await json({ metrics: [{ metric: 'a', timestamps, values: [1, 2, 3, 4, 5, 6] }] }).expect(204);
        expect(stored()).toEqual([
          ['backfill', [-10_800, -7260, -7200]],
          ['live', [-60, -60, 0]],
        ]);
        expect(log.appended.map(({ batch }) => [...batch.values])).toEqual([
          [6, 4, 2],
          [3, 5, 1],
        ]);
      });

      it('keep their metrics', async () => {
        const metrics = [
          { metric: 'a', timestamps: [NOW, NOW - 60], values: [1, 2] },
          { metric: 'b', timestamps: [NOW - 120, NOW - 7200], values: [3, 4] },
        ];
        await json({ metrics: [...metrics, { metric: 'c', timestamp: NOW - 60, value: 5, backfill: true }] }).expect(
          204,
        );
        const found = log.appended.map(({ kind, batch }) => [kind, [...batch.ids], [...batch.values]]);
        expect(found).toEqual([
          ['backfill', [2, 3], [4, 5]],
          ['live', [2, 1, 1], [3, 2, 1]],
        ]);
      });

      it('include staleness markers of remote write', async () => {
        const body = writeRequest('up', [
          [1, NOW - 10_860],
          ['stale', NOW - 10_800],
        ]);
        await remoteWrite(await snappy.compress(body)).expect(204);
        expect(stored()).toEqual([
          ['backfill', [-10_860]],
          ['backfill', [-10_800]],
        ]);
      });
    });

    it('may be sent under the API base path', () => json(POINT, '/api/ingest/metrics').expect(204));

    it('may be compressed', async () => {
      await gzipped(gzipSync(JSON.stringify(POINT))).expect(204);
      expect(log.points).toBe(1);
    });

    it.each(['/ingest/influx', '/write', '/api/v2/write'])('may be sent as line protocol: %s', async (path) => {
      await lines(`cpu,host=web-1 usage=1.5,idle=2i ${String(NOW)}000000000`, path).expect(204);
      expect([...registry.ids.keys()]).toEqual(['cpu_usage{host="web-1"}', 'cpu_idle{host="web-1"}']);
      expect(registry.sources).toEqual(new Set(['influx']));
    });

    it('have the line protocol precision that the query names', async () => {
      await lines(`cpu value=1 ${String(NOW)}`, '/write?precision=s').expect(204);
      expect(log.appended[0]?.batch.timestamps).toEqual(Float64Array.of(NOW));
    });

    it.each([
      ['text/plain; version=0.0.4', `# TYPE up gauge\nup{job="api"} 1 ${String(NOW)}000\n`],
      ['application/x-www-form-urlencoded', `# TYPE up gauge\nup{job="api"} 1 ${String(NOW)}000\n`],
      ['application/openmetrics-text; version=1.0.0; charset=utf-8', `up{job="api"} 1 ${String(NOW)}.0\n`],
      ['text/plain', `up{job="api"} 1 ${String(NOW)}\n# EOF\n`],
    ])('may be sent as exposition text: %s', async (type, text) => {
      const send = (body: string | Buffer) =>
        http()
          .post('/api/v1/import/prometheus')
          .set('X-Auth-Token', TOKENS.ingest)
          .set('Content-Type', type)
          .serialize((sent: unknown) => sent as string)
          .send(body);
      await send(text).expect(204);
      expect([...registry.ids.keys()]).toEqual(['up{job="api"}']);
      expect(registry.sources).toEqual(new Set(['prometheus']));
      expect(log.appended.map(({ batch }) => [...batch.timestamps])).toEqual([[NOW]]);
      const packed = await send(gzipSync(`broken\n${text}`))
        .set('Content-Encoding', 'gzip')
        .expect(207);
      expect(packed.body).toMatchObject({ code: 207, submitted: 2, accepted: 1, refused: 1 });
    });

    it.each(['/ingest/prometheus', '/api/v1/write'])('may be sent as remote write: %s', async (path) => {
      await remoteWrite(await snappy.compress(writeRequest('up', [[1, NOW]])), path).expect(204);
      expect([...registry.ids.keys()]).toEqual(['up{job="api"}']);
      expect(registry.sources).toEqual(new Set(['prometheus']));
    });

    it('end a known series with a staleness marker, but create no metric for an unknown one', async () => {
      await remoteWrite(await snappy.compress(writeRequest('up', [[1, NOW - 60]]))).expect(204);
      await remoteWrite(await snappy.compress(writeRequest('up', [['stale', NOW]]))).expect(204);
      await remoteWrite(await snappy.compress(writeRequest('never_seen', [['stale', NOW]]))).expect(204);
      expect(log.appended.map(({ batch }) => [...batch.values])).toEqual([[1], [NaN]]);
      expect(log.appended[1]?.batch).toMatchObject({ ids: Uint32Array.of(1), timestamps: Float64Array.of(NOW) });
      expect([...registry.ids.keys()]).toEqual(['up{job="api"}']);
    });

    it.each([
      ['?timestmap=1760000000', 'timestmap is not a parameter of this path; the parameters are backfill'],
      ['?test=true', 'test is not a parameter of this path; the parameters are backfill'],
      ['?backfill=yes', 'backfill must be true or false, got "yes"'],
      [`?pl_${'a'.repeat(43)}=1`, 'pl_… is not a parameter of this path; the parameters are backfill'],
      ['?a=1&b=2', 'a is not a parameter of this path; the parameters are backfill (and 1 more)'],
    ])('with the query string %s are refused', async (query, message) => {
      for (const send of [
        json(POINT, `/ingest/metrics${query}`),
        http()
          .post(`/ingest/metrics${query}`)
          .send({ ...POINT, key: TOKENS.ingest }),
      ]) {
        const answer = await send.expect(400);
        expect(answer.body).toMatchObject({ code: 400, error: 'validation_failed', message });
      }
      expect(log.appended).toEqual([]);
    });

    it.each([
      ['X-Test-Only', 'yes'],
      ['X-Backfill', 'on'],
    ])('with the header %s: %s are refused on every path', async (name, value) => {
      const message = `${name} must be true or false, got "${value}"`;
      for (const send of [
        json(POINT),
        http()
          .post('/ingest/metrics')
          .send({ ...POINT, key: TOKENS.ingest }),
        lines(`cpu value=1 ${String(NOW)}000000000`, '/ingest/influx'),
      ]) {
        const answer = await send.set(name, value).expect(400);
        expect(answer.text).toContain(JSON.stringify(message).slice(1, -1));
      }
      expect(log.appended).toEqual([]);
    });

    it('with other parameters are accepted by the paths of InfluxDB', async () => {
      const line = `cpu value=1 ${String(NOW)}000000000`;
      for (const path of ['/write?db=x&rp=y', '/api/v2/write?bucket=x&org=y', '/ingest/influx?db=x']) {
        await lines(line, path).expect(204);
      }
    });

    it('are stored as backfill if the header, query, body or metric says so', async () => {
      const old = { metric: 'a', timestamp: NOW - 86_400, value: 1 };
      await http()
        .post('/ingest/metrics')
        .set('X-Auth-Token', TOKENS.ingest)
        .set('X-Backfill', 'true')
        .send(old)
        .expect(204);
      await json(old, '/ingest/metrics?backfill=true').expect(204);
      await json({ metrics: [old], backfill: true }).expect(204);
      await json({ metrics: [{ ...old, backfill: true }, POINT] }).expect(204);
      expect(log.appended.map(({ kind }) => kind)).toEqual(['backfill', 'backfill', 'backfill', 'backfill', 'live']);
    });

    it('may be an empty list', async () => {
      await json({ metrics: [] }).expect(204);
      expect(log.appended).toEqual([]);
    });
  });

  describe('credentials', () => {
    const places: [string, (test: request.Test) => request.Test][] = [
      ['X-Auth-Token', (test) => test.set('X-Auth-Token', TOKENS.ingest)],
      ['Authorization: Bearer', (test) => test.set('Authorization', `Bearer ${TOKENS.ingest}`)],
      ['Authorization: Token', (test) => test.set('Authorization', `Token ${TOKENS.ingest}`)],
      ['the password of Basic', (test) => test.auth('anybody', TOKENS.ingest)],
      ['the header key', (test) => test.set('key', TOKENS.ingest)],
    ];
    it.each(places)('are read from %s', (_, present) =>
      present(http().post('/ingest/metrics')).send(POINT).expect(204),
    );

    it('are read from the JSON member key', () =>
      http()
        .post('/ingest/metrics')
        .send({ ...POINT, key: TOKENS.ingest })
        .expect(204));

    it('are read from the query of /write, but not of /ingest/influx', async () => {
      const body = `cpu value=1 ${String(NOW)}000000000`;
      const send = (path: string) => http().post(path).set('Content-Type', 'text/plain').send(body);
      await send(`/write?p=${TOKENS.ingest}`).expect(204);
      await send(`/ingest/influx?p=${TOKENS.ingest}`).expect(401);
    });

    it('are read only from the first place that contains any', () =>
      http()
        .post('/ingest/metrics')
        .set('X-Auth-Token', 'pl_wrong')
        .send({ ...POINT, key: TOKENS.ingest })
        .expect(401));

    it.each([
      ['none', undefined, 401, 'not_authenticated'],
      ['unknown', 'pl_unknown', 401, 'not_authenticated'],
      ['expired', TOKENS.expired, 401, 'token_expired'],
      ['without the permission', TOKENS.read, 403, 'permission_denied'],
    ])('are rejected in the error format of the ingest paths if invalid: %s', async (_, token, code, error) => {
      const test = http().post('/ingest/metrics').send(POINT);
      const answer = await (token === undefined ? test : test.set('X-Auth-Token', token)).expect(code);
      expect(answer.body).toEqual({ code, error, message: expect.any(String), details: expect.any(Array) });
      expect(log.appended).toEqual([]);
    });

    it('of a session are rejected', () =>
      http().post('/ingest/metrics').set('X-Session-Id', SESSIONS.admin).send(POINT).expect(401));

    it('can be validated without sending points', async () => {
      const answer = await http().post('/ingest/metrics').send({ key: TOKENS.ingest, validate_key: true }).expect(200);
      expect(answer.body).toEqual({
        code: 200,
        valid: true,
        permissions: { read: false, write: false, alert: false, ingest: true, admin: false },
      });
      await http().post('/ingest/metrics').send({ key: 'pl_unknown', validate_key: true }).expect(401);
    });
  });

  describe('requests rejected as a whole', () => {
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024));

    it.each([
      ['broken JSON', () => json('{"metric": '), 400, 'malformed_body'],
      ['JSON that is no object', () => json('7'), 400, 'malformed_body'],
      ['an unknown member', () => json({ ...POINT, colour: 'red' }), 400, 'validation_failed'],
      ['a value of the wrong type', () => json({ ...POINT, value: { a: 1 } }), 400, 'validation_failed'],
      ['broken gzip', () => gzipped(Buffer.from('no gzip')), 400, 'malformed_body'],
      ['another type', () => json(POINT).set('Content-Type', 'text/csv'), 415, 'unsupported_media_type'],
      ['another encoding', () => json(POINT).set('Content-Encoding', 'br'), 415, 'unsupported_media_type'],
      ['10 MB of noise', () => json('x'.repeat(10_000_000)), 413, 'too_large'],
      ['a gzip bomb', () => gzipped(bomb), 413, 'too_large'],
      ['an unknown precision', () => lines('a value=1 1', '/write?precision=weeks'), 400, 'validation_failed'],
      ['remote write without snappy', () => remoteWrite(Buffer.from('hello')), 400, 'malformed_body'],
      [
        'remote write that is not compressed',
        () => remoteWrite(writeRequest('up', [[1, NOW]])).set('Content-Encoding', 'identity'),
        415,
        'unsupported_media_type',
      ],
      [
        'an unknown version of remote write',
        () =>
          remoteWrite(Buffer.from(''), '/api/v1/write', 'application/x-protobuf;proto=io.prometheus.write.v3.Request'),
        415,
        'unsupported_media_type',
      ],
      ['a snappy bomb', () => remoteWrite(Buffer.from([0x80, 0x80, 0x80, 0x80, 0x0f])), 413, 'too_large'],
      [
        'too many points',
        () => json({ metrics: [{ metric: 'a', timestamps: Array(50_001).fill(NOW), values: Array(50_001).fill(1) }] }),
        413,
        'too_large',
      ],
    ])('include %s', async (_, send, code, error) => {
      const answer = await send().expect(code);
      expect(answer.body).toEqual({ code, error, message: expect.any(String), details: expect.any(Array) });
      expect(answer.body.message).not.toMatch(/ at .*\.[jt]s/);
      expect(log.appended).toEqual([]);
    });

    it('include remote write with invalid protobuf', async () => {
      const answer = await remoteWrite(await snappy.compress(Buffer.from([0x0a, 0xff, 0x01]))).expect(400);
      expect(answer.body.error).toBe('malformed_body');
    });

    it('do not include remote write with the media type parameter of version 1.0', async () => {
      const body = await snappy.compress(writeRequest('up', [[1, NOW]]));
      await remoteWrite(body, '/api/v1/write', 'application/x-protobuf;proto=prometheus.WriteRequest').expect(204);
    });

    it('with an unsupported method are answered 405', async () => {
      const answer = await http().get('/ingest/metrics').expect(405);
      expect(answer.headers.allow).toContain('POST');
      expect(answer.body).toMatchObject({ code: 405, error: 'method_not_allowed' });
    });

    it('for a full queue are answered 429 with Retry-After', async () => {
      log.failure = new PointLogFullError(1_000_000);
      const answer = await json(POINT).expect(429);
      expect(answer.body.error).toBe('rate_limited');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    });

    it('for an unreachable storage are answered 503 with Retry-After', async () => {
      log.failure = new Error('Connection terminated unexpectedly');
      const answer = await json(POINT).expect(503);
      expect(answer.body.error).toBe('not_ready');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    });

    it('are logged once for an unreachable storage', async () => {
      const lines = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      try {
        log.failure = new Error('Connection terminated unexpectedly');
        for (let i = 0; i < 5; i++) await json(POINT).expect(503);
        // The previous test may have logged the line already.
        expect(lines.mock.calls.length).toBeLessThanOrEqual(1);
      } finally {
        lines.mockRestore();
      }
    });

    it('whose token cannot be looked up are answered 503 with Retry-After, and logged at most once', async () => {
      const lines = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
      const tokens = jest.spyOn(app.get(CredentialDirectory, { strict: false }), 'findToken').mockRejectedValue(away);
      try {
        for (let i = 0; i < 5; i++) {
          const answer = await json(POINT).expect(503);
          expect(answer.body.error).toBe('not_ready');
          expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
        }
        expect(lines.mock.calls.length).toBeLessThanOrEqual(1);
      } finally {
        tokens.mockRestore();
        lines.mockRestore();
      }
    });
  });

  describe('partially refused bodies', () => {
    const OLD = { metric: 'old', timestamp: NOW - 86_401, value: 1 };
    const OVER = { metric: 'over.quota', timestamp: NOW, value: 1 };

    it('are reported per metric by /ingest/metrics, and the rest is stored', async () => {
      const answer = await json({ metrics: [POINT, OLD, { ...OLD, timestamp: NOW + 61 }, OVER] }).expect(207);
      expect(answer.body).toEqual({
        code: 207,
        error: 'partially_refused',
        message: expect.stringContaining('3 of 4 points refused'),
        lines: [
          {
            line: null,
            problem:
              `metrics.1.timestamp must be at most 86400 s ago, got ${String(OLD.timestamp)}, ` +
              'taken for seconds: 2022-07-11; send history with backfill',
          },
          {
            line: null,
            problem:
              `metrics.2.timestamp must be at most 60 s in the future, got ${String(NOW + 61)}, ` +
              'taken for seconds: 2022-07-12',
          },
        ],
        submitted: 4,
        accepted: 1,
        refused: 3,
        refused_metrics_count: 2,
        truncated: false,
        metrics: [
          { metric: 'old', status: 400, accepted: 0, refused: 2, reasons: { too_old: 1, in_future: 1 } },
          { metric: 'over.quota', status: 429, accepted: 0, refused: 1, reasons: { over_quota: 1 } },
        ],
      });
      expect(log.points).toBe(1);
    });

    it('are reported for line protocol, with the number of omitted text values', async () => {
      const answer = await lines(`cpu value=1 ${String(NOW)}000000000\nbroken\ncpu value="text"`).expect(207);
      expect(answer.body).toMatchObject({ submitted: 2, accepted: 1, refused: 1 });
      expect(answer.body.message).toContain('1 text value was left out');
    });

    it('are answered as a partial write in the formats of InfluxDB 1 and 2', async () => {
      const body = `cpu value=1 ${String(NOW)}000000000\nold value=1 1000000000`;
      const v1 = await lines(body, '/write').expect(400);
      const message =
        'partial write: 1 of 2 points refused: 1 too_old; 1 accepted; line 2: the timestamp must be at most 86400 s ago, ' +
        'got 1000000000, taken for precision=ns: 1970-01-01; send history with backfill';
      expect(v1.body).toEqual({ error: message });
      const v2 = await lines(body, '/api/v2/write').expect(400);
      expect(v2.body).toEqual({ code: 'invalid', message });
      expect(log.points).toBe(2);
    });

    it('are answered 204 by InfluxDB paths if only the quota refused points', () =>
      lines(`over_quota value=1 ${String(NOW)}000000000`, '/write').expect(204));

    it('are answered 400 for remote write, so that the sender does not retry', async () => {
      const body = writeRequest('up', [
        [1, NOW],
        [1, NOW - 90_000],
      ]);
      const answer = await remoteWrite(await snappy.compress(body)).expect(400);
      expect(answer.body).toMatchObject({ code: 400, error: 'partially_refused', accepted: 1, refused: 1 });
      expect(log.points).toBe(1);
    });

    it('are answered 204 for remote write if the refused samples are NaN, as in an empty summary', async () => {
      const body = writeRequest('up', [
        [NaN, NOW - 60],
        [1, NOW],
      ]);
      await remoteWrite(await snappy.compress(body)).expect(204);
      expect(log.appended.map(({ batch }) => [...batch.values])).toEqual([[1]]);
    });

    it('are answered 207 for remote write if only the quota refused points', async () => {
      const answer = await remoteWrite(await snappy.compress(writeRequest('over_quota', [[1, NOW]]))).expect(207);
      expect(answer.body).toMatchObject({ code: 207, error: 'partially_refused', accepted: 0, refused: 1 });
    });
  });

  describe('test mode', () => {
    it.each([
      ['the member test', () => json({ metrics: [POINT, { metric: 'over.a', value: 1 }], test: true })],
      ['X-Test-Only', () => json({ metrics: [POINT, { metric: 'over.a', value: 1 }] }).set('X-Test-Only', 'true')],
    ])('by %s reports the result of a body and stores nothing', async (_, send) => {
      const answer = await send().expect(200);
      expect(answer.body).toMatchObject({ code: 200, test: true, submitted: 2, accepted: 1, refused: 1 });
      expect(log.appended).toEqual([]);
      expect(registry.ids.size).toBe(0);
    });
  });

  it('return rate limit headers', async () => {
    const answer = await json(POINT).expect(204);
    expect(answer.headers['x-ratelimit-limit']).toBe('6000');
    expect(Number(answer.headers['x-ratelimit-remaining'])).toBeLessThan(6000);
    expect(Number(answer.headers['x-ratelimit-reset'])).toBeGreaterThan(0);
  });
});

describe('ingest limits', () => {
  const env = { PLUMBLINE_LIMIT_INGEST_REQUESTS: '3', PLUMBLINE_LIMIT_INGEST_POINTS: '5' };
  const send = (app: INestApplication, points: number) =>
    request(app.getHttpServer() as Parameters<typeof request>[0])
      .post('/ingest/metrics')
      .set('X-Auth-Token', TOKENS.ingest)
      .send({ metrics: [{ metric: 'a', timestamps: Array(points).fill(NOW), values: Array(points).fill(1) }] });

  it('answer 429 with Retry-After for points and requests over the limits of a token', async () => {
    const app = await createEdgeApp({ controllers: [IngestController], imports: [fakes.module], env });
    try {
      await send(app, 5).expect(204);
      const points = await send(app, 1).expect(429);
      expect(points.body).toMatchObject({ code: 429, error: 'rate_limited' });
      expect(Number(points.headers['retry-after'])).toBeGreaterThan(0);
      await send(app, 0).expect(204);
      await send(app, 0).expect(429);
    } finally {
      await app.close();
    }
  });

  it.each([
    { PLUMBLINE_LIMIT_ORG_INGEST_POINTS: '4', accepted: 4 },
    { PLUMBLINE_LIMIT_ORG_INGEST_REQUESTS: '1', accepted: 1 },
  ])('include the limits of the organisation: %j', async ({ accepted, ...env }) => {
    const app = await createEdgeApp({ controllers: [IngestController], imports: [fakes.module], env });
    try {
      await send(app, accepted).expect(204);
      const refused = await send(app, 1).expect(429);
      expect(refused.body).toMatchObject({ code: 429, error: 'rate_limited' });
      fakes.events = [];
      app.get(RefusalEventsService).flush();
      expect(fakes.events).toEqual([
        expect.objectContaining({
          orgId: 7,
          type: 'ingest_refused',
          details: { reason: 'rate_limited', requests: 1 },
        }),
      ]);
      const metrics = await app.get(MetricsRegistry).prometheus.metrics();
      expect(metrics).toContain('plumbline_refusals_total{org="7",reason="rate_limited"} 1');
    } finally {
      await app.close();
    }
  });
});
