import { SPECIAL_KIND_NAMES, specialSeries } from './special-kinds.js';

describe('special series', () => {
  it.each(SPECIAL_KIND_NAMES)('of kind %s are finite, evenly spaced, and reproducible by seed', (kind) => {
    const { timestamps, values, judgedFrom } = specialSeries(kind, 1);
    const step = timestamps[1]! - timestamps[0]!;
    expect(values.every((value) => Number.isFinite(value))).toBe(true);
    expect(timestamps.every((at, row) => at === timestamps[0]! + row * step)).toBe(true);
    expect(judgedFrom).toBeGreaterThanOrEqual(100);
    expect(judgedFrom).toBeLessThan(values.length);
    expect(specialSeries(kind, 1).values).toEqual(values);
    expect(specialSeries(kind, 2).values).not.toEqual(values);
  });

  it('have trouble in the reported rows', () => {
    const { values, trouble } = specialSeries('flat_row', 3);
    const off = [...values.keys()].filter((row) => values[row] !== values[0]);
    expect(off).toEqual([trouble!.from]);
    expect(trouble!.until).toBe(trouble!.from + 1);
    const ramp = specialSeries('ramp_fall', 3);
    const { from, until } = ramp.trouble!;
    expect(until - from).toBe(10);
    expect(ramp.values[from]! / ramp.values[from - 1]!).toBeLessThan(0.85);
    expect(ramp.values[until - 1]! / ramp.values[until]!).toBeLessThan(0.85);
    const { values: levels, trouble: deploy } = specialSeries('deploy_shift', 3);
    expect(levels[deploy!.from]! / levels[deploy!.from - 1]!).toBeGreaterThan(1.05);
  });

  it('have a weekly job every seven days and a monthly job on the first', () => {
    const daysAbove = (kind: 'weekly_job' | 'monthly_job'): number[] => {
      const { timestamps, values } = specialSeries(kind, 2);
      return [...new Set([...timestamps].filter((_, row) => values[row]! > 25).map((at) => Math.floor(at / 86_400)))];
    };
    const weekly = daysAbove('weekly_job');
    expect(weekly.slice(1).map((day, i) => day - weekly[i]!)).toEqual(Array(7).fill(7));
    expect(daysAbove('monthly_job').every((day) => new Date(day * 86_400_000).getUTCDate() === 1)).toBe(true);
  });

  it('have a clock change on the first judged day', () => {
    const { timestamps, judgedFrom } = specialSeries('clock_change', 1);
    expect(new Date(timestamps[judgedFrom]! * 1000).toISOString()).toBe('2025-03-30T00:00:00.000Z');
  });
});
