import { detectSeries } from '../../detect-series.js';
import { DAY, dailySine, during, type Generator, series, START, uniform, white } from '../../testing/generators.js';
import { detect, opened } from '../../testing/verdicts.js';

describe('detectSeries', () => {
  it('closes the anomaly of a half-hour burst when the burst ends', () => {
    const noise = white(5);
    const burst = during(
      (i, t) => 10 + noise(i, t),
      1.5,
      30,
      (x) => x + 5000,
    );
    const closed = detect(3, burst).anomalies.filter(({ type }) => type === 'closed');
    expect(closed).toHaveLength(1);
    expect(closed[0]!.closeReason).toBe('recovered');
    expect(closed[0]!.endTimestamp! - closed[0]!.startTimestamp).toBeLessThanOrEqual(32 * 60);
  });

  it('opens nothing for a counter that restarts twice a day, and one anomaly when it stops', () => {
    const noise = white(6);
    const next = uniform(7);
    let total = 0;
    const counting =
      (stopsAt: number): Generator =>
      (i, t) => {
        total += Math.max(0, 6000 + 300 * noise(i, t));
        // Up to a minute of counts before the restart is lost.
        if (i % 700 === 699) total = 6000 * next();
        return i >= stopsAt && i < stopsAt + 30 ? 0 : total;
      };
    const openedOf = (stopsAt: number): number => {
      total = 0;
      const { timestamps, values } = series(8, 60, counting(stopsAt));
      return opened(detectSeries(timestamps, values, { type: 'counter' }), 1).length;
    };
    expect(openedOf(Infinity)).toBe(0);
    expect(openedOf(6 * 1440)).toBe(1);
  });

  it('opens nothing for a nightly job from its fourth night on, and an anomaly when it is missing', () => {
    const noise = white(11);
    const runs = (day: number): boolean => day !== 9;
    const job: Generator = (i, t) => {
      const minute = ((t - START) / 60) % 1440;
      return (runs(Math.floor((t - START) / DAY)) && minute >= 210 && minute < 240 ? 80 : 0.3) + 0.03 * noise(i, t);
    };
    const result = detect(10, job);
    const days = opened(result).map(({ startTimestamp }) => Math.floor((startTimestamp - START) / DAY));
    expect(days[0]).toBe(0);
    expect(days.filter((day) => day > 2 && day < 9)).toEqual([]);
    expect(days).toContain(9);
  });

  it.each([3, 17, 19, 42])('opens one anomaly of more than 16 hours for a day without its wave (%i)', (seed) => {
    const { timestamps, values } = series(17, 60, dailySine(seed, 20));
    const from = START + 14.75 * DAY;
    timestamps.forEach((at, row) => {
      const days = (at - from) / DAY;
      if (days >= 0 && days < 1) values[row]! -= 20 - 20 * Math.cos(2 * Math.PI * days);
    });
    const closed = detectSeries(timestamps, values, { type: 'gauge' }).anomalies.filter((e) => e.type === 'closed');
    const last = closed.at(-1)!;
    expect(last.kind).toBe('seasonal_break');
    expect(last.endTimestamp! - last.startTimestamp).toBeGreaterThan(16 * 3600);
  });

  it('opens nothing for a daily restart, and an anomaly for another one at midday', () => {
    const noise = white(12);
    const leak =
      (extraDay: number): Generator =>
      (i, t) => {
        const minute = Math.round((t - START) / 60);
        const since = (minute + 1440 - 180) % 1440;
        const extra = Math.floor(minute / 1440) === extraDay && minute % 1440 >= 720 && since >= 540 ? 540 : 0;
        return 300 + 0.3 * (since - extra) + 4 * noise(i, t);
      };
    expect(opened(detect(12, leak(-1)), 4)).toHaveLength(0);
    expect(opened(detect(12, leak(11)), 4).length).toBeGreaterThan(0);
  });

  it('opens at most one anomaly for a level that drifts for days', () => {
    const noise = white(8);
    const disk: Generator = (i, t) => 50 + (6 * (t - START)) / DAY + 0.06 * noise(i, t);
    expect(opened(detect(3, disk)).length).toBeLessThanOrEqual(1);
  });

  it('opens at most 1.5 anomalies a week for single heavy-tailed rows, once they are learnt', () => {
    const perWeek = [1, 2, 3, 4].map((seed) => {
      const next = uniform(seed);
      const noise = white(seed + 50);
      const latency: Generator = (i, t) =>
        100 * Math.exp(0.25 * noise(i, t)) * (next() < 0.03 ? (1 - next()) ** -0.4 : 1);
      return opened(detect(28, latency), 14).length / 2;
    });
    expect(perWeek.reduce((sum, count) => sum + count, 0) / perWeek.length).toBeLessThanOrEqual(1.5);
  });
});
