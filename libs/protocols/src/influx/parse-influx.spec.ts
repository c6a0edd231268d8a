import { type BadLine } from '../batch/refusals.js';
import { readFileSync } from 'node:fs';
import { labelsOf } from '../names/metric-name.js';
import fc from 'fast-check';
import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';
import { type ParseLimits, parseLimits } from '../batch/limits.js';
import { type ParseResult } from '../batch/parsed-batch.js';
import { NameCache } from '../names/name-cache.js';
import { readFieldNumber } from './field-number.js';
import { type InfluxOptions, parseInflux } from './parse-influx.js';

const placeOf = ({ line, problem }: BadLine) => ({ line, problem });

const NOW = 1_760_000_000;

function parse(
  body: string | Uint8Array,
  options: Partial<InfluxOptions> = {},
  limits: Partial<ParseLimits> = {},
): ParseResult {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return parseInflux(bytes, { precision: 's', onBadLine: 'skip', ...options }, parseLimits(NOW, limits));
}

/** Formats points as `name@timestamp=value`, with timestamps relative to now. */
function points({ batch }: ParseResult): string[] {
  return Array.from(
    { length: batch.count },
    (_, row) => `${batch.series[batch.seriesIndex[row]!]!.name}@${batch.timestamps[row]! - NOW}=${batch.values[row]!}`,
  );
}

describe('valid InfluxDB lines', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['\n\r\n  \n\t\n', []],
    ['# a comment\n  # another', []],
    ['cpu value=1', ['cpu@0=1']],
    ['cpu value=1\n', ['cpu@0=1']],
    ['cpu value=1\r\ncpu value=2\r\n', ['cpu@0=1', 'cpu@0=2']],
    [`cpu value=1 ${NOW - 5}`, ['cpu@-5=1']],
    [`cpu value=1 ${NOW - 5}\r\n`, ['cpu@-5=1']],
    [`  cpu   value=1   ${NOW - 5}  `, ['cpu@-5=1']],
    ['cpu idle=1,user=2', ['cpu_idle@0=1', 'cpu_user@0=2']],
    ['cpu,host=web-1 idle=1', ['cpu_idle{host="web-1"}@0=1']],
    ['cpu,z=1,a=2 value=1', ['cpu{a="2",z="1"}@0=1']],
    ['cpu,host= value=1', ['cpu@0=1']],
    [String.raw`my\ cpu,ho\ st=a\,b\=c\ d value=1`, ['my_cpu{ho_st="a,b=c d"}@0=1']],
    [String.raw`a\,b fi\ eld\=x=1`, ['a_b_fi_eld=x@0=1']],
    [String.raw`cpu,path=C:\dir\file value=1`, [String.raw`cpu{path="C:\\dir\\file"}@0=1`]],
    [String.raw`cpu,p=a\\,b=c value=1`, [String.raw`cpu{p="a\\,b=c"}@0=1`]],
    ['cpu,say="hi" value=1', [String.raw`cpu{say="\"hi\""}@0=1`]],
    ['a=b value=1', ['a=b@0=1']],
    ['température,où=là value=21.5', ['température{o_="là"}@0=21.5']],
    ['disk*usage value=1', ['disk_usage@0=1']],
    ['\ufeffcpu value=1', ['cpu@0=1']],
    [
      'cpu a=1i,b=2u,c=t,d=F,e=True,f=FALSE',
      ['cpu_a@0=1', 'cpu_b@0=2', 'cpu_c@0=1', 'cpu_d@0=0', 'cpu_e@0=1', 'cpu_f@0=0'],
    ],
    [
      'cpu a=-1.5,b=+2,c=.5,d=5.,e=1e3,f=1.5E-3,g=-0i',
      ['cpu_a@0=-1.5', 'cpu_b@0=2', 'cpu_c@0=0.5', 'cpu_d@0=5', 'cpu_e@0=1000', 'cpu_f@0=0.0015', 'cpu_g@0=0'],
    ],
    ['cpu a=9223372036854775807i', ['cpu_a@0=9223372036854776000']],
    ['cpu value=1\n# note\n\nmem value=2', ['cpu@0=1', 'mem@0=2']],
  ])('are parsed: %j', (body, expected) => {
    const result = parse(body, { onBadLine: 'fail' });
    expect(points(result)).toEqual(expected);
    expect(result.refusals.total).toBe(0);
  });

  it.each([
    ['ns', '1760000000123456789', 0.123456789],
    ['us', '1760000000123456', 0.123456],
    ['u', '1760000000123456', 0.123456],
    ['ms', '1760000000123', 0.123],
    ['s', '1760000000', 0],
    ['m', '29333333', -20],
    ['h', '488888', -3200],
  ] as const)('are parsed with timestamps in %s', (precision, timestamp, offset) => {
    const { batch } = parse(`cpu value=1 ${timestamp}`, { precision });
    expect(batch.timestamps[0]).toBeCloseTo(NOW + offset, 6);
  });

  it('keep whole seconds exact in every precision', () => {
    for (let second = NOW - 3000; second < NOW; second += 7) {
      for (const [precision, zeros] of [
        ['ns', 9],
        ['us', 6],
        ['ms', 3],
        ['s', 0],
      ] as const) {
        const { batch } = parse(`cpu value=1 ${second}${'0'.repeat(zeros)}`, { precision });
        expect(batch.timestamps[0]).toBe(second);
      }
    }
  });

  it('have the same name for any order of the tags', () => {
    const { batch } = parse('cpu,a=1,b=2 value=1\ncpu,b=2,a=1 value=2\ncpu,b=2,a=1 value=3');
    const header = { name: 'cpu{a="1",b="2"}', type: null, backfill: false };
    expect(batch.series).toMatchObject([header, header]);
    expect([...batch.seriesIndex]).toEqual([0, 1, 1]);
    expect([...batch.values]).toEqual([1, 2, 3]);
  });

  it('are marked as backfill', () => {
    const { batch } = parse(`cpu value=1 ${NOW - 90_000}`, {}, { backfill: true });
    expect(batch.series[0]).toMatchObject({ backfill: true });
  });
});

describe('text fields in InfluxDB lines', () => {
  it.each<[string, string[], string[]]>([
    ['cpu state="up",value=1', ['cpu@0=1'], ['cpu_state']],
    ['cpu state="a, b=c \\"x\\" \\\\",value=1', ['cpu@0=1'], ['cpu_state']],
    ['cpu state="two\nlines",value=1\nmem value=2', ['cpu@0=1', 'mem@0=2'], ['cpu_state']],
    ['cpu state="up"', [], ['cpu_state']],
    [`cpu state="up" ${NOW - 99_999_999}`, [], ['cpu_state']],
    ['id:5 state="up"', [], ['id:5_state']],
    ['cpu state="up"\nmem value=2\ncpu state="down"', ['mem@0=2'], ['cpu_state']],
  ])('are omitted without an error: %j', (body, stored, omitted) => {
    for (const onBadLine of ['skip', 'fail'] as const) {
      const result = parse(body, { onBadLine });
      expect(points(result)).toEqual(stored);
      expect(result.refusals).toMatchObject({ total: 0, badLines: [] });
      expect([...result.refusals.omitted.names]).toEqual(omitted);
      expect(result.refusals.omitted.total).toBe((body.match(/state=/g) ?? []).length);
    }
  });

  it('count towards the limit of the body, and a limited number of names is kept', () => {
    const body = (fields: number) => `cpu ${Array.from({ length: fields }, (_, i) => `f${i}="x"`).join(',')}`;
    const { omitted } = parse(body(3000)).refusals;
    expect([omitted.total, omitted.names.size]).toEqual([3000, 1000]);
    expect(() => parse(body(11), {}, { maxPoints: 10 })).toThrow(BodyTooLargeError);
  });
});

const VALUE = 'must be a number, a boolean or a string in double quotes';

describe('refused InfluxDB points', () => {
  it.each<[string, string[], Record<string, Record<string, number>>]>([
    [
      'cpu a=NaN,b=-inf,c=+Infinity',
      [],
      { cpu_a: { not_finite: 1 }, cpu_b: { not_finite: 1 }, cpu_c: { not_finite: 1 } },
    ],
    ['cpu a=1e999', [], { cpu_a: { not_finite: 1 } }],
    [`cpu value=1 ${NOW - 86_401}`, [], { cpu: { too_old: 1 } }],
    [`cpu value=1 ${NOW + 61}`, [], { cpu: { in_future: 1 } }],
    ['cpu value=1 -5', [], { cpu: { bad_timestamp: 1 } }],
    ['id:5 value=1', [], { 'id:5': { bad_name: 1 } }],
    ['cpu,a=1,a=2 value=1,b=2', [], { cpu: { bad_name: 1 }, cpu_b: { bad_name: 1 } }],
  ])('are recorded for %j', (body, stored, refused) => {
    const result = parse(body);
    expect(points(result)).toEqual(stored);
    expect(Object.fromEntries(result.refusals.metrics)).toEqual(refused);
  });

  it.each<[string, string[]]>([
    [
      'cpu a=NaN,b=1,c=+Infinity',
      ['field "a" must be a finite number, got "NaN"', 'field "c" must be a finite number, got "+Infinity"'],
    ],
    [
      `cpu a=1,b=2 ${NOW - 86_401}000000000`,
      [
        `the timestamp must be at most 86400 s ago, got ${NOW - 86_401}000000000, taken for precision=ns: 2025-10-08; ` +
          'send history with backfill',
      ],
    ],
    [
      `cpu a=1 ${NOW}`,
      [
        `the timestamp must be at most 86400 s ago, got ${NOW}, taken for precision=ns: 1970-01-01; ` +
          'send history with backfill',
      ],
    ],
    [
      `cpu a=1 ${NOW + 61}000000000`,
      [
        `the timestamp must be at most 60 s in the future, got ${NOW + 61}000000000, taken for precision=ns: 2025-10-09`,
      ],
    ],
    ['cpu value=1 -5', ['the timestamp must be a Unix time, got -5']],
    ['cpu,a=1,a=2 b=2', ['measurement, field and tags must be a metric name, got "cpu_b": label "a" is given twice']],
  ])('are reported with line, field, rule and value: %j', (line, problems) => {
    const body = `first t="two\nlines"\n${line}\n${line}\nlast value=1`;
    const lines = [3, 4].flatMap((number) => problems.map((problem) => ({ line: number, problem })));
    expect(parse(body, { precision: 'ns' }).refusals.badLines.map(placeOf)).toEqual(lines);
  });

  it('have their own reason for too many tags', () => {
    const tags = Array.from({ length: 41 }, (_, i) => `t${i}=x`).join(',');
    expect(parse(`cpu,${tags} value=1`).refusals.countOf('too_many_labels')).toBe(1);
  });

  it('are recorded for a name that is too long', () => {
    expect(parse(`${'x'.repeat(2000)} value=1`).refusals.countOf('bad_name')).toBe(1);
  });
});

describe('invalid InfluxDB lines', () => {
  it.each([
    ['cpu', 'bad_name'],
    ['cpu ', 'bad_name'],
    ['cpu,host=a', 'bad_name'],
    [',host=a value=1', 'bad_name'],
    ['cpu,host value=1', 'bad_name'],
    ['cpu,=a value=1', 'bad_name'],
    ['cpu, value=1', 'bad_name'],
    ['cpu,,a=b value=1', 'bad_name'],
    ['cpu value', 'bad_name'],
    ['cpu =1', 'bad_name'],
    ['cpu value=1,', 'bad_name'],
    ['cpu value=1,,b=2', 'bad_name'],
    ['cpu value=', 'not_numeric'],
    ['cpu value=abc', 'not_numeric'],
    ['cpu value=1x', 'not_numeric'],
    ['cpu value=1.5i', 'not_numeric'],
    ['cpu value=-1u', 'not_numeric'],
    ['cpu value=1ii', 'not_numeric'],
    ['cpu value=1.2.3', 'not_numeric'],
    ['cpu value=--1', 'not_numeric'],
    ['cpu value=0x10', 'not_numeric'],
    ['cpu value=1e', 'not_numeric'],
    ['cpu value=tRUE', 'not_numeric'],
    ['cpu value="open', 'not_numeric'],
    ['cpu value="a"b', 'not_numeric'],
    ['cpu value=1 now', 'bad_timestamp'],
    ['cpu value=1 1760000000.5', 'bad_timestamp'],
    ['cpu value=1 17600 00000', 'bad_timestamp'],
    ['cpu value=1 -', 'bad_timestamp'],
    [`cpu value=1 ${'1'.repeat(21)}`, 'bad_timestamp'],
    ['cpu a=1 b=2', 'bad_timestamp'],
  ] as const)('are refused with their line number, and the others are stored: %j', (line, reason) => {
    const result = parse(`first value=1\n\n${line}\nlast value=2`);
    expect(points(result)).toEqual(['first@0=1', 'last@0=2']);
    expect(result.refusals.total).toBe(1);
    expect(result.refusals.countOf(reason)).toBe(1);
    expect(result.refusals.badLines.map(placeOf)).toEqual([{ line: 3, problem: expect.any(String) }]);
    expect(() => parse(`first value=1\n\n${line}\nlast value=2`, { onBadLine: 'fail' })).toThrow(/\(line 3\)/);
  });

  it.each<[string, string]>([
    ['cpu', 'a field must be name=value, got ""'],
    ['cpu value=12,5', 'a field must be name=value, got "5"'],
    [',host=a value=1', 'the measurement must not be empty, got ",host=a value=1"'],
    ['cpu,host value=1', 'a tag must be name=value, got "cpu,host"'],
    ['cpu value=12;5', `field "value" ${VALUE}, got "12;5"`],
    [`cpu a=1,b=${'x'.repeat(41)},c=2`, `field "b" ${VALUE}, got "${'x'.repeat(40)}…"`],
    ['cpu a="open, b=1', 'field "a" must end with a double quote, got "\\"open, b=1"'],
    ['cpu a="x"y 5', 'field "a" must end after the closing quote, got "y"'],
    ['cpu a=1 1760000000.5', 'the timestamp must be a whole number, got "1760000000.5"'],
    ['cpu a=1 -x', 'the timestamp must be a whole number, got "-x"'],
    [`cpu a=pl_${'a'.repeat(43)}`, `field "a" ${VALUE}, got "pl_…"`],
  ])('are reported with member, rule and value: %j', (line, problem) => {
    const body = `first value=1\n${line}\nlast value=1`;
    const { refusals } = parse(body);
    expect(refusals.badLines.map(placeOf)).toEqual([{ line: 2, problem }]);
    expect(refusals.badLines.filter(({ reason }) => refusals.countOf(reason) === 0)).toEqual([]);
    // The key of the line before is cached now.
    expect(parse(`${line}\n${line}`).refusals.badLines.map(placeOf).at(-1)).toEqual({ line: 2, problem });
  });

  it('contain no token in the name under which they are counted', () => {
    const { refusals } = parse(`pl_${'a'.repeat(43)}.web-1.cpu 12.5 1760000000`);
    expect([...refusals.metrics.keys()]).toEqual(['pl_….web-1.cpu 12.5 1760000000']);
  });

  it('are numbered including lines inside quoted text', () => {
    expect(parse('a t="x\ny\nz",value=1\nbad').refusals.badLines.map(placeOf)).toEqual([
      { line: 4, problem: expect.any(String) },
    ]);
  });

  it('with an open quote do not affect later lines', () => {
    expect(points(parse('a t="open\nb value=1\nc t="x",value=2\nd value=3'))).toContain('d@0=3');
    expect(points(parse('a t="open\nb value=1\nd value=3'))).toEqual(['b@0=1', 'd@0=3']);
  });

  it('are reported with the start of the line as name', () => {
    const { refusals } = parse(`cpu,host=a usage ${'x'.repeat(500)}`);
    expect([...refusals.metrics.keys()]).toEqual([`cpu,host=a usage ${'x'.repeat(63)}`]);
  });

  it('with many open quotes are counted', () => {
    const { refusals } = parse('a t="\\\n'.repeat(40_000).replaceAll('"', (_, at: number) => (at < 10 ? '"' : 'x')));
    expect(refusals.total).toBe(40_000);
  });
});

describe('the limit of an InfluxDB body', () => {
  it('counts stored points, refused points and invalid lines', () => {
    const body = 'a value=1\na value="x"\nbad\n';
    expect(() => parse(body, {}, { maxPoints: 2 })).toThrow(BodyTooLargeError);
    expect(() => parse(body, {}, { maxPoints: 3 })).not.toThrow();
  });

  it('applies within one line', () => {
    const line = `a ${Array.from({ length: 11 }, (_, i) => `f${i}=1`).join(',')}`;
    expect(() => parse(line, {}, { maxPoints: 10 })).toThrow(BodyTooLargeError);
  });
});

describe('readFieldNumber', () => {
  it('parses every decimal to the same double as Number', () => {
    const aNumber = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.tuple(fc.integer(), fc.nat(999_999_999)).map(([whole, part]) => `${whole}.${part}`),
      fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }).map(String),
      fc.stringMatching(/^[+-]?\d{1,25}(\.\d{0,25})?$/),
    );
    fc.assert(
      fc.property(aNumber, (text) => {
        expect(readFieldNumber(Buffer.from(`=${text},`), 1, text.length + 1)).toBe(Number(text));
      }),
      { seed: 54, numRuns: 1000 },
    );
  });
});

it('parseInflux parses the recorded lines of Telegraf', () => {
  const file = (name: string) => readFileSync(new URL(`../../../../test/golden/telegraf/${name}`, import.meta.url));
  const expected = JSON.parse(file('metrics.expected.json').toString()) as { points: unknown[]; omitted: unknown };
  const names = new NameCache();
  for (let time = 0; time < 2; time++) {
    const { batch, refusals } = parse(file('metrics.influx'), { precision: 'ns' }, { names });
    const found = [...batch.values].map((value, row) => [
      batch.series[batch.seriesIndex[row]!]!.name,
      batch.timestamps[row],
      value,
    ]);
    expect(found).toEqual(expected.points);
    expect([...refusals.omitted.names]).toEqual(expected.omitted);
    expect(refusals).toMatchObject({ total: 0, badLines: [] });
  }
});

describe('cached names of InfluxDB lines', () => {
  const outcome = (result: ParseResult) => ({
    points: points(result),
    refused: [...result.refusals.metrics],
    lines: result.refusals.badLines,
  });

  it('yield the same points after any earlier bodies', () => {
    const aLine = fc.oneof(
      fc.constantFrom(
        'cpu,host=a value=1 5',
        'cpu,host=a value=2',
        'cpu,host=ab value=1',
        'cpu,host=a\\ b value=1',
        'cpu,host=a x=1,y=2i,z="t"',
        'cpu,host=a y=1,x=2',
        'cpu,host=a x=1,q=t,y=-2.50',
        'cpu,host= value=1',
        'cpu,host value=1',
        'cpu,host=a value',
        'cpu,host=a value=1 x',
        'cpu,host=a',
        '# cpu,host=a value=1',
        'é,host=ü value=1e3 -7',
        `a,${Array.from({ length: 41 }, (_, i) => `k${i}=1`).join(',')} value=1,other=2`,
      ),
      fc.string({ unit: fc.constantFrom(...Array.from('ab1=, \\"\n\r\t#-.ei')), maxLength: 30 }),
    );
    const aBody = fc.array(aLine, { maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(fc.array(aBody, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 40 }), (bodies, max) => {
        const names = new NameCache({ maxEntries: max });
        for (const body of [...bodies, ...bodies]) {
          expect(outcome(parse(body, {}, { names }))).toEqual(outcome(parse(body)));
        }
      }),
      { seed: 58, numRuns: 1500 },
    );
  });

  it('are separate for live points and backfill', () => {
    const names = new NameCache();
    for (const backfill of [false, true, false]) {
      const { batch } = parse('a value=1\na value=2', {}, { names, backfill });
      expect(batch.series.map((header) => header.backfill)).toEqual([backfill]);
    }
  });

  it('stay within their limit when a key is sent with ever new fields', () => {
    const names = new NameCache({ maxEntries: 1000, maxBytes: 1e6 });
    for (let body = 0; body < 50; body++) {
      const fields = Array.from({ length: 100 }, (_, i) => `f${body}_${i}=1`).join(',');
      expect(parse(`a,b=c ${fields}\nd,b=c${body} e=1`, {}, { names }).batch.count).toBe(101);
    }
    expect(names.size).toBeLessThanOrEqual(1000);
  });
});

describe('any line protocol body', () => {
  function refusesOrAccounts(bytes: Uint8Array): void {
    for (const onBadLine of ['skip', 'fail'] as const) {
      try {
        const { batch, refusals } = parse(bytes, { onBadLine }, { maxPoints: 40 });
        expect(batch.count + refusals.total).toBeLessThanOrEqual(40);
        expect(batch.values.every(Number.isFinite)).toBe(true);
      } catch (error) {
        if (!(error instanceof MalformedBodyError && onBadLine === 'fail') && !(error instanceof BodyTooLargeError)) {
          throw error;
        }
      }
    }
  }

  it('with characters of the protocol is parsed or rejected, without any other error', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('ab1=, \\"\n\r\t#-.ei')), maxLength: 60 }), (text) =>
        refusesOrAccounts(Buffer.from(text)),
      ),
      { seed: 55, numRuns: 3000 },
    );
  });

  it('with mutated bytes is parsed or rejected, without any other error', () => {
    const valid = Buffer.from(
      `cpu,host=web-1,zone=é value=1.5,n=2i,s="a\\"b" ${NOW}\n# c\nmem\\ x,a=b free=t ${NOW - 5}\n`,
    );
    const aMutation = fc.tuple(
      fc.nat(valid.length - 1),
      fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from(' ,="\\\n#'))),
    );
    fc.assert(
      fc.property(fc.array(aMutation, { minLength: 1, maxLength: 5 }), fc.nat(valid.length), (mutations, cut) => {
        const bytes = Buffer.from(valid);
        for (const [at, byte] of mutations) bytes[at] = byte;
        refusesOrAccounts(bytes);
        refusesOrAccounts(bytes.subarray(cut));
      }),
      { seed: 56, numRuns: 1000 },
    );
  });

  it('written from points is parsed to these points', () => {
    const escapeKey = (text: string): string => text.replace(/[,= ]/g, '\\$&');
    const aText = fc
      .string({ unit: fc.constantFrom(...Array.from('abc,= é"')), minLength: 1, maxLength: 8 })
      .filter((text) => !text.startsWith('#'));
    const aPoint = fc.record({
      measurement: aText,
      tags: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), aText, { maxKeys: 3 }),
      value: fc.double({ noNaN: true, noDefaultInfinity: true }),
      age: fc.nat(3600),
    });
    fc.assert(
      fc.property(fc.array(aPoint, { maxLength: 20 }), (sent) => {
        const body = sent.map(({ measurement, tags, value, age }) => {
          const tagText = Object.entries(tags)
            .map(([key, text]) => `,${key}=${escapeKey(text)}`)
            .join('');
          return `${escapeKey(measurement)}${tagText} value=${value} ${NOW - age}`;
        });
        const { batch, refusals } = parse(body.join('\n'), { onBadLine: 'fail' });
        expect(refusals.total).toBe(0);
        // String omits the sign of zero.
        expect([...batch.values]).toEqual(sent.map(({ value }) => Number(String(value))));
        expect([...batch.timestamps]).toEqual(sent.map(({ age }) => NOW - age));
        expect([...batch.seriesIndex].map((index) => labelsOf(batch.series[index]!.name))).toEqual(
          sent.map(({ tags }) => ({ ...tags })),
        );
      }),
      { seed: 57, numRuns: 300 },
    );
  });
});
