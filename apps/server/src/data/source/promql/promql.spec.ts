import { type SourceQuery } from '../reading/driver.types.js';
import { parsePromqlAnswer, promqlReason, promqlRequest } from './promql-driver.service.js';

const WINDOW = { from: 600, until: 720, stepSeconds: 60 };
const LIMITS = { maxSeries: 3, maxPoints: 6 };
const parse = (body: unknown, limits = LIMITS) =>
  parsePromqlAnswer(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), WINDOW, limits);
const matrix = (result: unknown, more: object = {}) => ({
  status: 'success',
  data: { resultType: 'matrix', result },
  ...more,
});
const one = (values: unknown) => matrix([{ metric: { __name__: 'cpu', host: 'a' }, values }]);

describe('promqlRequest', () => {
  const query: SourceQuery = {
    settings: {
      url: 'https://mimir.example.org/prometheus/?a=b',
      query: 'up',
      username: '',
      timeoutSeconds: 5,
      writeBack: false,
    },
    secrets: { password: '', headers: { 'X-Scope-OrgID': 'team' } },
    window: WINDOW,
    limits: LIMITS,
  };

  it('requests the instants of the window, and keeps path and parameters of the URL', () => {
    const { url, method, headers, body, timeoutMs } = promqlRequest(query);
    expect([method, url, timeoutMs]).toEqual([
      'POST',
      'https://mimir.example.org/prometheus/api/v1/query_range?a=b',
      5000,
    ]);
    expect(headers).toMatchObject({ 'X-Scope-OrgID': 'team' });
    expect(headers).not.toHaveProperty('Authorization');
    expect(Object.fromEntries(new URLSearchParams(String(body)))).toMatchObject({
      query: 'up',
      start: '660',
      end: '720',
      step: '60',
    });
  });

  it('excludes written-back series from the query with extra_filters for VictoriaMetrics', () => {
    const formOf = (asked: SourceQuery) => new URLSearchParams(String(promqlRequest(asked).body));
    expect(formOf(query).has('extra_filters[]')).toBe(false);
    const settings = { ...query.settings, writeBack: true };
    expect(formOf({ ...query, settings }).get('extra_filters[]')).toMatch(
      /^\{__name__!~"plumbline_expected\|.*score.*"\}$/,
    );
  });

  it('sends a login, which a header of the source can replace', () => {
    const settings = { ...query.settings, username: 'me' };
    const basic = promqlRequest({ ...query, settings, secrets: { password: 'pw', headers: {} } }).headers;
    expect(basic).toMatchObject({ Authorization: 'Basic bWU6cHc=' });
    const headers = { Authorization: 'Bearer x' };
    expect(promqlRequest({ ...query, settings, secrets: { password: 'pw', headers } }).headers).toMatchObject(headers);
  });
});

describe('parsePromqlAnswer', () => {
  it('ignores series that Plumbline has written back, and does not count them', () => {
    const written = ['plumbline_expected', 'plumbline_expected_lower', 'plumbline_expected_upper', 'plumbline_score'];
    const names = [...written, 'plumbline_anomalous', 'cpu'];
    const result = names.map((name) => ({ metric: { __name__: name, metric: 'cpu' }, values: [[660, '1']] }));
    expect(parse(matrix(result), { maxSeries: 1, maxPoints: 1 }).series.map(({ name }) => name)).toEqual(['cpu']);
  });

  it('returns series with their labels, and the points of the window', () => {
    const values = [
      [600, '1'],
      [660, '2.5'],
      [720, '-3e2'],
      [780, '4'],
    ];
    expect(parse(one(values)).series).toEqual([
      { name: 'cpu', labels: [['host', 'a']], timestamps: [660, 720], values: [2.5, -300] },
    ]);
    expect(parse(matrix([{ metric: {}, values }])).series[0]).toMatchObject({ name: null, labels: [] });
  });

  it('omits values that are not numbers, and series without values', () => {
    const values = ['NaN', '+Inf', '-Inf', '', ' ', 'x', '9'.repeat(5000)].map((value) => [660, value]);
    expect(parse(one(values), { maxSeries: 3, maxPoints: 100 }).series).toEqual([]);
    expect(parse(matrix([{ metric: {}, histograms: [] }])).series).toEqual([]);
  });

  it('keeps the last of several points with the same time, in any order', () => {
    const { series } = parse(one([[720, '1'], [660, '2'], [720, '3']])); // prettier-ignore
    expect(series[0]).toMatchObject({ timestamps: [660, 720], values: [2, 3] });
  });

  it('detects a partial response', () => {
    expect(parse(matrix([])).isPartial).toBe(false);
    expect(parse(matrix([], { warnings: ['one store did not answer'] })).isPartial).toBe(true);
    expect(parse(matrix([], { isPartial: true })).isPartial).toBe(true);
  });

  it.each([
    '',
    'null',
    '<html>',
    '[]',
    '{"status":"success"}',
    '{"status":"error","error":"x"}',
    '{"status":"success","data":{"resultType":"vector","result":[]}}',
    '{"status":"success","data":{"resultType":"matrix","result":{}}}',
    JSON.stringify(matrix([null])),
    JSON.stringify(matrix([{ values: [] }])),
    JSON.stringify(matrix([{ metric: { a: 1 }, values: [] }])),
    JSON.stringify(one('x')),
    JSON.stringify(one([660])),
    JSON.stringify(one([['660', '1']])),
    JSON.stringify(one([[660, 1]])),
    '['.repeat(100_000),
    `{"status":"success","data":{"resultType":"matrix","result":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`,
  ])('rejects an invalid response: %.60s', (body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ kind: 'refused' }));
  });

  it('rejects more series or points than allowed', () => {
    const series = { metric: {}, values: [[660, '1']] };
    expect(() => parse(matrix([series, series, series, series]))).toThrow(
      expect.objectContaining({ kind: 'too_many_series', message: expect.stringContaining('4 series') }),
    );
    const values = Array.from({ length: 7 }, (_, at) => [at, '1']);
    expect(() => parse(one(values))).toThrow(expect.objectContaining({ kind: 'too_large' }));
  });

  it('keeps labels named like members of every object', () => {
    const body =
      '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__proto__":"x"},"values":[[660,"1"]]}]}}';
    expect(parse(body).series[0]!.labels).toEqual([['__proto__', 'x']]);
  });
});

it('promqlReason returns the error message of the service, or null', () => {
  expect(promqlReason(Buffer.from('{"status":"error","error":"parse error"}'))).toBe('parse error');
  expect(promqlReason(Buffer.from('{"error":{"a":1}}'))).toBeNull();
  expect(promqlReason(Buffer.from('<html>'))).toBeNull();
});
