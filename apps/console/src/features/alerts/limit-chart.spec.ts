import { boxOf, pathOf, rounded, valueAt, yOf } from './limit-chart';

const POINTS = [
  [0, 10],
  [60, null],
  [120, 20],
  [180, 15],
] as const;

describe('the scale of a chart with limits', () => {
  it('spans the series and the limits with some margin', () => {
    const box = boxOf(POINTS, [{ value: 30 }]);
    expect(box.low).toBeCloseTo(8.4);
    expect(box.high).toBeCloseTo(31.6);
    expect(boxOf([], [])).toEqual({ low: 0, high: 1 });
    const flat = boxOf([[0, 5]], []);
    expect(flat.high).toBeGreaterThan(flat.low);
  });

  it('converts a value to a position and back', () => {
    const box = { low: 0, high: 50 };
    expect(yOf(50, box)).toBe(0);
    expect(yOf(0, box)).toBe(1);
    expect(valueAt(yOf(12, box), box)).toBeCloseTo(12);
  });

  it('rounds values to three significant digits of the scale', () => {
    expect(rounded(123.456, { low: 0, high: 1000 })).toBe(123);
    expect(rounded(0.012_345_6, { low: 0, high: 0.1 })).toBe(0.0123);
    expect(rounded(1_234_567, { low: 0, high: 10_000_000 })).toBe(1_230_000);
  });
});

describe('pathOf', () => {
  it('interrupts the line at a gap', () => {
    const place = { box: { low: 0, high: 20 }, window: { from: 0, until: 180 }, width: 90, height: 100 };
    expect(pathOf(POINTS, place)).toBe('M0.0 50.0M60.0 0.0L90.0 25.0');
  });
});
