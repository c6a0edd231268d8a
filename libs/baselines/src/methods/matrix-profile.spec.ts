import { normal, uniform } from '#libs/detection/testing';
import { LeftProfile } from './left-profile.js';
import { MATRIX_PROFILE } from './matrix-profile.js';
import { NoiseLevel } from './noise-level.js';

/** The definition: z-normalise every run, take the least Euclidean distance to an earlier one that does not overlap. */
function reference(values: readonly number[], length: number, history: number): number[] {
  const runs = values.map((_, end) => {
    if (end + 1 < length) return null;
    const run = values.slice(end + 1 - length, end + 1);
    const mean = run.reduce((sum, value) => sum + value, 0) / length;
    const deviation = Math.sqrt(run.reduce((sum, value) => sum + (value - mean) ** 2, 0) / length);
    return run.map((value) => (deviation === 0 ? 0 : (value - mean) / deviation));
  });
  return runs.map((run, end) => {
    let least = NaN;
    for (let lag = length; lag <= history && end - lag >= length - 1; lag++) {
      const distance = Math.hypot(...run!.map((value, i) => value - runs[end - lag]![i]!));
      if (!(distance >= least)) least = distance;
    }
    return least;
  });
}

describe('LeftProfile', () => {
  it.each([
    ['noise', 4, 40, 300],
    ['a long history whose sums are recomputed', 8, 600, 2200],
    ['a history of one run', 5, 5, 60],
  ])('agrees with the definition for %s', (_, length, history, rows) => {
    const random = uniform(7);
    const values = Array.from({ length: rows }, (_value, row) => 1e6 + 10 * Math.sin(row / 9) + random());
    const profile = new LeftProfile(length, history);
    const got = values.map((value) => profile.add(value));
    reference(values, length, history).forEach((want, row) => {
      if (Number.isNaN(want)) expect(got[row]).toBeNaN();
      else expect(got[row]).toBeCloseTo(want, 4);
    });
  });

  it('has distance 0 between two flat runs and a large distance between a flat run and others', () => {
    const profile = new LeftProfile(4, 100);
    const values = [1, 2, 5, 1, 7, 2, 3, 3, 3, 3, 1, 6, 2, 8, 3, 3, 3, 3];
    const got = values.map((value) => profile.add(value));
    expect(got[9]).toBeCloseTo(Math.sqrt(8), 12);
    expect(got[17]).toBe(0);
  });

  it('recovers its precision after an extreme outlier', () => {
    const random = uniform(7);
    const values = Array.from({ length: 2500 }, (_, row) => (row === 400 ? 1e90 : random()));
    const profile = new LeftProfile(16, 500);
    const got = values.map((value) => profile.add(value));
    const want = reference(values.slice(1200), 16, 500);
    for (let row = 1200; row < 1300; row++) expect(got[row + 1200]).toBeCloseTo(want[row]!, 4);
  });

  it('reports the larger deviation of the two runs', () => {
    const profile = new LeftProfile(2, 10);
    for (const value of [0, 2, 0, 6]) profile.add(value);
    // Runs 0 2 and 0 6 have deviations 1 and 3.
    expect(profile.deviation).toBeCloseTo(3, 12);
  });

  it('rejects a history without room for an earlier run', () => {
    expect(() => new LeftProfile(10, 9)).toThrow('a history of 9 rows holds no earlier run of 10');
  });
});

describe('NoiseLevel', () => {
  it('measures the deviation of noise on a slow wave with steps', () => {
    const noise = normal(2);
    const level = new NoiseLevel();
    for (let row = 0; row < 3000; row++)
      level.learn(500 * Math.sin(row / 2000) + (row % 100 < 50 ? 0 : 300) + 2 * noise());
    expect(level.deviation).toBeGreaterThan(1.8);
    expect(level.deviation).toBeLessThan(2.2);
  });

  it('is 0 before two values', () => {
    const level = new NoiseLevel();
    expect(level.deviation).toBe(0);
    level.learn(5);
    expect(level.deviation).toBe(0);
  });
});

describe('MATRIX_PROFILE', () => {
  it('detects one reversed period of a sawtooth wave', () => {
    const noise = normal(3);
    const values = Float64Array.from({ length: 4000 }, (_, row) => {
      // Saw teeth of 40 rows; one of them falls first.
      const phase = row % 40;
      const isTurned = row >= 3200 && row < 3240;
      return 10 * (isTurned ? 39 - phase : phase) + noise();
    });
    const { scores, threshold } = MATRIX_PROFILE.run(
      values.map((_, row) => 60 * row),
      values,
    );
    expect(Math.max(...scores.subarray(3200, 3240))).toBeGreaterThan(threshold);
    expect(Math.max(...scores.subarray(1000, 3200))).toBeLessThan(threshold);
  });
});
