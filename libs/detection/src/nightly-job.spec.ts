import { detectSeries } from './detect-series.js';
import { DAY, during, type Generator, isJobTime, nightlyJob, START, uniform, white } from './testing/generators.js';
import { anomalyAt, detect, opened } from './testing/verdicts.js';
import { type SeriesVerdicts } from './types.js';

const MINUTE = 60;

describe('a nightly job', () => {
  const job = (day: number, minutes: number, change: (x: number, minute: number) => number): SeriesVerdicts =>
    detect(day + 1, during(nightlyJob(11), day + 120 / 1440, minutes, change));

  it('is learnt by the fourth night', () => {
    expect(opened(detect(12, nightlyJob(11)), 3)).toEqual([]);
  });

  it('is missed when it does not come', () => {
    const result = job(9, 30, (x) => x - 50);
    expect(anomalyAt(result, 9, 135)?.kind).toBe('seasonal_break');
  });

  it('is missed, and noticed, when it comes an hour late', () => {
    const result = job(9, 90, (x, minute) => (minute < 30 ? x - 50 : minute >= 60 ? x + 50 : x));
    expect(anomalyAt(result, 9, 135)?.kind).toBe('seasonal_break');
    expect(anomalyAt(result, 9, 195)?.kind).toBe('seasonal_break');
  });

  it('is missed also when it never starts at the same minute', () => {
    const next = uniform(21);
    const noise = white(22);
    const starts = Array.from({ length: 12 }, () => 125 + Math.floor(next() * 3));
    const jittered: Generator = (i, timestamp) => {
      const minute = Math.floor((timestamp % DAY) / 60);
      const start = starts[Math.floor((timestamp - START) / DAY)]!;
      return (minute >= start && minute < 150 ? 50 : 0) + noise(i, timestamp);
    };
    const result = detect(
      10,
      during(jittered, 9 + 120 / 1440, 30, (x) => (x > 25 ? x - 50 : x)),
    );
    expect(opened(result, 4)).toHaveLength(1);
    expect(anomalyAt(result, 9, 138)?.kind).toBe('seasonal_break');
  });

  it('is reported when it is twice as high', () => {
    expect(
      anomalyAt(
        job(9, 30, (x) => x + 50),
        9,
        125,
      ),
    ).toBeDefined();
  });

  it('keeps its wall-clock time over the change to summer time', () => {
    const berlin = { type: 'gauge', timezone: 'Europe/Berlin' } as const;
    const from = Date.UTC(2025, 2, 20) / 1000;
    const noise = white(12);
    const timestamps = Float64Array.from({ length: 14 * 1440 }, (_, i) => from + i * MINUTE);
    const values = timestamps.map((t, i) => {
      const local = t + (t >= Date.UTC(2025, 2, 30, 1) / 1000 ? 7200 : 3600);
      return (isJobTime(local + 2 * 3600) ? 50 : 0) + noise(i, t);
    });
    const fourthDay = from + 4 * DAY;
    const events = detectSeries(timestamps, values, berlin).anomalies;
    expect(events.filter((e) => e.startTimestamp >= fourthDay)).toEqual([]);
  });
});
