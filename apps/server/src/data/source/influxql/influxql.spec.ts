import { influxqlOf, influxqlReason, influxqlRequest, parseInfluxqlAnswer } from './influxql-driver.service.js';

const WINDOW = { from: 600, until: 720, stepSeconds: 60 };
const LIMITS = { maxSeries: 3, maxPoints: 10 };
const parse = (body: unknown) =>
  parseInfluxqlAnswer(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), WINDOW, LIMITS).series;
const results = (...series: unknown[]) => ({ results: [{ statement_id: 0, series }] });

it('influxqlRequest inserts the window into the query and keeps the parameters of the URL', () => {
  const query = 'SELECT mean(idle) FROM cpu WHERE time >= :from AND time < :until GROUP BY time(:interval), host';
  expect(influxqlOf(query, WINDOW)).toBe(
    'SELECT mean(idle) FROM cpu WHERE time >= 600000000000 AND time < 720000000000 GROUP BY time(60s), host',
  );
  const { url, body } = influxqlRequest({
    settings: { url: 'http://influx:8086/?db=test', query, username: '', timeoutSeconds: 5, writeBack: false },
    secrets: { password: '', headers: {} },
    window: WINDOW,
    limits: LIMITS,
  });
  expect(url).toBe('http://influx:8086/query?db=test&epoch=ms');
  expect(new URLSearchParams(String(body)).get('q')).toBe(influxqlOf(query, WINDOW));
});

describe('parseInfluxqlAnswer', () => {
  it('returns a series per numeric column with tags as labels, and without incomplete slots', () => {
    const series = {
      name: 'cpu',
      tags: { host: 'a' },
      columns: ['time', 'mean', 'value', 'text', 'flag'],
      values: [
        [600_000, 1, 5, 'x', true],
        [660_000, null, 6, 'y', false],
        [720_000, 3, 7, 'z', true],
      ],
    };
    const labels = [['host', 'a']];
    expect(parse(results(series))).toEqual([
      { name: 'cpu_mean', labels, timestamps: [600], values: [1] },
      { name: 'cpu', labels, timestamps: [600, 660], values: [5, 6] },
      { name: 'cpu_flag', labels, timestamps: [600, 660], values: [1, 0] },
    ]);
    expect(parse({ results: [{ statement_id: 0 }] })).toEqual([]);
  });

  it('rejects an error in the response, and a truncated response', () => {
    expect(() => parse({ results: [{ error: 'measurement not found' }] })).toThrow('it says: measurement not found');
    const series = { name: 'a', columns: ['time', 'value'], values: [] };
    for (const body of [results({ ...series, partial: true }), { results: [{ series: [series], partial: true }] }]) {
      expect(() => parse(body)).toThrow(expect.objectContaining({ kind: 'too_large' }));
    }
  });

  it.each([
    '',
    '[]',
    '{}',
    '{"results":{}}',
    '{"results":[{"series":{}}]}',
    JSON.stringify(results(null)),
    JSON.stringify(results({ name: 1, columns: ['time'], values: [] })),
    JSON.stringify(results({ name: 'a', columns: ['value'], values: [] })),
    JSON.stringify(results({ name: 'a', columns: ['time', 1], values: [] })),
    JSON.stringify(results({ name: 'a', columns: ['time', 'value'], values: [['x', 1]] })),
    JSON.stringify(results({ name: 'a', columns: ['time', 'value'], tags: { a: 1 }, values: [] })),
  ])('rejects an invalid response: %.60s', (body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ kind: 'refused' }));
  });

  it('rejects too many series, including those from columns', () => {
    const columns = ['time', 'a', 'b', 'c', 'd'];
    const series = { name: 'cpu', columns, values: [[600_000, 1, 2, 3, 4]] };
    expect(() => parse(results(series))).toThrow(expect.objectContaining({ kind: 'too_many_series' }));
  });
});

it('influxqlReason returns the error message of the service, or null', () => {
  expect(influxqlReason(Buffer.from('{"error":"database not found"}'))).toBe('database not found');
  expect(influxqlReason(Buffer.from('x'))).toBeNull();
});
