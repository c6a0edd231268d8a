import fc from 'fast-check';
import { gatesOf } from './anomaly/gates.js';
import { normal, START } from '../testing/generators.js';
import { type AnomalyEvent } from '../types.js';
import { noteInterval } from './points/pace.js';
import { createRecord } from './reset-record.js';
import { SeriesDetector, WARM_UP_POINTS } from './series-detector.js';
import { coldPart, type SeriesRecord } from './record/series-record.js';
import { ZoneClock } from './points/zone-clock.js';

const terms = { clock: new ZoneClock('UTC'), sensitivity: 1, gates: gatesOf({}) };

class Run {
  readonly record: SeriesRecord = createRecord();
  readonly events: AnomalyEvent[] = [];
  readonly detector = new SeriesDetector((event) => this.events.push(event));
  rows = 0;

  take(values: Iterable<number>): this {
    for (const value of values) {
      if (this.rows > 0) noteInterval(this.record, 60);
      this.detector.score(this.record, terms, START + 60 * this.rows++, value, 1, false);
    }
    return this;
  }
}

const noise = (count: number, seed: number): number[] => Array.from({ length: count }, normal(seed));

/** Doubles and floats of the record that are NaN. */
const unknownIn = ({ f, p }: SeriesRecord): string[] => [
  ...[...f.keys()].filter((at) => Number.isNaN(f[at]!)).map((at) => `double ${at}`),
  ...[...p.keys()].filter((at) => Number.isNaN(p[at]!)).map((at) => `float ${at}`),
];

describe('SeriesDetector', () => {
  it('stores no new NaN in its record after values of any size', () => {
    const rest = noise(300, 1);
    const usuallyUnknown = new Set(unknownIn(new Run().take([...noise(100, 2), ...rest]).record));
    const any = fc.oneof(
      fc.constantFrom(0, 5e-324, -1e-320, 1e-310, 2e-308, 1e-160, 1e-40, 1, 1e36, -1e160, 1e300),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -2, max: 2 }),
    );
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 150 }), (few, length) => {
        const values = Array.from({ length }, (_, row) => few[row % few.length]!);
        const run = new Run().take([...values, ...rest]);
        expect(unknownIn(run.record).filter((at) => !usuallyUnknown.has(at))).toEqual([]);
      }),
      { seed: 20_251_501, numRuns: 200 },
    );
  });

  it('processes several series in alternation, with all state in their records', () => {
    const [some, others] = [noise(2000, 3), noise(2000, 4).map((x) => 100 - 7 * x)];
    some[1500] = 40;
    others[1600] = -400;
    const alone = [new Run().take(some), new Run().take(others)];
    const together: AnomalyEvent[] = [];
    const detector = new SeriesDetector((event) => together.push(event));
    const records = [createRecord(), createRecord()];
    for (let row = 0; row < 2000; row++) {
      [some, others].forEach((values, i) => {
        if (row > 0) noteInterval(records[i]!, 60);
        detector.score(records[i]!, terms, START + 60 * row, values[row]!, i, false);
      });
    }
    records.forEach((record, i) => {
      expect(record.f).toEqual(alone[i]!.record.f);
      expect(record.w).toEqual(alone[i]!.record.w);
      expect(record.p).toEqual(alone[i]!.record.p);
      expect(record.b).toEqual(alone[i]!.record.b);
      expect(coldPart(record)).toEqual(coldPart(alone[i]!.record));
      const own = together.filter(({ seriesId }) => seriesId === i).map((event) => ({ ...event, seriesId: 1 }));
      expect(own).toEqual(alone[i]!.events);
      expect(own.length).toBeGreaterThan(0);
    });
  });

  it('returns no verdict during the warm-up, and one for every later value', () => {
    const run = new Run();
    noise(400, 5).forEach((value, row) => {
      run.take([value]);
      const { verdict } = run.detector;
      expect(verdict.value).toBe(value);
      expect(Number.isFinite(verdict.yhat)).toBe(row >= WARM_UP_POINTS);
      if (row < WARM_UP_POINTS) expect(verdict).toMatchObject({ alarm: 0, anomalous: false });
    });
  });

  it('opens at most one anomaly in 20,000 rows of noise', () => {
    const run = new Run();
    const { verdict } = run.detector;
    let opened = 0;
    let alarms = 0;
    for (const value of noise(20_000, 6)) {
      run.take([value]);
      if (verdict.alarm >= 0.5) alarms++;
    }
    for (const { type } of run.events) if (type === 'opened') opened++;
    expect(opened).toBeLessThanOrEqual(alarms);
    expect(opened).toBeLessThanOrEqual(1);
  });
});
