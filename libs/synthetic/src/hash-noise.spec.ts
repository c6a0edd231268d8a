import { gaussian, hash32, poisson, seedOf, smoothNoise, uniform } from './hash-noise.js';

const PLACES = Array.from({ length: 20_000 }, (_, i) => i - 5000);

function moments(values: number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, deviation: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) };
}

describe('hash noise', () => {
  it('has almost no collisions', () => {
    expect(new Set(PLACES.map((place) => hash32(7, place))).size).toBeGreaterThan(PLACES.length - 3);
    expect(new Set(PLACES.map((seed) => hash32(seed, 7))).size).toBeGreaterThan(PLACES.length - 3);
  });

  it('has different seeds for different names', () => {
    expect(new Set(['a', 'b', 'ab', 'ba', ''].map((name) => seedOf(1, name))).size).toBe(5);
    expect(seedOf(1, 'a')).not.toBe(seedOf(2, 'a'));
  });

  it('is uniform: mean 1/2, deviation 1/√12', () => {
    const { mean, deviation } = moments(PLACES.map((place) => uniform(3, place)));
    expect(mean).toBeCloseTo(0.5, 1);
    expect(deviation).toBeCloseTo(1 / Math.sqrt(12), 2);
  });

  it('is nearly normal: mean 0, deviation 1, neighbours independent', () => {
    const values = PLACES.map((place) => gaussian(3, place));
    expect(Math.abs(moments(values).mean)).toBeLessThan(0.03);
    expect(moments(values).deviation).toBeCloseTo(1, 1);
    const products = values.slice(1).map((value, i) => value * values[i]!);
    expect(Math.abs(moments(products).mean)).toBeLessThan(0.03);
  });

  it('is smooth between its support points', () => {
    const values = Array.from({ length: 10_000 }, (_, t) => smoothNoise(5, t, 600));
    const steps = values.slice(1).map((value, i) => Math.abs(value - values[i]!));
    expect(Math.max(...steps)).toBeLessThan(0.02);
    expect(smoothNoise(5, 600, 600)).toBe(gaussian(5, 1));
  });

  it.each([0.05, 1, 8, 45, 200])('has Poisson counts with a mean and variance of %d', (mean) => {
    const counted = moments(PLACES.map((place) => poisson(mean, uniform(9, place))));
    expect(counted.mean / mean).toBeCloseTo(1, 1);
    expect(counted.deviation / Math.sqrt(mean)).toBeCloseTo(1, 1);
  });

  it('has a count of 0 for an expected count of 0 or NaN', () => {
    expect(poisson(0, 0.99)).toBe(0);
    expect(poisson(NaN, 0.5)).toBe(0);
  });
});
