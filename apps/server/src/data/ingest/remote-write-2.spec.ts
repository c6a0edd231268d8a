import { type INestApplication } from '@nestjs/common';
import protobuf from 'protobufjs';
import snappy from 'snappy';
import request from 'supertest';
import { createEdgeApp, FIXED_NOW, TOKENS } from '../../../../../test/support/edge-app.js';
import { FakeIngest } from '../../../../../test/support/fake-ingest.js';
import { IngestController } from './ingest.controller.js';

const NOW = FIXED_NOW;

/** Copied from https://prometheus.io/docs/specs/prw/remote_write_spec_2_0/, reduced to the members used here. */
const Request = protobuf
  .parse(
    `syntax = "proto3";
     message Request { repeated string symbols = 4; repeated TimeSeries timeseries = 5; }
     message TimeSeries {
       repeated uint32 labels_refs = 1;
       repeated Sample samples = 2;
       repeated Histogram histograms = 3;
       repeated Exemplar exemplars = 4;
       Metadata metadata = 5;
     }
     message Exemplar { repeated uint32 labels_refs = 1; double value = 2; int64 timestamp = 3; }
     message Sample { double value = 1; int64 timestamp = 2; }
     message Metadata { int32 type = 1; uint32 help_ref = 3; uint32 unit_ref = 4; }
     message BucketSpan { sint32 offset = 1; uint32 length = 2; }
     message Histogram {
       uint64 count_int = 1;
       double sum = 3;
       sint32 schema = 4;
       repeated BucketSpan positive_spans = 11;
       repeated sint64 positive_deltas = 12;
       int64 timestamp = 15;
     }`,
    { keepCase: true },
  )
  .root.lookupType('Request');

interface Series {
  name: string;
  samples?: { value: number; timestamp: number }[];
  histograms?: object[];
  exemplars?: object[];
  metadata?: { type: number; help?: string; unit?: string };
}

function bodyOf(...series: Series[]): Buffer {
  const symbols = [''];
  const ref = (text: string) => (symbols.includes(text) ? symbols.indexOf(text) : symbols.push(text) - 1);
  const milliseconds = (point: object & { timestamp?: number }) => ({
    ...point,
    timestamp: (point.timestamp ?? NOW) * 1000,
  });
  const timeseries = series.map(({ name, samples = [], histograms = [], exemplars = [], metadata }) => ({
    labels_refs: [ref('__name__'), ref(name), ref('job'), ref('api')],
    samples: samples.map(milliseconds),
    histograms: histograms.map(milliseconds),
    exemplars,
    metadata: metadata && {
      type: metadata.type,
      help_ref: ref(metadata.help ?? ''),
      unit_ref: ref(metadata.unit ?? ''),
    },
  }));
  return Buffer.from(Request.encode(Request.fromObject({ symbols, timeseries })).finish());
}

describe('remote write 2.0', () => {
  const fakes = new FakeIngest();
  let app: INestApplication;

  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [IngestController], imports: [fakes.module] });
  });
  afterAll(() => app.close());
  beforeEach(() => fakes.reset());

  const send = async (body: Buffer) =>
    request(app.getHttpServer() as Parameters<typeof request>[0])
      .post('/api/v1/write')
      .set('Authorization', `Bearer ${TOKENS.ingest}`)
      .set('Content-Type', 'application/x-protobuf;proto=io.prometheus.write.v2.Request')
      .set('Content-Encoding', 'snappy')
      .send(await snappy.compress(body));

  /** Returns the written counts from the response headers: samples, histograms, exemplars. */
  const written = ({ headers }: request.Response) =>
    ['samples', 'histograms', 'exemplars'].map(
      (kind) => (headers as Record<string, string>)[`x-prometheus-remote-write-${kind}-written`],
    );

  const good = { name: 'up', samples: [{ value: 1, timestamp: NOW }] };

  it('is answered 204 with the number of written samples', async () => {
    const answer = await send(
      bodyOf({ ...good, exemplars: [{ value: 1 }], metadata: { type: 2, help: 'Whether it is up.' } }),
    );
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(written(answer)).toEqual(['1', '0', '0']);
    expect([...fakes.registry.ids.keys()]).toEqual(['up{job="api"}']);
    expect(fakes.registry.metadata).toEqual([expect.objectContaining({ family: 'up', help: 'Whether it is up.' })]);
  });

  it('counts histograms separately from samples', async () => {
    const histogram = {
      count_int: 6,
      sum: 3,
      schema: 0,
      positive_spans: [{ offset: 0, length: 2 }],
      positive_deltas: [2, 2],
    };
    const answer = await send(bodyOf(good, { name: 'latency', histograms: [histogram] }));
    expect([answer.status, written(answer)]).toEqual([204, ['1', '1', '0']]);
    expect([...fakes.registry.ids.keys()]).toEqual(
      expect.arrayContaining(['latency_count{job="api"}', 'latency_sum{job="api"}']),
    );
  });

  it('is answered 400 for an invalid sample, and the others are stored and counted', async () => {
    const answer = await send(bodyOf(good, { name: 'old', samples: [{ value: 1, timestamp: NOW - 90_000 }] }));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: 'partially_refused', accepted: 1, refused: 1 });
    expect(written(answer)).toEqual(['1', '0', '0']);
    expect(fakes.log.points).toBe(1);
  });

  it('is answered 400 when the quota is used up', async () => {
    const answer = await send(bodyOf(good, { name: 'over_quota', samples: [{ value: 1, timestamp: NOW }] }));
    expect([answer.status, written(answer)]).toEqual([400, ['1', '0', '0']]);
  });

  it('is answered 204 for excluded metrics, which do not count as written', async () => {
    const answer = await send(bodyOf({ name: 'excluded_name', samples: [{ value: 1, timestamp: NOW }] }));
    expect([answer.status, written(answer)]).toEqual([204, ['0', '0', '0']]);
  });

  it('is rejected completely for an unknown field of another version', async () => {
    const answer = await send(Buffer.from([0x0a, 0x00]));
    expect([answer.status, answer.body.error]).toEqual([400, 'malformed_body']);
    expect(fakes.log.appended).toEqual([]);
  });
});
