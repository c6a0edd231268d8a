import { type BaselineModel } from './baseline-model.js';
import { DayWindow } from './day-window.js';
import { defineBaseline, type RowScorer } from './define-baseline.js';
import { sigmaFacts } from './sigma-facts.js';
import { DEVIATIONS, SIGMA_TESTS } from './sigma-tests.js';
import { WeightedDeviation } from './weighted-deviation.js';

const VOTES_NEEDED = 6;
const MOVING_AVERAGE_CENTRE = 50;
const MIN_ROWS = 30;

class VoteScorer implements RowScorer {
  lower = NaN;
  upper = NaN;
  private readonly window = new DayWindow();
  private readonly average = new WeightedDeviation(MOVING_AVERAGE_CENTRE);

  next(timestamp: number, value: number): number {
    const { window, average } = this;
    window.add(timestamp, value);
    average.learn(value);
    if (window.to - window.from < MIN_ROWS) return 0;
    const facts = sigmaFacts(window, average);
    const { mean, deviation } = facts.all;
    this.lower = facts.tail + mean - DEVIATIONS * deviation;
    this.upper = facts.tail + mean + DEVIATIONS * deviation;
    let votes = 0;
    for (const test of SIGMA_TESTS) if (test(facts)) votes += 1;
    return votes / SIGMA_TESTS.length;
  }
}

/**
 * Eight classical tests vote on the mean of the last three values (or the last one) against the last 24 hours: rare
 * histogram bin, mean of the first hour, mean, Grubbs, mean of the rest, median absolute deviation, moving average,
 * straight line; most of them at three standard deviations. The score is the share of yes votes; six of eight are an
 * alarm. A test that cannot be computed votes no. The range is mean ± 3 standard deviations. O(window) per row, at most
 * 1,440. Source: the tests of Skyline (Etsy, 2013; earthgecko's continuation), without its Kolmogorov-Smirnov test,
 * which needs more points than a minute series has, and without its rule that the straight line only counts if the
 * residuals round to whole numbers other than 0, which made the test depend on the unit.
 */
export const SIGMA_VOTE: BaselineModel = defineBaseline({
  id: 'sigma_vote',
  name: 'Three-sigma vote',
  description: 'Eight classical three-sigma tests over the last 24 hours vote; six must agree.',
  source: 'The tests of Skyline (Etsy, 2013)',
  minimumPoints: MIN_ROWS,
  speed: 'medium',
  threshold: VOTES_NEEDED / SIGMA_TESTS.length,
  hasRange: true,
  start: () => new VoteScorer(),
});
