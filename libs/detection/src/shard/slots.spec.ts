import { type Aggregation } from '#libs/contracts';
import { F } from '../series/layout.js';
import { createRecord } from '../series/reset-record.js';
import { addPoint, slotValue } from './slots.js';

type Point = [timestamp: number, value: number];

/** Stored value of the slot at 60 after the points, in order of arrival. */
function stored(aggregation: Aggregation, points: Point[]): number {
  const { f } = createRecord();
  for (const [timestamp, value] of points) addPoint(f, aggregation, 60, timestamp, value);
  return slotValue(f, aggregation, 60, 60);
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
      'the least',
      'min',
      [
        [60, 4],
        [70, 2],
        [80, 3],
      ],
      2,
    ],
    [
      'the most',
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
      'the last of a resent point',
      'sum',
      [
        [60, 1],
        [70, 2],
        [60, 5],
      ],
      7,
    ],
    [
      'a corrected least',
      'min',
      [
        [60, 1],
        [70, 2],
        [60, 5],
      ],
      2,
    ],
    [
      'a corrected last',
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
      'nothing of the next slot',
      'sum',
      [
        [60, 1],
        [120, 2],
      ],
      1,
    ],
  ])('holds %s (%s)', (_, aggregation, points, expected) => {
    expect(stored(aggregation, points)).toBe(expected);
  });

  it('stores a point older than the kept slots as it is', () => {
    const { f } = createRecord();
    addPoint(f, 'sum', 60, 6000, 1);
    expect(addPoint(f, 'sum', 60, 6000 - 8 * 60, 4)).toBe(4);
    expect(slotValue(f, 'sum', 60, 6000)).toBe(1);
  });

  it('knows the pace: the median of the last intervals, regular or not', () => {
    const { f } = createRecord();
    for (let i = 0; i < 30; i++) addPoint(f, 'last', 60, i * 300 + (i === 12 ? 40 : 0), i);
    expect(f[F.resolution]).toBe(300);
    expect(f[F.regular]).toBe(1);
    for (let i = 0; i < 20; i++) addPoint(f, 'last', 60, 10_000 + i * i * 200, i);
    expect(f[F.regular]).toBe(0);
  });
});
