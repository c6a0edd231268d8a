import fc from 'fast-check';
import { scoreEvents } from './event-score.js';
import { sweepEvents } from './event-sweep.js';
import {
  HOURLY_PACE,
  type LabelledSeries,
  MINUTE_PACE,
  paceOf,
  type SeriesPace,
  warmUpRows,
} from './labelled-series.js';

/** A thousand rows, of which the first 150 are the warm-up; `rows` score 1, all others 0. */
function series(rows: number[], events: [number, number][], pace: SeriesPace = MINUTE_PACE): LabelledSeries {
  const scores = new Float64Array(1000);
  const labels = new Uint8Array(1000);
  for (const row of rows) scores[row] = 1;
  for (const [first, last] of events) labels.fill(1, first, last + 1);
  return { scores, labels, pace };
}

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i);

describe('warmUpRows', () => {
  it.each([
    [1000, 60, 150],
    [100_000, 300, 2880],
    [720, 3600, 108],
    [5000, 3600, 168],
  ])('for %d rows at %d s is %d', (rows, interval, want) => expect(warmUpRows(rows, paceOf(interval))).toBe(want));
});

describe('scoreEvents', () => {
  it('counts a found event, a missed event and a false alarm', () => {
    // Found: 1 of 2; alarms: 1 of 2 true; precision = recall = F1 = 1/2. 850 rows are judged.
    expect(
      scoreEvents(
        [
          series(
            [304, 700],
            [
              [300, 310],
              [500, 510],
            ],
          ),
        ],
        0.5,
      ),
    ).toEqual({
      threshold: 0.5,
      f1: 0.5,
      precision: 0.5,
      recall: 0.5,
      events: 2,
      found: 1,
      alarms: 2,
      falseAlarms: 1,
      rows: 850,
      falseAlarmsPer10kRows: 10_000 / 850,
      meanDelayRows: 4,
    });
  });

  it.each([
    ['just before an event is false', 299, MINUTE_PACE, 0],
    ['three rows after an event finds it', 313, MINUTE_PACE, 1],
    ['four rows after an event is false', 314, MINUTE_PACE, 0],
    ['an hourly row after an event finds it', 311, HOURLY_PACE, 1],
    ['two hourly rows after an event is false', 312, HOURLY_PACE, 0],
  ])('counts that an alarm %s', (_, row, pace, found) => {
    expect(scoreEvents([series([row], [[300, 310]], pace)], 0.5)).toMatchObject({ found, falseAlarms: 1 - found });
  });

  it.each([
    ['counts rows ten apart as one alarm', [600, 610], MINUTE_PACE, 1],
    ['counts rows eleven apart as two alarms', [600, 611], MINUTE_PACE, 2],
    ['counts hourly rows three apart as one alarm', [600, 603], HOURLY_PACE, 1],
    ['counts hourly rows four apart as two alarms', [600, 604], HOURLY_PACE, 2],
    ['counts sixty consecutive rows as one alarm', range(600, 60), MINUTE_PACE, 1],
    ['counts sixty-one consecutive rows as two alarms', range(600, 61), MINUTE_PACE, 2],
    ['counts an endless alarm as one alarm per sixty rows', range(150, 850), MINUTE_PACE, 15],
  ])('%s', (_, rows, pace, falseAlarms) => {
    expect(scoreEvents([series(rows, [], pace)], 0.5)).toMatchObject({ alarms: falseAlarms, falseAlarms, f1: 0 });
  });

  it('attributes an alarm that began before an event to the event, but not its later parts', () => {
    expect(scoreEvents([series(range(295, 70), [[300, 310]])], 0.5)).toMatchObject({
      alarms: 2,
      falseAlarms: 1,
      found: 1,
      meanDelayRows: 0,
    });
  });

  it('attributes a row after one event and within the next to both', () => {
    expect(
      scoreEvents(
        [
          series(
            [302],
            [
              [300, 300],
              [302, 305],
            ],
          ),
        ],
        0.5,
      ),
    ).toMatchObject({ found: 2, meanDelayRows: 1 });
  });

  it('ignores the warm-up, and counts an event from the end of the warm-up on', () => {
    expect(scoreEvents([series([100, 149], [[100, 110]])], 0.5)).toMatchObject({ events: 0, alarms: 0 });
    expect(scoreEvents([series([152], [[100, 160]])], 0.5)).toMatchObject({ events: 1, found: 1, meanDelayRows: 2 });
  });

  it('adds up the series of a set', () => {
    const set = [series([300], [[300, 310]]), series([700, 800], [[500, 510]])];
    // Precision 1/3, recall 1/2: F1 = 2 (1/6) / (5/6).
    expect(scoreEvents(set, 0.5).f1).toBeCloseTo(0.4, 12);
  });

  it('rejects columns of different length', () => {
    const odd = { scores: new Float64Array(3), labels: new Uint8Array(4), pace: MINUTE_PACE };
    expect(() => scoreEvents([odd], 0.5)).toThrow(RangeError);
  });

  it('agrees with a reference implementation', () => {
    const rows = fc.array(fc.tuple(fc.constantFrom(0, 0, 0, 0, 1), fc.constantFrom(0, 0, 0, 1)), {
      minLength: 30,
      maxLength: 200,
    });
    fc.assert(
      fc.property(rows, fc.constantFrom(MINUTE_PACE, HOURLY_PACE), (pairs, pace) => {
        const from = Math.floor(0.15 * pairs.length);
        const alarmRows = pairs.flatMap(([score], row) => (score === 1 && row >= from ? [row] : []));
        const events: number[][] = [];
        pairs.forEach(([, label], row) => {
          if (label === 0 || row < from) return;
          if (events.at(-1)?.at(-1) === row - 1) events.at(-1)!.push(row);
          else events.push([row]);
        });
        const alarms: number[][] = [];
        for (const row of alarmRows) {
          const current = alarms.at(-1);
          if (current && row - current.at(-1)! <= pace.mergeRows && row - current[0]! < 60) current.push(row);
          else alarms.push([row]);
        }
        const belongs = (row: number, event: number[]): boolean =>
          row >= event[0]! && row <= event.at(-1)! + pace.toleranceRows;
        const set = {
          scores: Float64Array.from(pairs, ([score]) => score),
          labels: Uint8Array.from(pairs, ([, label]) => label),
          pace,
        };
        expect(scoreEvents([set], 0.5)).toMatchObject({
          events: events.length,
          found: events.filter((event) => alarmRows.some((row) => belongs(row, event))).length,
          alarms: alarms.length,
          falseAlarms: alarms.filter((alarm) => !alarm.some((row) => events.some((event) => belongs(row, event))))
            .length,
        });
      }),
      { seed: 76, numRuns: 300 },
    );
  });
});

describe('sweepEvents', () => {
  it('finds the threshold that excludes false alarms and includes events', () => {
    const one = series(
      [],
      [
        [300, 310],
        [500, 510],
      ],
    );
    one.scores[305] = 0.8;
    one.scores[505] = 0.6;
    one.scores[700] = 0.5;
    one.scores[800] = 0.4;
    expect(sweepEvents([one])).toMatchObject({ f1: 1, threshold: 0.6 });
  });

  it('reaches at least the F1 of every other tried threshold', () => {
    const pairs = fc.array(fc.tuple(fc.constantFrom(0, 0.1, 0.3, 0.6, 0.9), fc.constantFrom(0, 0, 0, 1)), {
      minLength: 30,
      maxLength: 200,
    });
    fc.assert(
      fc.property(pairs, (rows) => {
        const set = [
          {
            scores: Float64Array.from(rows, ([score]) => score),
            labels: Uint8Array.from(rows, ([, label]) => label),
            pace: MINUTE_PACE,
          },
        ];
        const swept = sweepEvents(set, [0.2]).f1;
        for (const threshold of [0.2, 0.3, 0.6, 0.9]) {
          expect(swept).toBeGreaterThanOrEqual(scoreEvents(set, threshold).f1);
        }
      }),
      { seed: 77, numRuns: 300 },
    );
  });

  it('does not choose a threshold at which every row alarms', () => {
    const crowded = series(
      [],
      Array.from({ length: 17 }, (_, i): [number, number] => [150 + i * 50, 155 + i * 50]),
    );
    expect(scoreEvents([crowded], 0).f1).toBeGreaterThan(0.9);
    expect(sweepEvents([crowded])).toMatchObject({ f1: 0, threshold: Infinity });
  });

  it('returns an infinite threshold when there is no event', () => {
    expect(sweepEvents([series([700], [])])).toMatchObject({ f1: 0, threshold: Infinity, alarms: 0 });
  });
});
