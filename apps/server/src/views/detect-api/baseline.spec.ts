import { seededRandom } from '#libs/synthetic';
import { baselineOf } from './baseline.js';

const WEEK = 168;

/** Hourly values of a service with half the load at weekends. */
const usualAt = (hour: number): number => {
  const day = Math.floor(hour / 24) % 7;
  return (100 + 40 * Math.sin((2 * Math.PI * (hour % 24)) / 24)) * (day >= 5 ? 0.5 : 1);
};

describe('baselineOf with a weekly period of hours', () => {
  it.each([2, 4, 5.3])('returns exactly the week when there is no noise: %d weeks', (weeks) => {
    const values = Float64Array.from({ length: Math.round(weeks * WEEK) }, (_, hour) => usualAt(hour));
    const { level, expected, scale } = baselineOf(values, WEEK);
    expect(Math.max(...level) - Math.min(...level)).toBeLessThan(1e-9);
    for (const [hour, value] of expected.entries()) expect(value).toBeCloseTo(usualAt(hour), 9);
    expect(scale).toBeCloseTo(0, 9);
  });

  it('estimates the scale of the noise', () => {
    const random = seededRandom(7);
    // Standard deviation 1 after multiplication by √3.
    const noise = (): number => random() + random() + random() + random() - 2;
    const values = Float64Array.from({ length: 6 * WEEK }, (_, hour) => usualAt(hour) + Math.sqrt(3) * noise());
    const { scale } = baselineOf(values, WEEK);
    expect(scale).toBeGreaterThan(0.85);
    expect(scale).toBeLessThan(1.15);
  });

  it('follows a rising level', () => {
    const values = Float64Array.from({ length: 6 * WEEK }, (_, hour) => usualAt(hour) + hour);
    const { level } = baselineOf(values, WEEK);
    expect(level[4 * WEEK]! - level[2 * WEEK]!).toBeCloseTo(2 * WEEK, -1);
  });
});
