import { type BadLine } from '../batch/refusals.js';
import { parse as parseWithOther } from 'csv-parse/sync';
import fc from 'fast-check';
import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';
import { type ParseLimits, parseLimits } from '../batch/limits.js';
import { type ParseResult } from '../batch/parsed-batch.js';
import { CsvScanner } from './csv-scanner.js';
import { type CsvOptions, parseCsv } from './parse-csv.js';

const placeOf = ({ line, problem }: BadLine) => ({ line, problem });

const NOW = 1_760_000_000;

function parse(
  body: string | Uint8Array,
  options: Partial<CsvOptions> = {},
  limits: Partial<ParseLimits> = {},
): ParseResult {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return parseCsv(bytes, { metric: null, timezone: 'UTC', ...options }, parseLimits(NOW, limits));
}

/** Formats points as `name@timestamp=value`, with timestamps relative to now. */
function points({ batch }: ParseResult): string[] {
  return Array.from(
    { length: batch.count },
    (_, row) => `${batch.series[batch.seriesIndex[row]!]!.name}@${batch.timestamps[row]! - NOW}=${batch.values[row]!}`,
  );
}

const ISO = new Date((NOW - 60) * 1000).toISOString();

describe('the long form of CSV', () => {
  it.each<[string, string[]]>([
    ['timestamp,metric,value\n', []],
    [`timestamp,metric,value\n${NOW},a.b,1.5\n${NOW - 1},c,2`, ['a.b@0=1.5', 'c@-1=2']],
    [`${NOW},a.b,1.5\r\n${NOW - 1},c,2\r\n`, ['a.b@0=1.5', 'c@-1=2']],
    [`${NOW}000;a.b;1,5\n`, ['a.b@0=1.5']],
    [`${NOW}\ta.b\t-1,5e3\n`, ['a.b@0=-1500']],
    [`${ISO},a,1`, ['a@-60=1']],
    [`Metric;Value;Time\na;1;${NOW}`, ['a@0=1']],
    [` timestamp , metric , value \n ${NOW} , a , 1 `, ['a@0=1']],
    [`"timestamp","metric","value"\n"${NOW}","up{job=""x"",a=""1,2""}","1"`, ['up{a="1,2",job="x"}@0=1']],
    [`${NOW},up{job="x"},1`, ['up{job="x"}@0=1']],
    [`${NOW},a,true\n${NOW},b,FALSE`, ['a@0=1', 'b@0=0']],
    [`${NOW},a,\n${NOW},b,""\n${NOW},c,1`, ['c@0=1']],
    [`\ufeff${NOW},a,1`, ['a@0=1']],
    [`${NOW},température,21`, ['température@0=21']],
    [`${NOW},a,1\n\n\n,,\n${NOW},b,2\n`, ['a@0=1', 'b@0=2']],
  ])('is parsed: %j', (text, expected) => {
    const result = parse(text);
    expect(points(result)).toEqual(expected);
    expect(result.refusals.total).toBe(0);
  });
});

describe('the wide form of CSV', () => {
  it.each<[string, string[]]>([
    [`timestamp,a,b.c\n${NOW - 1},1,2\n${NOW},3,4`, ['a@-1=1', 'b.c@-1=2', 'a@0=3', 'b.c@0=4']],
    [`,a,b\n${NOW},1,2`, ['a@0=1', 'b@0=2']],
    [`when;cpu;mem\n${NOW};1,5;2,25`, ['cpu@0=1.5', 'mem@0=2.25']],
    [`t,"up{job=""x""}"\n${NOW},1`, ['up{job="x"}@0=1']],
    [`t,a,b\n${NOW},,2\n${NOW},1\n${NOW},1,2`, ['b@0=2', 'a@0=1', 'a@0=1', 'b@0=2']],
    [`t,a,b,\n${NOW},1,2,\n`, ['a@0=1', 'b@0=2']],
    [`timestamp,metric,other\n${NOW},1,2`, ['metric@0=1', 'other@0=2']],
    [`timestamp,load\n${NOW},1`, ['load@0=1']],
  ])('is parsed: %j', (text, expected) => {
    const result = parse(text);
    expect(points(result)).toEqual(expected);
    expect(result.refusals.total).toBe(0);
  });
});

describe('CSV with two columns', () => {
  it.each<[string, string[]]>([
    [`timestamp,value\n${NOW},1\n${NOW - 60},2`, ['a{b="c"}@-60=2', 'a{b="c"}@0=1']],
    [`${NOW};1,5`, ['a{b="c"}@0=1.5']],
    [`x,y\n${NOW},1`, ['a{b="c"}@0=1']],
  ])('is parsed: %j', (text, expected) => {
    expect(points(parse(text, { metric: 'a{b="c"}' }))).toEqual(expected);
  });

  it.each<[string, string | null, string, string]>([
    [`timestamp,value\n${NOW},1`, null, 'metric', 'required'],
    [`${NOW},1`, null, 'metric', 'required'],
    [`${NOW},a,1`, 'm', 'metric', 'mismatch'],
    [`${NOW},1`, 'bad name', 'metric', 'bad_format'],
  ])('is rejected: %j with the metric %j', (text, metric, field, code) => {
    expect(() => parse(text, { metric })).toThrow(
      expect.objectContaining({ code: 'validation_failed', details: [expect.objectContaining({ field, code })] }),
    );
  });
});

const AMBIGUOUS = 'is ambiguous; specify the decimal sign: decimal=, or decimal=.';
const ALONE = 'send the number alone';
const NO_TIME = 'is neither Unix time nor ISO 8601; if it has another form, say which: time_format=dd.MM.yyyy HH:mm';

const TOO_OLD = 'must be at most 86400 s ago';
const TOO_NEW = 'must be at most 60 s in the future';
const NAME = 'must be a metric name';
const FIX = 'put a cell that contains "," in quotes';

describe('refusals in CSV', () => {
  it.each<[string, Record<string, object>, [line: number, problem: string][]]>([
    [`${NOW},a,x`, { a: { not_numeric: 1 } }, [[1, 'column 3: "x" is not a number']]],
    [`${NOW},a,nan`, { a: { not_finite: 1 } }, [[1, 'column 3 must be a finite number, got "nan"']]],
    [`${NOW},a,"1,5"`, { a: { not_numeric: 1 } }, [[1, `column 3: "1,5" ${AMBIGUOUS}`]]],
    [`${NOW};a;1,005`, { a: { not_numeric: 1 } }, [[1, `column 3: "1,005" ${AMBIGUOUS}`]]],
    [`${NOW};a;1.234,5`, { a: { not_numeric: 1 } }, [[1, `column 3: "1.234,5" ${AMBIGUOUS}`]]],
    [`${NOW},a,10.8 %`, { a: { not_numeric: 1 } }, [[1, `column 3: "10.8 %" has the unit %; ${ALONE}`]]],
    [`${NOW};a;1.2 GB`, { a: { not_numeric: 1 } }, [[1, `column 3: "1.2 GB" has the unit GB; ${ALONE}`]]],
    [`${NOW},a,$5`, { a: { not_numeric: 1 } }, [[1, `column 3: "$5" has the unit $; ${ALONE}`]]],
    [
      `${NOW},a,5 ${'x'.repeat(90)}`,
      { a: { not_numeric: 1 } },
      [[1, `column 3: "5 ${'x'.repeat(38)}…" has the unit ${'x'.repeat(40)}…; ${ALONE}`]],
    ],
    [`${NOW},a,1\nlater,a,2`, { a: { bad_timestamp: 1 } }, [[2, `column 1: "later" ${NO_TIME}`]]],
    [`${NOW},a,1\n,a,2`, { a: { bad_timestamp: 1 } }, [[2, 'column 1: "" is not a time: the cell is empty']]],
    [`31.01.2025 10:00,a,1`, { a: { bad_timestamp: 1 } }, [[1, `column 1: "31.01.2025 10:00" ${NO_TIME}`]]],
    [
      `${NOW},bad name,1\n${NOW},bad name,2`,
      { 'bad name': { bad_name: 2 } },
      [[1, `column 2 ${NAME}, got "bad name": a name may not contain " "`]],
    ],
    [`${NOW},,1`, { '': { bad_name: 1 } }, [[1, `column 2 ${NAME}, got "": a name must not be empty`]]],
    [
      `${NOW - 90_000},a,1`,
      { a: { too_old: 1 } },
      [[1, `column 1 ${TOO_OLD}, got "${NOW - 90_000}" taken for seconds: 2025-10-08; send history with backfill`]],
    ],
    [
      `9999999999999,a,1`,
      { a: { in_future: 1 } },
      [[1, `column 1 ${TOO_NEW}, got "9999999999999" taken for milliseconds: 2286-11-20`]],
    ],
    [
      `t,a,b\n22861120,1,2`,
      { a: { in_future: 1 }, b: { in_future: 1 } },
      [[2, `column "t" ${TOO_NEW}, got "22861120" is 2286-11-20`]],
    ],
    [
      `${NOW},a,1\n${NOW},b`,
      { b: { bad_name: 1 } },
      [[2, 'the row must have at least 3 cells, like the first row, got 2']],
    ],
    [`t,a,b\nx,1,`, { a: { bad_timestamp: 1 } }, [[2, `column "t": "x" ${NO_TIME}`]]],
    [
      `t,a,b c\n${NOW},1,2`,
      { 'b c': { bad_name: 1 } },
      [[1, `the heading ${NAME}, got "b c": a name may not contain " "`]],
    ],
    [`t,a\n"${NOW}","\n1"\n${NOW},x`, { a: { not_numeric: 1 } }, [[4, 'column "a": "x" is not a number']]],
    [`t,a\n${NOW},pl_${'a'.repeat(43)}`, { a: { not_numeric: 1 } }, [[2, 'column "a": "pl_…" is not a number']]],
  ])('are recorded for %j', (text, refused, lines) => {
    const { refusals } = parse(text);
    expect(Object.fromEntries(refusals.metrics)).toEqual(refused);
    expect(refusals.badLines.map(placeOf)).toEqual(lines.map(([line, problem]) => ({ line, problem })));
    expect(refusals.badLines.filter(({ reason }) => refusals.countOf(reason) === 0)).toEqual([]);
  });

  it.each<[string, string, string[], string]>([
    ['a value', `t,a\n${NOW},1,2\n${NOW},3`, ['a@0=3'], `${NOW},1,2`],
    ['an empty cell', `t,a,b\n${NOW},1,2,\n${NOW},3,4`, ['a@0=3', 'b@0=4'], `${NOW},1,2,`],
    ['a decimal comma', `t,a,b\n${NOW},1,5,2\n${NOW},3,4`, ['a@0=3', 'b@0=4'], `${NOW},1,5,2`],
    ['a column in the long form', `time,metric,value\n${NOW},a,1,5\n${NOW},b,2`, ['b@0=2'], `${NOW},a,1,5`],
    ['a column in the first place', `a,time\n1,5,${NOW}\n2,${NOW}`, ['a@0=2'], `1,5,${NOW}`],
    ['a field of InfluxDB', `name,time,value\nm,${NOW},1,5\nn,${NOW},2`, ['n@0=2'], `m,${NOW},1,5`],
  ])('cover a whole row with %s more than the header has columns', (_, text, stored, row) => {
    const result = parse(text);
    expect(points(result)).toEqual(stored);
    expect([...result.refusals.metrics]).toEqual([[row, { bad_name: 1 }]]);
    const columns = text.split('\n')[0]!.split(',').length;
    const cells = row.split(',').length;
    expect(result.refusals.badLines.map(placeOf)).toEqual([
      { line: 2, problem: `the row must have at most ${columns} cells, like the header, got ${cells}; ${FIX}` },
    ]);
  });

  it('cover rows with more cells than the first one if there is no header', () => {
    const result = parse(`${NOW},1\n${NOW},2,3`, { metric: 'a' });
    expect(points(result)).toEqual(['a@0=1']);
    expect(result.refusals.badLines.map(placeOf)).toEqual([
      { line: 2, problem: `the row must have at most 2 cells, like the first row, got 3; ${FIX}` },
    ]);
  });

  it('are recorded for a name that is far too long', () => {
    const { refusals } = parse(`${NOW},${'x'.repeat(1_000_000)},1`);
    expect(refusals.countOf('bad_name')).toBe(1);
  });

  it.each<[string, string | Uint8Array, Partial<CsvOptions>]>([
    ['a quote that is not closed', `${NOW},"a,1\n`, {}],
    ['text after a closing quote', `${NOW},"a"b,1\n`, {}],
    ['an empty body', '', {}],
    ['only a byte order mark', '\ufeff', {}],
    ['lines without content', '\n\r\n , ,\n', {}],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0x2c]), {}],
    ['a time format without a day', `${NOW},a,1`, { timeFormat: 'HH:mm' }],
    ['a time format with an unknown letter', `${NOW},a,1`, { timeFormat: 'dd.MM.yyyy QQ' }],
    ['an unknown decimal sign', `${NOW},a,1`, { decimal: ';' }],
    ['UTF-16', Buffer.from(`\ufefft,a\n${NOW},1`, 'utf16le'), {}],
    ['one column', 'a\nb', {}],
    ['four columns without a header', `${NOW},1,2,3`, {}],
    ['an unknown time zone', `${NOW},a,1`, { timezone: 'Mars/Olympus' }],
  ])('cover the whole body for %s', (_, body, options) => {
    expect(() => parse(body, options)).toThrow(MalformedBodyError);
  });

  it.each<[string, string | Uint8Array, string]>([
    ['an empty body', '', 'the body is empty'],
    ['UTF-16', Buffer.from(`\ufefft,a\n${NOW},1`, 'utf16le'), 'UTF-16; save it in UTF-8'],
    ['UTF-16 without a byte order mark', Buffer.from(`t,a\n${NOW},1`, 'utf16le'), 'UTF-16; save it in UTF-8'],
    ['a workbook', Buffer.from('PK\u0003\u0004'), 'workbook'],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), 'gzip'],
  ])('state how to fix %s', (_, body, says) => {
    expect(() => parse(body)).toThrow(says);
  });

  it('keep at most 100 lines', () => {
    const lines = Array.from({ length: 1000 }, () => 'x,a,1').join('\n');
    expect(parse(`t,metric,value\n${lines}`.replace('t,', 'time,')).refusals.badLines).toHaveLength(100);
  });

  it('name the line of a broken quote', () => {
    expect(() => parse(`${NOW},a,1\n${NOW},"a,1\n${NOW},b,2`)).toThrow(/\(line 2\)/);
  });
});

describe('rows of CSV', () => {
  it('are sorted by time', () => {
    const result = parse(`time,a,b\n${NOW},1,10\n${NOW - 60},2,20\n${NOW - 120},3,\n`);
    expect(points(result)).toEqual(['a@-120=3', 'a@-60=2', 'b@-60=20', 'a@0=1', 'b@0=10']);
  });

  it('with the same time keep their order', () => {
    expect(points(parse(`${NOW},a,1\n${NOW - 60},a,2\n${NOW},a,3\n`))).toEqual(['a@-60=2', 'a@0=1', 'a@0=3']);
  });
});

describe('columns of CSV', () => {
  it.each<[string, string[]]>([
    [`cpu,time\n5,${NOW}`, ['cpu@0=5']],
    [`sep=;\r\ntime;a\r\n${NOW};1,5`, ['a@0=1.5']],
    [`time,a\r${NOW},1\r${NOW - 1},2\r`, ['a@-1=2', 'a@0=1']],
    [`time,a\n${NOW},null\n${NOW - 1},NA\n${NOW - 2},2`, ['a@-2=2']],
    [`name,time,value,max\ncpu,${NOW}000000000,1,2`, ['cpu@0=1', 'cpu_max@0=2']],
    [`name,tags,time,a b\nnet,"host=x,if=eth 0",${NOW},1`, ['net_a_b{host="x",if="eth 0"}@0=1']],
    [
      `,result,table,_time,_value,_field,_measurement,host\n,,0,${ISO},1,value,m,h\n\n` +
        `,result,table,_time,_value,_field,_measurement,host\n,,1,${ISO},2,idle,m,`,
      ['m{host="h"}@-60=1', 'm_idle@-60=2'],
    ],
  ])('are recognised in %j', (text, expected) => {
    const result = parse(text);
    expect(points(result)).toEqual(expected);
    expect(result.refusals.total).toBe(0);
  });
});

describe('a further table of InfluxDB 2 without annotations', () => {
  it('has its own columns', () => {
    const header = ',result,table,_time,_value,_field,_measurement';
    const text = `${header},host\n,,0,${ISO},1,value,m,h\n\n${header},region,rack\n,,1,${ISO},2,value,m,eu,r1\n`;
    const result = parse(text);
    expect(points(result)).toEqual(['m{host="h"}@-60=1', 'm{rack="r1",region="eu"}@-60=2']);
    expect(result.refusals.total).toBe(0);
  });
});

describe('numbers in CSV', () => {
  it.each<[string, string | null, number]>([
    ['1005,5', null, 1005.5],
    ['0,125', null, 0.125],
    ['-1,5e3', null, -1500],
    ['1.005', null, 1.005],
    ['1.005,5', ',', 1005.5],
    ['1.005', ',', 1005],
    ['1,005', ',', 1.005],
    ['12', ',', 12],
    [',5', ',', 0.5],
    ['1.234.567,89', ',', 1_234_567.89],
    ['1 234,5', ',', 1234.5],
    ['1\u202f234,5', ',', 1234.5],
    ['1,005', '.', 1005],
    ['1,234,567.5', '.', 1_234_567.5],
    ["1'234.5", '.', 1234.5],
  ])('parse %j with the decimal sign %j as %d', (cell, decimal, value) => {
    expect([...parse(`${NOW};a;${cell}`, { decimal }).batch.values]).toEqual([value]);
  });

  it.each<[string, string | null, string]>([
    ['1,5', '.', 'is not a number with the decimal sign . (, separates thousands)'],
    ['1.5', ',', 'is not a number with the decimal sign , (. separates thousands)'],
    ['12.34,5', ',', 'is not a number with the decimal sign ,'],
    ['1,2,3', null, 'is not a number'],
  ])('reject %j with the decimal sign %j', (cell, decimal, reason) => {
    const { refusals } = parse(`${NOW};a;${cell}`, { decimal });
    expect(refusals.countOf('not_numeric')).toBe(1);
    expect(refusals.badLines[0]!.problem).toContain(reason);
  });
});

describe('times in CSV', () => {
  it('in a given format are parsed in the time zone', () => {
    const text = 'time;a\n09.10.2025 10:53;1\n9.10.2025 10:52;2';
    const result = parse(text, { timeFormat: 'dd.MM.yyyy HH:mm', timezone: 'Europe/Paris' });
    expect(points(result)).toEqual(['a@-80=2', 'a@-20=1']);
  });

  it('without an offset are parsed in the time zone', () => {
    const [point] = points(parse('2025-10-09 10:53:20,a,1', { timezone: 'Europe/Paris' }));
    expect(point).toBe('a@0=1'.replace('@0', `@${Date.parse('2025-10-09T08:53:20Z') / 1000 - NOW}`));
  });

  it('of years ago are accepted as backfill', () => {
    const result = parse(`${NOW - 86_400 * 300},a,1`, {}, { backfill: true });
    expect(result.batch.count).toBe(1);
    expect(result.batch.series[0]!.backfill).toBe(true);
  });
});

describe('limits of CSV', () => {
  it('count points, not empty cells', () => {
    const body = `t,a,b\n${NOW},1,\n${NOW},,2\n${NOW},3,`;
    expect(parse(body, {}, { maxPoints: 3 }).batch.count).toBe(3);
    expect(() => parse(body, {}, { maxPoints: 2 })).toThrow(BodyTooLargeError);
  });

  it('restrict the number of columns', () => {
    expect(() => parse(`t${',a'.repeat(11)}\n`, {}, { maxPoints: 10 })).toThrow(BodyTooLargeError);
    expect(() => parse(','.repeat(2_000_000), {}, { maxPoints: 1000 })).toThrow(BodyTooLargeError);
  });
});

describe('any CSV body', () => {
  it('is split into the same cells as by another implementation', () => {
    const aCell = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '"', ',', ';', '\n', '1', '.'), maxLength: 6 });
    const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
    const written = aCell.map((cell) => (/[",;\n]/.test(cell) || cell.startsWith(' ') ? quoted(cell) : cell));
    fc.assert(
      fc.property(
        fc.array(fc.array(written, { minLength: 1, maxLength: 5 }), { maxLength: 6 }),
        fc.boolean(),
        (rows, crlf) => {
          const text = rows.map((cells) => cells.join(',')).join(crlf ? '\r\n' : '\n');
          const scanner = new CsvScanner(Buffer.from(`first,line\n${text}`), 100);
          const found: string[][] = [];
          while (scanner.next()) found.push(Array.from({ length: scanner.cellCount }, (_, i) => scanner.cellText(i)));
          const expected = parseWithOther(text, {
            relax_column_count: true,
            trim: true,
            record_delimiter: crlf ? '\r\n' : '\n',
          }).filter((cells) => cells.some((cell) => cell !== ''));
          expect(found.slice(1)).toEqual(expected);
        },
      ),
      { seed: 111, numRuns: 500 },
    );
  });

  function refusesOrAccounts(bytes: Uint8Array, options: Partial<CsvOptions> = {}): void {
    try {
      const { batch, refusals } = parse(bytes, options, { maxPoints: 50 });
      expect(batch.count + refusals.total).toBeLessThanOrEqual(50);
      expect(batch.values.every(Number.isFinite)).toBe(true);
    } catch (error) {
      if (!(error instanceof MalformedBodyError || error instanceof BodyTooLargeError)) throw error;
    }
  }

  it('is parsed or rejected, without any other error', () => {
    const piece = fc.constantFrom(
      `${NOW}`,
      'a',
      '"',
      '""',
      ',',
      ';',
      '\t',
      '\n',
      '\r\n',
      '1',
      '1,5',
      ' ',
      'true',
      ISO,
      '\ufeff',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom(null, 'm'), (pieces, metric) => {
        refusesOrAccounts(Buffer.from(pieces.join('')), { metric, timezone: 'Europe/Paris' });
      }),
      { seed: 112, numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => refusesOrAccounts(bytes)),
      { seed: 113, numRuns: 500 },
    );
  });

  it('is parsed or rejected after mutation, truncation or splicing, without any other error', () => {
    const valid = Buffer.from(`timestamp,"up{job=""x""}",b.c\n${NOW},1.5,2\n${ISO},,-3e2\r\n${NOW - 5}000,true,"4"\n`);
    const place = fc.nat(valid.length - 1);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(place, fc.nat(127)), { minLength: 1, maxLength: 4 }),
        place,
        place,
        (mutations, cut, splice) => {
          const bytes = Buffer.from(valid);
          for (const [at, byte] of mutations) bytes[at] = byte;
          refusesOrAccounts(bytes);
          refusesOrAccounts(bytes.subarray(0, cut));
          refusesOrAccounts(Buffer.concat([bytes.subarray(0, cut), bytes.subarray(splice)]));
        },
      ),
      { seed: 114, numRuns: 1000 },
    );
  });
});
