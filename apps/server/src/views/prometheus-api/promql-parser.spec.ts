import { MAX_QUERY_CHARACTERS } from './promql-lexer.js';
import { parseQuery, parseSelector } from './promql-parser.js';
import { BadDataError, ExecutionError } from './prometheus.errors.js';

const name = (value: string) => ({ name: '__name__', operator: '=', value });
const plain = { kind: 'selector', rangeSeconds: null, offsetSeconds: 0, at: null };

describe('parseQuery', () => {
  it.each([
    ['up', [name('up')]],
    ['up{}', [name('up')]],
    ['job:rate:5m', [name('job:rate:5m')]],
    [
      'up{job="api",host!="a",x=~"b.*",y!~\'c\',}',
      [
        name('up'),
        { name: 'job', operator: '=', value: 'api' },
        { name: 'host', operator: '!=', value: 'a' },
        { name: 'x', operator: '=~', value: 'b.*' },
        { name: 'y', operator: '!~', value: 'c' },
      ],
    ],
    ['{metric="a.b"}', [{ name: 'metric', operator: '=', value: 'a.b' }]],
    ['{"web-1.cpu", "host.name"="x"}', [name('web-1.cpu'), { name: 'host.name', operator: '=', value: 'x' }]],
    ['( up )  # comment', [name('up')]],
    ['sum', [name('sum')]],
    ['offset', [name('offset')]],
  ])('parses the selector %s', (query, matchers) => {
    expect(parseQuery(query)).toEqual({ ...plain, matchers });
  });

  it.each([
    [String.raw`{a="x\"\\\n\x41\u00e9\101"}`, 'x"\\\nAéA'],
    ['{a=`x\\"y`}', 'x\\"y'],
    [String.raw`{a='it\'s'}`, "it's"],
  ])('parses strings with Go escapes: %s', (query, value) => {
    expect(parseQuery(query)).toMatchObject({ matchers: [{ name: 'a', value }] });
  });

  it.each([
    ['up[5m]', { rangeSeconds: 300 }],
    ['up offset 1h30m', { offsetSeconds: 5400 }],
    ['up offset -5m', { offsetSeconds: -300 }],
    ['up[1d] offset 1w', { rangeSeconds: 86_400, offsetSeconds: 604_800 }],
    ['up @ 1760000000.5', { at: 1_760_000_000.5 }],
    ['up @ start() offset 1m', { at: 'start', offsetSeconds: 60 }],
    ['up offset 1m @ end()', { at: 'end', offsetSeconds: 60 }],
  ])('parses range, offset and @ modifiers: %s', (query, parts) => {
    expect(parseQuery(query)).toEqual({ ...plain, matchers: [name('up')], ...parts });
  });

  it.each([
    ['1+1', 2],
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['- -3', 3],
    ['7 % 4 - 1', 2],
    ['10 - 2 - 3', 5],
    ['1 / 0', Infinity],
    ['0x1F', 31],
    ['.5e1', 5],
    ['-Inf', -Infinity],
    ['NaN', Number.NaN],
  ])('evaluates %s', (query, value) => {
    expect(parseQuery(query)).toEqual({ kind: 'scalar', value });
  });

  it('parses vector() of a number, and a string', () => {
    expect(parseQuery('vector(1)')).toEqual({ kind: 'vector', value: 1 });
    expect(parseQuery('vector((2 - 1))')).toEqual({ kind: 'vector', value: 1 });
    expect(parseQuery('"x"')).toEqual({ kind: 'string', value: 'x' });
  });

  it.each([
    ['rate(up[5m])', 'the function rate()'],
    ['sum(up)', 'the aggregation sum'],
    ['sum by (job) (up)', 'the aggregation sum'],
    ['topk(5, up)', 'the aggregation topk'],
    ['up + 1', 'the operator + on series'],
    ['-up', 'the sign - on series'],
    ['up > 1', 'the operator >'],
    ['up == bool 1', 'the operator =='],
    ['up and down', 'the operator and'],
    ['up[5m:1m]', 'a subquery'],
    ['(1)[5m:1m]', 'a subquery'],
    ['vector(1) + 1', 'the operator + on series'],
  ])('rejects %s as not supported, with an alternative', (query, what) => {
    expect(() => parseQuery(query)).toThrow(ExecutionError);
    expect(() => parseQuery(query)).toThrow(`${what} is not supported. Plumbline answers selectors`);
    expect(() => parseQuery(query)).toThrow('/prometheus/federate');
  });

  it.each([
    ['', 'no expression found'],
    ['up{', '1:4: parse error: unexpected end of input'],
    ['up{job}', 'expected label matching operator'],
    ['up{job=api}', '1:8: parse error: unexpected "api"'],
    ['up{job="api"', 'expected "}"'],
    ['up{"a" "b"}', 'expected "}"'],
    ['{a="x', 'unterminated quoted string'],
    ['{a="\n"}', 'unterminated quoted string'],
    [String.raw`{a="\q"}`, 'unknown escape sequence'],
    [String.raw`{a="\ud800"}`, 'unknown escape sequence'],
    [String.raw`{a="\400\999"}`, 'unknown escape sequence'],
    ['up{__name__="down"}', 'metric name must not be set twice'],
    ['up[0s]', 'greater than 0'],
    ['up[5x]', 'expected duration'],
    ['up[5m', 'expected "]"'],
    ['up offset', 'in offset'],
    ['up offset 1m offset 1m', 'multiple times'],
    ['up @ 1 @ 2', 'multiple times'],
    ['up @ x', 'expected timestamp'],
    ['up offset 1m [5m]', 'after selector'],
    ['1 1', 'unexpected "1"'],
    ['up up', 'unexpected "up"'],
    ['1 +', 'unexpected end of input'],
    ['5m', 'unexpected "5m"'],
    ['web-1.cpu\u0000', 'unexpected character'],
    ['vector(up)', 'expected type scalar'],
    ['('.repeat(101), 'nested deeper'],
    ['-'.repeat(101), 'nested deeper'],
    ['x'.repeat(MAX_QUERY_CHARACTERS + 1), 'characters'],
    [`{${'a="b",'.repeat(51)}}`, 'at most 50 matchers'],
  ])('rejects %s', (query, problem) => {
    expect(() => parseQuery(query)).toThrow(BadDataError);
    expect(() => parseQuery(query)).toThrow(problem);
  });
});

describe('parseSelector', () => {
  it('parses a selector of match[]', () => {
    expect(parseSelector('up{a="b"}')).toHaveLength(2);
  });

  it.each(['1', 'up[5m]', 'up offset 5m', 'up @ 1'])('rejects %s', (text) => {
    expect(() => parseSelector(text)).toThrow(BadDataError);
  });
});
