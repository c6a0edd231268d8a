import { jest } from '@jest/globals';
import { isComposable } from '#libs/contracts';
import { BodyTooLargeError } from './batch/errors.js';
import { parseLimits, type ParseLimits } from './batch/limits.js';
import { type ParseResult } from './batch/parsed-batch.js';
import { parseCsv } from './csv/parse-csv.js';
import { GraphiteReader } from './graphite/graphite-reader.js';
import { HistogramPoint, MAX_BUCKETS } from './histograms/histogram-point.js';
import { HistogramFolder } from './histograms/histogram-folder.js';
import { DEFAULT_HISTOGRAM_SETTINGS } from './histograms/histogram-settings.js';
import { parseInflux } from './influx/parse-influx.js';
import { parseJsonMetrics, readJsonBody } from './json/parse-json.js';
import { composeMetricName, composeSanitised, type LabelPair } from './names/metric-name.js';
import { MAX_KEPT_KEY_LENGTH, NameCache } from './names/name-cache.js';
import { parseOtlp } from './otlp/parse-otlp.js';
import { parseExposition } from './prometheus/parse-exposition.js';
import { parseRemoteWrite } from './prometheus/parse-remote-write.js';
import { parseRemoteWrite2 } from './prometheus/parse-remote-write-2.js';

const NOW = 1_760_000_000;

type Parse = (bytes: Buffer, limits: ParseLimits) => ParseResult;

const json: Parse = (bytes, limits) => parseJsonMetrics(readJsonBody(bytes), limits);
const influx: Parse = (bytes, limits) => parseInflux(bytes, { precision: 'ns', onBadLine: 'skip' }, limits);
const csv: Parse = (bytes, limits) => parseCsv(bytes, { metric: null, timezone: 'UTC' }, limits);
const graphite: Parse = (bytes, limits) => {
  const reader = new GraphiteReader();
  reader.push(bytes, limits);
  return reader.take()[0]!;
};
const histograms = () => ({ folder: new HistogramFolder(), scope: 1, settings: DEFAULT_HISTOGRAM_SETTINGS });
const otlp: Parse = (bytes, limits) =>
  parseOtlp(bytes, { encoding: 'json', resourceAttributes: ['host.name'], histograms: histograms() }, limits);
const otlpProtobuf: Parse = (bytes, limits) =>
  parseOtlp(bytes, { encoding: 'protobuf', resourceAttributes: ['host.name'], histograms: histograms() }, limits);
const prometheus: Parse = (bytes, limits) => parseRemoteWrite(bytes, limits, histograms());
const exposition: Parse = (bytes, limits) => parseExposition(bytes, { isOpenMetrics: false }, limits, histograms());
const prometheus2: Parse = (bytes, limits) => parseRemoteWrite2(bytes, limits, histograms());

/** Returns a length-delimited protobuf field. */
function field(number: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const length: number[] = [];
  for (let rest = content.length; ; rest = Math.floor(rest / 128)) {
    length.push(rest < 128 ? rest : (rest % 128) | 0x80);
    if (rest < 128) break;
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), content]);
}

/** A sample of both remote write versions: a value, and a time at the start of 1970. */
const SAMPLE = field(2, Buffer.from([9, 0, 0, 0, 0, 0, 0, 0, 0]));
const labelled = (name: string, value: string): Buffer =>
  field(1, field(1, field(1, Buffer.from(name)), field(2, Buffer.from(value))), SAMPLE);

const escaped = (text: string): string => JSON.stringify(text);
const otlpBody = (name: string, unit: string, key: string, value: string): string =>
  JSON.stringify({
    resourceMetrics: [
      {
        resource: { attributes: [{ key: 'host.name', value: { stringValue: value } }] },
        scopeMetrics: [
          {
            metrics: [
              {
                name,
                unit,
                description: value,
                gauge: { dataPoints: [{ asDouble: 1, attributes: [{ key, value: { stringValue: value } }] }] },
              },
            ],
          },
        ],
      },
    ],
  });

/** Every place in every protocol that contains text of the sender. */
const PLACES: Record<string, [parse: Parse, body: (text: string) => string | Buffer]> = {
  'JSON, name': [json, (text) => `{"metric":${escaped(text)},"value":1}`],
  'JSON, label key': [json, (text) => `{"metric":"a","value":1,"labels":{${escaped(text)}:"b"}}`],
  'JSON, label value': [json, (text) => `{"metric":"a","value":1,"labels":{"b":${escaped(text)}}}`],
  'JSON, labels in the name': [json, (text) => `{"metric":${escaped(`a{b="${text}`)},"value":1}`],
  'JSON, value': [json, (text) => `{"metric":"a","value":${escaped(text)}}`],
  'JSON, time': [json, (text) => `{"metric":"a","value":1,"timestamp":${escaped(text)}}`],
  'JSON, unit': [json, (text) => `{"metric":"a","value":1,"unit":${escaped(text)}}`],
  'JSON, member': [json, (text) => `{"metric":"a","value":1,${escaped(text)}:1}`],
  'JSON, anything': [json, (text) => text],
  'line protocol, measurement': [influx, (text) => `${text} a=1\n`],
  'line protocol, tag key': [influx, (text) => `a,${text}=b a=1\n`],
  'line protocol, tag value': [influx, (text) => `a,b=${text} a=1\n`],
  'line protocol, field': [influx, (text) => `a ${text}=1\n`],
  'line protocol, value': [influx, (text) => `a b=${text}\n`],
  'line protocol, text': [influx, (text) => `a b="${text}\n`],
  'line protocol, time': [influx, (text) => `a b=1 ${text}\n`],
  'Graphite, path': [graphite, (text) => `${text} 1\n`],
  'Graphite, value': [graphite, (text) => `a ${text}\n`],
  'Graphite, time': [graphite, (text) => `a 1 ${text}\n`],
  'CSV, heading': [csv, (text) => `time,${text}\n1,1\n`],
  'CSV, name': [csv, (text) => `time,metric,value\n1,${text},1\n`],
  'CSV, time': [csv, (text) => `time,metric,value\n${text},a,1\n`],
  'CSV, value': [csv, (text) => `time;metric;value\n1;a;${text}\n`],
  'OpenTelemetry, name': [otlp, (text) => otlpBody(text, '', 'a', 'b')],
  'OpenTelemetry, unit': [otlp, (text) => otlpBody('a', text, 'a', 'b')],
  'OpenTelemetry, attribute': [otlp, (text) => otlpBody('a', '', text, 'b')],
  'OpenTelemetry, value': [otlp, (text) => otlpBody('a', '', 'a', text)],
  'Prometheus, name': [prometheus, (text) => labelled('__name__', text)],
  'Prometheus, label': [prometheus, (text) => labelled(text, 'a')],
  'Prometheus, value': [prometheus, (text) => labelled('a', text)],
  'Exposition, name': [exposition, (text) => `${text} 1\n`],
  'Exposition, quoted name': [exposition, (text) => `{"${text}"} 1\n`],
  'Exposition, label': [exposition, (text) => `a{${text}="b"} 1\n`],
  'Exposition, labels': [exposition, (text) => `a{${text}} 1\n`],
  'Exposition, value of a label': [exposition, (text) => `a{b="${text}"} 1\n`],
  'Exposition, value': [exposition, (text) => `a ${text}\n`],
  'Exposition, time': [exposition, (text) => `a 1 ${text}\n`],
  'Exposition, type': [exposition, (text) => `# TYPE ${text} gauge\na 1\n`],
  'Exposition, help': [exposition, (text) => `# HELP a ${text}\na 1\n`],
  'Prometheus, help': [prometheus, (text) => field(3, field(2, Buffer.from('a')), field(4, Buffer.from(text)))],
};

/** Units of texts on which careless patterns and loops take quadratic time. */
const UNITS = {
  digits: '9',
  points: '.',
  blanks: ' ',
  backslashes: '\\',
  quotes: '"',
  'pairs of a backslash and a quote': '\\"',
  brackets: '[',
  braces: '{',
  commas: ',',
  'equals signs': '=',
  labels: 'a="",',
  tags: 'a=,',
  marks: '\u0301\u0316',
  'wide characters': '𝒜',
  'line feeds': '\n',
};

/** Measures the work for a body: characters that are decoded, quoted or normalised. */
function workOf(run: () => unknown): { characters: number; badRuns: number } {
  let characters = 0;
  let badRuns = 0;
  const spies = [
    jest.spyOn(Buffer.prototype, 'toString').mockImplementation(function (this: Buffer, ...args: unknown[]) {
      const text = decode.apply(this, args);
      characters += text.length;
      return text;
    }),
    jest.spyOn(JSON, 'stringify').mockImplementation(((value: unknown) => {
      const text = quote(value);
      characters += text.length;
      return text;
    }) as typeof JSON.stringify),
    jest.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string) {
      characters += this.length;
      if (!isComposable(this)) badRuns++;
      return compose.call(this, 'NFC');
    }),
  ];
  try {
    run();
  } catch (error) {
    // Bodies may be rejected with errors of the parsers.
    if (error instanceof RangeError || error instanceof TypeError) throw error;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { characters, badRuns };
}

const decode = Buffer.prototype.toString as (this: Buffer, ...args: unknown[]) => string;
const quote = JSON.stringify;
const compose = String.prototype.normalize;

describe('the work for a body', () => {
  it.each(Object.entries(PLACES))('is at most proportional to its length: %s', (_place, [parse, body]) => {
    for (const unit of Object.values(UNITS)) {
      const cost = (length: number): { characters: number; badRuns: number; bytes: number } => {
        const bytes = Buffer.from(body(unit.repeat(Math.ceil(length / unit.length))));
        return { ...workOf(() => parse(bytes, parseLimits(NOW, { names: new NameCache() }))), bytes: bytes.length };
      };
      const once = cost(100_000);
      const twice = cost(200_000);
      expect({ unit, badRuns: once.badRuns + twice.badRuns }).toEqual({ unit, badRuns: 0 });
      expect({ unit, perByte: twice.characters / twice.bytes < 12 }).toEqual({ unit, perByte: true });
      expect({ unit, grows: twice.characters <= 2.5 * once.characters + 20_000 }).toEqual({ unit, grows: true });
    }
  });

  it('is limited when many Prometheus series refer to one long symbol', () => {
    const body = (series: number, symbol: number): Buffer => {
      const refs = field(1, Buffer.from(Array.from({ length: 60 }, () => 1)));
      const symbols = [field(4), field(4, Buffer.from('9'.repeat(symbol)))];
      return Buffer.concat([...symbols, ...Array.from({ length: series }, () => field(5, refs, SAMPLE))]);
    };
    for (const symbol of [5000, 50_000]) {
      const bytes = body(500, symbol);
      const { characters } = workOf(() => prometheus2(bytes, parseLimits(NOW, { names: new NameCache() })));
      expect(characters / bytes.length).toBeLessThan(40);
    }
  });
});

describe('the labels of a metric', () => {
  /** Yields pairs without end, and counts them. */
  function* empties(asked: { count: number }): Generator<LabelPair> {
    for (;;) yield [`a${String(asked.count++)}`, ''];
  }

  it('are read up to twice the allowed number, with or without a value', () => {
    const asked = { count: 0 };
    expect(composeMetricName('a', empties(asked))).toMatchObject({ reason: 'too_many_labels' });
    expect(asked.count).toBeLessThanOrEqual(82);
    const many = Array.from({ length: 100 }, (_, i): LabelPair => [`a${String(i)}`, '']);
    expect(composeSanitised('a', many)).toMatchObject({ reason: 'too_many_labels' });
    expect(composeSanitised('a', many.slice(0, 80))).toMatchObject({ name: 'a' });
  });

  it.each<[string, Parse, (tags: number) => string | Buffer]>([
    ['JSON', json, (tags) => `{"metric":"a","value":1,"labels":{${list(tags, (key) => `"${key}":""`, ',')}}}`],
    ['a name', json, (tags) => `{"metric":${escaped(`a{${list(tags, (key) => `${key}=""`, ',')}}`)},"value":1}`],
    ['line protocol', influx, (tags) => `a,${list(tags, (key) => `${key}=`, ',')} value=1\n`],
    ['Graphite', graphite, (tags) => `a;${list(tags, (key) => `${key}=`, ';')} 1\n`],
    [
      'OpenTelemetry as JSON',
      otlp,
      (tags) => {
        const attributes = Array.from({ length: tags }, (_, i) => ({ key: `a${String(i)}`, value: {} }));
        const dataPoints = [{ asDouble: 1, timeUnixNano: '1000000000', attributes }];
        return JSON.stringify({
          resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'a', gauge: { dataPoints } }] }] }],
        });
      },
    ],
    [
      'OpenTelemetry as protobuf',
      otlpProtobuf,
      (tags) => {
        const attributes = Array.from({ length: tags }, (_, i) => field(7, field(1, Buffer.from(`a${String(i)}`))));
        const point = field(1, Buffer.from([0x21, 0, 0, 0, 0, 0, 0, 0, 0]), ...attributes);
        return field(1, field(2, field(2, field(1, Buffer.from('a')), field(5, point))));
      },
    ],
    ['exposition', exposition, (tags) => `a{${list(tags, (key) => `${key}=""`, ',')}} 1000\n`],
    [
      'Prometheus',
      prometheus,
      (tags) =>
        field(
          1,
          ...Array.from({ length: tags }, (_, i) => field(1, field(1, Buffer.from(`a${String(i)}`)))),
          field(1, field(1, Buffer.from('__name__')), field(2, Buffer.from('a'))),
          SAMPLE,
        ),
    ],
  ])('are counted as sent: %s', (_protocol, parse, body) => {
    const refused = (tags: number): number =>
      parse(Buffer.from(body(tags)), parseLimits(NOW, { maxAgeSeconds: NOW })).refusals.countOf('too_many_labels');
    expect([refused(80), refused(81), refused(200)]).toEqual([0, 1, 1]);
  });

  const list = (count: number, entry: (key: string) => string, by: string): string =>
    Array.from({ length: count }, (_, i) => entry(`a${String(i)}`)).join(by);
});

describe('cached names', () => {
  it.each(Object.entries(PLACES))('exclude names longer than allowed: %s', (_place, [parse, body]) => {
    const names = new NameCache();
    for (const unit of ['x', 'é', '\\ ']) {
      const text = unit.repeat(MAX_KEPT_KEY_LENGTH + 1);
      workOf(() => parse(Buffer.from(body(text)), parseLimits(NOW, { names })));
    }
    expect(names.bytes).toBeLessThan(MAX_KEPT_KEY_LENGTH);
  });

  it('count two bytes for wide characters', () => {
    const bytesOf = (metric: string): number => {
      const names = new NameCache();
      json(Buffer.from(JSON.stringify({ metric, value: 1 })), parseLimits(NOW, { names }));
      return names.bytes;
    };
    // Once as sent, and once in canonical form.
    expect(bytesOf('名'.repeat(500)) - bytesOf('a'.repeat(500))).toBe(2 * 500);
  });
});

describe('the entries of a histogram', () => {
  it('are kept up to the maximum number of buckets', () => {
    const point = new HistogramPoint();
    for (let i = 0; i < 20_000; i++) point.positive.push(i, 1);
    expect(point.positive.indices).toHaveLength(MAX_BUCKETS + 1);
  });

  it.each<[string, Parse, (entries: number) => string | Buffer]>([
    [
      'JSON',
      otlp,
      (entries) => {
        const dataPoints = [{ quantileValues: Array.from({ length: entries }, () => ({})) }];
        return JSON.stringify({
          resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'a', summary: { dataPoints } }] }] }],
        });
      },
    ],
    [
      'protobuf',
      otlpProtobuf,
      (entries) => {
        const point = field(1, ...Array.from({ length: entries }, () => field(6)));
        return field(1, field(2, field(2, field(1, Buffer.from('a')), field(11, point))));
      },
    ],
  ])('are counted before rows are created: quantiles of OpenTelemetry as %s', (_, parse, body) => {
    const limits = parseLimits(NOW, { maxPoints: 100 });
    expect(() => parse(Buffer.from(body(101)), limits)).toThrow(BodyTooLargeError);
    expect(() => parse(Buffer.from(body(98)), limits)).not.toThrow();
  });
});
