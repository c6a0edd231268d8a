import { DetectionShard } from '../../shard/detection-shard.js';
import {
  autoregressive,
  dailySine,
  DAY,
  type Generator,
  nightlyJob,
  pulses,
  series,
  START,
  wave,
  white,
  workingDays,
} from '../../testing/generators.js';
import { definition, input } from '../../testing/shard-input.js';
import { F } from '../record/layout.js';
import { createRecord } from '../reset-record.js';
import { searchSeason } from './season-search.js';
import { type SeriesRecord } from '../record/series-record.js';

const HOUR = 3600;
/** 8 h 20 min. */
const ODD = 30_000;

/** Adds a series of rows to the search, and returns the periods that became active, in seconds. */
function periodsOf(days: number, value: Generator, step = 300, record = createRecord()): number[] {
  const periods: number[] = [];
  let period = record.f[F.period]!;
  record.f[F.resolution] = step;
  const { timestamps, values } = series(days, step, value);
  values.forEach((row, i) => {
    searchSeason(record, timestamps[i]!, row);
    if (record.f[F.period] !== period) periods.push((period = record.f[F.period]!));
  });
  return periods;
}

/** All periods are equal to the length, within three in a thousand. */
function expectOnly(periods: number[], seconds: number): void {
  expect(periods.length).toBeGreaterThan(0);
  for (const period of periods) expect(Math.abs(period / seconds - 1)).toBeLessThan(0.003);
}

describe('searchSeason', () => {
  it.each([100 / 60, 5, 7, 10, 14, 22, 30, 36])('finds a wave of %f hours', (hours) => {
    expectOnly(periodsOf(14, wave(1, hours * HOUR, 6)), hours * HOUR);
  });

  it.each([5, 7, 10, 30])('finds a job every %f hours', (hours) => {
    expectOnly(periodsOf(14, pulses(2, hours * HOUR)), hours * HOUR);
  });

  it('finds a round period to the second', () => {
    expect(periodsOf(5, pulses(3, ODD))).toEqual([ODD]);
  });

  it('finds a period in hourly rows', () => {
    expectOnly(periodsOf(40, wave(4, 30 * HOUR, 6), HOUR), 30 * HOUR);
  });

  it('finds a period in a drifting level with gaps', () => {
    const base = wave(5, 7 * HOUR, 6);
    const drift: Generator = (i, at) => (Math.floor(at / HOUR) % 11 === 0 ? NaN : base(i, at) + (at - START) / DAY);
    const { timestamps, values } = series(10, 300, drift);
    const record = createRecord();
    record.f[F.resolution] = 300;
    values.forEach((value, i) => {
      if (!Number.isNaN(value)) searchSeason(record, timestamps[i]!, value);
    });
    expect(record.f[F.period]).toBeCloseTo(7 * HOUR, -3);
  });

  const noise = white(6);
  const harmonics: Generator = (i, at) =>
    [1, 2, 3].reduce((sum, part) => sum + 5 * Math.sin((2 * Math.PI * part * at) / DAY), noise(i, at));
  const dayAndJob: Generator = (i, at) => dailySine(7)(i, at) + (at % (2.5 * HOUR) < 1500 ? 15 : 0);
  it.each<[string, Generator]>([
    ['a daily wave', dailySine(1)],
    ['a day with harmonics of twelve and eight hours', harmonics],
    ['a daily wave with a job every two and a half hours', dayAndJob],
    ['weekdays and weekends', workingDays(1)],
    ['a nightly job', nightlyJob(1)],
    ['an hourly job', pulses(1, HOUR)],
    ['noise', white(2)],
    ['slow noise', autoregressive(1, 0.99)],
    ['a walk', autoregressive(2, 1)],
    ['a constant', () => 5],
    ['office hours without noise', (_, at) => (at % DAY >= 9 * HOUR && at % DAY < 18 * HOUR ? 80 : 20)],
  ])('keeps the daily period for %s', (_, value) => {
    expect(periodsOf(28, value)).toEqual([]);
  });

  it('keeps a given period', () => {
    const given = (periodSeconds: number): SeriesRecord => createRecord(periodSeconds);
    expect(periodsOf(10, wave(1, 7 * HOUR, 6), 300, given(DAY))).toEqual([]);
    expect(periodsOf(10, wave(1, 7 * HOUR, 6), 300, given(0))).toEqual([]);
  });

  it('returns to the daily period after a season has ended', () => {
    const before = wave(1, 7 * HOUR, 6);
    const after = dailySine(2);
    const changed: Generator = (i, at) => (at < START + 8 * DAY ? before(i, at) : after(i, at));
    const periods = periodsOf(20, changed);
    expect(periods.at(-1)).toBe(DAY);
    expectOnly(periods.slice(0, -1), 7 * HOUR);
  });

  it('does not mistake regular gaps for a season', () => {
    const record = createRecord();
    record.f[F.resolution] = 300;
    const { timestamps, values } = series(20, 300, white(9));
    values.forEach((value, i) => {
      if ((timestamps[i]! - START) % (5 * DAY) >= 2 * DAY) searchSeason(record, timestamps[i]!, value);
      expect(record.f[F.period]).toBe(DAY);
    });
  });

  it('keeps a period over days without points', () => {
    const record = createRecord();
    expectOnly(periodsOf(6, wave(1, 7 * HOUR, 6), 300, record), 7 * HOUR);
    const { timestamps, values } = series(8, 300, wave(2, 7 * HOUR, 6), START + 10 * DAY);
    values.forEach((value, i) => {
      searchSeason(record, timestamps[i]!, value);
      expect(Math.abs(record.f[F.period]! / (7 * HOUR) - 1)).toBeLessThan(0.003);
    });
  });

  it('continues from a snapshot, and the period is reported with the progress', () => {
    const { timestamps, values } = series(9, 300, pulses(8, ODD));
    const rows = Array.from(timestamps, (at, i): [number, number, number] => [1, at, values[i]!]);
    const split = rows.findIndex(([, at]) => at >= START + 2.5 * DAY);
    const whole = new DetectionShard();
    whole.define(definition(1, { slotSeconds: 300 }));
    whole.apply(input(rows.slice(0, split)));
    const restored = DetectionShard.restore(whole.snapshot());
    for (const shard of [whole, restored]) shard.apply(input(rows.slice(split)));
    expect(restored.progress(1)).toEqual(whole.progress(1));
    expect(whole.progress(1)!.seasonalPeriods).toEqual([ODD]);
    expect(restored.snapshot()).toEqual(whole.snapshot());
  });
});
