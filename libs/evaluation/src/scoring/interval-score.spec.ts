import { intervalScore, poolRangeScores, RANGE_ALPHA, type RangeScore, scoreRange } from './interval-score.js';

describe('intervalScore', () => {
  it.each([
    // Width 8, and 2 / 0.02 = 100 for each unit outside.
    ['inside', 5, 8],
    ['at the lower end', 2, 8],
    ['at the upper end', 10, 8],
    ['one below', 1, 108],
    ['two above', 12, 208],
  ])('scores a value %s', (_, value, want) => expect(intervalScore(value, 2, 10, 0.02)).toBeCloseTo(want, 12));

  it('is smallest for the range between the quantiles', () => {
    // Uniform on 0..1, range [a, 1-a]: mean 1 - 2a + (2/alpha) a², minimum at a = alpha/2 with 1 - alpha/2 = 0.99.
    const rows = 20_000;
    const meanOf = (a: number): number => {
      let sum = 0;
      for (let i = 0; i < rows; i++) sum += intervalScore((i + 0.5) / rows, a, 1 - a, RANGE_ALPHA);
      return sum / rows;
    };
    expect(meanOf(0.01)).toBeCloseTo(0.99, 6);
    expect(meanOf(0.005)).toBeCloseTo(1 - 0.01 + 100 * 0.005 ** 2, 6);
    expect(meanOf(0.02)).toBeCloseTo(1 - 0.04 + 100 * 0.02 ** 2, 6);
  });
});

const column = (...values: number[]): Float64Array => Float64Array.from(values);

describe('scoreRange', () => {
  it('scores normal rows with a value and a range, and compares those in which the baseline has a range', () => {
    const values = column(5, 1, 12, NaN, 5, 5);
    const isNormal = Uint8Array.of(1, 1, 1, 1, 0, 1);
    const range = { lower: column(2, 2, 2, 2, 2, NaN), upper: column(10, 10, 10, 10, 10, NaN) };
    const baseline = { lower: column(NaN, 0, 0, 0, 0, 0), upper: column(NaN, 20, 20, 20, 20, 20) };
    const score = scoreRange(values, isNormal, range, baseline, 0.02);
    // Rows 0, 1, 2; inside: row 0. Compared: rows 1 and 2, (108 + 208) / 2; values 1 and 12 are 5.5 from their mean.
    expect(score).toMatchObject({ rows: 3, inside: 1, comparedRows: 2, baselineScore: 20 });
    expect(score.score).toBeCloseTo(158, 10);
    expect(score.deviation).toBeCloseTo(5.5, 12);
  });

  it('returns NaN without usable rows', () => {
    const none = { lower: column(NaN), upper: column(NaN) };
    const score = scoreRange(column(1), Uint8Array.of(1), none, none);
    expect(score).toMatchObject({ rows: 0, inside: 0, comparedRows: 0, score: NaN });
    expect(poolRangeScores([score])).toMatchObject({ rows: 0, inside: NaN, ratio: NaN, series: 0 });
  });

  it('rejects columns of different length', () => {
    const one = { lower: column(1), upper: column(1) };
    expect(() => scoreRange(column(1), Uint8Array.of(1, 0), one, one)).toThrow(RangeError);
  });
});

describe('poolRangeScores', () => {
  const aScore = (overrides: Partial<RangeScore>): RangeScore => ({
    rows: 10,
    inside: 9,
    comparedRows: 10,
    score: 2,
    baselineScore: 4,
    deviation: 1,
    ...overrides,
  });

  it('gives every series the same weight regardless of its unit', () => {
    const set = [aScore({}), aScore({ rows: 90, inside: 89, score: 30, baselineScore: 20, deviation: 10 })];
    // In standard deviations: (2 + 3) / (4 + 2). Ratios: 1/2 and 3/2. Inside: 98 of 100; 0.9 and 89/90.
    const pooled = poolRangeScores(set);
    expect(pooled.ratio).toBeCloseTo(5 / 6, 12);
    expect(pooled.meanRatio).toBeCloseTo(1, 12);
    expect(pooled).toMatchObject({ rows: 100, inside: 0.98, series: 2 });
    expect(pooled.meanInside).toBeCloseTo((0.9 + 89 / 90) / 2, 12);
  });

  it('includes a baseline with score 0 in the ratio of means, but not in the mean of ratios', () => {
    const pooled = poolRangeScores([aScore({}), aScore({ score: 1, baselineScore: 0 })]);
    expect(pooled).toMatchObject({ ratio: 0.75, meanRatio: 0.5, series: 2 });
  });

  it('includes a constant series only in the share inside', () => {
    const pooled = poolRangeScores([aScore({}), aScore({ inside: 1, score: 0, baselineScore: 0, deviation: 0 })]);
    expect(pooled).toMatchObject({ inside: 0.5, ratio: 0.5, meanRatio: 0.5, series: 1 });
  });
});
