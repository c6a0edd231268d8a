import { isInTime, runDetection } from './run-detection.js';

const DAY = 86_400;

describe('isInTime', () => {
  it('is true for rows later than all previous rows', () => {
    const timestamps = Float64Array.of(10, 20, 20, 15, 30, 25, 31);
    expect(Array.from(timestamps, (_, row) => isInTime(timestamps)(row))).toEqual([
      true,
      true,
      false,
      false,
      true,
      false,
      true,
    ]);
  });
});

describe('runDetection', () => {
  const timestamps = Float64Array.from({ length: 2880 }, (_, i) => i * 300);
  const values = timestamps.map((time, i) => 100 + 10 * Math.sin((2 * Math.PI * time) / DAY) + ((i * 7919) % 13) / 10);
  const series = { timestamps, values, timestampTexts: Array.from(timestamps, String), valueName: null };

  it('lists each anomaly once, in its final state', () => {
    const withOutage = { ...series, values: values.map((value, i) => (i >= 2400 && i < 2450 ? 500 : value)) };
    const { anomalies } = runDetection(withOutage, { type: 'gauge', timezone: 'UTC' });
    const starts = anomalies.map(({ startTimestamp }) => startTimestamp);
    expect(starts).toContain(2400 * 300);
    expect(new Set(starts).size).toBe(starts.length);
    expect(anomalies.find(({ startTimestamp }) => startTimestamp === 2400 * 300)).toMatchObject({ type: 'closed' });
  });

  it('counts rows without value and late rows', () => {
    const untidy = {
      ...series,
      timestamps: timestamps.map((time, i) => (i === 100 ? 0 : time)),
      values: values.map((value, i) => (i < 5 ? NaN : value)),
    };
    expect(runDetection(untidy, { type: 'gauge', timezone: 'UTC' })).toMatchObject({
      rows: 2880,
      missing: 5,
      late: 1,
      from: 0,
      until: 2879 * 300,
    });
  });
});
