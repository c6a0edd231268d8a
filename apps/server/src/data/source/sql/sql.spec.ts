import { seriesOfTable } from './sql-answer.js';
import { boundQuery } from './sql-query.js';

const WINDOW = { from: 1_760_000_040, until: 1_760_000_160, stepSeconds: 60 };
const LIMITS = { maxSeries: 3, maxPoints: 10 };
const parse = (columns: string[], rows: (string | null)[][], isPresent = false) =>
  seriesOfTable({ columns, rows }, WINDOW, LIMITS, isPresent).series;

describe('boundQuery', () => {
  const query =
    "SELECT at AS time, ':from' FROM x WHERE at >= :from AND at < :until AND :from_seconds < :from_seconds + :interval ;\n";

  it('numbers each placeholder once for PostgreSQL', () => {
    expect(boundQuery(query, WINDOW, 'numbered')).toEqual({
      text: "SELECT at AS time, ':from' FROM x WHERE at >= $1 AND at < $2 AND $3 < $3 + $4",
      values: ['2025-10-09T08:54:00Z', '2025-10-09T08:56:00Z', 1_760_000_040, 60],
    });
  });

  it('repeats values for MySQL', () => {
    const { text, values } = boundQuery(query, WINDOW, 'positional');
    expect(text).toContain('at >= ? AND at < ? AND ? < ? + ?');
    expect(values).toEqual(['2025-10-09 08:54:00', '2025-10-09 08:56:00', 1_760_000_040, 1_760_000_040, 60]);
  });
});

describe('seriesOfTable', () => {
  it('treats columns other than time, value and metric as labels', () => {
    const rows = [
      ['2025-10-09 08:54:00+00', '1', 'orders', 'de', null],
      ['2025-10-09 08:55:00+00', '2.5', 'orders', 'de', null],
      ['2025-10-09 08:54:00+00', '7', 'orders', 'fr', 'x'],
      ['2025-10-09 08:56:00+00', '9', 'orders', 'fr', 'x'],
    ];
    expect(parse(['Time', 'VALUE', 'metric', 'country', 'shop'], rows)).toEqual([
      { name: 'orders', labels: [['country', 'de'], ['shop', '']], timestamps: [1_760_000_040, 1_760_000_100], values: [1, 2.5] }, // prettier-ignore
      { name: 'orders', labels: [['country', 'fr'], ['shop', 'x']], timestamps: [1_760_000_040], values: [7] }, // prettier-ignore
    ]);
  });

  it.each([
    '2025-10-09 08:54:00',
    '2025-10-09T08:54:00Z',
    '2025-10-09 08:54:00.000',
    '2025-10-09 10:54:00+02',
    '2025-10-09 03:24:00-05:30',
    '2025-10-09 08:54',
    '1760000040',
    '1760000040000',
    '1760000040.0',
    '1.76000004e9',
  ])('parses the time %s', (time) => {
    expect(parse(['time', 'value'], [[time, '1']])).toMatchObject([{ name: null, timestamps: [1_760_000_040] }]);
  });

  it.each(['yesterday', '', '2025-13', '2025-02-30 08:54:00', '9'.repeat(10_000), '0x10', 'Infinity'])(
    'rejects the time %.20s',
    (time) => {
      expect(() => parse(['time', 'value'], [[time, '1']])).toThrow('the column time must contain times');
    },
  );

  it('omits values that are not numbers, and converts booleans', () => {
    const at = '1760000040';
    for (const value of [null, '', 'NaN', 'Infinity', 'x', '1e9999', '9'.repeat(10_000), '0x10', '1,5']) {
      expect(parse(['time', 'value'], [[at, value]])).toEqual([]);
    }
    expect(parse(['time', 'value', 'a'], [[at, 't', '1'], [at, 'false', '2']]).map(({ values }) => values)).toEqual([[1], [0]]); // prettier-ignore
  });

  it('uses the end of the window as time for a query of the present', () => {
    expect(parse(['value'], [['5']], true)).toMatchObject([{ timestamps: [WINDOW.until], values: [5] }]);
  });

  it('rejects a table without value or time, and too many series or points', () => {
    expect(() => parse(['time', 'count'], [])).toThrow('a column named value');
    expect(() => parse(['value'], [])).toThrow('a column named time');
    const at = '1760000040';
    expect(() =>
      parse(
        ['time', 'value', 'a'],
        ['1', '2', '3', '4'].map((label) => [at, '1', label]),
      ),
    ).toThrow(expect.objectContaining({ kind: 'too_many_series' }));
    const many = Array.from({ length: 11 }, () => [at, '1']);
    expect(() => parse(['time', 'value'], many)).toThrow(expect.objectContaining({ kind: 'too_large' }));
  });
});
