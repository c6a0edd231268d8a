import { seededRandom } from '#libs/synthetic';
import { baselineOf } from './baseline.js';

const WEEK = 168;

/** Hours of a service that half of the people use at weekends. */
const usualAt = (hour: number): number => {
  const day = Math.floor(hour / 24) % 7;
  return (100 + 40 * Math.sin((2 * Math.PI * (hour % 24)) / 24)) * (day >= 5 ? 0.5 : 1);
};

describe('the baseline of a week of hours', () => {
  it.each([2, 4, 5.3])('is the week itself where there is nothing else: %d weeks', (weeks) => {
    const values = Float64Array.from({ length: Math.round(weeks * WEEK) }, (_, hour) => usualAt(hour));
    const { level, expected, scale } = baselineOf(values, WEEK);
    expect(Math.max(...level) - Math.min(...level)).toBeLessThan(1e-9);
    for (const [hour, value] of expected.entries()) expect(value).toBeCloseTo(usualAt(hour), 9);
    expect(scale).toBeCloseTo(0, 9);
  });

  it('has the noise that there is, and no more', () => {
    const random = seededRandom(7);
    // Of a standard deviation of one.
    const noise = (): number => random() + random() + random() + random() - 2;
    const values = Float64Array.from({ length: 6 * WEEK }, (_, hour) => usualAt(hour) + Math.sqrt(3) * noise());
    const { scale } = baselineOf(values, WEEK);
    expect(scale).toBeGreaterThan(0.85);
    expect(scale).toBeLessThan(1.15);
  });

  it('follows a level that rises', () => {
    const values = Float64Array.from({ length: 6 * WEEK }, (_, hour) => usualAt(hour) + hour);
    const { level } = baselineOf(values, WEEK);
    expect(level[4 * WEEK]! - level[2 * WEEK]!).toBeCloseTo(2 * WEEK, -1);
  });
});
