import { type BadLine } from '../batch/refusals.js';
import fc from 'fast-check';
import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';
import { type ParseLimits, parseLimits } from '../batch/limits.js';
import { NameCache } from '../names/name-cache.js';
import { type ParsedBatch, type ParseResult } from '../batch/parsed-batch.js';
import { parseJsonMetrics, readJsonBody } from './parse-json.js';

const placeOf = ({ line, problem }: BadLine) => ({ line, problem });

const NOW = 1_760_000_000;

function parse(body: unknown, overrides: Partial<ParseLimits> = {}): ParseResult {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return parseJsonMetrics(readJsonBody(bytes), parseLimits(NOW, overrides));
}

/** Formats points as `name@timestamp=value`, with backfill marked by `<`. */
function points(batch: ParsedBatch): string[] {
  return Array.from({ length: batch.count }, (_, row) => {
    const header = batch.series[batch.seriesIndex[row]!]!;
    return `${header.backfill ? '<' : ''}${header.name}@${batch.timestamps[row]! - NOW}=${batch.values[row]!}`;
  });
}

const NUMBER = 'must be a number, a numeric string or a boolean';

const COLUMNS = { dsnames: ['rx', 'tx'], values: [1, 'x'] };

function detailsOf(body: unknown): string[] {
  try {
    parse(body);
  } catch (error) {
    if (error instanceof MalformedBodyError) return error.details.map(({ field, code }) => `${field}: ${code}`);
    throw error;
  }
  throw new Error('the body was taken');
}

describe('a valid JSON body', () => {
  it.each<[string, unknown, string[]]>([
    ['many metrics', { metrics: [{ metric: 'a.b', timestamp: NOW, value: 1.5 }] }, ['a.b@0=1.5']],
    ['one metric', { metric: 'a.b', timestamp: NOW - 10, value: 2 }, ['a.b@-10=2']],
    [
      'a bare list',
      [
        { metric: 'a', value: 1 },
        { metric: 'b', value: 2 },
      ],
      ['a@0=1', 'b@0=2'],
    ],
    ['columns of one metric', { metric: 'a', timestamps: [NOW - 1, NOW], values: [1, 2] }, ['a@-1=1', 'a@0=2']],
    ['columns among many', [{ metric: 'a', timestamps: [NOW], values: ['3'] }], ['a@0=3']],
    ['a table', { timestamps: [NOW - 1, NOW], series: { a: [1, null], b: [null, 2] } }, ['a@-1=1', 'b@0=2']],
    ['no metrics', { metrics: [] }, []],
    ['an empty list', [], []],
    ['numeric strings', [{ metric: 'a', timestamp: String(NOW), value: ' -1.5e1 ' }], ['a@0=-15']],
    [
      'booleans',
      [
        { metric: 'a', value: true },
        { metric: 'a', value: false },
      ],
      ['a@0=1', 'a@0=0'],
    ],
    ['fractions of seconds', [{ metric: 'a', timestamp: NOW - 0.5, value: 1 }], ['a@-0.5=1']],
    ['a null timestamp as now', [{ metric: 'a', timestamp: null, value: 1 }], ['a@0=1']],
    [
      'labels',
      [{ metric: 'a', value: 1, labels: { host: 'web-1', n: 5, none: null, empty: '' } }],
      ['a{host="web-1",n="5"}@0=1'],
    ],
    ['labels merged with the name', [{ metric: 'a{z="1"}', value: 1, labels: { b: '2' } }], ['a{b="2",z="1"}@0=1']],
    [
      'backfill of the body',
      { backfill: true, metrics: [{ metric: 'a', timestamp: NOW - 90_000, value: 1 }] },
      ['<a@-90000=1'],
    ],
    [
      'backfill of a metric',
      [
        { metric: 'a', value: 1 },
        { metric: 'a', value: 2, timestamp: NOW - 4000, backfill: true },
      ],
      ['a@0=1', '<a@-4000=2'],
    ],
    [
      'switches beside one metric',
      { metric: 'a', value: 1, key: 'k', test: true, validate_key: false, backfill: false },
      ['a@0=1'],
    ],
    [
      'null members as missing',
      [{ metric: 'a', value: 1, labels: null, type: null, unit: null, aggregation: null }],
      ['a@0=1'],
    ],
  ])('is parsed with %s', (_, body, expected) => {
    const { batch, refusals } = parse(body);
    expect(points(batch)).toEqual(expected);
    expect(refusals.total).toBe(0);
  });

  it.each([
    ['seconds', NOW + 0.5],
    ['milliseconds', NOW * 1e3 + 500],
    ['microseconds', NOW * 1e6 + 500_000],
    ['nanoseconds', NOW * 1e9 + 5e8],
    ['a string of milliseconds', String(NOW * 1e3 + 500)],
  ])('is parsed with times in %s, recognised by magnitude', (_, timestamp) => {
    expect(points(parse({ metric: 'a', value: 1, timestamp }).batch)).toEqual(['a@0.5=1']);
    expect(points(parse({ timestamps: [timestamp], series: { a: [1] } }).batch)).toEqual(['a@0.5=1']);
  });

  it('may contain points in any order, which are sorted by time', () => {
    const body = { metrics: [{ metric: 'a', timestamps: [NOW, NOW - 60, NOW - 120], values: [3, 2, 1] }] };
    expect(points(parse(body, { backfill: true }).batch)).toEqual(['<a@-120=1', '<a@-60=2', '<a@0=3']);
  });

  it('yields the first given type, unit and aggregation', () => {
    const { batch } = parse([
      { metric: 'a', value: 1 },
      { metric: 'a', value: 1, type: 'counter', unit: 'ms', aggregation: 'sum' },
      { metric: 'a', value: 1, type: 'gauge', unit: 's', aggregation: 'last' },
      { metric: 'b', value: 1 },
    ]);
    expect(batch.series).toMatchObject([
      { name: 'a', type: 'counter', unit: 'ms', aggregation: 'sum', description: null },
      { name: 'b', type: null, unit: null, aggregation: null, description: null },
    ]);
  });

  it('yields the same name for two spellings of a metric', () => {
    const { batch } = parse([
      { metric: 'a{x="1",y="2"}', value: 1 },
      { metric: 'a', labels: { y: '2', x: '1' }, value: 2 },
    ]);
    const header = { name: 'a{x="1",y="2"}' };
    expect(batch.series).toMatchObject([header, header]);
  });

  it('is backfill if the request says so, unless the body overrides this', () => {
    expect(points(parse([{ metric: 'a', value: 1 }], { backfill: true }).batch)).toEqual(['<a@0=1']);
    expect(points(parse({ metric: 'a', value: 1, backfill: false }, { backfill: true }).batch)).toEqual(['a@0=1']);
  });

  it('may start with a byte order mark', () => {
    expect(points(parse('\ufeff[{"metric":"a","value":1}]').batch)).toEqual(['a@0=1']);
  });

  it('accepts points at both ends of the time window', () => {
    const { refusals } = parse([
      { metric: 'a', value: 1, timestamp: NOW - 86_400 },
      { metric: 'a', value: 1, timestamp: NOW + 60 },
    ]);
    expect(refusals.total).toBe(0);
  });

  it('reads millions of digits as a decimal, and refuses them before a letter', () => {
    expect(parse({ metric: 'a', value: `${'1'.repeat(3_000_000)}x` }).refusals.countOf('not_numeric')).toBe(1);
    expect(parse({ metric: 'a', value: `0.${'1'.repeat(3_000_000)}` }).batch.values[0]).toBeCloseTo(1 / 9);
  });
});

describe('switches of a JSON body', () => {
  it.each([
    [
      { key: 'pl_1', validate_key: true },
      { key: 'pl_1', validateKey: true, test: false, backfill: null },
    ],
    [
      { test: true, backfill: false },
      { key: null, validateKey: false, test: true, backfill: false },
    ],
    [
      { key: 5, test: 'yes' },
      { key: null, validateKey: false, test: false, backfill: null },
    ],
    [[], { key: null, validateKey: false, test: false, backfill: null }],
  ])('of %j are %j', (body, switches) => {
    expect(readJsonBody(Buffer.from(JSON.stringify(body))).switches).toEqual(switches);
  });
});

describe('refused points in JSON', () => {
  it.each<[unknown, Record<string, Record<string, number>>]>([
    [{ metric: 'a', value: 'fast' }, { a: { not_numeric: 1 } }],
    [{ metric: 'a', value: '' }, { a: { not_numeric: 1 } }],
    [{ metric: 'a', value: '0x10' }, { a: { not_numeric: 1 } }],
    [{ metric: 'a', value: null }, { a: { not_numeric: 1 } }],
    [{ metric: 'a', value: 'NaN' }, { a: { not_finite: 1 } }],
    [{ metric: 'a', value: '-Infinity' }, { a: { not_finite: 1 } }],
    ['[{"metric":"a","value":1e999}]', { a: { not_finite: 1 } }],
    [{ metric: 'a', value: 1, timestamp: 'yesterday' }, { a: { bad_timestamp: 1 } }],
    [{ metric: 'a', value: 1, timestamp: -1 }, { a: { bad_timestamp: 1 } }],
    [{ metric: 'a', value: 1, timestamp: NOW - 86_401 }, { a: { too_old: 1 } }],
    [{ metric: 'a', value: 1, timestamp: NOW + 61 }, { a: { in_future: 1 } }],
    [{ metric: 'a', value: 1, timestamp: 9_999_999_999_999 }, { a: { in_future: 1 } }],
    [{ metric: 'a', value: 1, timestamp: NOW * 1e12 }, { a: { in_future: 1 } }],
    [{ metric: 'a', value: 1, timestamp: NOW - 401 * 86_400, backfill: true }, { a: { too_old: 1 } }],
    [{ metric: 'not good', value: 1 }, { 'not good': { bad_name: 1 } }],
    [{ metric: 'id:7', value: 1 }, { 'id:7': { bad_name: 1 } }],
    [{ metric: 'a{b="1"}', labels: { b: '2' }, value: 1 }, { 'a{b="1"}': { bad_name: 1 } }],
    [{ metric: 'a', labels: { 'b c': '2' }, value: 1 }, { a: { bad_name: 1 } }],
    [{ metric: 'bad name', timestamps: [NOW, NOW, NOW], values: [1, null, 2] }, { 'bad name': { bad_name: 2 } }],
    [
      { timestamps: [NOW, null], series: { a: [1, 2], 'b c': [1, 2] } },
      { a: { bad_timestamp: 1 }, 'b c': { bad_name: 2 } },
    ],
    [
      [
        { metric: 'a', value: 'x' },
        { metric: 'a', value: 1, timestamp: 5 },
      ],
      { a: { not_numeric: 1, too_old: 1 } },
    ],
  ])('are recorded for %j', (body, expected) => {
    expect(Object.fromEntries(parse(body).refusals.metrics)).toEqual(expected);
  });

  it.each<[unknown, string[]]>([
    [
      { metric: 'a', value: 1, timestamp: 9_999_999_999_999 },
      ['timestamp must be at most 60 s in the future, got 9999999999999, taken for milliseconds: 2286-11-20'],
    ],
    [
      [{ metric: 'a', values: [1], timestamps: [20240101] }],
      [
        '0.timestamps.0 must be at most 86400 s ago, got 20240101, taken for seconds: 1970-08-23; ' +
          'send history with backfill',
      ],
    ],
    [
      { metrics: [{ metric: 'a', value: 1, timestamp: 5, backfill: true }] },
      ['metrics.0.timestamp must be at most 34560000 s ago, got 5, taken for seconds: 1970-01-01'],
    ],
    [{ metric: 'a', value: 'fast' }, ['value must be a number, a numeric string or a boolean, got "fast"']],
    [
      { metric: 'a', value: '12,5' },
      ['value must be a number, a numeric string or a boolean, got "12,5": use a point'],
    ],
    [{ metrics: [{ metric: 'a', value: null }] }, [`metrics.0.value ${NUMBER}, got null`]],
    [[{ metric: 'a', value: 'x'.repeat(50) }], [`0.value ${NUMBER}, got "${'x'.repeat(40)}…"`]],
    [[{ metric: 'a', value: 'NaN' }], ['0.value must be a finite number, got "NaN"']],
    [{ metric: 'a', value: 1, timestamp: 'yesterday' }, ['timestamp must be a Unix time, got "yesterday"']],
    [{ metric: 'a', value: 1, timestamp: -1 }, ['timestamp must be a Unix time, got -1']],
    [
      { metric: 'bad name', timestamps: [NOW, NOW], values: [1, 2] },
      ['metric must be a metric name, got "bad name": a name may not contain " "'],
    ],
    [
      [{ metric: 'a', labels: { 'b c': '2' }, value: 1 }],
      [
        '0.labels must match the metric "a": a label key must be letters, digits, _, . or - and begin with a letter or _, ' +
          'got "b c"',
      ],
    ],
    [
      { timestamps: [NOW, 'x'], series: { a: [1, 2], b: [1, 2], 'c c': [1, 2] } },
      [
        'timestamps.1 must be a Unix time, got "x"',
        'series must have metric names as members, got "c c": a name may not contain " "',
      ],
    ],
    [
      // The format of collectd.
      [{ plugin: 'p', type: 'p', host: 'h', plugin_instance: '', type_instance: '', ...COLUMNS, time: NOW }],
      [`0.values.1 ${NUMBER}, got "x"`],
    ],
  ])('are reported with position, rule and value: %j', (body, problems) => {
    const { refusals } = parse(body);
    expect(refusals.badLines.map(placeOf)).toEqual(problems.map((problem) => ({ line: null, problem })));
    expect(refusals.badLines.filter(({ reason }) => refusals.countOf(reason) === 0)).toEqual([]);
  });

  it('have their own reason for too many labels', () => {
    const labels = Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`l${i}`, 'x']));
    expect(parse({ metric: 'a', labels, value: 1 }).refusals.countOf('too_many_labels')).toBe(1);
  });

  it('create no series for a metric without an accepted point', () => {
    const { batch } = parse([
      { metric: 'old', value: 1, timestamp: 5 },
      { metric: 'good', value: 1 },
      { metric: 'empty', timestamps: [], values: [] },
    ]);
    expect(batch.series.map(({ name }) => name)).toEqual(['good']);
    expect([...batch.seriesIndex]).toEqual([0]);
  });
});

describe('JSON bodies rejected as a whole', () => {
  it.each<[unknown, string[]]>([
    [{}, ['metric: required']],
    [{ metrics: {} }, ['metrics: not_list']],
    [{ metrics: [5, null, []] }, ['metrics.0: not_object', 'metrics.1: not_object', 'metrics.2: not_object']],
    [{ metrics: [{ value: 1 }] }, ['metrics.0.metric: required']],
    [{ metrics: [{ metric: 5, value: 1 }] }, ['metrics.0.metric: bad_format']],
    [{ metrics: [{ metric: 'a' }] }, ['metrics.0.value: required']],
    [{ metrics: [{ metric: 'a', value: {} }] }, ['metrics.0.value: not_number']],
    [{ metrics: [{ metric: 'a', value: [1] }] }, ['metrics.0.value: not_number']],
    [{ metrics: [{ metric: 'a', value: 1, timestamp: true }] }, ['metrics.0.timestamp: not_number']],
    [{ metrics: [{ metric: 'a', value: 1, colour: 'red' }] }, ['metrics.0.colour: unknown_parameter']],
    [{ metrics: [{ metric: 'a', value: 1, key: 'k' }] }, ['metrics.0.key: unknown_parameter']],
    [{ metrics: [], metric: 'a' }, ['metric: unknown_parameter']],
    [
      { metric: 'a', value: 1, series: {} },
      ['metric: unknown_parameter', 'value: unknown_parameter', 'timestamps: required'],
    ],
    [[{ metric: 'a', value: 1, type: 'speed' }], ['0.type: not_one_of']],
    [[{ metric: 'a', value: 1, aggregation: 5 }], ['0.aggregation: not_one_of']],
    [[{ metric: 'a', value: 1, unit: 5 }], ['0.unit: bad_format']],
    [[{ metric: 'a', value: 1, unit: 'x'.repeat(65) }], ['0.unit: too_long']],
    [[{ metric: 'a', value: 1, unit: 'a\u0000' }], ['0.unit: bad_format']],
    [[{ metric: 'a', value: 1, labels: ['x'] }], ['0.labels: not_object']],
    [[{ metric: 'a', value: 1, labels: { x: {} } }], ['0.labels.x: bad_format']],
    [[{ metric: 'a', value: 1, backfill: 'yes' }], ['0.backfill: not_boolean']],
    [[{ metric: 'a', value: 1, values: [1] }], ['0.values: exactly_one']],
    [[{ metric: 'a', timestamps: [NOW], values: [1, 2] }], ['0.values: mismatch']],
    [[{ metric: 'a', timestamps: [NOW] }], ['0.values: required']],
    [[{ metric: 'a', values: [1] }], ['0.timestamps: required']],
    [[{ metric: 'a', timestamps: 5, values: 6 }], ['0.timestamps: not_list']],
    [[{ metric: 'a', timestamps: [NOW], values: 6 }], ['0.values: not_list']],
    [[{ metric: 'a', timestamps: [{}], values: [6] }], ['0.timestamps.0: not_number']],
    [[{ metric: 'a', timestamps: [NOW], values: [{}] }], ['0.values.0: not_number']],
    [{ timestamps: [NOW], series: [] }, ['series: not_object']],
    [{ timestamps: [NOW], series: { a: [1, 2] } }, ['series.a: mismatch']],
    [
      { metric: 'a', value: 1, key: 5, test: 1, validate_key: 'x', backfill: 0 },
      ['key: bad_format', 'validate_key: not_boolean', 'test: not_boolean', 'backfill: not_boolean'],
    ],
    ['[{"metric":"a","value":1,"__proto__":{}}]', ['0.__proto__: unknown_parameter']],
  ])('include %j', (body, expected) => {
    expect(detailsOf(body)).toEqual(expected);
  });

  it.each<[unknown, string]>([
    [{ metrics: {} }, 'metrics must be a list, got an object'],
    [[{ metric: 'a', value: [1] }], `0.value ${NUMBER}, got a list`],
    [[{ metric: 'a', value: 1, type: 'speed' }], '0.type must be one of gauge, counter, rate, got "speed"'],
    [
      [{ metric: 'a', timestamps: [NOW], values: [1, 2] }],
      '0.values must have a value for each of the 1 timestamps, got 2',
    ],
    [
      [{ metric: 'a', valeu: 1 }],
      '0.valeu is not a member here; the members are metric, value, timestamp, values, timestamps, labels, type, unit, ' +
        'aggregation, backfill (and 1 more)',
    ],
    [{ key: 5, metric: 'a', value: 1 }, 'key must be a string'],
    [{ metric: 'a', value: 1, backfill: 'yes' }, 'backfill must be true or false, got "yes"'],
    ['{"a" 1}', 'the body is not valid JSON: expected :, got "1}" (byte 5)'],
    [`{"key":"a" "pl_${'a'.repeat(43)}"}`, 'the body is not valid JSON: expected , or }, got "\\"pl_…\\"}" (byte 11)'],
    [
      `{"key":"pl_${'a'.repeat(10)}\n`,
      'the body is not valid JSON: a control character in a string must be escaped (byte 21)',
    ],
  ])('are explained: %j', (body, message) => {
    expect(() => parse(body)).toThrow(new Error(message));
  });

  it('have one problem for each field', () => {
    const body = { metrics: [{ metric: 'a', value: {}, unit: 5, labels: 'x' }], key: 5 };
    const fields = detailsOf(body).map((detail) => detail.split(':')[0]);
    expect(fields).toEqual([...new Set(fields)]);
  });

  it('report at most 100 problems', () => {
    expect(detailsOf(Array.from({ length: 1000 }, () => 5))).toHaveLength(100);
  });

  it.each([
    ['', 0],
    ['  ', 2],
    ['5', 0],
    ['"a"', 0],
    ['null', 0],
    ['{"metric": }', 11],
    ['{"metric":"a" "value":1}', 14],
    ['{metric:"a"}', 1],
    ['{"metric":"a",}', 14],
    ['[1,2', 4],
    ['[1,]', 3],
    ['[] []', 3],
    ['{"a":nul}', 5],
    ['{"a":01}', 5],
    ['{"a":.5}', 5],
    ['{"a":NaN}', 5],
    ['{"a":"\t"}', 6],
    ['{"a":"\\x"}', 7],
    ['{"a":"\\u12g4"}', 7],
    ['{"a":"', 6],
    ['{"a"', 4],
    ["{'a':1}", 1],
    ['[{"a":[1,{"b":2}]}', 18],
    ['{"é":x}', 6],
  ])('report the offset of the syntax error in %j', (text, offset) => {
    expect(() => parse(text)).toThrow(MalformedBodyError);
    try {
      parse(text);
    } catch (error) {
      expect((error as MalformedBodyError).code).toBe('malformed_body');
      expect((error as MalformedBodyError).position).toEqual({ offset });
    }
  });

  it('are those with bytes that are not UTF-8', () => {
    expect(() => readJsonBody(Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d))).toThrow('not valid UTF-8');
  });

  it('are those with more points than allowed, counting refused ones', () => {
    const body = { metrics: Array.from({ length: 11 }, (_, i) => ({ metric: 'a', value: i % 2 === 0 ? 1 : 'x' })) };
    expect(() => parse(body, { maxPoints: 10 })).toThrow(BodyTooLargeError);
    expect(() => parse(body, { maxPoints: 11 })).not.toThrow();
  });

  it('are those with megabytes of brackets, before they become objects', () => {
    expect(() => readJsonBody(Buffer.from(`[${'[],'.repeat(600_000)}[]]`))).toThrow(BodyTooLargeError);
  });

  it('are those with deep nesting', () => {
    const deep = '['.repeat(100_000);
    expect(() => parse(deep)).toThrow(MalformedBodyError);
    expect(() => parse(`{"metric":${deep}${']'.repeat(100_000)},"value":1}`)).toThrow(MalformedBodyError);
  });
});

describe('any JSON body', () => {
  const NEVER_MORE = { seed: 53, numRuns: 400 };
  const aMember = fc.constantFrom(
    'metric',
    'value',
    'timestamp',
    'labels',
    'type',
    'unit',
    'aggregation',
    'backfill',
    'timestamps',
    'values',
    'metrics',
    'series',
    'key',
    'test',
    '__proto__',
    'x',
  );
  const { node: aTree } = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(
        fc.integer(),
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.constantFrom('a', 'a{b="c"}', 'b c', '5', String(NOW)),
        fc.constant(NOW),
      ),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(aMember, tie('node'), { maxKeys: 5 }),
    ),
  }));

  function refusesOrAccounts(bytes: Uint8Array): void {
    try {
      const { batch, refusals } = parseJsonMetrics(readJsonBody(bytes), parseLimits(NOW, { maxPoints: 50 }));
      expect(batch.count + refusals.total).toBeLessThanOrEqual(50);
      expect(batch.values.every(Number.isFinite)).toBe(true);
    } catch (error) {
      if (!(error instanceof MalformedBodyError || error instanceof BodyTooLargeError)) throw error;
    }
  }

  it('with known members in any structure is parsed or rejected, without any other error', () => {
    fc.assert(
      fc.property(aTree, (tree) => refusesOrAccounts(Buffer.from(JSON.stringify(tree)))),
      NEVER_MORE,
    );
  });

  it('with mutated bytes is parsed or rejected, without any other error', () => {
    const valid = Buffer.from(
      JSON.stringify({
        key: 'k',
        metrics: [
          { metric: 'a{x="1"}', timestamp: NOW, value: 1.5, labels: { b: 'é' }, type: 'gauge' },
          { metric: 'b', timestamps: [NOW, NOW - 1], values: [1, null] },
        ],
      }),
    );
    const aMutation = fc.tuple(
      fc.nat(valid.length - 1),
      fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('{}[]",:\\0'))),
    );
    fc.assert(
      fc.property(fc.array(aMutation, { minLength: 1, maxLength: 4 }), fc.nat(valid.length), (mutations, cut) => {
        const bytes = Buffer.from(valid);
        for (const [at, byte] of mutations) bytes[at] = byte;
        refusesOrAccounts(bytes);
        refusesOrAccounts(bytes.subarray(0, cut));
      }),
      NEVER_MORE,
    );
  });

  it('yields the same with cached names', () => {
    const aLabel = fc.constantFrom({}, { x: '1' }, { x: '1', y: '' }, { x: 5 }, { y: 'é', x: '1' }, { '': 'z' });
    const anEntry = fc.record({
      metric: fc.constantFrom('a', 'a{x="1"}', 'a{x="2"}', 'a b', 'id:5', '1:x1'),
      labels: fc.option(aLabel),
      value: fc.constantFrom<unknown>(1, '2.5', 'x', true),
      backfill: fc.boolean(),
      type: fc.constantFrom('gauge', 'counter'),
    });
    const outcome = (body: unknown, limits: ParseLimits) => {
      const { batch, refusals } = parseJsonMetrics(readJsonBody(Buffer.from(JSON.stringify(body))), limits);
      const headers = [...batch.seriesIndex].map((index) => {
        const { name, backfill } = batch.series[index]!;
        return { name, backfill };
      });
      return { headers, values: [...batch.values], refused: [...refusals.metrics] };
    };
    fc.assert(
      fc.property(fc.array(fc.array(anEntry, { maxLength: 6 }), { maxLength: 6 }), (bodies) => {
        const names = new NameCache({ maxEntries: 6 });
        for (const body of [...bodies, ...bodies]) {
          const known = outcome(body, parseLimits(NOW, { names }));
          const fresh = outcome(body, parseLimits(NOW));
          expect(known).toEqual(fresh);
        }
      }),
      { seed: 57, numRuns: 500 },
    );
  });

  it('that JSON.parse rejects has an error offset inside the body', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('{}[]",:0159.eE-+truefalsn\\u \n')), maxLength: 20 }),
        (text) => {
          const bytes = Buffer.from(text);
          try {
            readJsonBody(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedBodyError);
            const { position, message } = error as MalformedBodyError;
            expect(position.offset).toBeLessThanOrEqual(bytes.length);
            expect(message).not.toContain('not readable');
          }
        },
      ),
      { seed: 54, numRuns: 3000 },
    );
  });
});
