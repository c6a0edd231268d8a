import { WARM_UP_POINTS } from '#libs/detection';
import { InputError } from '../cli-error.js';
import { isInTime, requireJudgedRows, runDetection } from './run-detection.js';

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
  const series = {
    timestamps,
    values,
    timestampTexts: Array.from(timestamps, String),
    lines: timestamps.map((_, row) => row + 2),
    valueName: null,
  };

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

describe('requireJudgedRows', () => {
  const seriesOf = (times: number[], values = times.map((_, row) => row % 7)) => ({
    timestamps: Float64Array.from(times),
    values: Float64Array.from(values),
    timestampTexts: times.map(String),
    lines: Float64Array.from(times, (_, row) => row + 2),
    valueName: 'value',
  });
  const minutes = (count: number) => Array.from({ length: count }, (_, row) => row * 60);
  const refusalOf = (series: ReturnType<typeof seriesOf>, type: 'gauge' | 'counter' = 'gauge') => {
    try {
      requireJudgedRows('in.csv', series, type);
      return null;
    } catch (error) {
      return error as InputError;
    }
  };

  it('accepts a series of which a row is judged', () => {
    const series = seriesOf(minutes(WARM_UP_POINTS + 1));
    expect(refusalOf(series)).toBeNull();
    const { verdicts } = runDetection(series, { type: 'gauge', timezone: 'UTC' });
    expect(verdicts.yhat.filter((value) => !Number.isNaN(value))).toHaveLength(1);
  });

  it.each<[string, ReturnType<typeof seriesOf>, 'gauge' | 'counter', number, number, number]>([
    ['rows', seriesOf(minutes(100)), 'gauge', 101, 100, 101],
    ['rows of a counter', seriesOf(minutes(101)), 'counter', 102, 101, 102],
    ['rows with a value', seriesOf(minutes(200), Array(200).fill(NaN)), 'gauge', 201, 0, 101],
    [
      'rows with a time of their own',
      seriesOf([...minutes(80), ...minutes(80)].sort((a, b) => a - b)),
      'gauge',
      161,
      80,
      101,
    ],
  ])('refuses too few %s with the last line and the rule', (_, series, type, line, usable, needed) => {
    const error = refusalOf(series, type);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ exitCode: 2, line });
    expect(error!.message).toBe(
      `in.csv, line ${line}: the file ends after ${usable} rows with a value and a time of their own; ` +
        `at least ${needed} are needed, because the first 100 are only learnt from`,
    );
  });

  it('refuses a file in which most rows repeat a time', () => {
    const error = refusalOf(seriesOf(minutes(200).flatMap((time) => [time, time, time])));
    expect(error).toMatchObject({ exitCode: 2, line: 3 });
    expect(error!.message.split('\n')).toEqual([
      'in.csv, line 3: timestamp "0" is the time of line 2 too; a file must hold one series, one row for each time',
      'in.csv, line 4: timestamp "0" is the time of line 2 too; a file must hold one series, one row for each time',
      'in.csv, line 6: timestamp "60" is the time of line 5 too; a file must hold one series, one row for each time',
      'and 397 more wrong lines',
    ]);
  });

  it('tolerates single rows that repeat a time', () => {
    expect(refusalOf(seriesOf([0, ...minutes(150)]))).toBeNull();
  });
});
