import { aboutAMonth, atLeast, atMostADay, between, type Goal, type Outcome, ratioAtMost, reportOnly } from './cell.js';
import {
  binomialAtMost,
  figureText,
  goalText,
  isPlausible,
  isReached,
  notesOf,
  poissonAtLeast,
  type Tally,
} from './tally.js';

const tally = (outcomes: [hits: number, of: number][], errors: string[] = []): Tally => ({
  outcomes: outcomes.map(([hits, of]): Outcome => ({ hits, of })),
  errors,
});
/** `of` trials, of which `hits` succeeded. */
const trials = (hits: number, of: number): Tally =>
  tally(Array.from({ length: of }, (_, trial) => [trial < hits ? 1 : 0, 1]));

describe('a goal', () => {
  it.each<[string, Goal, Tally, boolean, boolean]>([
    ['is reached by exactly the required share', atLeast(0.99), trials(198, 200), true, true],
    ['is missed but plausible with one hit less', atLeast(0.99), trials(197, 200), false, true],
    ['is plausible with one miss in eight', atLeast(0.99), trials(7, 8), false, true],
    ['is not plausible with two misses in eight', atLeast(0.99), trials(6, 8), false, false],
    ['of 100 % allows no miss', atLeast(1), trials(7, 8), false, false],
    ['of a rate is reached at the rate', atMostADay(0.02), tally([[4, 200]]), true, true],
    ['of a rate allows for chance', atMostADay(0.02), tally([[3, 50]]), false, true],
    ['of a rate is not plausible with far too many events', atMostADay(0.02), tally([[9, 50]]), false, false],
    ['of a rate per month is reached within a factor of two', aboutAMonth(3), tally([[90, 60]]), true, true],
    ['of a rate per month allows for chance', aboutAMonth(0.1), tally([[0, 8]]), true, true],
    ['of a rate per month is not plausible with far too many events', aboutAMonth(3), tally([[80, 8]]), false, false],
    ['of a rate per month is not plausible with far too few events', aboutAMonth(3), tally([[2, 8]]), false, false],
    ['of a ratio compares the sums', ratioAtMost(0.8), tally([[1, 1], [2, 3]]), true, true], // prettier-ignore
    ['of a ratio is not plausible if all trials exceed it', ratioAtMost(0.8), tally([[9, 10], [8.9, 10], [9.1, 10]]), false, false], // prettier-ignore
    ['of an interval is missed above it, too', between(0.97, 0.995), tally([[999, 1000], [998, 1000], [999, 1000]]), false, false], // prettier-ignore
    ['of an interval allows for trials that differ', between(0.97, 0.995), tally([[940, 1000], [990, 1000], [970, 1000]]), false, true], // prettier-ignore
    ['without a limit is never missed', reportOnly('day'), tally([[9, 1]]), true, true],
    ['is missed when a trial has thrown', reportOnly('day'), tally([[0, 1]], ['thrown']), false, false],
    ['is missed when nothing was measured', atLeast(0.5), tally([]), false, false],
  ])('%s', (_, goal, measured, reached, plausible) => {
    expect([isReached(goal, measured), isPlausible(goal, measured)]).toEqual([reached, plausible]);
  });

  it('and its figure are shown as text', () => {
    expect([goalText(atLeast(0.99)), figureText(atLeast(0.99), trials(197, 200))]).toEqual(['≥ 99 %', '98.5 % of 200']);
    expect(figureText(atMostADay(0.1), tally([[3, 40]]))).toBe('0.075 a day (3 in 40)');
    expect([goalText(aboutAMonth(3)), figureText(aboutAMonth(3), tally([[9, 2], [1, 2]]))]).toEqual(['about 3 a month', '2.50 a month (10 in 4)']); // prettier-ignore
    expect([goalText(reportOnly('day')), figureText(reportOnly('day'), tally([]))]).toEqual(['reported', '–']);
  });
});

it('notesOf counts notes, the most frequent first', () => {
  const notes = ['late', undefined, 'nothing', 'late'];
  const outcomes = notes.map((note): Outcome => ({ hits: 0, of: 1, ...(note === undefined ? {} : { note }) }));
  expect(notesOf({ outcomes, errors: [] })).toBe('2 × late, 1 × nothing');
});

// Expected values: scipy.stats.binom.cdf(k, n, p) and scipy.stats.poisson.sf(k - 1, mean).
describe('the probability', () => {
  it.each([
    [6, 8, 0.99, 0.0026901],
    [5, 8, 0.95, 0.0057882],
    [3, 10, 0.5, 0.171875],
    [8, 8, 0.9, 1],
    [7, 8, 1, 0],
  ])('of at most %d of %d at %d is %d', (hits, tries, share, expected) => {
    expect(binomialAtMost(hits, tries, share)).toBeCloseTo(expected, 6);
  });

  it.each([
    [0, 2, 1],
    [1, 0.02, 0.0198013],
    [5, 0.96, 0.0030828],
  ])('of %d or more events when %d are expected is %d', (events, mean, expected) => {
    expect(poissonAtLeast(events, mean)).toBeCloseTo(expected, 6);
  });
});
