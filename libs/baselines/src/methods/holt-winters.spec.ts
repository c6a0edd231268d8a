import { dailySine, DAY, during, normal, series, START } from '#libs/detection/testing';
import { HOLT_WINTERS } from './holt-winters.js';

const sine = (timestamp: number): number => 100 * Math.sin((2 * Math.PI * timestamp) / DAY);

function middleOf({ lower, upper }: ReturnType<typeof HOLT_WINTERS.run>): Float64Array {
  return lower!.map((low, row) => (low + upper![row]!) / 2);
}

describe('HOLT_WINTERS', () => {
  it('forecasts a daily season after five days', () => {
    const { timestamps, values } = series(6, 300, (_, timestamp) => sine(timestamp));
    const forecast = middleOf(HOLT_WINTERS.run(timestamps, values));
    const worst = (from: number): number =>
      values.subarray(from).reduce((most, value, i) => Math.max(most, Math.abs(value - forecast[from + i]!)), 0);
    expect(worst(5 * 288)).toBeLessThan(2);
  });

  it('forecasts a linear trend when rows are too far apart for a season', () => {
    // Weekly rows: a day holds less than two of them. The damped trend lags a little behind.
    const { timestamps, values } = series(7 * 500, 7 * DAY, (index) => 3 * index);
    const forecast = middleOf(HOLT_WINTERS.run(timestamps, values));
    expect(values[499]! - forecast[499]!).toBeLessThan(30);
    expect(values[499]! - forecast[499]!).toBeGreaterThan(0);
  });

  it('detects a missing daily peak', () => {
    const { timestamps, values } = series(
      10,
      300,
      during(dailySine(1, 60), 8.2, 60, () => 0),
    );
    const { scores, threshold } = HOLT_WINTERS.run(timestamps, values);
    const row = Math.round(8.2 * 288);
    expect(Math.max(...scores.subarray(row, row + 3))).toBeGreaterThanOrEqual(threshold);
  });

  it('raises few alarms on irregularly spaced rows', () => {
    const noise = normal(4);
    let now = START;
    const timestamps = Float64Array.from({ length: 4000 }, () => (now += 200 + 400 * Math.abs(noise())));
    const values = timestamps.map((timestamp) => sine(timestamp) + noise());
    const { scores, threshold } = HOLT_WINTERS.run(timestamps, values);
    expect(scores.subarray(2000).filter((score) => score >= threshold).length).toBeLessThanOrEqual(4);
  });
});
