import { gzipSync } from 'node:zlib';
import { type INestApplication } from '@nestjs/common';
import protobuf from 'protobufjs';
import request from 'supertest';
import { PointLogFullError } from '#libs/point-log';
import { createEdgeApp, FIXED_NOW, SESSIONS, TOKENS } from '../../../../../test/support/edge-app.js';
import { FakeIngest } from '../../../../../test/support/fake-ingest.js';
import { IngestController } from './ingest.controller.js';
import { ProtocolSettingsService } from './protocol-settings.service.js';

const NOW = FIXED_NOW;

/**
 * Copied from opentelemetry-proto (metrics service 1.x) and google/rpc/status.proto, with only the members that the
 * tests use.
 */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message ExportMetricsServiceRequest { repeated ResourceMetrics resource_metrics = 1; }
  message ExportMetricsServiceResponse { ExportMetricsPartialSuccess partial_success = 1; }
  message ExportMetricsPartialSuccess { int64 rejected_data_points = 1; string error_message = 2; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeMetrics { repeated Metric metrics = 2; }
  message Metric { string name = 1; string description = 2; string unit = 3; oneof data { Gauge gauge = 5; } }
  message Gauge { repeated NumberDataPoint data_points = 1; }
  message NumberDataPoint {
    repeated KeyValue attributes = 7;
    fixed64 time_unix_nano = 3;
    oneof value { double as_double = 4; sfixed64 as_int = 6; }
  }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; } }
  message Status { int32 code = 1; string message = 2; }`);
const type = (name: string) => root.lookupType(name);

const gauge = (name: string, value: number, timestamp = NOW) => ({
  name,
  gauge: { dataPoints: [{ timeUnixNano: `${String(timestamp)}000000000`, asDouble: value }] },
});
const requestOf = (...metrics: object[]) => ({
  resourceMetrics: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'api' } }] },
      scopeMetrics: [{ metrics }],
    },
  ],
});
const encode = (message: object) =>
  Buffer.from(
    type('ExportMetricsServiceRequest').encode(type('ExportMetricsServiceRequest').fromObject(message)).finish(),
  );

describe('OpenTelemetry metrics', () => {
  const fakes = new FakeIngest();
  let app: INestApplication;

  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [IngestController], imports: [fakes.module] });
  });
  afterAll(() => app.close());
  beforeEach(() => fakes.reset());

  const post = (body: Buffer | string, contentType: string, token: string | null = TOKENS.ingest) => {
    const test = request(app.getHttpServer() as Parameters<typeof request>[0])
      .post('/v1/metrics')
      .set('Content-Type', contentType)
      .serialize((bytes: unknown) => bytes as string)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      });
    return (token === null ? test : test.set('Authorization', `Bearer ${token}`)).send(body);
  };
  const protobufPost = (message: object, token?: string | null) =>
    post(encode(message), 'application/x-protobuf', token);
  const jsonPost = (message: object, token?: string | null) => post(JSON.stringify(message), 'application/json', token);

  const decoded = (name: string, body: unknown) =>
    type(name).toObject(type(name).decode(body as Buffer), { longs: Number }) as Record<string, unknown>;
  const parsed = (body: unknown) => JSON.parse((body as Buffer).toString()) as unknown;

  it('are stored from protobuf, and answered with an empty protobuf message', async () => {
    const answer = await protobufPost(requestOf(gauge('queue.size', 3))).expect(200);
    expect(answer.headers['content-type']).toBe('application/x-protobuf');
    expect(answer.body).toEqual(Buffer.alloc(0));
    expect([...fakes.registry.ids.keys()]).toEqual(['queue.size{service_name="api"}']);
    expect(fakes.registry.sources).toEqual(new Set(['opentelemetry']));
    expect([...fakes.log.appended[0]!.batch.values]).toEqual([3]);
  });

  it('are stored from JSON, and answered in JSON', async () => {
    const answer = await jsonPost(requestOf(gauge('queue.size', 3))).expect(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(parsed(answer.body)).toEqual({});
    expect(fakes.log.points).toBe(1);
  });

  it('are parsed with the resource attributes and histogram mode of the organisation', async () => {
    const settings = app.get(ProtocolSettingsService);
    const histogram = {
      name: 'latency',
      histogram: {
        aggregationTemporality: 2,
        dataPoints: [
          {
            timeUnixNano: `${String(NOW)}000000000`,
            count: '3',
            sum: 3,
            bucketCounts: ['1', '2'],
            explicitBounds: [1],
          },
        ],
      },
    };
    const body = requestOf(histogram);
    const attributes = body.resourceMetrics[0]!.resource.attributes;
    attributes.push({ key: 'region', value: { stringValue: 'eu' } });
    settings.replaceAll([
      {
        orgId: 7,
        protocol: 'otlp',
        histograms: { mode: 'buckets', quantiles: [] },
        resourceAttributes: ['region'],
      },
    ]);
    try {
      await jsonPost(body).expect(200);
      expect([...fakes.registry.ids.keys()].sort()).toEqual([
        'latency_bucket{le="+Inf",region="eu"}',
        'latency_bucket{le="1",region="eu"}',
        'latency_count{region="eu"}',
        'latency_sum{region="eu"}',
      ]);
    } finally {
      settings.replaceAll([]);
    }
  });

  it('may be compressed', async () => {
    const body = gzipSync(encode(requestOf(gauge('a', 1))));
    await post(body, 'application/x-protobuf').set('Content-Encoding', 'gzip').expect(200);
    expect(fakes.log.points).toBe(1);
  });

  it('may be an empty body', () => post(Buffer.alloc(0), 'application/x-protobuf').expect(200));

  it('are reported as partial success when some are refused, including refusals by quota and exclusions', async () => {
    const message = requestOf(gauge('ok', 1), gauge('old', 1, NOW - 90_000), gauge('over', 1), gauge('excluded', 1));
    const binary = await protobufPost(message).expect(200);
    const partialSuccess = {
      rejectedDataPoints: 3,
      errorMessage: expect.stringContaining('3 of 4 points refused'),
    };
    expect(decoded('ExportMetricsServiceResponse', binary.body)).toEqual({ partialSuccess });
    const text = await jsonPost(message).expect(200);
    expect(parsed(text.body)).toEqual({ partialSuccess: { ...partialSuccess, rejectedDataPoints: '3' } });
    expect(fakes.log.points).toBe(2);
  });

  it('in test mode are answered with the common JSON result', async () => {
    const answer = await protobufPost(requestOf(gauge('a', 1)))
      .set('X-Test-Only', 'true')
      .expect(200);
    expect(parsed(answer.body)).toMatchObject({ code: 200, test: true, accepted: 1 });
    expect(fakes.log.appended).toEqual([]);
    expect(fakes.testSends).toHaveLength(1);
  });

  it.each([
    ['without a token', 401, 16, () => ({ token: null })],
    ['with a token that may not send', 403, 7, () => ({ token: TOKENS.read })],
    ['when the queue is full', 429, 8, () => ({ failure: new PointLogFullError(1) })],
    ['when the storage is away', 503, 14, () => ({ failure: new Error('Connection terminated unexpectedly') })],
  ])('are answered with google.rpc.Status %s', async (_, status, code, situation) => {
    const { token, failure } = situation() as { token?: string | null; failure?: Error };
    fakes.log.failure = failure;
    const binary = await protobufPost(requestOf(gauge('a', 1)), token).expect(status);
    expect(binary.headers['content-type']).toBe('application/x-protobuf');
    expect(decoded('Status', binary.body)).toEqual({ code, message: expect.any(String) });
    const text = await jsonPost(requestOf(gauge('a', 1)), token).expect(status);
    expect(parsed(text.body)).toEqual({ code, message: expect.any(String) });
    expect(binary.headers['retry-after'] !== undefined).toBe(failure !== undefined);
  });

  it.each([
    ['broken protobuf', Buffer.from([0x0a, 0xff]), 'application/x-protobuf', 400],
    ['broken JSON', '{', 'application/json', 400],
    ['an unsupported media type', '', 'text/plain', 415],
    ['a body that is too large', 'x'.repeat(5_000_000), 'application/json', 413],
  ])('are rejected as %s', async (_, body, contentType, status) => {
    const answer = await post(body, contentType).expect(status);
    const read = contentType === 'application/json' ? parsed(answer.body) : decoded('Status', answer.body);
    expect(read).toEqual({ code: status === 413 ? 8 : 3, message: expect.any(String) });
  });

  it('are rejected with a session', async () => {
    await jsonPost(requestOf(gauge('a', 1)), null)
      .set('X-Session-Id', SESSIONS.admin)
      .expect(401);
  });
});
