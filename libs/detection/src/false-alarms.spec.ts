import { detectSeries } from './detect-series.js';
import { autoregressive, dailySine, DAY, type Generator, series, START, uniform, white } from './testing/generators.js';
import { detect, opened } from './testing/verdicts.js';

/**
 * Series in addition to those of libs/evaluation (behaviour/scenes/false-alarms.ts): anomalies opened per day, and the
 * share of points in the expected range.
 */
function quietness(days: number, step: number, make: (seed: number) => Generator): { perDay: number; inside: number } {
  const seeds = [101, 202, 303];
  let anomalies = 0;
  let inside = 0;
  let judged = 0;
  for (const seed of seeds) {
    const { timestamps, values } = series(days, step, make(seed));
    const result = detectSeries(timestamps, values, { type: 'gauge' });
    anomalies += opened(result).length;
    for (let row = 0; row < values.length; row++) {
      if (Number.isNaN(result.yhat[row]!)) continue;
      judged++;
      if (values[row]! >= result.lower[row]! && values[row]! <= result.upper[row]!) inside++;
    }
  }
  return { perDay: anomalies / seeds.length / days, inside: inside / judged };
}

describe('detectSeries on ordinary series', () => {
  it.each<[string, (seed: number) => Generator]>([
    ['noise with memory 0.7', (seed) => autoregressive(seed, 0.7)],
    ['a daily sine a hundred times as high as its noise', (seed) => dailySine(seed, 100)],
  ])('opens at most one anomaly in 20 days on %s, with 97 to 99.8 %% of the points in range', (_, make) => {
    for (const step of [60, 300]) {
      const { perDay, inside } = quietness(12, step, make);
      expect(perDay).toBeLessThanOrEqual(0.05);
      expect(inside).toBeGreaterThan(0.97);
      expect(inside).toBeLessThan(0.998);
    }
  });

  it('returns a constant as its own range, without anomalies', () => {
    const result = detect(3, () => 5);
    expect(result.anomalies).toEqual([]);
    expect([result.lower.at(-1), result.yhat.at(-1), result.upper.at(-1)]).toEqual([5, 5, 5]);
  });

  it.each([1, 2, 3])('opens nothing when the second day of a filling disk begins (%i)', (seed) => {
    const noise = white(seed);
    const { timestamps, values } = series(2, 60, (i, t) => 50 + i / 240 + 0.06 * noise(i, t));
    const onDayTwo = opened(detectSeries(timestamps, values, { type: 'gauge' }), 1);
    expect(onDayTwo.filter(({ startTimestamp }) => startTimestamp < timestamps[0]! + 86_400 + 3600)).toEqual([]);
  });

  it.each([1, 2, 3])('opens nothing from the third filling of a tank that is filled every other day (%i)', (seed) => {
    const noise = white(seed);
    const { timestamps, values } = series(12, 60, (i, t) => 92 - (50 * (i % 2880)) / 2880 + 0.12 * noise(i, t));
    expect(opened(detectSeries(timestamps, values, { type: 'gauge' }), 5)).toEqual([]);
  });

  it('opens at most one anomaly a month for hourly counts that are mostly zero', () => {
    const anomalies = [1, 2, 3].map((seed) => {
      const next = uniform(seed);
      const counts: Generator = () => (next() < 0.15 ? Math.ceil(-3 * Math.log(1 - next())) : 0);
      const { timestamps, values } = series(60, 3600, counts);
      return opened(detectSeries(timestamps, values, { type: 'gauge' }), 7).length;
    });
    expect(anomalies.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(6);
  });

  it.each([1, 2, 3])('opens at most six anomalies during and after a level shift of 55 hours (%i)', (seed) => {
    const noise = white(seed);
    const shifted: Generator = (i, t) => (i >= 1040 && i < 1095 ? 3170 : 1820) + 90 * noise(i, t);
    const { timestamps, values } = series(50, 3600, shifted);
    expect(opened(detectSeries(timestamps, values, { type: 'gauge' }), 43).length).toBeLessThanOrEqual(6);
  });

  it.each([1, 2, 3])('closes a 15-minute anomaly on a Monday morning within an hour (%i)', (seed) => {
    const noise = white(seed);
    const HOUR = 3600;
    // Half past eight on the fifth Monday; the first row is on a Wednesday.
    const monday = START + 33 * DAY + 8.5 * HOUR;
    const weekly: Generator = (i, t) => {
      const day = Math.floor((t / DAY + 3) % 7);
      const hour = (t % DAY) / HOUR;
      const load = day >= 5 ? 0.2 : Math.max(0, Math.sin(((hour - 7) * Math.PI) / 12));
      return 100 + 200 * load + 4 * noise(i, t) + (t >= monday && t < monday + 900 ? 60 : 0);
    };
    const { timestamps, values } = series(38, 300, weekly);
    const { anomalies } = detectSeries(timestamps, values, { type: 'gauge' });
    const there = anomalies.filter(({ type, startTimestamp }) => type === 'closed' && startTimestamp === monday);
    expect(there).toHaveLength(1);
    expect(there[0]!.endTimestamp! - monday).toBeLessThan(HOUR);
  });

  it('opens at most 30 anomalies in 10 days of frequent random jumps', () => {
    const next = uniform(9);
    const noise = white(10);
    const bursts: Generator = (i, t) => noise(i, t) + (i % 1440 > 700 && next() < 0.02 ? 30 : 0);
    expect(opened(detect(10, bursts)).length).toBeLessThanOrEqual(30);
  });
});
