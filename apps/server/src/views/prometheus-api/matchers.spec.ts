import { factsOf, MAX_PATTERN_CHARACTERS, PatternBudget, readyMatchers, selectsAll } from './matchers.js';
import { type MatchOperator } from './promql.types.js';
import { BadDataError, QueryTimeoutError } from './prometheus.errors.js';

const ready = (operator: MatchOperator, value: string) =>
  readyMatchers([{ name: 'job', operator, value }], new PatternBudget())[0]!;

describe('a matcher', () => {
  it.each([
    ['=', 'api', 'api', true],
    ['=', 'api', 'API', false],
    ['=', '', '', true],
    ['!=', 'api', 'web', true],
    ['!=', 'api', '', true],
    ['=~', 'a', 'cat', false],
    ['=~', 'a|c', 'a', true],
    ['=~', 'a|ca', 'cat', false],
    ['=~', '.*a.*', 'cat', true],
    ['=~', 'c.t', 'c\nt', true],
    ['=~', '(?i)API', 'api', true],
    ['=~', '', '', true],
    ['=~', String.raw`web\.1`, 'web.1', true],
    ['=~', String.raw`web\.1`, 'webx1', false],
    ['=~', String.raw`\d{3}`, '404', true],
    ['=~', '[[:alpha:]]+', 'abc', true],
    ['=~', String.raw`\pL+`, 'äöü', true],
    ['!~', 'a.*', 'b', true],
    ['!~', 'a.*', 'ab', false],
  ] as const)('evaluates %s %s of %s to %p', (operator, wanted, value, holds) => {
    expect(ready(operator, wanted).holds(value)).toBe(holds);
  });

  it.each(['(', '[', String.raw`(?=x)`, String.raw`(a)\1`, 'a{1001}', '(a{500}){3}'])(
    'rejects the pattern %s, which RE2 does not support',
    (pattern) => {
      expect(() => ready('=~', pattern)).toThrow(BadDataError);
    },
  );

  it('rejects patterns that are too long or repeat too much, but accepts a long list of texts', () => {
    expect(() => ready('=~', `${'x'.repeat(MAX_PATTERN_CHARACTERS)}.`)).toThrow('at most 1000 characters');
    expect(() => ready('=~', 'x{1000}'.repeat(20))).toThrow('repeats too much');
    const values = Array.from({ length: 500 }, (_, i) => `host-${String(i)}`);
    expect(ready('=~', values.join('|')).holds('host-499')).toBe(true);
  });

  it('throws when the patterns of a request exceed their time budget', () => {
    let [now, stepMs] = [0, 0];
    const budget = new PatternBudget(() => (now += stepMs));
    const [matcher] = readyMatchers([{ name: 'a', operator: '=~', value: 'x+y' }], budget);
    // Each match uses half of the second that a request has.
    stepMs = 500;
    expect(matcher!.holds('xy')).toBe(true);
    expect(matcher!.holds('xxy')).toBe(true);
    expect(() => matcher!.holds('xxxy')).toThrow(QueryTimeoutError);
  });

  it.each([
    ['=', '', true],
    ['=', 'a', false],
    ['!=', 'a', true],
    ['!=', '', false],
    ['=~', '.*', true],
    ['=~', '.+', false],
    ['!~', '.+', true],
  ] as const)('selects everything with %s %j alone: %p', (operator, value, all) => {
    expect(selectsAll([ready(operator, value)])).toBe(all);
  });
});

describe('factsOf', () => {
  it.each([
    ['a|b', ['a', 'b'], ''],
    ['(a|b)', ['a', 'b'], ''],
    ['(?:a|b)', ['a', 'b'], ''],
    [String.raw`web\.1|web\-2`, ['web.1', 'web-2'], ''],
    ['abc', ['abc'], ''],
    ['a|', ['a', ''], ''],
    ['http_.*', null, 'http_'],
    ['http_requests?', null, 'http_request'],
    ['http_s+', null, 'http_'],
    ['ab{2}', null, 'a'],
    ['.*x', null, ''],
    ['(?i)abc', null, ''],
    ['abc.*|x', null, ''],
    ['(abc).*', null, ''],
    ['^abc', null, ''],
    ['abc$', null, 'abc'],
    [String.raw`abc\d`, null, 'abc'],
    [String.raw`(a\)`, null, ''],
    ['(a)(b)', null, ''],
  ])('returns the set and the prefix of %s', (pattern, set, prefix) => {
    expect(factsOf(pattern)).toEqual({ set, prefix });
  });
});
