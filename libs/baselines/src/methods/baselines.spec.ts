import { dailySine, DAY, normal, series, START } from '#libs/detection/testing';
import { BASELINES } from './index.js';

/** Twelve days of a daily wave in rows of 5 minutes; `change` changes single rows. */
function wave(change: (value: number, row: number) => number): { timestamps: Float64Array; values: Float64Array } {
  const base = dailySine(1);
  return series(12, 300, (index, timestamp) => change(base(index, timestamp), index));
}

const OUTBURST = 3000;

describe.each(BASELINES)('baseline $id', ({ run, minimumPoints, id }) => {
  it('alarms within an outburst of six rows and at most twice in the two days before', () => {
    const { timestamps, values } = wave((value, row) => (row >= OUTBURST && row < OUTBURST + 6 ? 150 : value));
    const { scores, threshold } = run(timestamps, values);
    expect(Math.max(...scores.subarray(OUTBURST, OUTBURST + 6))).toBeGreaterThanOrEqual(threshold);
    const alarmsBefore = scores.subarray(OUTBURST - 576, OUTBURST).filter((score) => score >= threshold);
    expect(alarmsBefore.length).toBeLessThanOrEqual(2);
  });

  it('returns the same verdicts for the first rows whether or not later rows follow', () => {
    const { timestamps, values } = wave((value, row) => (row % 997 === 0 ? 60 : value));
    const whole = run(timestamps, values);
    const part = run(timestamps.slice(0, 2345), values.slice(0, 2345));
    expect(part.scores).toEqual(whole.scores.slice(0, 2345));
    expect(part.lower).toEqual(whole.lower?.slice(0, 2345));
    expect(part.upper).toEqual(whole.upper?.slice(0, 2345));
  });

  it('is deterministic', () => {
    const { timestamps, values } = wave((value) => value);
    expect(run(timestamps, values)).toEqual(run(timestamps, values));
  });

  it.each([
    ['of one row', [3]],
    ['without rows', []],
    ['that is constant', Array.from({ length: 3000 }, () => 0.1)],
    ['that is constant, then another constant', Array.from({ length: 3000 }, (_, row) => (row < 1500 ? 0.1 : 0.3))],
    ['of NaN', Array.from({ length: 500 }, () => NaN)],
    ['with gaps of all sorts', Array.from({ length: 3000 }, (_, row) => [row % 7, NaN, Infinity, -Infinity][row % 4]!)],
    ['of huge numbers', Array.from({ length: 3000 }, (_, row) => 1e308 * ((row % 5) - 2))],
    ['of large and tiny numbers', Array.from({ length: 3000 }, (_, row) => (row % 50 === 0 ? 1e99 : 1e-99 * row))],
    ['that grows without end', Array.from({ length: 3000 }, (_, row) => 1.02 ** row)],
    ['of two values', Array.from({ length: 3000 }, (_, row) => (row % 10 === 0 ? 1 : 0))],
  ])('scores a series %s between 0 and 1', (_, numbers) => {
    const values = Float64Array.from(numbers);
    const { scores } = run(
      values.map((_value, row) => START + 60 * row),
      values,
    );
    expect(scores.length).toBe(values.length);
    expect(scores.findIndex((score) => !(score >= 0 && score <= 1))).toBe(-1);
  });

  it('does not alarm on a series that never changes', () => {
    const values = new Float64Array(3000).fill(0.1);
    const { scores, threshold } = run(
      values.map((_, row) => START + 60 * row),
      values,
    );
    expect(Math.max(...scores)).toBeLessThan(threshold);
  });

  it(`scores 0 and has no range in the first ${minimumPoints} rows`, () => {
    const noise = normal(2);
    const values = Float64Array.from({ length: minimumPoints + 1 }, noise);
    const timestamps = values.map((_, row) => START + 60 * row);
    const { scores, lower } = run(timestamps, values);
    expect(scores.subarray(0, minimumPoints).every((score) => score === 0)).toBe(true);
    expect(lower?.subarray(0, minimumPoints).every(Number.isNaN) ?? true).toBe(true);
  });

  it('ignores rows without a value or out of order', () => {
    const { timestamps, values } = wave((value) => value);
    const clean = run(timestamps, values).scores;
    const rows = Array.from(timestamps, (timestamp, row) => [
      [timestamp, values[row]!],
      ...(row % 10 === 3 ? [[timestamp + 1, NaN]] : []),
      ...(row % 10 === 6 ? [[timestamp - 300, 999]] : []),
      ...(row % 10 === 9 ? [[NaN, 999]] : []),
    ]).flat();
    const { scores } = run(
      Float64Array.from(rows, ([timestamp]) => timestamp!),
      Float64Array.from(rows, ([, value]) => value!),
    );
    const isExtra = rows.map(([timestamp, value]) => value === 999 || Number.isNaN(value! + timestamp!));
    expect(scores.filter((_, row) => !isExtra[row])).toEqual(clean);
    expect(scores.filter((score, row) => isExtra[row] === true && score !== 0).length).toBe(0);
  });

  it('returns the same scores for a scaled and shifted series', () => {
    const { timestamps, values } = wave((value, row) => (row % 997 === 0 ? 60 : value));
    const plain = run(timestamps, values);
    const changed = run(
      timestamps,
      values.map((value) => 1024 * value + 4096),
    );
    const worst = plain.scores.reduce((most, score, row) => Math.max(most, Math.abs(score - changed.scores[row]!)), 0);
    expect(worst).toBeLessThan(1e-6);
  });

  it('rejects columns of different length and invalid options', () => {
    const column = Float64Array.of(1, 2);
    expect(() => run(column, Float64Array.of(1))).toThrow(new RangeError('2 timestamps but 1 values'));
    expect(() => run(column, column, { periodSeconds: 0 })).toThrow('periodSeconds must be above 0, got 0');
    expect(() => run(column, column, { seed: 0.5 })).toThrow('seed must be a whole number, got 0.5');
  });

  it('has an id that is safe in URLs', () => expect(id).toMatch(/^[a-z]+(_[a-z]+)*$/));
});

describe('BASELINES', () => {
  it('have unique ids', () => expect(new Set(BASELINES.map(({ id }) => id)).size).toBe(BASELINES.length));

  it('contain more than 98 % of a normal series in their range, if they have one', () => {
    const { timestamps, values } = wave((value) => value);
    const from = 4 * (DAY / 300);
    for (const { id, run } of BASELINES) {
      const { lower, upper } = run(timestamps, values);
      if (!lower || !upper) continue;
      const inside = values.subarray(from).filter((value, i) => value >= lower[from + i]! && value <= upper[from + i]!);
      expect({ id, isMost: inside.length / (values.length - from) > 0.98 }).toEqual({ id, isMost: true });
    }
  });
});
