import fc from 'fast-check';
import protobuf from 'protobufjs';
import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';
import { type ParseLimits, parseLimits } from '../batch/limits.js';
import { parseRemoteWrite } from './parse-remote-write.js';
import { countWritten, type RemoteWriteResult } from './remote-write-body.js';

const NOW = 1_760_000_000;

/** The messages of remote write 1.0, encoded by an independent library, because the parser is hand-written. */
const WriteRequest = protobuf
  .parse(
    `syntax = "proto3";
    message WriteRequest { repeated TimeSeries timeseries = 1; repeated MetricMetadata metadata = 3; }
    message TimeSeries { repeated Label labels = 1; repeated Sample samples = 2; repeated Exemplar exemplars = 3; repeated Histogram histograms = 4; }
    message Label { string name = 1; string value = 2; }
    message Sample { double value = 1; int64 timestamp = 2; }
    message Exemplar { repeated Label labels = 1; double value = 2; int64 timestamp = 3; }
    message Histogram {
      oneof count { uint64 count_int = 1; double count_float = 2; }
      double sum = 3; sint32 schema = 4; double zero_threshold = 5; repeated sint64 positive_deltas = 12;
      int32 reset_hint = 14; int64 timestamp = 15;
    }
    message MetricMetadata { int32 type = 1; string metric_family_name = 2; string help = 4; string unit = 5; }`,
    { keepCase: true },
  )
  .root.lookupType('WriteRequest');

interface Series {
  labels?: Record<string, string>;
  /** Pairs of value and seconds relative to now. */
  samples?: [number, number][];
  histograms?: object[];
}

function encode(series: Series[], metadata: object[] = []): Uint8Array {
  const timeseries = series.map(({ labels = {}, samples = [], histograms = [] }) => ({
    labels: Object.entries(labels).map(([name, value]) => ({ name, value })),
    samples: samples.map(([value, age]) => ({ value, timestamp: (NOW + age) * 1000 })),
    histograms,
    exemplars: [{ labels: [{ name: 'trace_id', value: 'x' }], value: 1, timestamp: NOW * 1000 }],
  }));
  return WriteRequest.encode(WriteRequest.create({ timeseries, metadata })).finish();
}

function parse(bytes: Uint8Array, limits: Partial<ParseLimits> = {}): RemoteWriteResult {
  return parseRemoteWrite(bytes, parseLimits(NOW, limits));
}

function points({ batch }: RemoteWriteResult): string[] {
  return Array.from(
    { length: batch.count },
    (_, row) => `${batch.series[batch.seriesIndex[row]!]!.name}@${batch.timestamps[row]! - NOW}=${batch.values[row]!}`,
  );
}

/** Overwrites the value of a sample that was encoded as `marker` with the bits of the staleness marker. */
function withStaleValue(bytes: Uint8Array, marker: number): Uint8Array {
  const wanted = Buffer.alloc(8);
  wanted.writeDoubleLE(marker);
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(wanted); at >= 0; at = copy.indexOf(wanted)) {
    copy.writeUInt32LE(2, at);
    copy.writeUInt32LE(0x7ff00000, at + 4);
  }
  return copy;
}

describe('remote write 1.0 samples', () => {
  it.each<[Series[], string[]]>([
    [[], []],
    [[{ labels: { __name__: 'up' } }], []],
    [[{ labels: { __name__: 'up' }, samples: [[1, 0]] }], ['up@0=1']],
    [
      [
        {
          labels: { __name__: 'up', job: 'api', instance: 'a:1' },
          samples: [
            [0, -1.5],
            [-2.5, 0],
          ],
        },
      ],
      ['up{instance="a:1",job="api"}@-1.5=0', 'up{instance="a:1",job="api"}@0=-2.5'],
    ],
    [[{ labels: { job: 'a', __name__: 'late' }, samples: [[1, 0]] }], ['late{job="a"}@0=1']],
    [[{ labels: { __name__: 'up', empty: '' }, samples: [[1, 0]] }], ['up@0=1']],
    [
      [{ labels: { __name__: 'http.duration', 'service.name': 'a b', 'x y': '\u0007' }, samples: [[1, 0]] }],
      ['http.duration{service.name="a b",x_y="_"}@0=1'],
    ],
    [[{ labels: { __name__: 'with space' }, samples: [[1, 0]] }], ['with_space@0=1']],
    [[{ labels: { __name__: 'rule:sum' }, samples: [[1, 0]] }], ['rule:sum@0=1']],
    [
      [
        { labels: { __name__: 'a' }, samples: [[1, 0]] },
        { labels: { __name__: 'b' }, samples: [[2, 0]] },
        { labels: { __name__: 'a' }, samples: [[3, 1]] },
      ],
      ['a@0=1', 'b@0=2', 'a@1=3'],
    ],
    [[{ labels: { __name__: 'é', v: '日本' }, samples: [[1, 0]] }], ['é{v="日本"}@0=1']],
  ])('are parsed: %j', (series, expected) => {
    const result = parse(encode(series));
    expect(points(result)).toEqual(expected);
    expect(result.refusals.total).toBe(0);
  });

  it('may precede their labels', () => {
    const label = Buffer.from([0x0a, 0x0e, 0x0a, 0x08, ...Buffer.from('__name__'), 0x12, 0x02, ...Buffer.from('up')]);
    const sample = Buffer.from([0x12, 0x09, 0x09, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
    const body = Buffer.concat([Buffer.from([0x0a, sample.length + label.length]), sample, label]);
    const { refusals, batch } = parse(body);
    expect(batch.count).toBe(0);
    expect(Object.fromEntries(refusals.metrics)).toEqual({ up: { too_old: 1 } });
  });

  it.each<[Record<string, string>, [number, number], Record<string, Record<string, number>>]>([
    [{ __name__: 'a' }, [NaN, 0], { a: { not_finite: 1 } }],
    [{ __name__: 'a' }, [Infinity, 0], { a: { not_finite: 1 } }],
    [{ __name__: 'a' }, [1, -86_401], { a: { too_old: 1 } }],
    [{ __name__: 'a' }, [1, 61], { a: { in_future: 1 } }],
    [{ __name__: 'a' }, [1, -NOW - 5], { a: { bad_timestamp: 1 } }],
    [{ job: 'x' }, [1, 0], { '{job="x"}': { bad_name: 1 } }],
    [{ __name__: 'id:5' }, [1, 0], { 'id:5': { bad_name: 1 } }],
    [{ __name__: 'x'.repeat(1100) }, [1, 0], { ['x'.repeat(1024)]: { bad_name: 1 } }],
  ])('are refused with %j %j', (labels, sample, expected) => {
    const { batch, refusals } = parse(encode([{ labels, samples: [sample] }]));
    expect(batch.count).toBe(0);
    expect(Object.fromEntries(refusals.metrics)).toEqual(expected);
  });

  it('are refused with a duplicate label', () => {
    const labels = [
      { name: '__name__', value: 'a' },
      { name: 'x', value: '1' },
      { name: 'x', value: '2' },
    ];
    const timeseries = [{ labels, samples: [{ value: 1, timestamp: NOW * 1000 }] }];
    const { refusals } = parse(WriteRequest.encode(WriteRequest.create({ timeseries })).finish());
    expect(refusals.countOf('bad_name')).toBe(1);
  });

  it('are refused with their own reason for too many labels, without keeping all labels', () => {
    const labels = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`l${i}`, 'x']));
    const { refusals } = parse(
      encode([
        {
          labels: { __name__: 'a', ...labels },
          samples: [
            [1, 0],
            [2, 0],
          ],
        },
      ]),
    );
    expect(refusals.countOf('too_many_labels')).toBe(2);
    expect([...refusals.metrics.keys()][0]!.length).toBeLessThan(200);
  });

  it('end a series with a staleness marker, which is neither a point nor a refusal', () => {
    const bytes = encode([
      {
        labels: { __name__: 'a', x: '1' },
        samples: [
          [1, -15],
          [123.25, 0],
        ],
      },
      { labels: { __name__: 'gone' }, samples: [[123.25, -1]] },
    ]);
    const result = parse(withStaleValue(bytes, 123.25));
    expect(points(result)).toEqual(['a{x="1"}@-15=1']);
    expect(result.refusals.total).toBe(0);
    expect(result.ended).toEqual([
      { name: 'a{x="1"}', timestamp: NOW },
      { name: 'gone', timestamp: NOW - 1 },
    ]);
    expect(result.batch.series.map(({ name }) => name)).toEqual(['a{x="1"}']);
  });

  it('are read past unknown fields of any type', () => {
    const unknown = [0x78, 0x01, 0x7d, 1, 2, 3, 4, 0x79, 1, 2, 3, 4, 5, 6, 7, 8, 0x7a, 0x01, 0xff];
    const body = Buffer.concat([Buffer.from(unknown), encode([{ labels: { __name__: 'a' }, samples: [[1, 0]] }])]);
    expect(points(parse(body))).toEqual(['a@0=1']);
  });

  it('are read from a view into a larger buffer', () => {
    const bytes = encode([{ labels: { __name__: 'a' }, samples: [[1.5, 0]] }]);
    const padded = Buffer.concat([Buffer.from('xyz'), bytes, Buffer.from('xyz')]);
    expect(points(parse(padded.subarray(3, 3 + bytes.length)))).toEqual(['a@0=1.5']);
  });
});

describe('refused points in remote write 1.0', () => {
  it('are described with position, rule and value; NaN is left out', () => {
    const histogram = { count_int: 3, sum: 4, timestamp: (NOW + 61) * 1000 };
    const { refusals } = parse(
      encode([
        { labels: { __name__: 'empty' } },
        {
          labels: { __name__: 'up' },
          samples: [
            [1, 0],
            [NaN, 0],
            [1, -86_401],
          ],
        },
        {
          labels: { job: 'x' },
          samples: [
            [1, 0],
            [2, 0],
          ],
        },
        { labels: { __name__: 'h' }, histograms: [histogram] },
      ]),
    );
    expect(refusals.badLines.map(({ line, problem }) => [line, problem])).toEqual([
      [
        null,
        `timeseries.1.samples.2.timestamp must be at most 86400 s ago, got ${NOW - 86_401}000, taken for milliseconds: 2025-10-08; send history with backfill`,
      ],
      [null, 'timeseries.2.labels must be a metric name with labels, got "{job=\\"x\\"}": a name must not be empty'],
      [
        null,
        `timeseries.3.histograms.0.timestamp must be at most 60 s in the future, got ${NOW + 61}000, taken for milliseconds: 2025-10-09`,
      ],
    ]);
  });
});

describe('types, units and descriptions in remote write 1.0', () => {
  const typesOf = (names: string[], metadata: object[] = []): (string | null)[] =>
    parse(
      encode(
        names.map((name) => ({ labels: { __name__: name }, samples: [[1, 0]] })),
        metadata,
      ),
    ).batch.series.map(({ type }) => type);

  it('follow from the suffix without metadata', () => {
    const names = ['a_total', 'b_count', 'c_sum', 'd_bucket', 'e', 'total', 'f_totals'];
    expect(typesOf(names)).toEqual(['counter', 'counter', 'counter', 'counter', null, null, null]);
  });

  it.each<[string, number, string, string | null]>([
    ['a', 1, 'a', 'counter'],
    ['a_total', 1, 'a_total', 'counter'],
    ['a_total', 1, 'a', 'counter'],
    ['a_total', 2, 'a_total', 'gauge'],
    ['a', 2, 'a', 'gauge'],
    ['h_bucket', 3, 'h', 'counter'],
    ['h_count', 3, 'h', 'counter'],
    ['g_bucket', 4, 'g', 'gauge'],
    ['s', 5, 's', 'gauge'],
    ['s_sum', 5, 's', 'counter'],
    ['i', 6, 'i', 'gauge'],
    ['a_total', 0, 'a_total', 'counter'],
    ['a_count', 2, 'a', 'counter'],
    ['a', 99, 'a', null],
  ])('for %s with metadata of kind %i for %s are %s', (name, kind, family, type) => {
    expect(typesOf([name], [{ type: kind, metric_family_name: family }])).toEqual([type]);
  });

  it('follow from metadata, but counts have no unit', () => {
    const metadata = [{ type: 3, metric_family_name: 'h_seconds', help: 'Durations.', unit: 'seconds' }];
    const names = ['h_seconds_sum', 'h_seconds_count'];
    const series = names.map((name): Series => ({ labels: { __name__: name }, samples: [[1, 0]] }));
    const result = parse(encode(series, metadata));
    expect(result.batch.series).toMatchObject([
      { unit: 'seconds', description: 'Durations.' },
      { unit: null, description: 'Durations.' },
    ]);
    expect(result.metadata).toEqual([{ family: 'h_seconds', kind: 'histogram', help: 'Durations.', unit: 'seconds' }]);
  });

  it('are returned for a body with only metadata', () => {
    const result = parse(encode([], [{ type: 1, metric_family_name: 'a_total', help: 'h' }, { type: 2 }]));
    expect(result.metadata).toEqual([{ family: 'a_total', kind: 'counter', help: 'h', unit: '' }]);
    expect(result.batch.count).toBe(0);
  });
});

describe('native histograms in remote write 1.0', () => {
  const timestamp = NOW * 1000;

  it('yield their count and sum', () => {
    const result = parse(
      encode([
        {
          labels: { __name__: 'h', x: '1' },
          // Counts without spans are unusable buckets.
          histograms: [{ count_int: 7, sum: 2.5, schema: 3, positive_deltas: [1, -1], timestamp }],
        },
        {
          labels: { __name__: 'f' },
          histograms: [{ count_float: 1.5, sum: 0.5, reset_hint: 3, schema: 99, timestamp }],
        },
      ]),
    );
    expect(points(result)).toEqual(['h_count{x="1"}@0=7', 'h_sum{x="1"}@0=2.5', 'f_count@0=1.5', 'f_sum@0=0.5']);
    expect(result.batch.series.map(({ type }) => type)).toEqual(['counter', 'counter', 'gauge', 'gauge']);
    expect(countWritten(result, result.batch)).toEqual({ samples: 0, histograms: 2, exemplars: 0 });
  });

  it('end their series with a staleness marker in their sum', () => {
    const bytes = encode([{ labels: { __name__: 'h' }, histograms: [{ sum: 123.25, timestamp }] }]);
    const result = parse(withStaleValue(bytes, 123.25));
    expect(result.ended.map(({ name }) => name)).toEqual(['h_count', 'h_sum']);
    expect(result.batch.count + result.refusals.total).toBe(0);
  });
});

describe('invalid and oversize remote write 1.0 bodies', () => {
  it.each([
    ['a truncated message', [0x0a, 0x05, 0x0a]],
    ['a field number of zero', [0x00, 0x00]],
    ['a group', [0x0b]],
    ['an unknown wire type', [0x0f]],
    ['an endless varint', Array<number>(12).fill(0xff)],
    ['a length beyond the body', [0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f]],
    ['a nested length beyond its message', [0x0a, 0x02, 0x0a, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00]],
    ['a truncated double', [0x0a, 0x04, 0x12, 0x02, 0x09, 0x00]],
    ['text', [...Buffer.from('cpu value=1')]],
  ])('are rejected: %s', (_, bytes) => {
    expect(() => parse(Uint8Array.from(bytes))).toThrow(MalformedBodyError);
  });

  it('are rejected for too many points, staleness markers or metadata', () => {
    const limits = { maxPoints: 2 };
    const samples: [number, number][] = [
      [123.25, 0],
      [123.25, 0],
      [123.25, 0],
    ];
    const bytes = encode([{ labels: { __name__: 'a' }, samples }]);
    expect(() => parse(bytes, limits)).toThrow(BodyTooLargeError);
    expect(() => parse(withStaleValue(bytes, 123.25), limits)).toThrow(BodyTooLargeError);
    const metadata = [1, 2, 3].map((n) => ({ metric_family_name: `f${n}` }));
    expect(() => parse(encode([], metadata), limits)).toThrow(BodyTooLargeError);
  });

  it('with megabytes of empty messages yield nothing', () => {
    expect(parse(new Uint8Array(2_000_000).map((_, i) => (i % 2 === 0 ? 0x0a : 0x00))).batch.count).toBe(0);
    expect(parse(new Uint8Array(2_000_000).map((_, i) => (i % 2 === 0 ? 0x1a : 0x00))).metadata).toEqual([]);
  });
});

describe('any remote write 1.0 body', () => {
  const aSeries = fc.record({
    labels: fc.dictionary(fc.constantFrom('__name__', 'job', 'x y', 'le'), fc.string({ maxLength: 6 }), { maxKeys: 4 }),
    samples: fc.array(fc.tuple(fc.double({ noNaN: true }), fc.integer({ min: -4000, max: 100 })), { maxLength: 4 }),
  });

  function refusesOrAccounts(bytes: Uint8Array): void {
    try {
      const { batch, refusals } = parse(bytes, { maxPoints: 60 });
      expect(batch.count + refusals.total).toBeLessThanOrEqual(60);
      expect(batch.values.every(Number.isFinite)).toBe(true);
    } catch (error) {
      if (!(error instanceof MalformedBodyError || error instanceof BodyTooLargeError)) throw error;
    }
  }

  it('has every sample of the independent encoder counted', () => {
    fc.assert(
      fc.property(fc.array(aSeries, { maxLength: 5 }), (series) => {
        const { batch, refusals } = parse(encode(series));
        expect(batch.count + refusals.total).toBe(series.reduce((sum, { samples }) => sum + samples.length, 0));
      }),
      { seed: 58, numRuns: 300 },
    );
  });

  it('of mutated bytes is parsed or rejected, without any other error', () => {
    const valid = encode(
      [
        {
          labels: { __name__: 'http_total', job: 'é' },
          samples: [
            [1, 0],
            [2.5, -10],
          ],
        },
        { labels: { __name__: 'h' }, histograms: [{ count_int: 5, sum: 1, timestamp: NOW * 1000 }] },
      ],
      [{ type: 1, metric_family_name: 'http_total', help: 'Requests.', unit: '' }],
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        fc.nat(valid.length),
        (mutations, cut) => {
          const bytes = Buffer.from(valid);
          for (const [at, byte] of mutations) bytes[at] = byte;
          refusesOrAccounts(bytes);
          refusesOrAccounts(bytes.subarray(0, cut));
          refusesOrAccounts(bytes.subarray(cut));
        },
      ),
      { seed: 59, numRuns: 1500 },
    );
  });

  it('of random bytes is parsed or rejected, without any other error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => refusesOrAccounts(bytes)),
      { seed: 60, numRuns: 1500 },
    );
  });
});
