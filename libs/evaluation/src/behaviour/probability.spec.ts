import { binomialAtMost, poissonAtLeast } from './probability.js';

// Expected values: scipy.stats.binom.cdf(k, n, p) and scipy.stats.poisson.sf(k - 1, mean).
describe('probability', () => {
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
