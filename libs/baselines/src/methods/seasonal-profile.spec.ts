import { dailySine, DAY, during, series, START } from '#libs/detection/testing';
import { SEASONAL_PROFILE } from './seasonal-profile.js';

describe('SEASONAL_PROFILE', () => {
  it('detects a value that is usual only at another time of day', () => {
    // The value of the crest at the trough of the wave.
    const { timestamps, values } = series(
      10,
      300,
      during(dailySine(1, 60), 8.75, 30, () => 60),
    );
    const { scores, threshold } = SEASONAL_PROFILE.run(timestamps, values);
    const row = 8.75 * 288;
    expect(Math.max(...scores.subarray(row, row + 3))).toBeGreaterThanOrEqual(threshold);
    expect(Math.max(...scores.subarray(4 * 288, row))).toBeLessThan(threshold);
  });

  it('has a narrower range with the right period than with a wrong one', () => {
    // A rectangle every two hours: with the right period its edges are expected.
    const { timestamps, values } = series(4, 60, (_, timestamp) => ((timestamp - START) % 7200 < 600 ? 100 : 0));
    const mean = (scores: Float64Array): number => scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const given = SEASONAL_PROFILE.run(timestamps, values, { periodSeconds: 7200 }).upper!;
    const searched = SEASONAL_PROFILE.run(timestamps, values, { periodSeconds: 7000 }).upper!;
    expect(mean(given.subarray(2880))).toBeLessThan(mean(searched.subarray(2880)));
  });

  it('returns the same scores for times before 1970', () => {
    const { timestamps, values } = series(3, 300, dailySine(1));
    const old = SEASONAL_PROFILE.run(
      timestamps.map((timestamp) => timestamp - 100 * 365 * DAY),
      values,
    );
    expect(old.scores).toEqual(SEASONAL_PROFILE.run(timestamps, values).scores);
  });
});
