import { type AnomalyKind } from '#libs/contracts';
import { detectSeries } from './detect-series.js';
import {
  autoregressive,
  dailySine,
  DAY,
  during,
  series,
  sparseCounts,
  START,
  uniform,
  white,
} from './testing/generators.js';
import { anomalyAt, detect, opened } from './testing/verdicts.js';

const MINUTE = 60;

describe('detectSeries', () => {
  describe('finds', () => {
    it('a spike, at its minute, with the range it left', () => {
      const found = anomalyAt(
        detect(
          8,
          during(white(1), 7.1, 1, (x) => x + 12),
        ),
        7.1,
      );
      expect(found).toMatchObject({ kind: 'spike', closeReason: 'recovered', endTimestamp: found?.startTimestamp });
      expect(found!.value).toBeGreaterThan(found!.upper!);
      expect(found!.expected).toBeGreaterThan(found!.lower!);
      expect(found!.score).toBeGreaterThan(0.5);
    });

    it('a dip', () => {
      expect(
        anomalyAt(
          detect(
            8,
            during(white(2), 7.1, 2, (x) => x - 12),
          ),
          7.1,
        )?.kind,
      ).toBe('dip');
    });

    it('a shift of ten noise deviations for an hour on a daily cycle, up and down, within ten minutes', () => {
      for (const size of [10, -10]) {
        const result = detect(
          15,
          during(dailySine(3), 14.4, 60, (x) => x + size),
        );
        const found = anomalyAt(result, 14.4, 9);
        expect(found?.kind).toBe(size > 0 ? 'level_shift_up' : 'level_shift_down');
        expect(found?.closeReason).toBe('recovered');
        expect(opened(result, 13)).toHaveLength(1);
      }
    });

    it('a short excursion in the daily trough that would be ordinary at the peak', () => {
      const found = anomalyAt(
        detect(
          15,
          during(dailySine(4), 14.75, 3, (x) => x + 10),
        ),
        14.75,
        1,
      );
      expect(found).toBeDefined();
    });

    it('a small shift that lasts, though no single value is unusual', () => {
      const found = anomalyAt(
        detect(
          8,
          during(white(5), 7.1, 120, (x) => x + 3),
        ),
        7.1,
        60,
      );
      expect(found?.kind).toBe('level_shift_up');
    });

    it('a frozen value in a series that moves', () => {
      for (const base of [white(6), autoregressive(6, 0.99)]) {
        const result = detect(
          8,
          during(base, 7.1, 90, () => 1.25),
        );
        expect(anomalyAt(result, 7.1, 60)?.kind).toBe('flatline');
      }
    });

    it('a growing spread around the same level', () => {
      const result = detect(
        8,
        during(white(7), 7.1, 360, (x, minute) => x * (1 + (5 * minute) / 360)),
      );
      const kinds = result.anomalies.filter((e) => e.startTimestamp > START + 7.1 * DAY).map((e) => e.kind);
      expect(kinds).toContain('variance_change' satisfies AnomalyKind);
    });

    it('a slow way out of the range kept so far', () => {
      const slow = during(autoregressive(8, 0.99), 9.1, 1200, (x, minute) => x - minute / 8);
      const found = anomalyAt(detect(10, slow), 9.1, 900);
      expect(found).toBeDefined();
      expect(found!.explanation.length).toBeGreaterThan(0);
    });
  });

  describe('a lasting change', () => {
    const outage = detect(
      11,
      during(white(9), 7.1, Infinity, (x) => x - 50),
    );

    it.each([10, 60, 600])('is still open at minute %d', (minute) => {
      expect(anomalyAt(outage, 7.1, minute)).toMatchObject({ kind: 'level_shift_down' });
      expect(opened(outage, 7)).toHaveLength(1);
    });

    it('is accepted after a day, said so, and is normal from then on', () => {
      expect(anomalyAt(outage, 7.1)).toMatchObject({ closeReason: 'adapted' });
      const after = outage.yhat.at(-1)!;
      expect(after).toBeGreaterThan(-52);
      expect(after).toBeLessThan(-48);
    });

    it('does not poison the baseline: after it the old range is back', () => {
      const result = detect(
        8,
        during(dailySine(10), 7.1, 300, (x) => x + 40),
      );
      const before = 7 * 1440;
      const after = 7.5 * 1440;
      const widthBefore = result.upper[before]! - result.lower[before]!;
      const widthAfter = result.upper[after]! - result.lower[after]!;
      expect(widthAfter).toBeLessThan(1.2 * widthBefore);
      expect(Math.abs(result.yhat[after]!)).toBeLessThan(3);
    });
  });

  describe('counters', () => {
    it('become rates, and a reset counts from zero', () => {
      const result = detectSeries(Float64Array.of(0, 60, 120, 180), Float64Array.of(600, 1200, 30, 90), {
        type: 'counter',
      });
      expect([...result.values]).toEqual([NaN, 10, 0.5, 1]);
    });

    it('with resets are no anomaly, a stopped one is', () => {
      const next = uniform(13);
      let total = 0;
      const { timestamps, values } = series(6, MINUTE, (i) => {
        if (i % 2000 === 1999) total = 0;
        const stopped = i >= 7300 && i < 7330;
        return (total += stopped ? 0 : 500 + 100 * next());
      });
      const result = detectSeries(timestamps, values, { type: 'counter' });
      expect(opened(result)).toHaveLength(1);
      expect(anomalyAt(result, 7305 / 1440)).toMatchObject({ value: 0 });
    });
  });

  it('takes a low-traffic series as it is, and sees a burst in it', () => {
    const result = detect(
      8,
      during(sparseCounts(14), 7.1, 10, () => 40),
    );
    expect(opened(result)).toHaveLength(1);
    expect(anomalyAt(result, 7.1, 5)).toBeDefined();
  });

  it('opens and closes missing data at a gap', () => {
    const { timestamps, values } = series(3, MINUTE, white(15));
    const keep = [...timestamps.keys()].filter((i) => i < 2000 || i >= 2090);
    const result = detectSeries(
      Float64Array.from(keep, (i) => timestamps[i]!),
      Float64Array.from(keep, (i) => values[i]!),
      { type: 'gauge' },
    );
    const gap = anomalyAt(result, 2040 / 1440);
    expect(gap).toMatchObject({ kind: 'missing_data', value: null, closeReason: 'recovered' });
    expect(gap?.startTimestamp).toBe(START + 2000 * MINUTE);
    expect(gap?.endTimestamp).toBe(START + 2089 * MINUTE);
  });

  it('gives every row a verdict after the warm-up, and leaves rows it cannot read empty', () => {
    const { timestamps, values } = series(1, MINUTE, white(16));
    values[500] = NaN;
    timestamps[600] = timestamps[599]!;
    const { yhat, score } = detectSeries(timestamps, values, { type: 'gauge' });
    const empty = [...yhat.keys()].filter((i) => Number.isNaN(yhat[i]!));
    expect(empty).toEqual([...Array.from({ length: 100 }, (_, i) => i), 500, 600]);
    expect(empty.every((i) => score[i] === 0)).toBe(true);
  });

  it('scores a row by itself and earlier rows only', () => {
    const { timestamps, values } = series(
      5,
      MINUTE,
      during(dailySine(17), 4.2, 30, (x) => x + 20),
    );
    const whole = detectSeries(timestamps, values, { type: 'gauge' });
    const rows = 6100;
    const part = detectSeries(timestamps.slice(0, rows), values.slice(0, rows), { type: 'gauge' });
    expect(part.score).toEqual(whole.score.slice(0, rows));
    expect(part.upper).toEqual(whole.upper.slice(0, rows));
  });

  it.each([
    ['a thousandfold, raised', (x: number) => x * 1000 + 5e4],
    ['a ten-thousandth', (x: number) => x * 1e-4],
    ['upside down', (x: number) => -x],
  ])('gives the same verdicts for the series %s', (_, map) => {
    const { timestamps, values } = series(
      6,
      MINUTE,
      during(dailySine(18), 5.2, 30, (x) => x + 15),
    );
    const plain = detectSeries(timestamps, values, { type: 'gauge' });
    const mapped = detectSeries(timestamps, values.map(map), { type: 'gauge' });
    expect(opened(mapped).map((e) => e.startTimestamp)).toEqual(opened(plain).map((e) => e.startTimestamp));
    const worst = plain.score.reduce((most, s, i) => Math.max(most, Math.abs(s - mapped.score[i]!)), 0);
    expect(worst).toBeLessThan(0.02);
  });

  it('explains in words with numbers, strongest first', () => {
    const found = anomalyAt(
      detect(
        8,
        during(white(19), 7.1, 1, (x) => x + 30),
      ),
      7.1,
    )!;
    const scores = found.explanation.map((item) => item.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(found.explanation[0]!.text).toMatch(/^[A-Z0-9-].*\d.*\.$/);
    expect(found.severity).toBeGreaterThan(25);
    expect(found.severity).toBeLessThanOrEqual(100);
  });

  it('refuses columns of different length', () => {
    expect(() => detectSeries(new Float64Array(2), new Float64Array(3), { type: 'gauge' })).toThrow(RangeError);
  });
});
