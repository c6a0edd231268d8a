import { type AnomalyKind } from '#libs/contracts';
import { accountOf, type VerdictAccount } from './account.js';
import { detectSeries, type DetectSeriesOptions } from './detect-series.js';
import { dailySine, DAY, type Generator, START, white } from './testing/generators.js';
import { type AnomalyEvent } from './types.js';

const MINUTE = 60;
const FAULT = START + 9 * DAY + 10 * 3600;
const gauge: DetectSeriesOptions = { type: 'gauge', slotSeconds: MINUTE };

interface Rows {
  timestamps: Float64Array;
  values: Float64Array;
}

/** Ten days of minutes. `fault` changes the values of this many minutes from FAULT on. */
function rowsOf(generate: Generator, minutes: number, fault: (value: number, minute: number) => number): Rows {
  const timestamps = Float64Array.from({ length: 9 * 1440 + 720 }, (_, row) => START + row * MINUTE);
  const values = timestamps.map((time, row) => {
    const value = 100 + generate(row, time);
    const minute = (time - FAULT) / MINUTE;
    return minute >= 0 && minute < minutes ? fault(value, minute) : value;
  });
  return { timestamps, values };
}

/** The anomaly that opened at or after the fault, as it was when it closed. */
function found({ timestamps, values }: Rows, options = gauge): AnomalyEvent {
  const { anomalies } = detectSeries(timestamps, values, options);
  return anomalies.filter(({ startTimestamp }) => startTimestamp >= FAULT).at(-1)!;
}

/** True if an anomaly opens within the fault. Flat lines do not count: the limit makes values constant. */
function opensIn({ timestamps, values }: Rows, minutes: number, options = gauge): boolean {
  const { anomalies } = detectSeries(timestamps, values, options);
  const until = FAULT + minutes * MINUTE;
  return anomalies.some(({ startTimestamp: start, kind }) => start >= FAULT && start < until && kind !== 'flatline');
}

const account = (rows: Rows, { startTimestamp, endTimestamp, kind }: AnomalyEvent, options = gauge): VerdictAccount =>
  accountOf(rows.timestamps, rows.values, options, { start: startTimestamp, end: endTimestamp, kind });

const changed = ({ timestamps, values }: Rows, change: (value: number, minute: number) => number): Rows => ({
  timestamps,
  values: values.map((value, row) =>
    timestamps[row]! >= FAULT ? change(value, (timestamps[row]! - FAULT) / MINUTE) : value,
  ),
});

describe('accountOf', () => {
  const cases: [string, Generator, number, (value: number) => number, AnomalyKind][] = [
    ['a spike', white(1), 3, (value) => value + 40, 'spike'],
    ['a dip', white(2), 3, (value) => value - 40, 'dip'],
    ['a higher level', white(3), 120, (value) => value + 20, 'level_shift_up'],
    ['a spike on a daily wave', dailySine(4), 5, (value) => value + 60, 'spike'],
    ['a lower level on a daily wave', dailySine(5), 90, (value) => value - 40, 'level_shift_down'],
  ];

  it.each(cases)('reproduces %s from the stored rows, with the same range', (_, generate, minutes, fault, kind) => {
    const rows = rowsOf(generate, minutes, fault);
    const event = found(rows);
    expect(event.kind).toBe(kind);
    const { isReproduced, expected, lower, upper, alarm, parts } = account(rows, event);
    expect({ isReproduced, expected, lower, upper }).toEqual({
      isReproduced: true,
      expected: event.expected,
      lower: event.lower,
      upper: event.upper,
    });
    expect(alarm).toBeGreaterThanOrEqual(0.5);
    expect(Object.values(parts!).some((evidence) => evidence > 0)).toBe(true);
  });

  it.each(cases)(
    'returns the limit up to which %s does not open, and a value just beyond which opens',
    (_, generate, minutes, fault) => {
      const rows = rowsOf(generate, minutes, fault);
      const event = found(rows);
      const { side, value, opensAt } = account(rows, event).counterfactual!;
      const isUp = event.value! > event.expected!;
      expect(side).toBe(isUp ? 'below' : 'above');
      const limitedTo = (limit: number) =>
        changed(rows, (was, minute) => (minute >= minutes ? was : isUp ? Math.min(was, limit) : Math.max(was, limit)));
      expect(opensIn(limitedTo(value!), minutes)).toBe(false);
      expect(opensIn(limitedTo(opensAt!), minutes)).toBe(true);
      expect(Math.abs(opensAt! - value!)).toBeLessThan(0.04 * Math.abs(event.peakValue! - event.expected!));
    },
  );

  it('returns the seconds that a small level shift must last to open', () => {
    const rows = rowsOf(white(7), 300, (value) => value + 2.2);
    const event = found(rows);
    const { seconds } = account(rows, event).counterfactual!;
    expect(seconds).toBeGreaterThan(MINUTE);
    const { yhat } = detectSeries(rows.timestamps, rows.values, gauge);
    const at = rows.timestamps.indexOf(event.startTimestamp);
    // The deviation begins this many minutes before the opening; the hour before is as expected.
    const lasting = (minutes: number): boolean => {
      const values = rows.values.slice(0, at + 1);
      for (let row = at - 60; row <= at - minutes; row++) values[row] = yhat[row]!;
      const { anomalies } = detectSeries(rows.timestamps.slice(0, at + 1), values, gauge);
      return anomalies.some(({ startTimestamp }) => startTimestamp === event.startTimestamp);
    };
    expect(lasting(seconds! / MINUTE)).toBe(true);
    expect(lasting(seconds! / MINUTE - 1)).toBe(false);
  });

  it('returns the seconds that a silence must last to open', () => {
    const whole = rowsOf(white(9), 0, (value) => value);
    const without = (minutes: number): Rows => {
      const keep = [...whole.timestamps.keys()].filter((row) => {
        const minute = (whole.timestamps[row]! - FAULT) / MINUTE;
        return minute < 0 || minute >= minutes;
      });
      return {
        timestamps: Float64Array.from(keep, (row) => whole.timestamps[row]!),
        values: Float64Array.from(keep, (row) => whole.values[row]!),
      };
    };
    const rows = without(60);
    const event = found(rows);
    expect(event.kind).toBe('missing_data');
    const { seconds, value } = account(rows, event).counterfactual!;
    expect(value).toBeNull();
    // From the last point to the next one: a slot longer than the slots without a point.
    expect(opensIn(without(seconds! / MINUTE - 1), 60)).toBe(true);
    expect(opensIn(without(seconds! / MINUTE - 2), 60)).toBe(false);
  });

  it('returns limits for a counter as a rate', () => {
    const rate = rowsOf(white(10), 4, (value) => value + 60);
    let total = 0;
    const rows = { ...rate, values: rate.values.map((value) => (total += value * MINUTE)) };
    const options: DetectSeriesOptions = { ...gauge, type: 'counter' };
    const event = found(rows, options);
    const { value, side } = account(rows, event, options).counterfactual!;
    expect(side).toBe('below');
    expect(value).toBeGreaterThan(103);
    expect(value).toBeLessThan(160);
    const again = (limit: number): Rows => {
      let sum = 0;
      const values = rate.values.map((was, row) => {
        const minute = (rate.timestamps[row]! - FAULT) / MINUTE;
        return (sum += (minute >= 0 && minute < 4 ? Math.min(was, limit) : was) * MINUTE);
      });
      return { ...rate, values };
    };
    expect(opensIn(again(value!), 4, options)).toBe(false);
    expect(opensIn(again(value! * 1.02), 4, options)).toBe(true);
  });

  it('returns no counterfactual and no parts for an anomaly that the rows do not reproduce', () => {
    const rows = rowsOf(white(11), 0, (value) => value);
    const { isReproduced, counterfactual, parts } = accountOf(rows.timestamps, rows.values, gauge, {
      start: FAULT,
      end: FAULT + 300,
      kind: 'spike',
    });
    expect({ isReproduced, counterfactual, parts }).toEqual({ isReproduced: false, counterfactual: null, parts: null });
  });

  it('reproduces nothing from no rows or one row', () => {
    const recorded = { start: FAULT, end: null, kind: 'spike' } as const;
    expect(accountOf(new Float64Array(0), new Float64Array(0), gauge, recorded).isReproduced).toBe(false);
    const one = Float64Array.of(FAULT);
    expect(accountOf(one, Float64Array.of(1), gauge, { ...recorded, kind: 'missing_data' }).isReproduced).toBe(false);
  });
});
