import { dailySine, during, normal, series, white } from '#libs/detection/testing';
import { DayWindow } from './day-window.js';
import { grubbsCritical, studentExceededWith, studentTail } from './grubbs.js';
import { sigmaFacts } from './sigma-facts.js';
import { isInRareBin, SIGMA_TESTS } from './sigma-tests.js';
import { SIGMA_VOTE } from './sigma-vote.js';
import { SortedValues } from './sorted-values.js';
import { WeightedDeviation } from './weighted-deviation.js';

describe('studentTail', () => {
  // scipy.stats.t.sf
  it.each([
    [1, 1, 0.25],
    [2, 2, 0.09175170953613698],
    [2.5, 5, 0.02724504967118813],
    [3, 28, 0.002808699539854557],
    [4.5, 1438, 3.671451378555639e-6],
    [0, 7, 0.5],
  ])('is correct for %f with %i degrees of freedom', (t, degrees, want) =>
    expect(studentTail(t, degrees)).toBeCloseTo(want, 12),
  );

  // scipy.stats.t.isf
  it('is inverted by studentExceededWith', () => {
    expect(studentExceededWith(0.0025, 8)).toBeCloseTo(3.832518685344343, 7);
    expect(studentExceededWith(1e-5, 100)).toBeCloseTo(4.478426902992737, 7);
  });
});

describe('grubbsCritical', () => {
  // Computed with scipy.stats.t.isf; 2.290 for 10 and 2.908 for 30 are in the tables of Grubbs & Beck (1972).
  it.each([
    [3, 1.1543048513440386],
    [7, 2.0199685076795975],
    [10, 2.2899540844796005],
    [30, 2.9084730597409667],
    [100, 3.384082901154891],
    [1440, 4.128462789219459],
  ])('is correct for %i values', (count, want) => expect(grubbsCritical(count)).toBeCloseTo(want, 7));
});

describe('WeightedDeviation', () => {
  // Computed with numpy and weights 0.8^k, unbiased as in pandas: s² (Σw)² / ((Σw)² - Σw²).
  it('agrees with pandas', () => {
    const weighted = new WeightedDeviation(4);
    const seen = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5].map((value) => {
      weighted.learn(value);
      return [weighted.mean, weighted.deviation];
    });
    expect(seen[1]).toEqual([expect.closeTo(1.888888888888889, 12), expect.closeTo(1.4142135623730951, 12)]);
    expect(seen[4]).toEqual([expect.closeTo(3.0047596382674913, 12), expect.closeTo(1.94120160229232, 12)]);
    expect(seen[10]).toEqual([expect.closeTo(4.395179901805852, 12), expect.closeTo(2.074281046932404, 12)]);
  });
});

describe('DayWindow', () => {
  const fill = (rows: number, interval: number): DayWindow => {
    const window = new DayWindow();
    for (let row = 0; row < rows; row++) window.add(row * interval, row);
    return window;
  };

  it.each([
    ['minutes', 5000, 60, 1440, 60],
    ['five minutes', 5000, 300, 288, 12],
    ['seconds (only the newest rows)', 5000, 1, 1440, 60],
    ['hours (more than a day)', 100, 3600, 30, 2],
    ['minutes of half a day', 720, 60, 720, 0],
  ])('holds the right rows for %s', (_, rows, interval, want, firstHour) => {
    const window = fill(rows, interval);
    expect(window.to - window.from).toBe(want);
    expect(window.sorted.count).toBe(want);
    expect(window.values[window.to - 1]).toBe(rows - 1);
    expect(window.sorted.at(0)).toBe(rows - want);
    expect(window.firstHourEnd - window.from).toBe(firstHour);
  });
});

describe('isInRareBin', () => {
  // 0 .. 15 in bins of width 1: 100 values of 5.5, one of 0, one of 15, one of 10.5.
  const sorted = new SortedValues(200);
  for (const value of [0, 15, 10.5, ...Array.from({ length: 100 }, () => 5.5)]) sorted.add(value);

  it.each([
    [5.5, false],
    [10.5, true],
    [3, true],
    [0, true],
    [0.5, false],
    [14.5, true],
    [15, false],
  ])('returns for a tail of %f: %s', (tail, want) => expect(isInRareBin(sorted, tail)).toBe(want));
});

describe('sigmaFacts', () => {
  it('agrees with a computation in two passes over the window', () => {
    const noise = normal(3);
    const window = new DayWindow();
    const average = new WeightedDeviation(50);
    const values = Array.from({ length: 1440 }, (_, row) => 1e6 + 0.01 * row + noise());
    values.forEach((value, row) => {
      window.add(1_760_000_000 + 60 * row, value);
      average.learn(value);
    });
    const mean = (of: readonly number[]): number => of.reduce((sum, value) => sum + value, 0) / of.length;
    const deviation = (of: readonly number[]): number =>
      Math.sqrt(of.reduce((sum, value) => sum + (value - mean(of)) ** 2, 0) / (of.length - 1));
    const tail = mean(values.slice(-3));
    const slope =
      values.reduce((sum, value, row) => sum + (value - mean(values)) * (row - 719.5), 0) /
      values.reduce((sum, _, row) => sum + (row - 719.5) ** 2, 0);
    const residuals = values.map((value, row) => value - mean(values) - slope * (row - 719.5));

    const facts = sigmaFacts(window, average);
    expect(facts.tail).toBeCloseTo(tail, 8);
    const close = (of: readonly number[]): object => ({
      mean: expect.closeTo(mean(of) - tail, 6),
      deviation: expect.closeTo(deviation(of), 6),
    });
    expect(facts.all).toEqual(close(values));
    expect(facts.rest).toEqual(close(values.slice(0, -1)));
    expect(facts.firstHour).toEqual(close(values.slice(0, 60)));
    expect(facts.line.mean).toBeCloseTo(mean(residuals.slice(-3)), 6);
    expect(facts.line.deviation).toBeCloseTo(deviation(residuals), 6);
  });
});

describe('SIGMA_VOTE', () => {
  it('has eight tests, of which six must agree', () => {
    expect(SIGMA_TESTS.length).toBe(8);
    const { threshold } = SIGMA_VOTE.run(new Float64Array(0), new Float64Array(0));
    expect(threshold).toBe(0.75);
  });

  // A known property of these tests: they detect steps in noise, but not on a daily wave.
  it('detects ten minutes of six deviations in noise, up and down', () => {
    for (const sign of [1, -1]) {
      const { timestamps, values } = series(
        3,
        60,
        during(white(5), 2, 10, (value) => value + sign * 6),
      );
      const { scores } = SIGMA_VOTE.run(timestamps, values);
      expect(Math.max(...scores.subarray(2880, 2890))).toBeGreaterThanOrEqual(0.75);
      expect(Math.max(...scores.subarray(1440, 2880))).toBeLessThan(0.75);
    }
  });

  it('does not detect three minutes of 16 deviations in the trough of a daily wave', () => {
    const { timestamps, values } = series(
      3,
      60,
      during(dailySine(6), 2.75, 3, (value) => value + 16),
    );
    const { scores } = SIGMA_VOTE.run(timestamps, values);
    expect(Math.max(...scores.subarray(3960, 3963))).toBeLessThan(0.75);
  });
});
