import { detectSeries } from './detect-series.js';
import {
  autoregressive,
  dailySine,
  DAY,
  type Generator,
  logNormal,
  nightlyJob,
  series,
  sparseCounts,
  START,
  uniform,
  white,
  workingDays,
} from './testing/generators.js';

/** Opened anomalies per day and series, over a few seeds; how many normal points lie inside the expected range. */
function alarms(days: number, step: number, make: (seed: number) => Generator, fromDay = 0) {
  const seeds = [101, 202, 303];
  let opened = 0;
  let inside = 0;
  let judged = 0;
  for (const seed of seeds) {
    const { timestamps, values } = series(days, step, make(seed));
    const result = detectSeries(timestamps, values, { type: 'gauge' });
    opened += result.anomalies.filter((e) => e.type === 'opened' && e.startTimestamp >= START + fromDay * DAY).length;
    for (let i = 0; i < values.length; i++) {
      if (Number.isNaN(result.yhat[i]!)) continue;
      judged++;
      if (values[i]! >= result.lower[i]! && values[i]! <= result.upper[i]!) inside++;
    }
  }
  return { perDay: opened / seeds.length / (days - fromDay), inside: inside / judged };
}

const scaled =
  (factor: number, make: (seed: number) => Generator) =>
  (seed: number): Generator => {
    const base = make(seed);
    return (i, t) => factor * (50 + base(i, t));
  };

describe('false alarms', () => {
  it.each<[string, (seed: number) => Generator]>([
    ['white noise', white],
    ['noise with memory 0.7', (seed) => autoregressive(seed, 0.7)],
    ['noise with memory 0.99', (seed) => autoregressive(seed, 0.99)],
    ['a daily sine', (seed) => dailySine(seed)],
    ['a large daily sine', (seed) => dailySine(seed, 100)],
    ['values of 1e-9', scaled(1e-9, white)],
    ['values of 1e12', scaled(1e12, white)],
  ])('%s opens at most one anomaly in 20 days, and 98 to 99.8 %% lie in the range', (_, make) => {
    for (const step of [60, 300]) {
      const { perDay, inside } = alarms(12, step, make);
      expect(perDay).toBeLessThanOrEqual(0.05);
      expect(inside).toBeGreaterThan(0.98);
      expect(inside).toBeLessThan(0.998);
    }
  });

  it.each<[string, (seed: number) => Generator]>([
    ['log-normal noise', logNormal],
    ['mostly zeros', sparseCounts],
  ])('%s is hard and still opens less than one in ten days', (_, make) => {
    expect(alarms(15, 60, make).perDay).toBeLessThanOrEqual(0.1);
  });

  it('weekday and weekend are known after two weeks: quiet weekends and Mondays', () => {
    expect(alarms(26, 300, workingDays, 15).perDay).toBeLessThanOrEqual(0.05);
  });

  it('a nightly job is quiet after three nights', () => {
    expect(alarms(14, 60, nightlyJob, 3).perDay).toBeLessThanOrEqual(0.05);
  });

  it('hourly series are quiet too', () => {
    expect(alarms(60, 3600, (seed) => dailySine(seed)).perDay).toBeLessThanOrEqual(0.05);
  });

  it('a constant has the constant as its range and no alarm', () => {
    const { timestamps, values } = series(3, 60, () => 5);
    const result = detectSeries(timestamps, values, { type: 'gauge' });
    expect(result.anomalies).toEqual([]);
    expect([result.lower.at(-1), result.yhat.at(-1), result.upper.at(-1)]).toEqual([5, 5, 5]);
  });

  it('a constant that moves once opens one anomaly and then is a constant again', () => {
    const { timestamps, values } = series(6, 60, (i) => (i < 4000 ? 5 : 6));
    const result = detectSeries(timestamps, values, { type: 'gauge' });
    expect(result.anomalies.filter((e) => e.type === 'opened')).toHaveLength(1);
    expect(result.yhat.at(-1)).toBeCloseTo(6, 6);
  });

  it('irregular and missing points are no reason', () => {
    const next = uniform(7);
    const { timestamps, values } = series(10, 60, dailySine(8));
    const kept = [...timestamps.keys()].filter(() => next() > 0.3);
    const result = detectSeries(
      Float64Array.from(kept, (i) => timestamps[i]! + Math.floor(next() * 50)),
      Float64Array.from(kept, (i) => values[i]!),
      { type: 'gauge' },
    );
    expect(result.anomalies.filter((e) => e.type === 'opened').length).toBeLessThanOrEqual(1);
  });

  it('a series that jumps about all day tires the alarm instead of storming', () => {
    const next = uniform(9);
    const noise = white(10);
    const bursts: Generator = (i, t) => noise(i, t) + (i % 1440 > 700 && next() < 0.02 ? 30 : 0);
    const { timestamps, values } = series(10, 60, bursts);
    const result = detectSeries(timestamps, values, { type: 'gauge' });
    expect(result.anomalies.filter((e) => e.type === 'opened').length).toBeLessThanOrEqual(30);
  });
});
