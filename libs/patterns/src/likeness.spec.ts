import { jest } from '@jest/globals';
import fc from 'fast-check';
import { detectSeries } from '#libs/detection';
import { likeness, type Likeness, occurrences } from './likeness.js';
import { BASELINE_SLOTS, type PreparedShape } from './shape.js';
import { part, type Stretch } from './stretch.js';
import { at, candidateOf, minutes, shapeOf } from './testing.js';
import { startWindow } from './timing.js';
import { zDistance } from './z-distance.js';

const MINUTE = 60;
const DAYS = 12;
const TRAINED_DAY = 9;

interface Job {
  start?: number;
  length?: number;
  height?: number;
}

const within = (minute: number, start: number, length: number): boolean => minute >= start && minute < start + length;

/**
 * A quiet series or a daily cycle, with a job of half an hour at two in the morning of the trained day, and one on the
 * last day.
 */
function nightly(last: Job, { wave = 0, seed = 1, scale = 1, offset = 0 } = {}): Stretch {
  const { start = 120, length = 30, height = 50 } = last;
  const series = minutes(
    DAYS,
    (minute, day) => {
      const usual = 100 + wave * Math.sin((2 * Math.PI * minute) / 1440);
      const trained = day === TRAINED_DAY && within(minute, 120, 30) ? 50 : 0;
      return usual + trained + (day === DAYS - 1 && within(minute, start, length) ? height : 0);
    },
    { seed },
  );
  return { ...series, values: series.values.map((value) => value * scale + offset) };
}

const trained = (series: Stretch): PreparedShape =>
  shapeOf(series, at(series, TRAINED_DAY, 120), at(series, TRAINED_DAY, 149));

/** Results for a candidate that opens at a minute of the last day, for each minute of two hours. */
function verdicts(series: Stretch, shape: PreparedShape, minute: number, length: number): Likeness[] {
  return Array.from({ length: 60 }, (_, known) => verdict(series, shape, minute, { length, known }));
}

function verdict(
  series: Stretch,
  shape: PreparedShape,
  minute: number,
  { length, known }: { length: number; known: number },
): Likeness {
  const start = at(series, DAYS - 1, minute);
  const window = startWindow([shape.shape.partStart], 'UTC', MINUTE);
  const newest = start + known * MINUTE;
  const end = known > length + 5 ? start + (length - 1) * MINUTE : null;
  return likeness(shape, candidateOf(series, start, { end, newest }), { threshold: 0.95, window, timezone: 'UTC' });
}

const LARGE_NOISE = [702_005, 0, 0, -668_366, 0, -608_405, 0, 0, 0, 452_517, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
const EMPTY_PART = Array.from({ length: 41 }, (_, slot) => (slot === 26 ? -1 : 0));

const isSilent = (found: Likeness[]): boolean => found.every(({ alike }) => alike);

describe('likeness', () => {
  describe('with regard to cost', () => {
    const series = nightly({ height: 90 });
    const start = at(series, DAYS - 1, 120);
    const newest = start + 40 * MINUTE;
    const options = { threshold: 0.95, window: null, timezone: 'UTC' };

    it('computes the baselines of a candidate once, however many shapes it is compared with', () => {
      const sort = jest.spyOn(Float64Array.prototype, 'sort');
      const medians = (shapes: number): number => {
        const candidate = candidateOf(series, start, { newest });
        const prepared = Array.from({ length: shapes }, () => trained(series));
        sort.mockClear();
        for (const shape of prepared) expect(likeness(shape, candidate, options).stage).toBe('part');
        return sort.mock.calls.length;
      };
      try {
        expect(medians(1)).toBeGreaterThan(20);
        expect(medians(50)).toBe(medians(1));
      } finally {
        sort.mockRestore();
      }
    });

    it('reads the time before only when everything else is alike', () => {
      const asked = (of: Stretch): number => {
        const candidate = candidateOf(of, start, { newest });
        const get = jest.spyOn(candidate.contexts as Map<number, Stretch>, 'get');
        likeness(trained(of), candidate, options);
        return get.mock.calls.length;
      };
      expect(asked(series)).toBe(0);
      expect(asked(nightly({}))).toBe(1);
    });
  });

  describe.each([0, 20])('with a trained nightly job on a daily cycle of amplitude %i', (wave) => {
    it.each([1, 2, 3, 4])('matches the same job at the same hour, minute by minute (seed %i)', (seed) => {
      const series = nightly({}, { wave, seed });
      expect(verdicts(series, trained(series), 120, 30).filter(({ alike }) => !alike)).toEqual([]);
    });

    it.each<[what: string, job: Job]>([
      ['an hour later', { start: 180 }],
      ['twice as high', { height: 100 }],
      ['half as long', { length: 15 }],
      ['half as high', { height: 25 }],
      ['twice as long', { length: 60 }],
      ['upside down', { height: -50 }],
    ])('does not match at every minute for a job %s', (_, job) => {
      for (const seed of [1, 2]) {
        const series = nightly(job, { wave, seed });
        const { start = 120, length = 30 } = job;
        expect(isSilent(verdicts(series, trained(series), start, length))).toBe(false);
      }
    });

    it('does not match a night without the job', () => {
      const series = nightly({ height: 0 }, { wave });
      expect(verdicts(series, trained(series), 120, 10).some(({ alike }) => alike)).toBe(false);
    });

    it('matches another start time only if the known starts include it', () => {
      const series = nightly({ start: 160 }, { wave });
      const shape = trained(series);
      const start = at(series, DAYS - 1, 160);
      const candidate = candidateOf(series, start, { newest: start + 20 * MINUTE });
      const alikeWith = (starts: number[]): boolean =>
        likeness(shape, candidate, { threshold: 0.95, window: startWindow(starts, 'UTC', MINUTE), timezone: 'UTC' })
          .alike;
      const own = shape.shape.partStart;
      expect(alikeWith([own])).toBe(false);
      expect(alikeWith([own, own - 7 * 86_400 + 40 * MINUTE])).toBe(true);
    });
  });

  it.each([
    [30, true],
    [20, true],
    [15, false],
    [60, false],
  ])('compares a job of %i minutes with one of three ten-minute slots, alike: %s', (length, alike) => {
    const fine = nightly({ length });
    const values = Float32Array.from({ length: fine.values.length / 10 }, (_, slot) => {
      return fine.values.subarray(10 * slot, 10 * slot + 10).reduce((sum, value) => sum + value, 0) / 10;
    });
    const series: Stretch = { ...fine, step: 10 * MINUTE, values };
    const start = at(series, DAYS - 1, 120);
    const end = start + (Math.ceil(length / 10) - 1) * series.step;
    const newest = start + 14 * series.step;
    const shape = shapeOf(series, at(series, TRAINED_DAY, 120), at(series, TRAINED_DAY, 140));
    const candidate = candidateOf(series, start, { end, newest });
    const window = startWindow([shape.shape.partStart], 'UTC', series.step);
    expect(likeness(shape, candidate, { threshold: 0.95, window, timezone: 'UTC' }).alike).toBe(alike);
  });

  it('uses the whole job as the shape when the detector reported only its first minutes', () => {
    const series = nightly({});
    const whole = trained(series).shape;
    const start = whole.partStart;
    for (const minutesObserved of [2, 4, 8]) {
      const ends = shapeOf(series, start, start + minutesObserved * MINUTE).shape.partEnd;
      expect(Math.abs(ends - whole.partEnd)).toBeLessThanOrEqual(MINUTE);
    }
  });

  describe('when the detector has adapted to the job and reports only its end', () => {
    const LATE = 240;
    /** The job is unchanged; `later` is added from this many minutes after midnight on. */
    const ended = (later: { from: number; height: number }): Stretch => {
      const usual = nightly({});
      const begin = (at(usual, DAYS - 1, later.from) - usual.start) / MINUTE;
      const values = usual.values.map((value, slot) => (slot >= begin ? value + later.height : value));
      return { ...usual, values };
    };
    const stageOf = (series: Stretch, minutesLater: number, isOver: boolean): string => {
      const shape = trained(series);
      const start = at(series, DAYS - 1, 150);
      const newest = start + minutesLater * MINUTE;
      const candidate = candidateOf(series, start, { end: isOver ? newest - 8 * MINUTE : null, newest });
      const window = startWindow([shape.shape.partStart], 'UTC', MINUTE);
      return likeness(shape, candidate, { threshold: 0.95, window, timezone: 'UTC' }).stage;
    };

    it.each([10, 60, LATE])('matches %i minutes later, open or closed, while nothing else happens', (minutesLater) => {
      const series = ended({ from: 0, height: 0 });
      expect([false, true].map((isOver) => stageOf(series, minutesLater, isOver))).toEqual(['alike', 'alike']);
    });

    it.each([
      ['rises', 20],
      ['falls', -20],
    ])('does not match once the series %s after the end of the shape', (_, height) => {
      const series = ended({ from: 200, height });
      expect(stageOf(series, 40, false)).toBe('alike');
      expect([false, true].map((isOver) => stageOf(series, LATE, isOver))).toEqual(['length', 'length']);
    });

    it('does not match once the series has no data after the end of the shape', () => {
      expect(stageOf(ended({ from: 200, height: Number.NaN }), LATE, true)).toBe('length');
    });

    it('does not match an anomaly that stays open for more than a day', () => {
      const series = { ...ended({ from: 0, height: 0 }) };
      const longer = Float32Array.from({ length: series.values.length + 2880 }, (_, i) => series.values[i] ?? 100);
      const open = { ...series, values: longer };
      expect([1400, 2000].map((minutesLater) => stageOf(open, minutesLater, false))).toEqual(['alike', 'length']);
    });
  });

  it('finds the start of a plateau that was reported in its middle', () => {
    for (const seed of [1, 2, 3, 4]) {
      const series = nightly({}, { seed });
      const noisy = minutes(DAYS, () => 0, { noise: 4, seed: seed + 10 });
      // Noise in proportion to the level, as in most measurements.
      const values = series.values.map((value, slot) => value + (value > 125 ? noisy.values[slot]! : 0));
      const found = [8, 12, 16, 20].map((minute) => {
        const { stage, onset } = verdict({ ...series, values }, trained({ ...series, values }), 120 + minute, {
          length: 30,
          known: 0,
        });
        return [stage, (onset - at(series, DAYS - 1, 120)) / MINUTE];
      });
      expect(found).toEqual([8, 12, 16, 20].map(() => ['alike', 0]));
    }
  });

  it('does not match three doubled points in a trained level series', () => {
    const level = minutes(DAYS, () => 100, { noise: 1 });
    const shape = shapeOf(level, at(level, TRAINED_DAY, 120), at(level, TRAINED_DAY, 180));
    const start = at(level, DAYS - 1, 120);
    const values = level.values.slice();
    const first = (start - level.start) / MINUTE;
    for (let slot = 0; slot < 3; slot++) values[first + slot] = 200;
    const doubled = { ...level, values };
    for (const known of [0, 1, 2, 5, 30, 60]) {
      const candidate = candidateOf(doubled, start, { newest: start + known * MINUTE });
      const found = likeness(shape, candidate, { threshold: 0.95, window: null, timezone: 'UTC' });
      expect(found.alike).toBe(false);
    }
  });

  /** A ramp of an hour with a bump: no mirror image is like it. */
  const ramp = (slot: number): number => 60 * (slot / 60) ** 2 + (slot > 15 && slot < 25 ? 20 : 0);
  const mirrors: [what: string, shape: (slot: number) => number][] = [
    ['reversed', (slot) => ramp(59 - slot)],
    ['sign-flipped', (slot) => -ramp(slot)],
    ['mirrored', (slot) => ramp(59) - ramp(slot)],
  ];

  it.each(mirrors)('does not match a %s shape', (_, turned) => {
    const series = minutes(DAYS, (minute, day) => {
      if (!within(minute, 120, 60)) return 100;
      if (day === TRAINED_DAY) return 100 + ramp(minute - 120);
      return day === DAYS - 1 ? 100 + turned(minute - 120) : 100;
    });
    const shape = shapeOf(series, at(series, TRAINED_DAY, 120), at(series, TRAINED_DAY, 179));
    const start = at(series, DAYS - 1, 120);
    const candidate = candidateOf(series, start, { end: start + 59 * MINUTE, newest: start + 66 * MINUTE });
    expect(likeness(shape, candidate, { threshold: 0.95, window: null, timezone: 'UTC' }).alike).toBe(false);
  });

  it('matches a shape shifted by 1 to 59 points at its true offset, with an index that reproduces the distance', () => {
    const slots = 60;
    for (let shift = 1; shift < slots; shift++) {
      const series = minutes(DAYS, (minute, day) => {
        const start = day === TRAINED_DAY ? 120 : 120 + shift;
        const isThere = (day === TRAINED_DAY || day === DAYS - 1) && within(minute, start, slots);
        return 100 + (isThere ? ramp(minute - start) : 0);
      });
      const shape = shapeOf(series, at(series, TRAINED_DAY, 120), at(series, TRAINED_DAY, 120 + slots - 1));
      const start = at(series, DAYS - 1, 120 + shift);
      // The detector reported it in its middle.
      const seen = start + Math.floor(shift / 2) * MINUTE;
      const candidate = candidateOf(series, seen, { end: start + 59 * MINUTE, newest: start + 65 * MINUTE });
      const found = likeness(shape, candidate, { threshold: 0.95, window: null, timezone: 'UTC' });
      expect([found.stage, found.onset - start]).toEqual(['alike', 0]);
      expect(found.from).toBe(start - BASELINE_SLOTS * MINUTE);
      const mine = shape.shape.fine.values.subarray(found.index, found.index + found.size);
      const theirs = part(series, found.from, found.from + found.size * MINUTE);
      expect(zDistance(theirs, mine)).toBe(found.distance);
    }
  });

  it('does not depend on the scale and offset of the series', () => {
    const jobs: Job[] = [{}, { height: 100 }, { length: 15 }, { start: 180 }];
    fc.assert(
      fc.property(
        fc.constantFrom(...jobs),
        fc.constantFrom(0.001, -1, 1000, -0.01, 1e-6),
        fc.integer({ min: -3, max: 3 }),
        fc.integer({ min: 0, max: 59 }),
        (job, scale, shifts, known) => {
          const stages = [{}, { scale, offset: shifts * 100 * Math.abs(scale) }].map((changed) => {
            const series = nightly(job, { wave: 20, ...changed });
            return verdict(series, trained(series), job.start ?? 120, { length: job.length ?? 30, known }).alike;
          });
          expect(stages[1]).toBe(stages[0]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('matches any series with itself', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 20, maxLength: 200 }),
        (values) => {
          const series = minutes(2, (minute, day) => values[(day * 1440 + minute) % values.length]!, { noise: 0 });
          const start = at(series, 1, 720);
          const shape = shapeOf(series, start, start + 30 * MINUTE);
          const { partEnd } = shape.shape;
          const candidate = candidateOf(series, start, { end: partEnd, newest: partEnd + 6 * MINUTE });
          const found = likeness(shape, candidate, { threshold: 0.95, window: null, timezone: 'UTC' });
          expect([found.stage, found.similarity > 0.99]).toEqual(['alike', true]);
        },
      ),
      // Several starts fit these: large values that look like noise, and a part without any deviation.
      { numRuns: 200, examples: [[LARGE_NOISE], [EMPTY_PART]] },
    );
  });

  it('occurrences finds all times of a shape', () => {
    const series = minutes(DAYS, (minute, day) => 100 + (day % 3 === 0 && within(minute, 120 + 10 * day, 30) ? 50 : 0));
    const shape = shapeOf(series, at(series, 9, 210), at(series, 9, 239));
    const found = occurrences(shape, series, { threshold: 0.95 });
    expect(found).toHaveLength(4);
    [0, 3, 6, 9].forEach((day, i) => {
      expect(Math.abs(found[i]!.start - at(series, day, 120 + 10 * day))).toBeLessThanOrEqual(MINUTE);
    });
  });
});

describe('a nightly job trained once, with the anomalies of the detector', () => {
  it.each([0, 20])('matches on all later nights, on a daily cycle of amplitude %i', (wave) => {
    for (const seed of [3, 4]) {
      const quiet = 7;
      const series = minutes(
        14,
        (minute, day) =>
          100 + wave * Math.sin((2 * Math.PI * minute) / 1440) + (day >= quiet && within(minute, 120, 30) ? 50 : 0),
        { seed },
      );
      const timestamps = Float64Array.from(series.values, (_, slot) => series.start + slot * MINUTE);
      const { anomalies } = detectSeries(timestamps, Float64Array.from(series.values), {
        type: 'gauge',
        slotSeconds: 60,
      });
      const closed = anomalies.filter(({ type }) => type === 'closed');
      const first = closed.find(({ startTimestamp }) => startTimestamp >= at(series, quiet, 0))!;
      const shape = shapeOf(series, first.startTimestamp, first.endTimestamp!);
      const window = startWindow([shape.shape.partStart], 'UTC', MINUTE);
      const later = closed.filter(({ startTimestamp }) => {
        const minute = ((startTimestamp - series.start) % 86_400) / 60;
        return startTimestamp > first.startTimestamp + 3600 && within(minute, 115, 45);
      });
      const loud = later.flatMap(({ startTimestamp: start, endTimestamp: end }) =>
        Array.from({ length: 60 }, (_, known) => {
          const newest = start + known * MINUTE;
          const candidate = candidateOf(series, start, { end: newest > end! + 300 ? end : null, newest });
          const found = likeness(shape, candidate, { threshold: 0.95, window, timezone: 'UTC' });
          return found.alike
            ? []
            : [
                `${String((start - series.start) / 86_400)} ${String(known)} ${found.stage} ${String(found.similarity)}`,
              ];
        }).flat(),
      );
      expect(later.length).toBeGreaterThan(0);
      expect(loud).toEqual([]);
    }
  });
});
