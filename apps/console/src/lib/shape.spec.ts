import { describe, expect, it } from '@jest/globals';
import { curvePath, placeCurves } from './shape';

const day = [
  [1000, 10],
  [1100, 30],
  [1200, 10],
];

describe('placeCurves', () => {
  it('aligns curves of different days', () => {
    const later = day.map(([time, value]) => [time! + 86_400, value!]);
    const { curves, seconds } = placeCurves([day, later], { align: 'start', scale: 'shared' });
    expect(curves[0]).toEqual(curves[1]);
    expect(seconds).toBe(200);
  });

  it('aligns a shorter curve to the end of a longer one', () => {
    const short = [
      [5000, 10],
      [5100, 30],
    ];
    const { curves } = placeCurves([day, short], { align: 'end', scale: 'shared' });
    expect(curves[1]).toEqual([
      { x: 0.5, y: 0 },
      { x: 1, y: 1 },
    ]);
  });

  it('keeps sizes comparable on a shared scale, and shapes comparable on separate scales', () => {
    const double = day.map(([time, value]) => [time!, value! * 2]);
    const shared = placeCurves([day, double], { align: 'start', scale: 'shared' });
    expect(shared.curves[0]?.map(({ y }) => y)).toEqual([0, 0.4, 0]);
    expect(shared).toMatchObject({ low: 10, high: 60 });
    const own = placeCurves([day, double], { align: 'start', scale: 'own' });
    expect(own.curves[0]).toEqual(own.curves[1]);
  });

  it('centres a flat curve, and returns no points for curves with less than two points', () => {
    const flat = [
      [0, 7],
      [60, 7],
    ];
    const { curves } = placeCurves([flat, [], [[5, 1]]], { align: 'start', scale: 'shared' });
    expect(curves[1]).toEqual([]);
    expect(curves[2]).toEqual([]);
    expect(placeCurves([flat], { align: 'start', scale: 'own' }).curves[0]?.[0]?.y).toBe(0.5);
  });
});

describe('curvePath', () => {
  it('interrupts the path at a gap', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 0.5, y: null },
      { x: 0.75, y: 1 },
      { x: 1, y: 0.5 },
    ];
    expect(curvePath(points, 100, 20, 0)).toBe('M0.0 20.0M75.0 0.0L100.0 10.0');
  });
});
