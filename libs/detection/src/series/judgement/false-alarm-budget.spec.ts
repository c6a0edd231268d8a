import { detectSeries } from '../../detect-series.js';
import { DAY, series, uniform, white } from '../../testing/generators.js';
import { opened } from '../../testing/verdicts.js';
import { DEFAULT_BUDGET } from './false-alarm-budget.js';

/** Two weeks of five-minute rows with a Pareto tail: one row in 1,000 is more than 16 times as large as the smallest. */
function heavyTailed(seed: number): ReturnType<typeof series> {
  const next = uniform(seed);
  return series(14, 300, () => (1 - next()) ** -0.4);
}

/** Anomalies that open after the first week. */
function openedWith(budgetPerMonth: number): number {
  return [1, 2, 3]
    .map((seed) => {
      const { timestamps, values } = heavyTailed(seed);
      return opened(detectSeries(timestamps, values, { type: 'gauge', budgetPerMonth }), 7).length;
    })
    .reduce((sum, count) => sum + count, 0);
}

describe('the false alarm budget', () => {
  it('determines how often a heavy-tailed series alarms', () => {
    const [few, usual, many] = [0.1, DEFAULT_BUDGET, 30].map(openedWith);
    expect(few!).toBeLessThan(usual!);
    expect(usual!).toBeLessThan(many!);
  });
});

describe('the bar', () => {
  it.each([1, 2])(
    'does not rise with anomalies: a daily spike is still detected after two months (seed %i)',
    (seed) => {
      const noise = white(seed);
      const place = uniform(seed + 50);
      const rows = Array.from({ length: 60 }, () => Math.floor(288 * place()));
      const { timestamps, values } = series(
        60,
        300,
        (index, timestamp) => noise(index, timestamp) + (index % 288 === rows[Math.floor(index / 288)] ? 9 : 0),
      );
      expect(opened(detectSeries(timestamps, values, { type: 'gauge' }), 40).length).toBeGreaterThanOrEqual(18);
    },
  );

  it.each([1, 2, 3])('is high enough for daily rows: three years of noise open nothing (seed %i)', (seed) => {
    const { timestamps, values } = series(1100, DAY, white(seed));
    expect(opened(detectSeries(timestamps, values, { type: 'gauge' }))).toEqual([]);
  });
});
