import { gatesOf } from '../anomaly/gates.js';
import {
  autoregressive,
  DAY,
  dailySine,
  type Generator,
  nightlyJob,
  series,
  START,
  wave,
  white,
  workingDays,
} from '../../testing/generators.js';
import { B, F, P } from '../record/layout.js';
import { noteInterval } from '../points/pace.js';
import { createRecord } from '../reset-record.js';
import { recordSeason, seasonalPeriods, SeasonalPoint } from './season.js';
import { SeriesDetector } from '../series-detector.js';
import { type SeriesRecord } from '../record/series-record.js';
import { ZoneClock } from '../points/zone-clock.js';

const FIVE_MINUTES = 300;
const WEEK = 7 * DAY;

/** Forty noise deviations higher from 08:00 to 18:00. */
function openingHours(seed: number): Generator {
  const noise = white(seed);
  return (index, timestamp) => {
    const hour = (timestamp % DAY) / 3600;
    return (hour >= 8 && hour < 18 ? 40 : 0) + noise(index, timestamp);
  };
}

/** Up by twenty noise deviations over the day, and down at midnight. */
function ramp(seed: number): Generator {
  const noise = white(seed);
  return (index, timestamp) => (20 * (timestamp % DAY)) / DAY + noise(index, timestamp);
}

const terms = { clock: new ZoneClock('UTC'), sensitivity: 1, gates: gatesOf({}) };

function learnt(days: number, value: Generator, periodSeconds?: number, stepSeconds = FIVE_MINUTES): SeriesRecord {
  const { timestamps, values } = series(days, stepSeconds, value);
  const record = createRecord(periodSeconds);
  const detector = new SeriesDetector(() => undefined);
  timestamps.forEach((timestamp, row) => {
    if (row > 0) noteInterval(record, stepSeconds);
    detector.score(record, terms, timestamp, values[row]!, 1, true);
  });
  return record;
}

const periodsOf = ({ p, b }: SeriesRecord): number[] => seasonalPeriods(b[B.season]!, p[P.shortestPeriod]!);

describe('the detected periods', () => {
  it.each<[string, number, number[], Generator]>([
    ['a daily sine', 7, [DAY], dailySine(1)],
    ['a 12-hour sine', 7, [DAY / 2], wave(2, DAY / 2, 6)],
    ['an 8-hour sine', 7, [DAY / 3], wave(3, DAY / 3, 6)],
    ['a sine of an hour and a half', 7, [DAY / 8], wave(4, DAY / 16, 6)],
    ['opening hours', 7, [DAY], openingHours(5)],
    ['a ramp a day', 7, [DAY], ramp(4)],
    ['a nightly job', 7, [DAY], nightlyJob(5)],
    ['weekday and weekend', 21, [DAY, WEEK], workingDays(6)],
    ['white noise', 7, [], white(7)],
    ['slow noise', 7, [], autoregressive(8, 0.9)],
    ['a constant', 7, [], () => 5],
  ])('in %s after %d days: %j seconds', (_, days, periods, generator) => {
    expect(periodsOf(learnt(days, generator))).toEqual(periods);
  });

  it('are none in the first two days', () => {
    expect(periodsOf(learnt(1.9, dailySine(9, 20)))).toEqual([]);
  });
});

describe('a given period', () => {
  const ODD = 30_000;

  it.each([3 * 3600, ODD, 100_000])('is used: %d seconds', (period) => {
    expect(periodsOf(learnt(7, wave(10, period, 6), period))).toEqual([period]);
  });

  it('is halved when the series repeats after half of it', () => {
    expect(periodsOf(learnt(7, wave(11, ODD, 6), 2 * ODD))).toEqual([ODD]);
  });

  it('is not used when the series does not follow it', () => {
    expect(periodsOf(learnt(7, white(12), ODD))).toEqual([]);
  });

  it('of 0 disables seasons, also for a daily series', () => {
    const record = learnt(16, dailySine(13, 20), 0);
    expect(periodsOf(record)).toEqual([]);
    const at = new SeasonalPoint();
    at.locate(record, START, START);
    expect(at).toMatchObject({ expected: record.f[F.level], low: record.f[F.level], high: record.f[F.level] });
  });

  it('is ignored without side effects when it is shorter than the time between rows', () => {
    for (const step of [3600, DAY]) {
      const { p } = learnt((400 * step) / DAY, white(14), 600, step);
      for (const field of [P.levelError, P.dailyError]) expect(p[field]).toBeLessThan(Math.sqrt(50));
      expect(periodsOf(learnt((400 * step) / DAY, white(14), 600, step))).toEqual([]);
    }
  });
});

describe('the expected value at a time of day', () => {
  /** Expected value at noon after days with these values at noon, and with values near 0 at all other times. */
  function expectedAfter(noons: number[], spread = 1, jitter = 0): number {
    const record = createRecord();
    record.p[P.spread] = spread;
    const at = new SeasonalPoint();
    noons.forEach((noon, day) => {
      for (let minute = 0; minute < 1440; minute++) {
        at.locate(record, START + day * DAY + minute * 60, START + day * DAY + minute * 60);
        recordSeason(record, at, minute >= 720 && minute < 730 ? noon : jitter * white(minute)(0, 0));
      }
    });
    at.locate(record, START + noons.length * DAY + 720 * 60, START + noons.length * DAY + 720 * 60);
    return at.daily;
  }

  it('is the first value after one day', () => {
    expect(expectedAfter([40])).toBe(40);
  });

  it('does not change after one unusual day', () => {
    expect(expectedAfter([10, 10, 10, 90])).toBe(10);
    expect(expectedAfter([10, 10, 10, 90, 10])).toBe(10);
  });

  it('becomes any value that occurred twice at the same time', () => {
    expect(expectedAfter([10, 10, 10, 90, 90])).toBe(90);
    expect(expectedAfter([0, 0, 0, -1e6, -1e6])).toBe(-1e6);
  });

  it.each([
    ['does not move', 1, 0],
    ['moves by rounding errors', 0.1, 1e-15],
    ['moves a billion times less', 1e-9, 1e-9],
  ])('is that of a short job on a series that otherwise %s', (_, spread, jitter) => {
    expect(expectedAfter([20, 20], spread, jitter)).toBeCloseTo(20, 1);
    expect(expectedAfter([20, 20, 20, 20], spread, jitter)).toBeCloseTo(20, 1);
  });

  it('moves part of the way for an ordinary change', () => {
    const expected = expectedAfter([10, 10, 12, 12]);
    expect(expected).toBeGreaterThan(10);
    expect(expected).toBeLessThan(12);
  });
});
