import { detectSeries } from '../detect-series.js';
import { series, uniform } from '../testing/generators.js';
import { opened } from '../testing/verdicts.js';
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

describe('the budget of false alarms', () => {
  it('of a series with a heavy tail says how often it may alarm', () => {
    const [few, usual, many] = [0.1, DEFAULT_BUDGET, 30].map(openedWith);
    expect(few!).toBeLessThan(usual!);
    expect(usual!).toBeLessThan(many!);
  });
});
