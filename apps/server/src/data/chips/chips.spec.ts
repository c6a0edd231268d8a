import fc from 'fast-check';
import {
  BadChipsError,
  type ChipTarget,
  matchesChips,
  parsePartialLabelChip,
  parseChip,
  parseChips,
  requireBroadChips,
  serialiseChip,
} from './chips.js';

const METRIC: ChipTarget = {
  name: 'http_requests_total{job="api",path="a,b"}',
  labels: { job: 'api', path: 'a,b', Host: 'Web-1' },
  source: 'prometheus',
  type: 'counter',
  state: 'active',
};

const matches = (list: string | string[], metric = METRIC): boolean => matchesChips(parseChips(list), metric);

describe('parseChips', () => {
  it.each([
    ['cpu', ['cpu']],
    [' cpu , -idle ,host:web-1', ['cpu', '-idle', 'host:web-1']],
    ['cpu,,cpu,', ['cpu']],
    ['"a,b",c', ['"a,b"', 'c']],
    ['path:"a,\\"b",c', ['path:"a,\\"b"', 'c']],
    ['-"job:http"', ['-"job:http"']],
    [
      ['a,b', ' c '],
      ['a,b', 'c'],
    ],
  ])('parses %j', (list, texts) => {
    expect(parseChips(list).map((chip) => chip.text)).toEqual(texts);
  });

  it.each([
    ['', 'required'],
    [' , ', 'required'],
    [[], 'required'],
    [['a', ' '], 'bad_chip'],
    ['-', 'bad_chip'],
    ['"open', 'bad_chip'],
    ['"a"b', 'bad_chip'],
    ['a"b', 'bad_chip'],
    ['job:"a', 'bad_chip'],
    ['job:"a"b', 'bad_chip'],
    ['"bad \\escape"', 'bad_chip'],
    ['@owner:ann', 'bad_chip'],
    ['@Name2:x', 'bad_chip'],
    ['a\u0007b', 'bad_chip'],
    ['a'.repeat(201), 'too_long'],
    [Array.from({ length: 21 }, (_, i) => `c${String(i)}`), 'too_many'],
    [Array.from({ length: 20 }, (_, i) => `${'x'.repeat(150)}${String(i)}`), 'too_long'],
  ])('rejects %j with %s', (list, code) => {
    const parse = (): unknown => parseChips(list);
    expect(parse).toThrow(BadChipsError);
    expect(parse).toThrow(expect.objectContaining({ code }));
  });

  it('accepts 20 chips of 100 characters, and counts code points', () => {
    expect(parseChips(Array.from({ length: 20 }, (_, i) => 'x'.repeat(98) + String(10 + i)))).toHaveLength(20);
    expect(parseChips('😀'.repeat(200))).toHaveLength(1);
  });
});

describe('matchesChips', () => {
  it.each([
    ['requests', true],
    ['REQUESTS', true],
    ['JOB:api', true],
    ['-Job:api', false],
    ['host:web-1', true],
    ['cpu', false],
    ['-cpu', true],
    ['-requests', false],
    ['*', true],
    ['-*', false],
    ['http*', true],
    ['http_*_total', false],
    ['http_*_total*', true],
    ['*total{*}', true],
    ['tot*', false],
    ['"http_requests"', true],
    ['"http*"', false],
    ['job:api', true],
    ['job:API', true],
    ['job:ap', false],
    ['job:a*', true],
    ['job:*', true],
    ['job:*i', true],
    ['job:a*a', false],
    ['job:a*pi', true],
    ['host:*', true],
    ['Host:web-*', true],
    ['-host:web-1', false],
    ['-job:test', true],
    ['-job:api', false],
    ['path:"a,b"', true],
    ['job:"a*"', false],
    ['@source:prometheus', true],
    ['@source:prom*', true],
    ['@TYPE:Counter', true],
    ['@state:stale', false],
    ['-@state:stale', true],
    ['@name:http_requests_total', false],
    ['@name:"http_requests_total{job=\\"api\\",path=\\"a,b\\"}"', true],
    ['toString:*', false],
    ['requests,-idle,job:api', true],
    ['requests,idle', false],
    ['**', true],
    ['http**', true],
    ['__proto__:*', false],
  ])('for %s returns %s', (list, expected) => {
    expect(matches(list)).toBe(expected);
  });

  it('requires the parts of a pattern not to overlap', () => {
    expect(matches('aba*aba', { ...METRIC, name: 'aba' })).toBe(false);
    expect(matches('aba*aba', { ...METRIC, name: 'abaaba' })).toBe(true);
    expect(matches('a*bc*c', { ...METRIC, name: 'abc' })).toBe(false);
  });

  it('treats text that is not a valid label pair as plain text', () => {
    expect(matches('job:', { ...METRIC, name: 'job:x' })).toBe(true);
    expect(matches('1:x', { ...METRIC, name: 'a1:x' })).toBe(true);
  });
});

describe('requireBroadChips', () => {
  it.each([
    ['cpu', true],
    ['c', false],
    ['c*', false],
    ['*', false],
    ['-cpu', false],
    ['job:*', true],
    ['@name:*', false],
    ['@state:active', true],
    ['""', false],
    ['*,-idle', false],
    ['*,ab', true],
    ['a*b', true],
  ])('accepts %s: %s', (list, passes) => {
    const check = (): void => requireBroadChips(parseChips(list));
    if (passes) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'too_broad' }));
  });
});

/** Texts with many characters that the grammar treats specially. */
const anyText = fc.string({ unit: fc.constantFrom(...'ab:,*"\\-@_ .9é'.split('')), minLength: 1, maxLength: 12 });

describe('parser and serialiser of chips', () => {
  it('round-trip every valid chip', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        let chip;
        try {
          chip = parseChip(typed);
        } catch (error) {
          expect(error).toBeInstanceOf(BadChipsError);
          return;
        }
        const again = parseChip(serialiseChip(chip));
        expect({ ...again, text: '' }).toEqual({ ...chip, text: '' });
      }),
      { seed: 7, numRuns: 2000 },
    );
  });

  it('negate a chip so that it selects exactly the other metrics', () => {
    fc.assert(
      fc.property(anyText, anyText, (typed, name) => {
        let list;
        try {
          list = [typed.replace(/^[-\s]+/, ''), `-${typed.replace(/^[-\s]+/, '')}`].map((text) => parseChips([text]));
        } catch (error) {
          expect(error).toBeInstanceOf(BadChipsError);
          return;
        }
        const metric = { ...METRIC, name, labels: { a: name } };
        expect(matchesChips(list[0]!, metric)).toBe(!matchesChips(list[1]!, metric));
      }),
      { seed: 8, numRuns: 2000 },
    );
  });

  it.each([
    ['job:', 'job:', 'job="'],
    ['job:sh', 'job:sh', 'job="sh'],
    ['job=sh', 'job:sh', 'job="sh'],
    ['job="sh', 'job:"sh', 'job="sh'],
    ['job:sh*p', 'job:sh', 'job="sh'],
    ['note:a "b\\', 'note:a "b\\', 'note="a \\"b\\\\'],
    ['note:"a \\"b*', 'note:"a \\"b*', 'note="a \\"b*'],
  ])('recognise %s as the beginning of a label chip', (text, typed, part) => {
    expect(parsePartialLabelChip(text)).toMatchObject({
      typed,
      holds: { subject: { on: 'name' }, match: 'contains', parts: [part] },
    });
  });

  it.each(['', 'job', '-job:sh', '@type:g', '"job:sh', 'web.*', '5xx:a', 'a b:c'])(
    'do not recognise %s as the beginning of a label chip',
    (text) => {
      expect(parsePartialLabelChip(text)).toBeNull();
    },
  );
});
