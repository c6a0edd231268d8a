import { detectSeries } from '../../detect-series.js';
import { autoregressive, DAY, type Generator, series, START, white } from '../../testing/generators.js';
import { opened } from '../../testing/verdicts.js';
import { createRecord } from '../reset-record.js';
import { type SeriesRecord } from '../record/series-record.js';
import { isReturn, noteStepLeft } from './return-to-usual.js';

const MINUTE = 60;
const HOUR = 3600;
const USUAL = 1;

describe('the return from a step', () => {
  let record: SeriesRecord;

  beforeEach(() => {
    record = createRecord();
    noteStepLeft(record, 10, START);
  });

  const isBack = (side: number, distance: number, at: number): boolean =>
    isReturn(record, side, distance, USUAL, START + at, MINUTE);

  it('is recognised in the opposite direction, up to about the size of the step', () => {
    expect([isBack(-1, 9, HOUR), isBack(1, 9, HOUR), isBack(-1, 13, HOUR)]).toEqual([true, false, false]);
  });

  it('is recognised for half a day', () => {
    expect([isBack(-1, 3, DAY / 2), isBack(-1, 3, DAY / 2 + 1)]).toEqual([true, false]);
  });

  it('is recognised for 40 rows after its first row', () => {
    expect([isBack(-1, 10, HOUR), isBack(-1, 10, HOUR + 40 * MINUTE)]).toEqual([true, true]);
    expect(isBack(-1, 10, HOUR + 41 * MINUTE)).toBe(false);
  });

  it('is recognised up to about the sum of all steps', () => {
    noteStepLeft(record, 5, START + HOUR);
    expect([isBack(-1, 15, 2 * HOUR), isBack(-1, 19, 2 * HOUR)]).toEqual([true, false]);
    noteStepLeft(record, -15, START + 2 * HOUR);
    expect(isBack(-1, 5, 2 * HOUR)).toBe(false);
  });

  it.each([1, 2, 3, 4])('opens no anomaly after a level shift that the expectation has followed (%i)', (seed) => {
    const noise = autoregressive(seed, 0.95);
    const from = START + 6 * DAY;
    const shifted: Generator = (i, t) => noise(i, t) + (t >= from && t < from + 6 * HOUR ? 40 : 0);
    const { timestamps, values } = series(8, MINUTE, shifted);
    const after = opened(detectSeries(timestamps, values, { type: 'gauge' }), 5);
    expect(after.map(({ startTimestamp }) => startTimestamp)).toEqual([from]);
  });

  it.each([14, 30, 72])('opens no anomaly after an adapted level of %i hours', (hours) => {
    const noise = white(6);
    const from = START + 10 * DAY;
    const shifted: Generator = (i, t) => 100 + noise(i, t) - (t >= from && t < from + hours * HOUR ? 12 : 0);
    const { timestamps, values } = series(15, MINUTE, shifted);
    const result = detectSeries(timestamps, values, { type: 'gauge' });
    expect(opened(result, 5).map(({ startTimestamp }) => startTimestamp)).toEqual([from]);
    expect(result.anomalies.at(-1)?.closeReason).toBe('adapted');
  });

  it.each([1, 2, 3, 5])(
    'ends the first anomaly and opens no other on the first day of a series with a short period (%i)',
    (seed) => {
      const noise = white(seed);
      const from = START + 10 * HOUR;
      const lasted = 40 * MINUTE;
      const anomalous: Generator = (i, t) =>
        50 + 10 * Math.sin(i / 40) + noise(i, t) + (t >= from && t < from + lasted ? 200 : 0);
      const { timestamps, values } = series(1, MINUTE, anomalous);
      const [first, ...more] = opened(detectSeries(timestamps, values, { type: 'gauge' }));
      expect(first?.startTimestamp).toBe(from);
      expect(more).toEqual([]);
      expect(first!.endTimestamp! - from).toBeLessThan(1.5 * lasted);
    },
  );
});
