import { EWMA } from './ewma.js';
import { ExponentialMoments } from './exponential-moments.js';

describe('ExponentialMoments', () => {
  it('equal the plain mean and deviation for the first values', () => {
    const moments = new ExponentialMoments(0.01);
    for (const value of [2, 4, 4, 4, 5, 5, 7, 9]) moments.learn(value);
    expect(moments.mean).toBeCloseTo(5, 12);
    expect(moments.deviation).toBeCloseTo(2, 12);
  });

  it('decay old values by the rate', () => {
    const moments = new ExponentialMoments(0.5);
    // Means 8, 4, then (4 + 6) / 2; weights 1/4, 1/4, 1/2 around 5: (9 + 25) / 4 + 1 / 2.
    for (const value of [8, 0, 6]) moments.learn(value);
    expect(moments.mean).toBeCloseTo(5, 12);
    expect(moments.variance).toBeCloseTo(9, 12);
  });
});

describe('EWMA', () => {
  it('scores the distance from the mean in standard deviations', () => {
    // 100 values of mean 0 and deviation 1, then 3 and 12 of them away.
    const values = Float64Array.from({ length: 102 }, (_, row) => (row % 2 === 0 ? 1 : -1));
    values[100] = 3;
    values[101] = 12;
    const { scores, lower, upper } = EWMA.run(
      values.map((_, row) => row),
      values,
    );
    // Evidence 6 is an alarm: 3 / (3 + 6).
    expect(scores[100]).toBeCloseTo(1 / 3, 12);
    expect([lower![100], upper![100]]).toEqual([expect.closeTo(-6, 10), expect.closeTo(6, 10)]);
    // After the 3: mean 3/101, variance (100/101)(1 + 9/101).
    const z = (12 - 3 / 101) / Math.sqrt((100 / 101) * (1 + 9 / 101));
    expect(scores[101]).toBeCloseTo(z / (z + 6), 12);
  });
});
