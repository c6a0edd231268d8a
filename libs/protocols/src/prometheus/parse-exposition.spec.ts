import { type BadLine } from '../batch/refusals.js';
import fc from 'fast-check';
import { BodyTooLargeError } from '../batch/errors.js';
import { type ParseLimits, parseLimits } from '../batch/limits.js';
import { type ParseResult } from '../batch/parsed-batch.js';
import { HistogramFolder } from '../histograms/histogram-folder.js';
import { DEFAULT_HISTOGRAM_SETTINGS, type HistogramMode } from '../histograms/histogram-settings.js';
import { composeSanitised, isNameProblem } from '../names/metric-name.js';
import { NameCache } from '../names/name-cache.js';
import { parseExposition } from './parse-exposition.js';
import { type RemoteWriteResult } from './remote-write-body.js';

const placeOf = ({ line, problem }: BadLine) => ({ line, problem });

const NOW = 1_760_000_000;

function parse(body: string | Uint8Array, limits: Partial<ParseLimits> = {}, isOpenMetrics = false): RemoteWriteResult {
  return parseExposition(Buffer.from(body), { isOpenMetrics }, parseLimits(NOW, limits));
}

/** Formats points as `name@timestamp=value`, with timestamps relative to now. */
function points({ batch }: ParseResult): string[] {
  return Array.from(
    { length: batch.count },
    (_, row) => `${batch.series[batch.seriesIndex[row]!]!.name}@${batch.timestamps[row]! - NOW}=${batch.values[row]!}`,
  );
}

describe('valid exposition lines', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['\n\r\n  \t\n', []],
    ['# a comment\n#\n#x\n# EOF', []],
    ['up 1', ['up@0=1']],
    ['up 1\n', ['up@0=1']],
    ['up 1\r\ndown 2\r\n', ['up@0=1', 'down@0=2']],
    ['  up \t 1  ', ['up@0=1']],
    ['\ufeffup 1', ['up@0=1']],
    [`up 1 ${NOW - 5}000`, ['up@-5=1']],
    [`up 1 ${NOW - 5}500`, ['up@-4.5=1']],
    ['up{} 1', ['up@0=1']],
    ['up{job="api"} 1', ['up{job="api"}@0=1']],
    ['up {job="api"} 1', ['up{job="api"}@0=1']],
    ['up{job="api",} 1', ['up{job="api"}@0=1']],
    ['up{ z = "1" , a = "2" } 1', ['up{a="2",z="1"}@0=1']],
    ['up{job="api"}1', ['up{job="api"}@0=1']],
    ['up{job=""} 1', ['up@0=1']],
    [
      String.raw`up{p="C:\\dir\\file",q="say \"hi\"",r="a\nb",s="\x"} 1`,
      [String.raw`up{p="C:\\dir\\file",q="say \"hi\"",r="a\nb",s="\\x"}@0=1`],
    ],
    ['up{p="a } b, c=d"} 1', ['up{p="a } b, c=d"}@0=1']],
    ['{"a.name",job="api"} 1', ['a.name{job="api"}@0=1']],
    ['{"a.name"} 1', ['a.name@0=1']],
    ['up{"a.label"="x"} 1', ['up{a.label="x"}@0=1']],
    ['température{où="là"} 21.5', ['température{o_="là"}@0=21.5']],
    ['a -1.5\nb +2\nc .5\nd 1e3\ne 1.5E-3', ['a@0=-1.5', 'b@0=2', 'c@0=0.5', 'd@0=1000', 'e@0=0.0015']],
    ['go_gc_duration_seconds{quantile="0.5"} 0.001', ['go_gc_duration_seconds{quantile="0.5"}@0=0.001']],
  ])('are parsed: %j', (body, expected) => {
    const result = parse(body);
    expect(points(result)).toEqual(expected);
    expect(result.refusals).toMatchObject({ total: 0, omitted: { total: 0 } });
  });

  it('have timestamps in milliseconds, or in seconds if the text is OpenMetrics by EOF or by declaration', () => {
    expect(points(parse(`up 1 ${NOW - 5}000\n`))).toEqual(['up@-5=1']);
    for (const text of [`up 1 ${NOW - 5}\n# EOF\n`, `up 1 ${NOW - 5}\n# EOF`, `up 1 ${NOW - 5}\r\n# EOF\r\n`]) {
      expect(points(parse(text))).toEqual(['up@-5=1']);
    }
    expect(points(parse(`up 1 ${NOW - 5}.25\n# EOF\n`))).toEqual(['up@-4.75=1']);
    expect(points(parse(`up 1 ${NOW - 5}.25\n`, {}, true))).toEqual(['up@-4.75=1']);
    expect(points(parse(`up 1 ${NOW - 5}000\n# EOF of a file\nup 2 ${NOW}000`))).toEqual(['up@-5=1', 'up@0=2']);
  });

  it('may have an exemplar, which is skipped', () => {
    const body = [
      'a_total 17 # {trace_id="KOO5S4vxi0o"} 0.67',
      `a_bucket{le="1"} 8 ${NOW}.0 # {trace_id="x # } \\" y"} 0.67 ${NOW}.5`,
      '# EOF',
    ].join('\n');
    expect(points(parse(body))).toEqual(['a_total@0=17', 'a_bucket{le="1"}@0=8']);
  });
});

describe('metadata comments in exposition text', () => {
  const TEXT = `# HELP http_requests_total Requests, by code.\\nOf all \\\\ kinds.
# TYPE http_requests_total counter
http_requests_total{code="200"} 1027
# TYPE load gauge
load 1
# TYPE odd untyped
odd 1
plain_total 3
`;
  const typesOf = ({ batch }: ParseResult) => Object.fromEntries(batch.series.map(({ name, type }) => [name, type]));

  it('set the types of counters and gauges, which otherwise follow from the suffix', () => {
    const result = parse(TEXT);
    expect(typesOf(result)).toEqual({
      'http_requests_total{code="200"}': 'counter',
      load: 'gauge',
      odd: null,
      plain_total: 'counter',
    });
    expect(result.batch.series[0]!.description).toBe('Requests, by code.\nOf all \\ kinds.');
    expect(result.metadata.map(({ family, kind }) => [family, kind])).toEqual([
      ['http_requests_total', 'counter'],
      ['load', 'gauge'],
      ['odd', 'unknown'],
    ]);
  });

  it('apply to families in OpenMetrics, with units', () => {
    const result = parse(`# TYPE work_seconds counter
# UNIT work_seconds seconds
# HELP work_seconds Time spent.
work_seconds_total 5
work_seconds_created ${NOW - 500}
# TYPE build info
build_info{version="1"} 1
# TYPE "a.name" gauge
{"a.name"} 1
# EOF`);
    expect(typesOf(result)).toEqual({
      work_seconds_total: 'counter',
      'build_info{version="1"}': null,
      'a.name': 'gauge',
    });
    expect(result.batch.series[0]).toMatchObject({ unit: 'seconds', description: 'Time spent.' });
    expect([...result.refusals.omitted.names]).toEqual(['work_seconds_created']);
  });

  it('mark the NaN quantiles of an empty summary, which are omitted without an error', () => {
    const result = parse('# TYPE s summary\ns{quantile="0.5"} NaN\ns_sum 0\ns_count 0\n');
    expect(points(result)).toEqual(['s_sum@0=0', 's_count@0=0']);
    expect(result.refusals.total).toBe(0);
    expect([...result.refusals.omitted.names]).toEqual(['s{quantile="0.5"}']);
  });
});

describe('histograms in exposition text', () => {
  const scrape = (at: number, counts: [number, number, number], type = 'histogram') =>
    `# TYPE h ${type}\n` +
    ['0.1', '1', '+Inf'].map((le, i) => `h_bucket{job="a",le="${le}"} ${counts[i]!} ${at}000\n`).join('') +
    `h_sum{job="a"} 5 ${at}000\nh_count{job="a"} ${counts[2]} ${at}000\n`;
  function scrapes(mode: HistogramMode, bodies: string[]): string[][] {
    const folder = new HistogramFolder();
    const settings = { ...DEFAULT_HISTOGRAM_SETTINGS, mode, quantiles: [0.5] };
    return bodies.map((body) =>
      points(
        parseExposition(Buffer.from(body), { isOpenMetrics: false }, parseLimits(NOW), { folder, scope: 1, settings }),
      ),
    );
  }
  const two = [scrape(NOW - 120, [0, 0, 0]), scrape(NOW - 60, [0, 8, 8])];

  it('are converted as for remote write, to quantiles, buckets or nothing', () => {
    expect(scrapes('quantiles', two)[1]).toContain('h{job="a",quantile="0.5"}@-60=0.55');
    expect(scrapes('quantiles', two)[1]).toHaveLength(3);
    expect(scrapes('buckets', two)[1]).toHaveLength(5);
    expect(scrapes('none', two)[1]).toEqual(['h_sum{job="a"}@-60=5', 'h_count{job="a"}@-60=8']);
  });

  it('of gauges yield quantiles of the current counts', () => {
    const gauges = scrapes('quantiles', [
      scrape(NOW - 120, [0, 0, 4], 'gaugehistogram'),
      scrape(NOW - 60, [0, 8, 8], 'gaugehistogram'),
    ]);
    expect(gauges[0]!.some((point) => point.startsWith('h{job="a",quantile="0.5"}@-120'))).toBe(true);
  });
});

describe('invalid exposition lines', () => {
  it.each<[string, string, Record<string, number>]>([
    ['up', 'up', { not_numeric: 1 }],
    ['up x', 'up x', { not_numeric: 1 }],
    ['up{job="a"}', 'up{job="a"}', { not_numeric: 1 }],
    ['up{job="a" 1', 'up{job="a" 1', { bad_name: 1 }],
    ['up{job="a} 1', 'up{job="a} 1', { bad_name: 1 }],
    ['up{job=a} 1', 'up{job=a} 1', { bad_name: 1 }],
    ['up{job} 1', 'up{job} 1', { bad_name: 1 }],
    ['up{="a"} 1', 'up{="a"} 1', { bad_name: 1 }],
    ['up{,} 1', 'up{,} 1', { bad_name: 1 }],
    ['up{a="1" b="2"} 1', 'up{a="1" b="2"} 1', { bad_name: 1 }],
    ['up{a="1",a="2"} 1', 'up{a="1",a="2"} 1', { bad_name: 1 }],
    ['{job="a"} 1', '{job="a"} 1', { bad_name: 1 }],
    ['up{a"b="c} 1', 'up{a"b="c} 1', { bad_name: 1 }],
    ['up 1 then', 'up 1 then', { bad_timestamp: 1 }],
    [`up 1 ${NOW}000 2`, `up 1 ${NOW}000 2`, { bad_timestamp: 1 }],
    ['up 1 NaN', 'up 1 NaN', { bad_timestamp: 1 }],
  ])('are refused, and the others are stored: %j', (body, name, reasons) => {
    const result = parse(`a 1\n${body}\nb 2`);
    expect(points(result)).toEqual(['a@0=1', 'b@0=2']);
    expect(Object.fromEntries(result.refusals.metrics)).toEqual({ [name]: reasons });
    expect(result.refusals.badLines).toMatchObject([{ line: 2 }]);
  });

  it.each<[string, Record<string, Record<string, number>>]>([
    ['up NaN', { up: { not_finite: 1 } }],
    ['up +Inf', { up: { not_finite: 1 } }],
    [`up 1 ${NOW - 86_401}000`, { up: { too_old: 1 } }],
    [`up 1 ${NOW}`, { up: { too_old: 1 } }],
    [`up 1 ${NOW + 61}000`, { up: { in_future: 1 } }],
  ])('include points that cannot be stored: %j', (body, refused) => {
    expect(Object.fromEntries(parse(body).refusals.metrics)).toEqual(refused);
  });

  it.each<[string, string]>([
    ['up', 'a line must be: name{labels} value timestamp, got "up"'],
    ['up{job="a"} 12,5', 'the value must be a number, got "12,5"'],
    [`up ${'x'.repeat(60)}`, `the value must be a number, got "${'x'.repeat(40)}…"`],
    ['up{job="a" 1', 'labels must end with }, got "{job=\\"a\\" 1"'],
    ['up{job=a} 1', 'name and labels must be a metric name, got "up{job=a}": a label must be name="value"'],
    [
      'up{a="1",a="2"} 1',
      'name and labels must be a metric name, got "up{a=\\"1\\",a=\\"2\\"}": label "a" is given twice',
    ],
    ['{job="a"} 1', 'name and labels must be a metric name, got "{job=\\"a\\"}": a name must not be empty'],
    ['up 1 then', 'the timestamp must be a number of milliseconds, got "then"'],
    [`up 1 ${NOW}000 2`, `the timestamp must be a number of milliseconds, got "${NOW}000 2"`],
    ['up +Inf', 'the value must be a finite number, got "+Inf"'],
    [
      `up 1 ${NOW}`,
      `the timestamp must be at most 86400 s ago, got ${NOW}, taken for milliseconds: 1970-01-21; send history with backfill`,
    ],
    [
      `up 1 ${NOW + 61}000`,
      `the timestamp must be at most 60 s in the future, got ${NOW + 61}000, taken for milliseconds: 2025-10-09`,
    ],
    ['up 1 -5', 'the timestamp must be a Unix time, got -5'],
    [`up pl_${'a'.repeat(43)}`, 'the value must be a number, got "pl_…"'],
  ])('are reported with line, member, rule and value: %j', (line, problem) => {
    const { refusals } = parse(`a 1\n${line}\nb 2`);
    expect(refusals.badLines.map(placeOf)).toEqual([{ line: 2, problem }]);
    expect(refusals.badLines.filter(({ reason }) => refusals.countOf(reason) === 0)).toEqual([]);
  });

  it('include buckets of histograms that are folded, with their lines', () => {
    const settings = { ...DEFAULT_HISTOGRAM_SETTINGS, mode: 'quantiles' as const };
    const body = Buffer.from(`# TYPE h histogram\nh_bucket{le="1"} 5 ${NOW + 61}000\n`);
    const folding = { folder: new HistogramFolder(), scope: 1, settings };
    const { refusals } = parseExposition(body, { isOpenMetrics: false }, parseLimits(NOW), folding);
    expect(refusals.badLines.map(placeOf)).toEqual([
      { line: 2, problem: expect.stringContaining('at most 60 s in the future') },
    ]);
  });

  it('include lines with too many labels', () => {
    const labels = Array.from({ length: 41 }, (_, i) => `l${i}="x"`).join(',');
    expect(parse(`up{${labels}} 1`).refusals.countOf('too_many_labels')).toBe(1);
  });
});

describe('any exposition body', () => {
  const aName = fc.stringMatching(/^[a-z_:][a-z0-9_:]{0,8}$/);
  const aText = fc.string({ unit: fc.constantFrom(...Array.from('ab \\"\n{}=,#é')), maxLength: 8 });
  const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

  it('is parsed to the samples it was written from', () => {
    const aSample = fc.record({
      name: aName,
      labels: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), aText, { maxKeys: 4 }),
      value: fc.double({ noNaN: true, noDefaultInfinity: true }),
      age: fc.option(fc.nat(86_400)),
    });
    fc.assert(
      fc.property(fc.array(aSample, { maxLength: 8 }), (samples) => {
        const body = samples.map(({ name, labels, value, age }) => {
          const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
          return `${name}{${pairs.join(',')}} ${value} ${age === null ? '' : `${NOW - age}000`}`;
        });
        const expected = samples.map(({ name, labels, value, age }) => {
          const parsed = composeSanitised(name, Object.entries(labels));
          if (isNameProblem(parsed)) throw new Error(parsed.problem);
          return `${parsed.name}@${age === null ? 0 : -age}=${value}`;
        });
        const names = new NameCache();
        for (let time = 0; time < 2; time++) expect(points(parse(body.join('\n'), { names }))).toEqual(expected);
      }),
      { seed: 61, numRuns: 500 },
    );
  });

  it('is parsed or refused, and every line is counted', () => {
    const aLine = fc.oneof(
      fc.string({ unit: fc.constantFrom(...Array.from('up{}=",\\ 1.e-+#NaInf\t\r')), maxLength: 30 }),
      fc.constantFrom(
        '# TYPE up histogram',
        '# TYPE up summary',
        'up_bucket{le="1"} 1',
        'up{quantile="1"} NaN',
        'up_created 1',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\n', '')),
    );
    const names = new NameCache({ maxEntries: 100 });
    fc.assert(
      fc.property(fc.array(aLine, { maxLength: 12 }), fc.boolean(), (lines, isOpenMetrics) => {
        const { batch, refusals } = parse(lines.join('\n'), { names }, isOpenMetrics);
        const samples = lines.filter((line) => !/^[ \t\r]*(#|$)/.test(line.replace(/^\ufeff/, '')));
        expect(batch.count + refusals.total + refusals.omitted.total).toBe(samples.length);
        expect(batch.values.every(Number.isFinite)).toBe(true);
      }),
      { seed: 62, numRuns: 2000 },
    );
  });

  it('is limited in points and families', () => {
    expect(() => parse('a 1\n'.repeat(11), { maxPoints: 10 })).toThrow(BodyTooLargeError);
    const families = Array.from({ length: 11 }, (_, i) => `# TYPE f${i} gauge`).join('\n');
    expect(() => parse(families, { maxPoints: 10 })).toThrow(BodyTooLargeError);
  });
});
