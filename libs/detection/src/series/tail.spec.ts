import { normal } from '../testing/generators.js';
import { STREAM_CHANGE } from './layout.js';
import { createRecord } from './reset-record.js';
import { learnTail, surprise, tailQuantile } from './tail.js';

/** A record that has seen 15,000 normal deviations in units of their mean absolute value. */
function taught(seed: number) {
  const record = createRecord();
  const noise = normal(seed);
  for (let i = 0; i < 15_000; i++) learnTail(record, STREAM_CHANGE, noise() * Math.sqrt(Math.PI / 2));
  return record;
}

const sigma = Math.sqrt(Math.PI / 2);

describe('tail', () => {
  it('knows the quantiles of what it has seen', () => {
    // Normal quantiles: scipy.stats.norm.isf([0.1, 0.01, 0.004]) = 1.2816, 2.3263, 2.6521
    const record = taught(1);
    for (const [share, expected] of [
      [0.1, 1.2816],
      [0.01, 2.3263],
      [0.004, 2.6521],
    ] as const) {
      for (const upper of [true, false]) {
        const quantile = tailQuantile(record, STREAM_CHANGE, upper, share) / sigma;
        expect(Math.abs(quantile - expected)).toBeLessThan(0.12);
      }
    }
  });

  it('gives the probability of what it has seen, and a careful one beyond', () => {
    const record = taught(2);
    // -log10(scipy.stats.norm.sf([2, 3])) = 1.643, 2.870
    expect(Math.abs(surprise(record, STREAM_CHANGE, 2 * sigma) - 1.643)).toBeLessThan(0.1);
    expect(Math.abs(surprise(record, STREAM_CHANGE, -3 * sigma) - 2.87)).toBeLessThan(0.4);
    const beyond = [5, 7, 10, 20, 1e4].map((z) => surprise(record, STREAM_CHANGE, z * sigma));
    expect([...beyond].sort((a, b) => a - b)).toEqual(beyond);
    expect(beyond[0]).toBeGreaterThan(3.5);
    expect(beyond[4]).toBeLessThanOrEqual(10);
  });

  it('keeps its sides apart', () => {
    const record = createRecord();
    for (let i = 0; i < 5000; i++) learnTail(record, STREAM_CHANGE, i % 50 === 0 ? 30 : i % 2 ? 1 : -1);
    expect(surprise(record, STREAM_CHANGE, 30)).toBeLessThan(2.5);
    expect(surprise(record, STREAM_CHANGE, -30)).toBeGreaterThan(4);
  });

  it('forgets: a new habit becomes common', () => {
    const record = taught(3);
    for (let i = 0; i < 40_000; i++) learnTail(record, STREAM_CHANGE, i % 20 === 0 ? 12 : 1);
    expect(surprise(record, STREAM_CHANGE, 12)).toBeLessThan(2);
  });
});
