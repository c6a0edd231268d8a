import fc from 'fast-check';
import {
  canonicalName,
  composeSanitised,
  displayNameOf,
  isNameProblem,
  labelsOf,
  type LabelPair,
  parseMetricName,
  type ParsedMetricName,
  sanitiseLabelKey,
  sanitiseLabelValue,
  sanitiseName,
} from './metric-name.js';

function parsed(text: string): ParsedMetricName {
  const result = parseMetricName(text);
  if (isNameProblem(result)) throw new Error(`${text}: ${result.problem}`);
  return result;
}

/** Names with units that must be escaped or need two UTF-16 units. */
const aDisplayName = fc
  .string({ unit: fc.constantFrom(...Array.from('abzAZ09_.-:/=+%@#~$&()[]é日𝒜')), minLength: 1, maxLength: 30 })
  .filter((name) => !/^id:\d+$/.test(name));
const aLabelKey = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,12}$/);
const aLabelValue = fc
  .oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', ',', '=', '{', '}') }))
  .map((value) => sanitiseLabelValue(value).normalize('NFC'));
const someLabels = fc.dictionary(aLabelKey, aLabelValue, { maxKeys: 6, noNullPrototype: true });

describe('parseMetricName', () => {
  it.each([
    ['web-1.eth0.tx_byte', 'web-1.eth0.tx_byte'],
    ['  padded.name\t', 'padded.name'],
    ['a:b/c=d+e%f@g#h~i$j&k(l)[m]', 'a:b/c=d+e%f@g#h~i$j&k(l)[m]'],
    ['température.é', 'température.é'],
    ['temp\u0065\u0301', 'tempé'],
    ['名前.数', '名前.数'],
    ['up{}', 'up'],
    ['up{ }', 'up'],
    ['up{job="api"}', 'up{job="api"}'],
    ['up { job = "api" , env="p" , } ', 'up{env="p",job="api"}'],
    ['up{b="2",a="1",B="3"}', 'up{B="3",a="1",b="2"}'],
    ['up{a="",b="x"}', 'up{b="x"}'],
    ['up{a=""}', 'up'],
    [String.raw`up{path="C:\\dir",say="\"hi\"",text="a\nb"}`, String.raw`up{path="C:\\dir",say="\"hi\"",text="a\nb"}`],
    ['up{text="a\nb"}', String.raw`up{text="a\nb"}`],
    ['up{a="} , {b=\\"1\\""}', 'up{a="} , {b=\\"1\\""}'],
    ['up{a.b-c="1"}', 'up{a.b-c="1"}'],
    ['id:5x', 'id:5x'],
    ['id:5{a="b"}', 'id:5{a="b"}'],
    ['up{__proto__="x",constructor="y"}', 'up{__proto__="x",constructor="y"}'],
  ])('parses %j as %j', (text, canonical) => {
    expect(parsed(text).name).toBe(canonical);
  });

  it.each([
    [''],
    ['   '],
    ['two words'],
    ['tab\tinside'],
    ['comma,name'],
    ['quote"name'],
    ['semi;colon'],
    ['star*'],
    ['new\nline'],
    ['nul\u0000'],
    ['emoji😀'],
    ['half\ud800'],
    ['id:123'],
    ['id:0'],
    ['{a="b"}'],
    ['up{a="b"'],
    ['up{a="b"}x'],
    ['up{a=b}'],
    ["up{a='b'}"],
    ['up{a="b" c="d"}'],
    ['up{,}'],
    ['up{a="b",,}'],
    ['up{="b"}'],
    ['up{a}'],
    ['up{9a="b"}'],
    ['up{a b="c"}'],
    ['up{é="c"}'],
    ['up{a="b",a="c"}'],
    ['up{a="b",a="b"}'],
    [String.raw`up{a="\x"}`],
    ['up{a="\\"}'],
    ['up{a="tab\t"}'],
    ['up{a="\u007f"}'],
    ['up{a="half\udfff"}'],
    ['up}'],
  ])('rejects %j as bad_name', (text) => {
    expect(parseMetricName(text)).toEqual({ problem: expect.any(String), reason: 'bad_name' });
  });

  it('keeps labels named like members of Object.prototype', () => {
    expect(Object.entries(parsed('up{__proto__="x",toString="y"}').labels)).toEqual([
      ['__proto__', 'x'],
      ['toString', 'y'],
    ]);
  });

  it('accepts 1024 code points, and rejects 1025', () => {
    expect(parsed('a'.repeat(1024)).name).toHaveLength(1024);
    expect(parsed('𝒜'.repeat(1024)).name).toHaveLength(2048);
    expect(isNameProblem(parseMetricName('a'.repeat(1025)))).toBe(true);
    expect(isNameProblem(parseMetricName('𝒜'.repeat(1025)))).toBe(true);
    expect(isNameProblem(parseMetricName('x'.repeat(5_000_000)))).toBe(true);
  });

  it('measures the canonical form, not the spelling', () => {
    const blanks = ' '.repeat(1500);
    expect(parsed(`up{a="b",${blanks}}`).name).toBe('up{a="b"}');
    expect(isNameProblem(parseMetricName(`up{a="${'\\"'.repeat(512)}"}`))).toBe(true);
  });

  it('accepts 40 labels, and rejects more with their own reason', () => {
    const labels = (count: number): string => Array.from({ length: count }, (_, i) => `l${i}="v"`).join(',');
    expect(Object.keys(parsed(`up{${labels(40)}}`).labels)).toHaveLength(40);
    expect(parseMetricName(`up{${labels(41)}}`)).toMatchObject({ reason: 'too_many_labels' });
    expect(Object.keys(parsed(`up{${labels(40)},empty=""}`).labels)).toHaveLength(40);
  });

  it('parses every canonical name to itself', () => {
    fc.assert(
      fc.property(aDisplayName, someLabels, (displayName, labels) => {
        const name = canonicalName(displayName, labels);
        const result = parseMetricName(name, { maxLabels: 40, maxNameLength: 10_000 }) as ParsedMetricName;
        expect(result.name).toBe(name.normalize('NFC'));
        expect(displayNameOf(result.name)).toBe(result.displayName);
        expect(labelsOf(result.name)).toEqual(result.labels);
      }),
      { seed: 110, numRuns: 300 },
    );
  });

  it('returns the same canonical form for two spellings of one metric', () => {
    const escaped = (value: string): string =>
      value.replace(/[\\"]/g, '\\$&').replace(/\n/g, value.length % 2 === 0 ? '\\n' : '\n');
    fc.assert(
      fc.property(
        aDisplayName,
        someLabels,
        fc.array(fc.nat(3), { minLength: 40, maxLength: 40 }),
        (name, labels, gaps) => {
          const entries = Object.entries(labels).reverse();
          let gap = 0;
          const blank = (): string => ' '.repeat(gaps[gap++ % gaps.length]!);
          const spelling = entries.map(
            ([key, value]) => `${blank()}${key}${blank()}=${blank()}"${escaped(value)}"${blank()}`,
          );
          const limits = { maxLabels: 40, maxNameLength: 10_000 };
          expect(parseMetricName(`${name}{${spelling.join(',')}}`, limits)).toEqual(
            parseMetricName(canonicalName(name, labels), limits),
          );
        },
      ),
      { seed: 111, numRuns: 300 },
    );
  });

  it('never throws, and is stable for accepted names', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const result = parseMetricName(text);
        if (!isNameProblem(result)) expect(parseMetricName(result.name)).toEqual(result);
      }),
      { seed: 112, numRuns: 500 },
    );
  });
});

describe('sanitising', () => {
  it.each([
    ['cpu usage', 'cpu_usage'],
    ['a{b}', 'a_b_'],
    ['a"b,c', 'a_b_c'],
    ['😀', '_'],
    ['ok.name', 'ok.name'],
  ])('converts %j to the name %j', (text, name) => {
    expect(sanitiseName(text)).toBe(name);
  });

  it.each([
    ['host name', 'host_name'],
    ['0zone', '_zone'],
    ['-x', '_x'],
    ['_ok', '_ok'],
    ['é', '_'],
    ['', ''],
  ])('converts %j to the label key %j', (text, key) => {
    expect(sanitiseLabelKey(text)).toBe(key);
  });

  it('replaces control characters in values, except line feeds', () => {
    expect(sanitiseLabelValue('a\tb\nc\u0000\ud800d')).toBe('a_b\nc__d');
  });

  it('joins the values of label keys that become equal', () => {
    const labels: LabelPair[] = [
      ['a b', '1'],
      ['a_b', '2'],
    ];
    expect(composeSanitised('m', labels)).toMatchObject({ name: 'm{a_b="1;2"}' });
  });

  it('rejects a duplicate label', () => {
    expect(
      composeSanitised('m', [
        ['a', '1'],
        ['a', '1'],
      ]),
    ).toMatchObject({ reason: 'bad_name' });
  });

  it('yields a valid name for any text and labels', () => {
    const pair = fc.tuple(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 50 }),
        fc.uniqueArray(pair, { selector: ([key]) => key, maxLength: 5 }),
        (name, labels) => {
          const result = composeSanitised(name, labels);
          if (isNameProblem(result)) expect(/^id:\d+$/.test(sanitiseName(name))).toBe(true);
          else expect(parseMetricName(result.name)).toEqual(result);
        },
      ),
      { seed: 113, numRuns: 300 },
    );
  });
});
