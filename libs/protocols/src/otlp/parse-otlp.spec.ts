import fc from 'fast-check';
import { dropSeries } from '../batch/drop-series.js';
import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';
import { type ParseLimits, parseLimits } from '../batch/limits.js';
import { type BodyHistograms } from '../histograms/body-histograms.js';
import { HistogramFolder } from '../histograms/histogram-folder.js';
import { type HistogramPoint } from '../histograms/histogram-point.js';
import { NameCache } from '../names/name-cache.js';
import { type OtlpResult } from './otlp-collector.js';
import { type OtlpEncoding } from './otlp-response.js';
import { encodeRequest } from './otlp-schema.fixture.js';
import { countRejectedDataPoints, parseOtlp } from './parse-otlp.js';

const NOW = 1_760_000_000;
const TIME = `${NOW}000000000`;
const ENCODINGS: OtlpEncoding[] = ['protobuf', 'json'];

type Attributes = Record<string, object>;

const keyValues = (attributes: Attributes): object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value }));
const string = (stringValue: string): object => ({ stringValue });

/** A request with one scope, in the JSON mapping. */
function request(metrics: object[], resource: Attributes = {}): object {
  return {
    resourceMetrics: [{ resource: { attributes: keyValues(resource) }, scopeMetrics: [{ scope: {}, metrics }] }],
  };
}

function encode(body: object, encoding: OtlpEncoding): Uint8Array {
  return encoding === 'json' ? Buffer.from(JSON.stringify(body)) : encodeRequest(body);
}

function parse(
  bytes: Uint8Array,
  encoding: OtlpEncoding,
  limits: Partial<ParseLimits> = {},
  folder = new HistogramFolder(),
): OtlpResult {
  const options = {
    encoding,
    resourceAttributes: ['service.name', 'host.name'],
    histograms: { folder, scope: 1, settings: { mode: 'none' as const, quantiles: [] } },
  };
  return parseOtlp(bytes, options, parseLimits(NOW, limits));
}

function points({ batch }: OtlpResult): string[] {
  return Array.from(
    { length: batch.count },
    (_, row) => `${batch.series[batch.seriesIndex[row]!]!.name}@${batch.timestamps[row]! - NOW}=${batch.values[row]!}`,
  );
}

const gauge = (dataPoints: object[], name = 'g'): object => ({ name, gauge: { dataPoints } });
const one = (attributes: Attributes = {}): object => ({
  timeUnixNano: TIME,
  asDouble: 1,
  attributes: keyValues(attributes),
});

describe.each(ENCODINGS)('OTLP numbers in %s', (encoding) => {
  it.each<[string, object[], string[]]>([
    ['no metric', [], []],
    ['a gauge', [gauge([{ timeUnixNano: TIME, asDouble: 1.5 }])], ['g@0=1.5']],
    ['an integer', [gauge([{ timeUnixNano: TIME, asInt: '-7' }])], ['g@0=-7']],
    ['a zero', [gauge([{ timeUnixNano: TIME, asInt: '0' }])], ['g@0=0']],
    ['a large integer', [gauge([{ timeUnixNano: TIME, asInt: '-9007199254740993' }])], ['g@0=-9007199254740992']],
    ['fractions of seconds', [gauge([{ timeUnixNano: `${NOW - 2}500000000`, asDouble: 1 }])], ['g@-1.5=1']],
    ['no time', [gauge([{ asDouble: 1 }])], ['g@0=1']],
    [
      'several points and metrics',
      [gauge([one(), { timeUnixNano: `${NOW - 1}000000000`, asDouble: 2 }]), gauge([one()], 'http.server.duration')],
      ['g@0=1', 'g@-1=2', 'http.server.duration@0=1'],
    ],
    [
      'exemplars',
      [gauge([{ asDouble: 1, exemplars: [{ asDouble: 2, timeUnixNano: TIME, spanId: 'AAAA' }] }])],
      ['g@0=1'],
    ],
    ['a name with other characters', [gauge([one()], 'disk usage{x}')], ['disk_usage_x_@0=1']],
  ])('are parsed from %s', (_, metrics, expected) => {
    const result = parse(encode(request(metrics), encoding), encoding);
    expect(points(result)).toEqual(expected);
    expect(result.refusals.total).toBe(0);
    expect(result.dataPoints).toBe(expected.length);
  });

  it.each<[object, string]>([
    [{ aggregationTemporality: 2, isMonotonic: true }, 'counter'],
    [{ aggregationTemporality: 'AGGREGATION_TEMPORALITY_CUMULATIVE', isMonotonic: true }, 'counter'],
    [{ aggregationTemporality: 2 }, 'gauge'],
    [{ aggregationTemporality: 1, isMonotonic: true }, 'rate'],
    [{ aggregationTemporality: 'AGGREGATION_TEMPORALITY_DELTA' }, 'rate'],
    [{ isMonotonic: true }, 'counter'],
    [{}, 'gauge'],
  ])('from a sum with %j have the type %s', (about, type) => {
    const metric = { name: 's', description: 'Requests.', unit: 'By', sum: { dataPoints: [one()], ...about } };
    const { batch } = parse(encode(request([metric]), encoding), encoding);
    const aggregation = type === 'rate' ? 'sum' : null;
    expect(batch.series).toMatchObject([{ type, aggregation, unit: 'By', description: 'Requests.' }]);
  });

  it('have no unit if it is missing or 1', () => {
    const metrics = ['', '1', '{request}'].map((unit, i) => ({ ...gauge([one()], `g${i}`), unit }));
    const { batch } = parse(encode(request(metrics), encoding), encoding);
    expect(batch.series.map(({ unit }) => unit)).toEqual([null, null, '{request}']);
  });

  it.each<[string, Attributes, string]>([
    ['strings', { b: string('x y'), a: string('é"\\\n') }, String.raw`g{a="é\"\\\n",b="x y"}`],
    ['dots', { 'http.route': string('/r') }, 'g{http_route="/r"}'],
    ['other characters', { 'a b': string('\u0007'), '0': string('x') }, 'g{_="x",a_b="_"}'],
    ['booleans', { t: { boolValue: true }, f: { boolValue: false } }, 'g{f="false",t="true"}'],
    ['integers', { i: { intValue: '-9007199254740993' }, z: { intValue: '0' } }, 'g{i="-9007199254740993",z="0"}'],
    ['doubles', { d: { doubleValue: 0.1 }, w: { doubleValue: 2 } }, 'g{d="0.1",w="2"}'],
    ['infinities', { d: { doubleValue: 'Infinity' }, n: { doubleValue: 'NaN' } }, 'g{d="Infinity",n="NaN"}'],
    ['bytes', { b: { bytesValue: 'AAEC' } }, 'g{b="AAEC"}'],
    [
      'lists',
      {
        l: {
          arrayValue: { values: [string('a'), { intValue: '1' }, { boolValue: true }, {}, { doubleValue: 'NaN' }] },
        },
      },
      String.raw`g{l="[\"a\",1,true,null,\"NaN\"]"}`,
    ],
    [
      'maps',
      { m: { kvlistValue: { values: [{ key: 'k', value: { arrayValue: { values: [] } } }, { key: 'n' }] } } },
      String.raw`g{m="{\"k\":[],\"n\":null}"}`,
    ],
    ['empty values', { e: string(''), n: {}, a: string('x') }, 'g{a="x"}'],
    ['keys that become equal', { 'a.b': string('1'), a_b: string('2') }, 'g{a_b="1;2"}'],
    ['keys that become equal, in another order', { a_b: string('2'), 'a.b': string('1') }, 'g{a_b="1;2"}'],
  ])('have labels from %s', (_, attributes, name) => {
    const result = parse(encode(request([gauge([one(attributes)])]), encoding), encoding);
    expect(points(result)).toEqual([`${name}@0=1`]);
  });

  it('have the chosen resource attributes as labels, which point attributes override', () => {
    const resource = { 'service.name': string('shop'), 'host.name': string('web-1'), 'process.pid': { intValue: '7' } };
    const metrics = [gauge([one({ x: string('1') }), one({ 'host.name': string('web-2') })])];
    const result = parse(encode(request(metrics, resource), encoding), encoding);
    expect(points(result)).toEqual([
      'g{host_name="web-1",service_name="shop",x="1"}@0=1',
      'g{host_name="web-2",service_name="shop"}@0=1',
    ]);
  });

  it('of two resources are two series, even with cached names', () => {
    const bodies = ['a', 'b', 'a'].map((name) => request([gauge([one()])], { 'service.name': string(name) }));
    const names = new NameCache();
    const found = bodies.map((body) => points(parse(encode(body, encoding), encoding, { names })));
    expect(found.flat()).toEqual(['g{service_name="a"}@0=1', 'g{service_name="b"}@0=1', 'g{service_name="a"}@0=1']);
    expect(names.size).toBe(2);
  });

  it('with names and attributes that look alike when joined are separate series, even with cached names', () => {
    const names = new NameCache();
    const alike: [string, Attributes, Attributes][] = [
      ['g', { a: string('1'), b: string('2') }, {}],
      ['g', { a: string('1\u00021:b1:2') }, {}],
      ['g', { a: string('11:b1:2') }, {}],
      ['g', { 'a1:1': string('2') }, {}],
      ['g', {}, { 'service.name': string('x') }],
      ['g1:x', {}, { 'service.name': string('') }],
      ['12:service_name1:xg', {}, {}],
    ];
    const series = alike.map(([name, attributes, resource]) => {
      const bytes = encode(request([gauge([one(attributes)], name)], resource), encoding);
      expect(points(parse(bytes, encoding, { names }))).toEqual(points(parse(bytes, encoding)));
      return points(parse(bytes, encoding, { names })).join();
    });
    expect(new Set(series).size).toBe(alike.length);
  });

  it('are refused individually', () => {
    const metrics = [
      gauge(
        [
          { timeUnixNano: TIME },
          { timeUnixNano: TIME, asDouble: 'NaN' },
          { timeUnixNano: `${NOW - 90_000}000000000`, asDouble: 1 },
          { timeUnixNano: `${NOW + 100}000000000`, asDouble: 1 },
          one(),
        ],
        'a',
      ),
      gauge([one(), one()], ''),
      gauge([one()], 'id:5'),
      gauge([one(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`l${i}`, string('x')])))], 'many'),
    ];
    const result = parse(encode(request(metrics), encoding), encoding);
    expect(points(result)).toEqual(['a@0=1']);
    const refused = Object.fromEntries(result.refusals.metrics);
    expect(refused).toMatchObject({
      a: { not_numeric: 1, not_finite: 1, too_old: 1, in_future: 1 },
      '': { bad_name: 2 },
      'id:5': { bad_name: 1 },
    });
    expect(result.refusals.countOf('too_many_labels')).toBe(1);
    expect(result.dataPoints).toBe(9);
    expect(countRejectedDataPoints(result)).toBe(8);
    const { refusals } = result;
    expect(refusals.badLines.filter(({ reason }) => refusals.countOf(reason) === 0)).toEqual([]);
    const place = 'resourceMetrics.0.scopeMetrics.0.metrics';
    expect(refusals.badLines.map(({ line, problem }) => [line, problem])).toEqual(
      [
        `${place}.0.dataPoints.0 must have a number, asDouble or asInt`,
        `${place}.0.dataPoints.1.asDouble must be a finite number, got NaN`,
        `${place}.0.dataPoints.2.timeUnixNano must be at most 86400 s ago, got ${NOW - 90_000}000000000, taken for nanoseconds: 2025-10-08; send history with backfill`,
        `${place}.0.dataPoints.3.timeUnixNano must be at most 60 s in the future, got ${NOW + 100}000000000, taken for nanoseconds: 2025-10-09`,
        `the name of ${place}.1.dataPoints.0 must be a metric name, got "": a name must not be empty`,
        `the name of ${place}.1.dataPoints.1 must be a metric name, got "": a name must not be empty`,
        `the name of ${place}.2.dataPoints.0 must be a metric name, got "id:5": id:<digits> addresses a metric by number and is not a name`,
        expect.stringMatching(/^the name of .*\.3\.dataPoints\.0 .*: a metric may have at most 40 labels$/),
      ].map((problem) => [null, problem]),
    );
  });

  it('of a histogram are described once, although count and sum are refused', () => {
    const point = { timeUnixNano: `${NOW + 100}000000000`, count: 3, sum: 4 };
    const { refusals } = parse(
      encode(request([{ name: 'h', histogram: { dataPoints: [point] } }]), encoding),
      encoding,
    );
    expect(refusals.total).toBe(2);
    expect(refusals.badLines).toHaveLength(1);
  });

  it('end their series when flagged as having no recorded value', () => {
    const metrics = [gauge([{ timeUnixNano: TIME, flags: 1, attributes: keyValues({ x: string('1') }) }, one()])];
    const result = parse(encode(request(metrics), encoding), encoding);
    expect(result.ended).toEqual([{ name: 'g{x="1"}', timestamp: NOW }]);
    expect(points(result)).toEqual(['g@0=1']);
    expect(result.refusals.total).toBe(0);
  });
});

describe.each(ENCODINGS)('OTLP summaries in %s', (encoding) => {
  const summary = (point: object): object => ({
    name: 's',
    unit: 'ms',
    description: 'Latency.',
    summary: { dataPoints: [{ timeUnixNano: TIME, attributes: keyValues({ x: string('1') }), ...point }] },
  });

  it('yield count, sum and quantiles', () => {
    const quantileValues = [
      { quantile: 0.5, value: 10 },
      { quantile: 0.99, value: 40 },
      { quantile: 1, value: 41 },
    ];
    const result = parse(encode(request([summary({ count: '4', sum: 60.5, quantileValues })]), encoding), encoding);
    expect(points(result)).toEqual([
      's_count{x="1"}@0=4',
      's_sum{x="1"}@0=60.5',
      's{quantile="0.5",x="1"}@0=10',
      's{quantile="0.99",x="1"}@0=40',
      's{quantile="1",x="1"}@0=41',
    ]);
    expect(result.batch.series.map(({ type, unit }) => `${type} ${unit}`)).toEqual([
      'counter null',
      'counter ms',
      'gauge ms',
      'gauge ms',
      'gauge ms',
    ]);
    expect(result.dataPoints).toBe(1);
  });

  it('count as one rejected data point each, even if several of their rows are refused', () => {
    const old = summary({ timeUnixNano: `${NOW - 90_000}000000000`, quantileValues: [{ quantile: 0.5, value: 1 }] });
    const result = parse(encode(request([old, gauge([{ asDouble: 'NaN' }])]), encoding), encoding);
    expect(result.refusals.total).toBe(4);
    expect(countRejectedDataPoints(result)).toBe(2);
  });

  it('end their series when flagged as having no recorded value', () => {
    const result = parse(encode(request([summary({ flags: 1 })]), encoding), encoding);
    expect(result.ended.map(({ name }) => name)).toEqual(['s_count{x="1"}', 's_sum{x="1"}']);
  });
});

/** Records the points that a parser passes to the folder. */
class RecordingFolder extends HistogramFolder {
  readonly seen: HistogramPoint[] = [];

  override begin(...args: Parameters<HistogramFolder['begin']>): BodyHistograms {
    const histograms = super.begin(...args);
    const add = histograms.add.bind(histograms);
    histograms.add = (series, point): void => {
      this.seen.push(structuredClone(point));
      add(series, point);
    };
    return histograms;
  }
}

describe.each(ENCODINGS)('OTLP histograms in %s', (encoding) => {
  const read = (metric: object): { result: OtlpResult; seen: HistogramPoint[] } => {
    const folder = new RecordingFolder();
    const result = parse(encode(request([{ name: 'h', unit: 's', ...metric }]), encoding), encoding, {}, folder);
    return { result, seen: folder.seen };
  };
  const point = {
    timeUnixNano: TIME,
    startTimeUnixNano: `${NOW - 60}000000000`,
    count: '6',
    sum: 12.5,
    attributes: keyValues({ x: string('1') }),
  };

  it('pass on explicit buckets, and yield count and sum', () => {
    const dataPoints = [{ ...point, bucketCounts: ['1', '2', '3'], explicitBounds: [0.5, 1] }];
    const { result, seen } = read({ histogram: { dataPoints, aggregationTemporality: 2 } });
    expect(points(result)).toEqual(['h_count{x="1"}@0=6', 'h_sum{x="1"}@0=12.5']);
    expect(seen).toMatchObject([
      {
        timestamp: NOW,
        startTimestamp: NOW - 60,
        temporality: 'cumulative',
        count: 6,
        sum: 12.5,
        hasSum: true,
        layout: 'explicit',
        bounds: [0.5, 1],
        counts: [1, 2, 3],
      },
    ]);
    expect(result.dataPoints).toBe(1);
  });

  it.each<[string, object]>([
    ['no bounds', { bucketCounts: ['6'] }],
    ['too few counts', { bucketCounts: ['6'], explicitBounds: [1, 2] }],
    ['decreasing bounds', { bucketCounts: ['1', '2', '3'], explicitBounds: [2, 1] }],
    ['bounds that are not numbers', { bucketCounts: ['1', '2', '3'], explicitBounds: [1, 'NaN'] }],
    ['no buckets', {}],
  ])('yield only count and sum with %s', (_, buckets) => {
    const { result, seen } = read({ histogram: { dataPoints: [{ ...point, ...buckets }], aggregationTemporality: 2 } });
    expect(seen[0]!.layout).toBe('none');
    expect(result.batch.count).toBe(2);
  });

  it('without a sum yield no sum, and pass on the delta temporality', () => {
    const dataPoints = [{ timeUnixNano: TIME, count: '3' }];
    const { result, seen } = read({ histogram: { dataPoints, aggregationTemporality: 1 } });
    expect(seen).toMatchObject([{ temporality: 'delta', hasSum: false }]);
    expect(points(result)).toEqual(['h_count@0=3']);
  });

  it('pass on exponential buckets without empty ones', () => {
    const exponential = {
      ...point,
      scale: -2,
      zeroCount: '4',
      zeroThreshold: 0.25,
      positive: { offset: -3, bucketCounts: ['1', '0', '300'] },
      negative: { offset: 5, bucketCounts: ['0', '2'] },
    };
    const { seen } = read({ exponentialHistogram: { dataPoints: [exponential], aggregationTemporality: 2 } });
    expect(seen).toMatchObject([
      {
        layout: 'exponential',
        scale: -2,
        zeroCount: 4,
        zeroThreshold: 0.25,
        positive: { indices: [-3, -1], counts: [1, 300] },
        negative: { indices: [6], counts: [2] },
      },
    ]);
  });

  it('end their series when flagged as having no recorded value', () => {
    const { result } = read({ histogram: { dataPoints: [{ timeUnixNano: TIME, flags: 1 }] } });
    expect(result.ended.map(({ name }) => name)).toEqual(expect.arrayContaining(['h_count', 'h_sum']));
    expect(result.batch.count).toBe(0);
  });

  it('count as one rejected data point', () => {
    const { result } = read({ histogram: { dataPoints: [{ ...point, timeUnixNano: '5' }] } });
    expect(result.refusals.total).toBe(2);
    expect(countRejectedDataPoints(result)).toBe(1);
  });
});

describe.each(ENCODINGS)('quantiles of OTLP histograms in %s', (encoding) => {
  const body = (seconds: number, counts: number[], temporality: number): Uint8Array => {
    const point = {
      timeUnixNano: `${NOW + seconds}000000000`,
      startTimeUnixNano: `${NOW - 600}000000000`,
      count: String(counts.reduce((sum, count) => sum + count, 0)),
      sum: 1,
      bucketCounts: counts.map(String),
      explicitBounds: [1, 2],
    };
    const metric = { name: 'h', unit: 's', histogram: { dataPoints: [point], aggregationTemporality: temporality } };
    return encode(request([metric]), encoding);
  };
  const parseQuantiles = (folder: HistogramFolder, bytes: Uint8Array): OtlpResult => {
    const settings = { mode: 'quantiles' as const, quantiles: [0.5] };
    const options = { encoding, resourceAttributes: [], histograms: { folder, scope: 1, settings } };
    return parseOtlp(bytes, options, parseLimits(NOW));
  };

  it('are computed from the increase between two bodies that are not discarded', () => {
    const folder = new HistogramFolder();
    expect(points(parseQuantiles(folder, body(-120, [10, 10, 0], 2)))).toEqual(['h_count@-120=20', 'h_sum@-120=1']);
    // Four observations between 1 and 2, so the median is 1.5.
    const second = body(-60, [10, 14, 0], 2);
    const result = parseQuantiles(folder, second);
    const expected = ['h_count@-60=24', 'h_sum@-60=1', 'h{quantile="0.5"}@-60=1.5'];
    expect(points(result)).toEqual(expected);
    expect(result.batch.series.map(({ type, unit }) => [type, unit])).toEqual([
      ['counter', null],
      ['counter', 's'],
      ['gauge', 's'],
    ]);
    result.discard();
    expect(points(parseQuantiles(folder, second))).toEqual(expected);
  });

  it('are computed from each delta point, whose counts are summed', () => {
    const { batch, ...rest } = parseQuantiles(new HistogramFolder(), body(-60, [0, 4, 0], 1));
    expect(points({ batch, ...rest })).toContain('h{quantile="0.5"}@-60=1.5');
    expect(batch.series.slice(0, 2)).toMatchObject([
      { type: 'rate', aggregation: 'sum' },
      { type: 'rate', aggregation: 'sum' },
    ]);
  });

  it('count a data point as rejected only once when the quota refuses several of its series', () => {
    const result = parseQuantiles(new HistogramFolder(), body(-60, [0, 4, 0], 1));
    dropSeries(
      result.batch,
      result.refusals,
      new Map([
        [1, 'over_quota'],
        [2, 'over_quota'],
      ] as const),
    );
    expect(result.refusals.total).toBe(2);
    expect(countRejectedDataPoints(result)).toBe(1);
  });
});

describe('OTLP in JSON', () => {
  const parseJson = (body: unknown): OtlpResult => parse(Buffer.from(JSON.stringify(body)), 'json');

  it('accepts the names of the .proto file, numbers for 64-bit integers, nulls and unknown members', () => {
    const dataPoints = [
      {
        time_unix_nano: NOW * 1e9,
        as_int: 5,
        attributes: [{ key: 'a', value: { string_value: 'x' } }],
        exemplars: null,
      },
      { timeUnixNano: TIME, asInt: null, asDouble: '1.5', future: { x: [1] } },
    ];
    const body = {
      resource_metrics: [
        {
          resource: null,
          scope_metrics: [
            { metrics: [{ name: 's', unit: null, sum: { data_points: dataPoints, is_monotonic: true } }] },
          ],
        },
      ],
      extra: 1,
    };
    const result = parseJson(body);
    expect(points(result)).toEqual(['s{a="x"}@0=5', 's@0=1.5']);
    expect(result.batch.series[0]!.type).toBe('counter');
  });

  it.each<[string, unknown]>([
    ['a list', []],
    ['a string', 'x'],
    ['null', null],
    ['metrics that are not a list', { resourceMetrics: {} }],
    ['an entry that is not an object', { resourceMetrics: [1] }],
    ['a name that is not a string', request([{ ...gauge([one()]), name: 5 }])],
    ['a value that is not a number', request([gauge([{ asDouble: 'five' }])])],
    ['a value that is a list', request([gauge([{ asDouble: [] }])])],
    ['an integer with a fraction', request([gauge([{ asInt: '1.5' }])])],
    ['a time that is not a number', request([gauge([{ ...one(), timeUnixNano: 'now' }])])],
    ['a count that is not a number', request([{ name: 'h', histogram: { dataPoints: [{ count: 'x' }] } }])],
  ])('rejects %s', (_, body) => {
    expect(() => parseJson(body)).toThrow(MalformedBodyError);
  });

  it('rejects invalid syntax with its offset', () => {
    expect(() => parse(Buffer.from('{"resourceMetrics": [}'), 'json')).toThrow(/byte 21/);
  });

  it('rejects megabytes of brackets', () => {
    const body = Buffer.from(`{"resourceMetrics":[${'[],'.repeat(1_000_000)}[]]}`);
    expect(() => parse(body, 'json')).toThrow(BodyTooLargeError);
    const deep = Buffer.from('['.repeat(500_000));
    expect(() => parse(deep, 'json')).toThrow(MalformedBodyError);
  });
});

describe('members of a wrong type in OTLP JSON', () => {
  const place = 'resourceMetrics.0.scopeMetrics.0.metrics.1';
  const reject = (body: unknown) => () => parse(Buffer.from(JSON.stringify(body)), 'json');

  it.each<[unknown, string]>([
    [{ resourceMetrics: 5 }, 'resourceMetrics must be a list, got 5'],
    [
      request([gauge([one()]), 7 as unknown as object]),
      'resourceMetrics.0.scopeMetrics.0.metrics must be a list of objects, got 7',
    ],
    [request([gauge([one()]), { name: 5 }]), `${place}.name must be a string, got 5`],
    [
      request([gauge([one()]), gauge([one(), { asDouble: 'x'.repeat(50) }])]),
      `${place}.dataPoints.1.asDouble must be a number, got "${'x'.repeat(40)}…"`,
    ],
    [
      request([gauge([one()]), { name: 'h', histogram: { dataPoints: [{ count: 1.5 }] } }]),
      `${place}.dataPoints.0.count must be a whole number, got 1.5`,
    ],
    [
      request([gauge([one()]), gauge([{ ...one(), attributes: [{ key: [], value: string('x') }] }])]),
      `${place}.dataPoints.0.key must be a string, got a list`,
    ],
  ])('are refused with position and value: %j', (body, message) => {
    expect(reject(body)).toThrow(new Error(message));
    const field = message.split(' ')[0]!;
    expect(reject(body)).toThrow(expect.objectContaining({ details: [{ field, code: 'bad_format', message }] }));
  });
});

describe('OTLP in protobuf', () => {
  it.each([
    ['a truncated message', [0x0a, 0x05, 0x0a]],
    ['a group', [0x0b]],
    ['text', [...Buffer.from('cpu value=1')]],
    ['JSON', [...Buffer.from('{"resourceMetrics":[]}')]],
  ])('rejects %s', (_, bytes) => {
    expect(() => parse(Uint8Array.from(bytes), 'protobuf')).toThrow(MalformedBodyError);
  });

  it('accepts fields in any order', () => {
    const bytes = (tag: number, ...parts: Uint8Array[]): Buffer => {
      const body = Buffer.concat(parts);
      return Buffer.concat([Buffer.from([(tag << 3) | 2, body.length]), body]);
    };
    const attribute = (key: string, value: string): Buffer =>
      bytes(7, bytes(2, bytes(1, Buffer.from(value))), bytes(1, Buffer.from(key)));
    const value = Buffer.from([0x31, 5, 0, 0, 0, 0, 0, 0, 0]);
    // One attribute before and one after the value; the name after the data; the temporality before the points.
    const point = bytes(1, attribute('a', '1'), value, attribute('b', '2'));
    const sum = bytes(7, Buffer.from([0x18, 1, 0x10, 2]), point);
    const scope = bytes(2, bytes(2, sum, bytes(1, Buffer.from('s'))));
    const resource = bytes(1, bytes(1, bytes(2, bytes(1, Buffer.from('x'))), bytes(1, Buffer.from('service.name'))));
    const result = parse(bytes(1, scope, resource), 'protobuf', { names: new NameCache() });
    expect(points(result)).toEqual(['s{a="1",b="2",service_name="x"}@0=5']);
    expect(result.batch.series[0]!.type).toBe('counter');
  });

  it('accepts numbers that are not packed', () => {
    const folder = new RecordingFolder();
    const fixed = (tag: number, low: number): Buffer => Buffer.from([(tag << 3) | 1, low, 0, 0, 0, 0, 0, 0, 0]);
    const bytes = (tag: number, ...parts: Uint8Array[]): Buffer => {
      const body = Buffer.concat(parts);
      return Buffer.concat([Buffer.from([(tag << 3) | 2, body.length]), body]);
    };
    const explicit = bytes(9, bytes(1, fixed(6, 1), fixed(6, 2), fixed(7, 0)));
    const buckets = bytes(8, Buffer.from([0x10, 3, 0x10, 0, 0x10, 4, 0x08, 2]));
    const exponential = bytes(10, bytes(1, buckets));
    const metrics = [explicit, exponential].map((data) => bytes(2, bytes(1, Buffer.from('h')), data));
    parse(bytes(1, bytes(2, ...metrics)), 'protobuf', {}, folder);
    expect(folder.seen).toMatchObject([
      { layout: 'explicit', counts: [1, 2], bounds: [0] },
      { layout: 'exponential', positive: { indices: [1, 3], counts: [3, 4] } },
    ]);
  });

  it('rejects too many empty messages', () => {
    for (const unit of [
      [0x0a, 0],
      [0x0a, 2, 0x12, 0],
      [0x0a, 4, 0x12, 2, 0x12, 0],
    ]) {
      const body = Buffer.alloc(unit.length * 500_000, Buffer.from(unit));
      expect(() => parse(body, 'protobuf')).toThrow(BodyTooLargeError);
      expect(() => parse(body.subarray(0, unit.length * 50_000), 'protobuf')).not.toThrow();
    }
  });

  it('counts data points without value and name', () => {
    const point = [0x0a, 2, 0x40, 1];
    const points = Buffer.alloc(point.length * 30, Buffer.from(point));
    const body = Buffer.concat([
      Buffer.from([0x0a, points.length + 6, 0x12, points.length + 4, 0x12, points.length + 2, 0x2a, points.length]),
      points,
    ]);
    expect(parse(body, 'protobuf', { maxPoints: 30 })).toMatchObject({ dataPoints: 30, ended: [] });
    expect(() => parse(body, 'protobuf', { maxPoints: 29 })).toThrow(BodyTooLargeError);
  });

  it('reports a very long name only once in the refusals of many data points', () => {
    const long = 'x'.repeat(8_000_000);
    const metrics = [
      {
        ...gauge(
          Array.from({ length: 20_000 }, (_, i) => ({ asInt: `${i}` })),
          long,
        ),
        description: long,
      },
    ];
    for (const encoding of ENCODINGS) {
      const bytes = encode(request(metrics, { 'service.name': string(long) }), encoding);
      const { refusals } = parse(bytes, encoding);
      expect(refusals.countOf('bad_name')).toBe(20_000);
      expect([...refusals.metrics.keys()].join('').length).toBeLessThan(2000);
    }
  });

  it('counts points towards the limit of a body', () => {
    const bytes = encodeRequest(request([gauge([one(), one(), one()])]));
    expect(() => parse(bytes, 'protobuf', { maxPoints: 2 })).toThrow(BodyTooLargeError);
    expect(parse(bytes, 'protobuf', { maxPoints: 3 }).batch.count).toBe(3);
  });

  it('replaces values nested too deeply by null', () => {
    let nested: object = string('deep');
    for (let i = 0; i < 20; i++) nested = { arrayValue: { values: [nested] } };
    for (const encoding of ENCODINGS) {
      const [point] = points(parse(encode(request([gauge([one({ n: nested })])]), encoding), encoding));
      expect(point).toMatch(/^g\{n="\[+null\]+"\}@0=1$/);
    }
  });
});

describe('any OTLP body', () => {
  const aValue = fc.oneof(
    fc.string({ maxLength: 5 }).map(string),
    fc.boolean().map((boolValue) => ({ boolValue })),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => ({ intValue: String(value) })),
  );
  const aPoint = fc.record({
    timeUnixNano: fc.integer({ min: NOW - 90_000, max: NOW + 100 }).map((seconds) => `${seconds}000000000`),
    asDouble: fc.double({ noNaN: true, noDefaultInfinity: true }),
    attributes: fc
      .dictionary(fc.constantFrom('a', 'b.c', 'b_c', 'd e'), aValue, { noNullPrototype: true })
      .map(keyValues),
  });
  const someMetrics = fc.array(
    fc.record({
      name: fc.constantFrom('m', 'n.o', 'p q', ''),
      gauge: fc.record({ dataPoints: fc.array(aPoint, { maxLength: 4 }) }),
    }),
    { maxLength: 4 },
  );

  it('yields the same in both encodings, and has every data point counted', () => {
    fc.assert(
      fc.property(someMetrics, (metrics) => {
        const body = request(metrics, { 'service.name': string('s') });
        const [first, second] = ENCODINGS.map((encoding) => parse(encode(body, encoding), encoding));
        expect(points(first!)).toEqual(points(second!));
        expect([...first!.refusals.metrics]).toEqual([...second!.refusals.metrics]);
        const sent = metrics.reduce((sum, metric) => sum + metric.gauge.dataPoints.length, 0);
        expect(first!.dataPoints).toBe(sent);
        expect(first!.batch.count + countRejectedDataPoints(first!)).toBe(sent);
      }),
      { seed: 91, numRuns: 300 },
    );
  });

  const GOLDEN = request(
    [
      gauge([one({ a: string('é'), l: { arrayValue: { values: [{ intValue: '5' }, { doubleValue: 1.5 }] } } })]),
      { name: 's', unit: 'By', sum: { dataPoints: [one()], aggregationTemporality: 1, isMonotonic: true } },
      {
        name: 'h',
        histogram: {
          dataPoints: [{ count: '3', sum: 2, bucketCounts: ['1', '2'], explicitBounds: [1], timeUnixNano: TIME }],
        },
      },
      {
        name: 'e',
        exponentialHistogram: { dataPoints: [{ count: '3', scale: 2, positive: { offset: 1, bucketCounts: ['3'] } }] },
      },
      { name: 'q', summary: { dataPoints: [{ count: '3', sum: 1, quantileValues: [{ quantile: 0.5, value: 1 }] }] } },
    ],
    { 'service.name': string('shop') },
  );

  function refusesOrAccounts(bytes: Uint8Array, encoding: OtlpEncoding): void {
    try {
      const result = parse(bytes, encoding, { maxPoints: 1000 });
      expect(result.batch.values.every(Number.isFinite)).toBe(true);
      expect(countRejectedDataPoints(result)).toBeLessThanOrEqual(result.dataPoints);
    } catch (error) {
      if (!(error instanceof MalformedBodyError || error instanceof BodyTooLargeError)) throw error;
    }
  }

  it.each(ENCODINGS)(
    'in %s is parsed or rejected after mutation, truncation or splicing, without any other error',
    (encoding) => {
      const valid = encode(GOLDEN, encoding);
      const place = fc.nat(valid.length - 1);
      fc.assert(
        fc.property(
          fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 4 }),
          place,
          place,
          (mutations, cut, splice) => {
            const bytes = Buffer.from(valid);
            for (const [at, byte] of mutations) bytes[at] = byte;
            refusesOrAccounts(bytes, encoding);
            refusesOrAccounts(bytes.subarray(0, cut), encoding);
            refusesOrAccounts(bytes.subarray(cut), encoding);
            refusesOrAccounts(Buffer.concat([bytes.subarray(0, cut), bytes.subarray(splice)]), encoding);
          },
        ),
        { seed: 92, numRuns: 1500 },
      );
    },
  );

  it.each(ENCODINGS)('of random bytes in %s is parsed or rejected, without any other error', (encoding) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => refusesOrAccounts(bytes, encoding)),
      { seed: 93, numRuns: 1000 },
    );
  });

  it('of any JSON is parsed or rejected, without any other error', () => {
    fc.assert(
      fc.property(fc.json(), (json) => refusesOrAccounts(Buffer.from(json), 'json')),
      { seed: 94, numRuns: 500 },
    );
  });
});
