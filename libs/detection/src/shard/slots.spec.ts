import { type Aggregation } from '#libs/contracts';
import { B, F } from '../series/record/layout.js';
import { createRecord } from '../series/reset-record.js';
import { addPoint, restartInOtherAggregation, slotValue } from './slots.js';

type Point = [timestamp: number, value: number];

/** Stored value of the slot at 60 after the points, in order of arrival. */
function stored(aggregation: Aggregation, points: Point[]): number {
  const record = createRecord();
  for (const [timestamp, value] of points) addPoint(record, aggregation, 60, timestamp, value);
  return slotValue(record, aggregation, 60, 60);
}

describe('slots', () => {
  it.each<[string, Aggregation, Point[], number]>([
    ['one point', 'last', [[61, 5]], 5],
    [
      'the last of several',
      'last',
      [
        [61, 5],
        [70, 7],
      ],
      7,
    ],
    [
      'the latest by timestamp, not by arrival',
      'last',
      [
        [70, 7],
        [61, 5],
      ],
      7,
    ],
    [
      'the mean',
      'avg',
      [
        [60, 1],
        [70, 2],
        [119.5, 6],
      ],
      3,
    ],
    [
      'the sum',
      'sum',
      [
        [60, 1],
        [70, 2],
        [80, 3],
      ],
      6,
    ],
    [
      'the minimum',
      'min',
      [
        [60, 4],
        [70, 2],
        [80, 3],
      ],
      2,
    ],
    [
      'the maximum',
      'max',
      [
        [60, 4],
        [70, 2],
        [80, 3],
      ],
      4,
    ],
    [
      'a resent point once',
      'sum',
      [
        [60, 1],
        [70, 2],
        [60, 1],
        [70, 2],
      ],
      3,
    ],
    [
      'the last value of a resent point',
      'sum',
      [
        [60, 1],
        [70, 2],
        [60, 5],
      ],
      7,
    ],
    [
      'a corrected minimum',
      'min',
      [
        [60, 1],
        [70, 2],
        [60, 5],
      ],
      2,
    ],
    [
      'a corrected last value',
      'last',
      [
        [60, 1],
        [60, 9],
      ],
      9,
    ],
    [
      'a late point, corrected in place',
      'avg',
      [
        [60, 1],
        [130, 50],
        [90, 3],
      ],
      2,
    ],
    [
      'no point of the next slot',
      'sum',
      [
        [60, 1],
        [120, 2],
      ],
      1,
    ],
  ])('hold %s (%s)', (_, aggregation, points, expected) => {
    expect(stored(aggregation, points)).toBe(expected);
  });

  it('store a point older than the kept slots as its own value', () => {
    const record = createRecord();
    addPoint(record, 'sum', 60, 6000, 1);
    expect(addPoint(record, 'sum', 60, 6000 - 8 * 60, 4)).toBe(4);
    expect(slotValue(record, 'sum', 60, 6000)).toBe(1);
  });

  it('distinguish points to a millisecond, also before 1970', () => {
    for (const at of [60, 1_790_000_040, -540]) {
      const record = createRecord();
      for (const [after, value] of [
        [0.001, 1],
        [0.002, 2],
        [59.999, 4],
        [0.002, 10],
      ] as const)
        addPoint(record, 'sum', 60, at + after, value);
      expect(slotValue(record, 'sum', 60, at)).toBe(15);
    }
  });

  it.each<[Aggregation, Aggregation, number]>([
    ['avg', 'sum', 12],
    ['sum', 'avg', 4],
    ['avg', 'max', 7],
    ['max', 'min', 2],
    ['min', 'last', 3],
    ['last', 'avg', 4],
  ])('are recomputed from their points with another aggregation: %s, then %s', (before, after, expected) => {
    const record = createRecord();
    for (const [timestamp, value] of [
      [60, 2],
      [70, 7],
      [80, 3],
    ] as const)
      addPoint(record, before, 60, timestamp, value);
    restartInOtherAggregation(record, before, after, 60);
    expect(slotValue(record, after, 60, 60)).toBe(expected);
  });

  it.each<[Aggregation, Aggregation, number, number]>([
    ['avg', 'sum', 20 * 9.5, 20 * 9.5 + 30],
    ['sum', 'avg', 9.5, (20 * 9.5 + 30) / 21],
    ['avg', 'max', 9.5, 30],
    ['max', 'avg', 19, (20 * 19 + 30) / 21],
    ['last', 'min', 19, 19],
    ['min', 'last', 0, 30],
  ])(
    'continue from their value with another aggregation when points are no longer kept: %s, then %s',
    (before, after, at, later) => {
      const record = createRecord();
      for (let i = 0; i < 20; i++) addPoint(record, before, 60, 60 + i, i);
      restartInOtherAggregation(record, before, after, 60);
      expect(slotValue(record, after, 60, 60)).toBeCloseTo(at, 12);
      expect(addPoint(record, after, 60, 100, 30)).toBeCloseTo(later, 12);
    },
  );

  it('record the median interval and whether intervals are regular', () => {
    const record = createRecord();
    const { f, b } = record;
    for (let i = 0; i < 30; i++) addPoint(record, 'last', 60, i * 300 + (i === 12 ? 40 : 0), i);
    expect(f[F.resolution]).toBe(300);
    expect(b[B.regular]).toBe(1);
    for (let i = 0; i < 20; i++) addPoint(record, 'last', 60, 10_000 + i * i * 200, i);
    expect(b[B.regular]).toBe(0);
  });
});
