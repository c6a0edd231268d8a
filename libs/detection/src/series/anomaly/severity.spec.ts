import { F, P } from '../record/layout.js';
import { createRecord } from '../reset-record.js';
import { daysApart, type Rarity, rarityOf, returnDays, severityOf } from './severity.js';

const HOUR = 3600;
const DAY = 86_400;

describe('severity', () => {
  it('of a long outage is critical, however frequent anomalies are', () => {
    for (const days of [1, 5, 30]) expect(severityOf(1, 50, 8 * HOUR, days)).toBeGreaterThanOrEqual(75);
  });

  it('of a single row is critical only if it is far outside the range and rare', () => {
    expect(severityOf(1, 20, 0, 20)).toBeGreaterThanOrEqual(75);
    expect(severityOf(1, 20, 0, 5)).toBeLessThan(75);
    expect(severityOf(0.8, 3, 0, 20)).toBeLessThan(75);
  });

  it('is critical only for anomalies that occur at most once a year', () => {
    // Far out and long, in a series with an anomaly every other day: about once in half a year.
    expect(returnDays(20, 3 * HOUR, 2)).toBe(168);
    expect(severityOf(1, 20, 3 * HOUR, 2)).toBe(74);
    expect(returnDays(20, 3 * HOUR, 5)).toBeGreaterThan(365);
    expect(severityOf(1, 20, 3 * HOUR, 5)).toBeGreaterThanOrEqual(75);
  });

  it('uses the whole history of the series for the limit of once a year', () => {
    expect(severityOf(1, 6, 3 * HOUR, 10)).toBeLessThan(75);
    expect(severityOf(1, 6, 3 * HOUR, 10, 200)).toBeGreaterThanOrEqual(75);
  });

  it('increases with the duration in steps of at most 2', () => {
    let before = severityOf(1, 30, 0, 10);
    for (let minutes = 1; minutes < 600; minutes++) {
      const now = severityOf(1, 30, 60 * minutes, 10);
      expect(now - before).toBeGreaterThanOrEqual(0);
      expect(now - before).toBeLessThanOrEqual(2);
      before = now;
    }
  });

  it('uses the mean days between anomalies, at most 20', () => {
    const record = createRecord();
    const { f, p } = record;
    f[F.firstAnalysed] = 0;
    p[P.longEpisodes] = 1;
    expect(daysApart(record, 2 * DAY)).toBe(2);
    expect(daysApart(record, 90 * DAY)).toBe(20);
    p[P.longEpisodes] = 4;
    expect(daysApart(record, 90 * DAY)).toBe(5);
  });
});

describe('rarity', () => {
  /**
   * The rarity of an anomaly that opens after this many days, with this many counted: earlier ones fade, the open one
   * counts as one.
   */
  const rarityAfter = (days: number, episodes: number): Rarity | null => {
    const record = createRecord();
    const { f, p } = record;
    f[F.firstAnalysed] = 0;
    f[F.start] = days * DAY;
    p[P.longEpisodes] = episodes;
    p[P.daysApart] = daysApart(record, days * DAY);
    return rarityOf(record);
  };

  it('is the length of the history, as a lower bound, without another anomaly', () => {
    expect(rarityAfter(12, 1)).toEqual({ days: 12, isLeast: true });
    expect(rarityAfter(120, 1)).toEqual({ days: 120, isLeast: true });
    expect(rarityAfter(120, 0.4)).toEqual({ days: 120, isLeast: true });
  });

  it('decreases with the anomalies of the last weeks', () => {
    // With one every second day, the faded count is 1 + 1 / (e^0.1 - 1), including the last one.
    const often = rarityAfter(400, 1 + 1 / (Math.exp(0.1) - 1))!;
    expect(often.days).toBeCloseTo(2, 0);
    expect(often.isLeast).toBe(false);
    // One a week ago and one now: the earlier counts 0.7, in a memory of 7.9 days.
    expect(rarityAfter(10, 1 + Math.exp(-7 / 20))!.days).toBeCloseTo(1 / (1 / 10 + 0.705 / 7.87), 1);
  });

  it('is null on the first day', () => {
    expect(rarityAfter(0.9, 1)).toBeNull();
  });
});
