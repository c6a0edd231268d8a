import fc from 'fast-check';
import protobuf from 'protobufjs';
import { dropSeries } from '../batch/drop-series.js';
import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';
import { type ParseLimits, parseLimits } from '../batch/limits.js';
import { HistogramFolder, type HistogramFolding } from '../histograms/histogram-folder.js';
import { type HistogramSettings } from '../histograms/histogram-settings.js';
import { NameCache } from '../names/name-cache.js';
import { parseRemoteWrite2 } from './parse-remote-write-2.js';
import { parseRemoteWrite } from './parse-remote-write.js';
import { countWritten, type RemoteWriteResult } from './remote-write-body.js';

/** The start of a slot of 60 s. */
const NOW = 1_760_000_040;

/**
 * The messages of remote write 2.0, copied from the public specification and encoded by an independent library, because
 * the parser under test is hand-written. Source: https://prometheus.io/docs/specs/prw/remote_write_spec_2_0/
 */
const Request = protobuf
  .parse(
    `syntax = "proto3";
    message Request { repeated string symbols = 4; repeated TimeSeries timeseries = 5; }
    message TimeSeries {
      repeated uint32 labels_refs = 1; repeated Sample samples = 2; repeated Histogram histograms = 3;
      repeated Exemplar exemplars = 4; Metadata metadata = 5; int64 created_timestamp = 6;
    }
    message Exemplar { repeated uint32 labels_refs = 1; double value = 2; int64 timestamp = 3; }
    message Sample { double value = 1; int64 timestamp = 2; }
    message Metadata { int32 type = 1; uint32 help_ref = 3; uint32 unit_ref = 4; }
    message Histogram {
      oneof count { uint64 count_int = 1; double count_float = 2; }
      double sum = 3; sint32 schema = 4; double zero_threshold = 5;
      oneof zero_count { uint64 zero_count_int = 6; double zero_count_float = 7; }
      repeated BucketSpan negative_spans = 8; repeated sint64 negative_deltas = 9; repeated double negative_counts = 10;
      repeated BucketSpan positive_spans = 11; repeated sint64 positive_deltas = 12; repeated double positive_counts = 13;
      int32 reset_hint = 14; int64 timestamp = 15; repeated double custom_values = 16; int64 start_timestamp = 17;
    }
    message BucketSpan { sint32 offset = 1; uint32 length = 2; }`,
    { keepCase: true },
  )
  .root.lookupType('Request');

interface Series {
  labels?: Record<string, string>;
  /** Numbers of symbols that override the labels. */
  refs?: number[];
  /** Pairs of value and seconds relative to now. */
  samples?: [number, number][];
  histograms?: object[];
  metadata?: { type?: number; help?: string; unit?: string };
  /** Seconds relative to now. */
  created?: number;
}

function encode(series: Series[]): Uint8Array {
  const symbols = [''];
  const symbol = (text: string): number => {
    const known = symbols.indexOf(text);
    return known >= 0 ? known : symbols.push(text) - 1;
  };
  const timeseries = series.map(({ labels = {}, refs, samples = [], histograms = [], metadata, created }) => ({
    labels_refs: refs ?? Object.entries(labels).flatMap(([key, value]) => [symbol(key), symbol(value)]),
    samples: samples.map(([value, age]) => ({ value, timestamp: (NOW + age) * 1000 })),
    histograms,
    exemplars: [{ labels_refs: [0, 0], value: 1, timestamp: NOW * 1000 }],
    ...(metadata && {
      metadata: {
        type: metadata.type ?? 0,
        help_ref: symbol(metadata.help ?? ''),
        unit_ref: symbol(metadata.unit ?? ''),
      },
    }),
    ...(created !== undefined && { created_timestamp: (NOW + created) * 1000 }),
  }));
  return Request.encode(Request.create({ symbols, timeseries })).finish();
}

function folding(settings: HistogramSettings, folder = new HistogramFolder()): HistogramFolding {
  return { folder, scope: 1, settings };
}

const MEDIAN: HistogramSettings = { mode: 'quantiles', quantiles: [0.5] };
const NONE: HistogramSettings = { mode: 'none', quantiles: [] };

function parse(bytes: Uint8Array, settings = MEDIAN, limits: Partial<ParseLimits> = {}): RemoteWriteResult {
  return parseRemoteWrite2(bytes, parseLimits(NOW, limits), folding(settings));
}

function points({ batch }: RemoteWriteResult): string[] {
  return Array.from(
    { length: batch.count },
    (_, row) => `${batch.series[batch.seriesIndex[row]!]!.name}@${batch.timestamps[row]! - NOW}=${batch.values[row]!}`,
  );
}

/** Overwrites a double that was encoded as `marker` with the bits of the staleness marker. */
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

describe('remote write 2.0 samples', () => {
  it.each<[Series[], string[]]>([
    [[], []],
    [[{ labels: { __name__: 'up' } }], []],
    [[{ labels: { __name__: 'up' }, samples: [[1, 0]] }], ['up@0=1']],
    [
      [
        {
          labels: { __name__: 'up', job: 'up', instance: 'a:1' },
          samples: [
            [0, -1.5],
            [-2.5, 0],
          ],
        },
        { labels: { __name__: 'é', v: '日本', empty: '' }, samples: [[1, 0]] },
        { labels: { __name__: 'up', job: 'up', instance: 'a:1' }, samples: [[3, 0]] },
      ],
      [
        'up{instance="a:1",job="up"}@-1.5=0',
        'up{instance="a:1",job="up"}@0=-2.5',
        'é{v="日本"}@0=1',
        'up{instance="a:1",job="up"}@0=3',
      ],
    ],
  ])('are parsed: %j', (series, expected) => {
    const result = parse(encode(series));
    expect(points(result)).toEqual(expected);
    expect(result.refusals.total).toBe(0);
    expect(countWritten(result, result.batch)).toEqual({ samples: expected.length, histograms: 0, exemplars: 0 });
  });

  it.each<[Series, Record<string, Record<string, number>>]>([
    [{ labels: { __name__: 'a' }, samples: [[NaN, 0]] }, { a: { not_finite: 1 } }],
    [{ labels: { __name__: 'a' }, samples: [[1, -86_401]] }, { a: { too_old: 1 } }],
    [{ labels: { job: 'x' }, samples: [[1, 0]] }, { '{job="x"}': { bad_name: 1 } }],
    [
      {
        labels: { __name__: 'a' },
        refs: [0, 0, 0],
        samples: [
          [1, 0],
          [1, 0],
        ],
      },
      { '': { bad_name: 2 } },
    ],
    [{ refs: [0, 4_294_967_295], samples: [[1, 0]] }, { '': { bad_name: 1 } }],
    [{ refs: [], histograms: [{ timestamp: NOW * 1000 }] }, { '': { bad_name: 2 } }],
  ])('are refused without affecting the others: %j', (series, expected) => {
    const result = parse(encode([series, { labels: { __name__: 'good' }, samples: [[1, 0]] }]));
    const places = result.refusals.badLines.map(({ problem }) => problem.split(' ')[0]);
    const place = expect.stringMatching(/^timeseries\.0\.(?:labels|samples\.0\.timestamp)$/) as string;
    expect(places).toEqual(JSON.stringify(expected).includes('not_finite') ? [] : [place]);
    expect(points(result)).toEqual(['good@0=1']);
    expect(Object.fromEntries(result.refusals.metrics)).toEqual(expected);
  });

  it('may have labels that are not packed, and symbols after the series', () => {
    const text = (field: number, body: Uint8Array): Buffer => Buffer.from([(field << 3) | 2, body.length, ...body]);
    const sample = text(2, Buffer.from([0x09, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0x10, ...varint(NOW * 1000)]));
    const series = text(5, Buffer.concat([sample, Buffer.from([0x08, 0x01, 0x08, 0x02])]));
    const symbols = ['', '__name__', 'up'].map((symbol) => text(4, Buffer.from(symbol)));
    expect(points(parse(Buffer.concat([series, ...symbols])))).toEqual(['up@0=1']);
  });

  it('end their series with a staleness marker, which counts as written', () => {
    const bytes = encode([
      {
        labels: { __name__: 'a' },
        samples: [
          [1, -15],
          [123.25, 0],
        ],
      },
    ]);
    const result = parse(withStaleValue(bytes, 123.25));
    expect(points(result)).toEqual(['a@-15=1']);
    expect(result.ended).toEqual([{ name: 'a', timestamp: NOW }]);
    expect(countWritten(result, result.batch).samples).toBe(2);
  });

  it('have the same names with a cache', () => {
    const names = new NameCache();
    const body = encode([
      { labels: { __name__: 'a', b: 'c' }, samples: [[1, 0]] },
      { labels: { __name__: 'ab', c: '' }, samples: [[2, 0]] },
      { labels: { b: 'c' }, samples: [[3, 0]] },
    ]);
    const first = parse(body, MEDIAN, { names });
    const second = parse(body, MEDIAN, { names });
    expect(points(second)).toEqual(['a{b="c"}@0=1', 'ab@0=2']);
    expect(second.batch.series).toEqual(first.batch.series);
    expect([...second.refusals.metrics]).toEqual([...first.refusals.metrics]);
    expect(names.size).toBe(3);
  });
});

describe('remote write 2.0 metadata', () => {
  it('of a series sets type, unit and description, and is returned by family', () => {
    const about = (type: number, help: string, unit: string): Series['metadata'] => ({ type, help, unit });
    const result = parse(
      encode([
        { labels: { __name__: 'a' }, samples: [[1, 0]], metadata: about(1, 'As.', 'bytes') },
        { labels: { __name__: 'h_s_count' }, samples: [[1, 0]], metadata: about(3, 'Hs.', 's') },
        { labels: { __name__: 'h_s_sum' }, samples: [[1, 0]], metadata: about(3, 'Hs.', 's') },
        { labels: { __name__: 'c_count' }, samples: [[1, 0]], metadata: about(2, '', '') },
        { labels: { __name__: 'nothing' }, samples: [[1, 0]], metadata: about(0, '', '') },
        { labels: { __name__: 'only' }, metadata: about(2, 'No samples.', '') },
      ]),
    );
    expect(result.batch.series).toMatchObject([
      { name: 'a', type: 'counter', unit: 'bytes', description: 'As.' },
      { name: 'h_s_count', type: 'counter', unit: null, description: 'Hs.' },
      { name: 'h_s_sum', type: 'counter', unit: 's', description: 'Hs.' },
      { name: 'c_count', type: 'gauge', unit: null, description: null },
      { name: 'nothing', type: null },
    ]);
    expect(result.metadata).toEqual([
      { family: 'a', kind: 'counter', help: 'As.', unit: 'bytes' },
      { family: 'h_s', kind: 'histogram', help: 'Hs.', unit: 's' },
      { family: 'c_count', kind: 'gauge', help: '', unit: '' },
      { family: 'only', kind: 'gauge', help: 'No samples.', unit: '' },
    ]);
  });
});

describe('native histograms in remote write 2.0', () => {
  const timestamp = NOW * 1000;
  const labels = { __name__: 'h', x: '1' };
  const quantile = (result: RemoteWriteResult): string[] => points(result).filter((row) => row.includes('quantile'));

  /** Sends a histogram of the previous slot, then one of this slot, and returns its quantiles. */
  function twice(before: object, now: object, series: Series = {}): string[] {
    const folder = new HistogramFolder();
    const results = [
      { ...before, timestamp: timestamp - 60_000 },
      { ...now, timestamp },
    ].map((histogram) =>
      parseRemoteWrite2(
        encode([{ labels, ...series, histograms: [histogram] }]),
        parseLimits(NOW),
        folding(MEDIAN, folder),
      ),
    );
    expect(quantile(results[0]!)).toEqual([]);
    return quantile(results[1]!);
  }

  it('of integers yield quantiles of the observations since the previous slot', () => {
    const spans = [
      { offset: 0, length: 2 },
      { offset: 1, length: 1 },
    ];
    // Buckets up to 1, 2 and 8. Counts 5, 6, 5 become 5, 10, 5, so the median is in the middle of the second.
    const rows = twice(
      { count_int: 16, sum: 1, positive_spans: spans, positive_deltas: [5, 1, -1] },
      { count_int: 20, sum: 2, positive_spans: spans, positive_deltas: [5, 5, -5] },
    );
    expect(rows).toEqual([`h{quantile="0.5",x="1"}@0=${Math.SQRT2}`]);
  });

  it('of floats with negative and zero buckets yield quantiles', () => {
    const rows = twice(
      { count_float: 0, sum: 1, schema: 0 },
      {
        count_float: 3.5,
        schema: 0,
        zero_threshold: 0.25,
        zero_count_float: 0.5,
        negative_spans: [{ offset: 1, length: 1 }],
        negative_counts: [3],
      },
    );
    expect(rows).toEqual([`h{quantile="0.5",x="1"}@0=${-(2 ** (1 - 1.75 / 3))}`]);
  });

  it('with custom bounds are interpolated linearly', () => {
    const custom = { schema: -53, custom_values: [1, 2, 4], sum: 1 };
    const rows = twice(
      { ...custom, count_int: 1, positive_spans: [{ offset: 0, length: 1 }], positive_deltas: [1] },
      {
        ...custom,
        count_int: 5,
        positive_spans: [
          { offset: 0, length: 1 },
          { offset: 1, length: 1 },
        ],
        positive_deltas: [1, 3],
      },
    );
    expect(rows).toEqual(['h{quantile="0.5",x="1"}@0=3']);
  });

  it('are counted from zero after lower counts, a reset hint or a later start time', () => {
    const spans = { positive_spans: [{ offset: 1, length: 1 }], schema: 0, sum: 1 };
    const before = { ...spans, count_int: 9, positive_deltas: [9] };
    const median = [`h{quantile="0.5",x="1"}@0=${Math.SQRT2}`];
    expect(twice(before, { ...spans, count_int: 9, positive_deltas: [9] })).toEqual([]);
    expect(twice(before, { ...spans, count_int: 8, positive_deltas: [8] })).toEqual(median);
    expect(twice(before, { ...spans, count_int: 9, positive_deltas: [9], reset_hint: 1 })).toEqual(median);
    expect(twice(before, { ...spans, count_int: 9, positive_deltas: [9], start_timestamp: timestamp - 9000 })).toEqual(
      median,
    );
    expect(twice(before, { ...spans, count_int: 9, positive_deltas: [9] }, { created: -9 })).toEqual([]);
  });

  it('of gauges yield quantiles of the current counts', () => {
    const histogram = {
      count_int: 4,
      sum: 1,
      positive_spans: [{ offset: 1, length: 1 }],
      positive_deltas: [4],
      timestamp,
    };
    const byHint = parse(encode([{ labels, histograms: [{ ...histogram, reset_hint: 3 }] }]));
    const byKind = parse(encode([{ labels, histograms: [histogram], metadata: { type: 4, unit: 's' } }]));
    for (const result of [byHint, byKind]) {
      expect(quantile(result)).toEqual([`h{quantile="0.5",x="1"}@0=${Math.SQRT2}`]);
      expect(result.batch.series.map(({ type }) => type)).toEqual(['gauge', 'gauge', 'gauge']);
    }
    expect(byKind.batch.series.map(({ unit }) => unit)).toEqual([null, 's', 's']);
  });

  it('end their series with a staleness marker in their sum', () => {
    const bytes = encode([{ labels, histograms: [{ sum: 123.25, timestamp }] }]);
    const result = parse(withStaleValue(bytes, 123.25));
    expect(result.ended.map(({ name }) => name)).toEqual(['h_count{x="1"}', 'h_sum{x="1"}', 'h{quantile="0.5",x="1"}']);
    expect(countWritten(result, result.batch)).toEqual({ samples: 0, histograms: 1, exemplars: 0 });
  });

  it.each<[string, object]>([
    ['more counts than the spans say', { positive_spans: [{ offset: 0, length: 1 }], positive_deltas: [1, 1] }],
    [
      'fewer counts than the spans say',
      { positive_spans: [{ offset: 0, length: 4_000_000_000 }], positive_deltas: [1] },
    ],
    ['negative counts', { positive_spans: [{ offset: 0, length: 2 }], positive_deltas: [1, -2] }],
    [
      'spans that go back',
      {
        positive_spans: [
          { offset: 0, length: 1 },
          { offset: -1, length: 1 },
        ],
        positive_deltas: [1, 1],
      },
    ],
    ['an unknown schema', { schema: 77 }],
    [
      'more buckets than bounds',
      { schema: -53, custom_values: [1], positive_spans: [{ offset: 0, length: 3 }], positive_deltas: [1, 0, 0] },
    ],
  ])('yield count and sum with %s', (_, histogram) => {
    const result = parse(
      encode([{ labels, histograms: [{ count_int: 3, sum: 1, reset_hint: 3, timestamp, ...histogram }] }]),
    );
    expect(points(result)).toEqual(['h_count{x="1"}@0=3', 'h_sum{x="1"}@0=1']);
  });
});

describe('classic buckets in remote write 2.0', () => {
  const bucket = (le: string, count: number, age: number): Series => ({
    labels: { __name__: 'h_bucket', job: 'x', le },
    samples: [[count, age]],
  });

  it('are converted to quantiles, and count as written', () => {
    const folder = new HistogramFolder();
    const send = (counts: [number, number, number], age: number): RemoteWriteResult =>
      parseRemoteWrite2(
        encode(['1', '2.0', '+Inf'].map((le, i) => bucket(le, counts[i]!, age))),
        parseLimits(NOW),
        folding(MEDIAN, folder),
      );
    const first = send([1, 1, 1], -60);
    expect(points(first)).toEqual([]);
    expect(countWritten(first, first.batch)).toEqual({ samples: 3, histograms: 0, exemplars: 0 });
    const second = send([1, 5, 5], 0);
    expect(points(second)).toEqual(['h{job="x",quantile="0.5"}@0=1.5']);
    expect(countWritten(second, second.batch).samples).toBe(3);
    const third = send([1, 8, 9], 15);
    third.discard();
    expect(points(send([1, 8, 9], 15))).toEqual(points(third));
  });

  it('are kept by the mode buckets, and dropped by the mode none', () => {
    const body = encode([bucket('1', 1, 0), bucket('+Inf', 2, 0), bucket('other', 3, 0)]);
    expect(points(parse(body, { mode: 'buckets', quantiles: [] }))).toHaveLength(3);
    const dropped = parse(body, NONE);
    expect(points(dropped)).toEqual(['h_bucket{job="x",le="other"}@0=3']);
    expect(countWritten(dropped, dropped.batch).samples).toBe(3);
  });

  it('may be sent together with the native form of the same histogram', () => {
    const folder = new HistogramFolder();
    const send = (n: number, age: number): RemoteWriteResult => {
      const native = { count_int: n, sum: 1, positive_spans: [{ offset: 1, length: 1 }], positive_deltas: [n] };
      const series: Series = {
        labels: { __name__: 'h', job: 'x' },
        histograms: [{ ...native, timestamp: (NOW + age) * 1000 }],
      };
      const body = encode([series, bucket('1', 0, age), bucket('2', n, age), bucket('+Inf', n, age)]);
      return parseRemoteWrite2(body, parseLimits(NOW), folding(MEDIAN, folder));
    };
    send(1, -60);
    expect(points(send(5, 0)).filter((row) => row.includes('quantile'))).toEqual([
      `h{job="x",quantile="0.5"}@0=${Math.SQRT2}`,
      'h{job="x",quantile="0.5"}@0=1.5',
    ]);
  });

  it('end with the infinite bucket', () => {
    const stale = withStaleValue(encode([bucket('1', 123.25, 0), bucket('+Inf', 123.25, 0)]), 123.25);
    const result = parse(stale);
    expect(result.ended.map(({ name }) => name)).toEqual(['h{job="x",quantile="0.5"}']);
    expect(countWritten(result, result.batch).samples).toBe(2);
  });
});

describe('countWritten', () => {
  it('excludes series that are refused later', () => {
    const histogram = {
      count_int: 4,
      sum: 1,
      positive_spans: [{ offset: 1, length: 1 }],
      positive_deltas: [4],
      reset_hint: 3,
    };
    const result = parse(
      encode([
        {
          labels: { __name__: 'a' },
          samples: [
            [1, 0],
            [2, 1],
          ],
        },
        { labels: { __name__: 'b' }, samples: [[1, 0]] },
        { labels: { __name__: 'old' }, samples: [[1, -99_999]] },
        { labels: { __name__: 'h' }, histograms: [{ ...histogram, timestamp: NOW * 1000 }] },
        { labels: { __name__: 'k' }, histograms: [{ ...histogram, timestamp: NOW * 1000 }] },
      ]),
    );
    expect(countWritten(result, result.batch)).toEqual({ samples: 3, histograms: 2, exemplars: 0 });
    const refused = new Map(
      result.batch.series.flatMap(({ name }, i) => (/^(?:a|k.*)$/.test(name) ? [[i, 'over_quota'] as const] : [])),
    );
    const kept = dropSeries(result.batch, result.refusals, refused);
    expect(countWritten(result, kept)).toEqual({ samples: 1, histograms: 1, exemplars: 0 });
  });
});

describe('invalid and oversize remote write 2.0 bodies', () => {
  it('of the other version are rejected with its name', () => {
    const version1 = Buffer.from([0x0a, 0x02, 0x12, 0x00]);
    expect(() => parse(version1)).toThrow('remote write 1.0');
    const version2 = encode([{ labels: { __name__: 'a' }, samples: [[1, 0]] }]);
    expect(() => parseRemoteWrite(version2, parseLimits(NOW))).toThrow('remote write 2.0');
    expect(parse(new Uint8Array(0)).batch.count).toBe(0);
  });

  it('are rejected for too many samples, buckets or metadata', () => {
    const limits = { maxPoints: 2 };
    const many = (name: string): Series[] =>
      [1, 2, 3].map((n) => ({ labels: { __name__: name, le: String(n) }, samples: [[n, 0]] }));
    expect(() => parse(encode(many('a')), MEDIAN, limits)).toThrow(BodyTooLargeError);
    expect(() => parse(encode(many('a_bucket')), NONE, limits)).toThrow(BodyTooLargeError);
    const described = [1, 2, 3].map((n) => ({ labels: { __name__: `f${n}` }, metadata: { type: 1 } }));
    expect(() => parse(encode(described), MEDIAN, limits)).toThrow(BodyTooLargeError);
  });

  it('are rejected for too many rows of few points', () => {
    const custom_values = Array.from({ length: 100 }, (_, i) => i);
    const positive = {
      positive_spans: [{ offset: 0, length: 101 }],
      positive_deltas: [1, ...custom_values.map(() => 0)],
    };
    const histogram = { schema: -53, custom_values, ...positive, timestamp: NOW * 1000 };
    const body = encode([{ labels: { __name__: 'h' }, histograms: [histogram] }]);
    const buckets: HistogramSettings = { mode: 'buckets', quantiles: [] };
    expect(parse(body, buckets, { maxPoints: 30 }).batch.count).toBe(103);
    expect(() => parse(body, buckets, { maxPoints: 20 })).toThrow(BodyTooLargeError);
  });

  it('do not change the state of histograms', () => {
    const folder = new HistogramFolder();
    const histogram = {
      count_int: 1,
      positive_spans: [{ offset: 1, length: 1 }],
      positive_deltas: [1],
      timestamp: NOW * 1000,
    };
    const body = encode([{ labels: { __name__: 'h' }, histograms: [histogram] }]);
    const cut = Buffer.concat([body, Buffer.from([0x2a, 0x05, 0x12])]);
    expect(() => parseRemoteWrite2(cut, parseLimits(NOW), folding(MEDIAN, folder))).toThrow(MalformedBodyError);
    expect(folder.stats().series).toBe(0);
  });

  it('with megabytes of empty messages yield no points', () => {
    for (const tag of [0x22, 0x2a]) {
      const bytes = new Uint8Array(2_000_000).map((_, i) => (i % 2 === 0 ? tag : 0x00));
      expect(parse(bytes).batch.count).toBe(0);
    }
  });
});

describe('any remote write 2.0 body', () => {
  const aSeries = fc.record({
    labels: fc.dictionary(fc.constantFrom('__name__', 'job', 'x y', 'le'), fc.string({ maxLength: 6 }), { maxKeys: 4 }),
    samples: fc.array(fc.tuple(fc.double({ noNaN: true }), fc.integer({ min: -4000, max: 100 })), { maxLength: 4 }),
  });

  it('has every sample counted', () => {
    fc.assert(
      fc.property(fc.array(aSeries, { maxLength: 5 }), (series) => {
        const sent = series.reduce((total, { samples }) => total + samples.length, 0);
        const result = parse(encode(series), NONE);
        return countWritten(result, result.batch).samples + result.refusals.total === sent;
      }),
      { seed: 63, numRuns: 500 },
    );
  });
});

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return [...bytes, rest];
}
