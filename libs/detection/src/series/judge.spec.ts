import { detectSeries } from '../detect-series.js';
import { DAY, during, type Generator, series, START, uniform, white } from '../testing/generators.js';
import { detect, opened } from '../testing/verdicts.js';

describe('what opens an anomaly, and how long it lasts', () => {
  it('a burst of half an hour that nothing announced ends when it is over', () => {
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

  it('a counter that begins anew twice a day opens nothing, one that stops does', () => {
    const noise = white(6);
    const next = uniform(7);
    let total = 0;
    const counting =
      (stopsAt: number): Generator =>
      (i, t) => {
        total += Math.max(0, 6000 + 300 * noise(i, t));
        // What was counted before the restart is lost, up to a minute of it.
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

  it('a level that drifts all day is not told again and again', () => {
    const noise = white(8);
    const disk: Generator = (i, t) => 50 + (6 * (t - START)) / DAY + 0.06 * noise(i, t);
    expect(opened(detect(3, disk)).length).toBeLessThanOrEqual(1);
  });

  it('single rows with a heavy tail open hardly anything once they are known', () => {
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
