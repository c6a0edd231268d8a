import { brushed, moved, nearestRow, slotSeconds, timeAt, xAt, zoomed } from './chart-view.js';

const plot = { left: 10, top: 0, width: 100, height: 50 };
const view = { from: 1000, until: 2000 };

describe('a position in the plot', () => {
  it('maps to a time and back', () => {
    expect(timeAt(60, plot, view)).toBe(1500);
    expect(xAt(1500, plot, view)).toBe(60);
  });
});

describe('moving the view', () => {
  it('keeps its length', () => expect(moved(view, -250.4, 3000)).toEqual({ from: 750, until: 1750 }));

  it('stops at the latest time', () => expect(moved(view, 5000, 2300)).toEqual({ from: 1300, until: 2300 }));

  it('does not move a view that already ends after the latest time', () => expect(moved(view, 10, 1500)).toEqual(view));
});

describe('zooming', () => {
  it('keeps the time under the pointer fixed', () => {
    const next = zoomed(view, 0.5, 1250, 5000);
    expect(next).toEqual({ from: 1125, until: 1625 });
    expect(xAt(1250, plot, next)).toBe(xAt(1250, plot, view));
  });

  it('stops at the latest time when zooming out', () =>
    expect(zoomed(view, 2, 1500, 2100)).toEqual({ from: 100, until: 2100 }));

  it('stops at one minute when zooming in', () =>
    expect(zoomed(view, 1e-6, 1500, 5000)).toEqual({ from: 1470, until: 1530 }));
});

describe('brushed', () => {
  it('selects a time range when dragging in either direction', () => {
    expect(brushed(60, 35, plot, view)).toEqual({ from: 1250, until: 1500 });
  });

  it('clamps the range to the edge of the plot', () => {
    expect(brushed(-50, 60, plot, view)).toEqual({ from: 1000, until: 1500 });
  });

  it('returns null for a drag of a few pixels', () => expect(brushed(60, 62, plot, view)).toBeNull());
});

describe('nearestRow', () => {
  it.each([
    [0, 0],
    [14, 0],
    [16, 1],
    [99, 2],
  ])('for time %d returns row %d', (time, row) => expect(nearestRow([10, 20, 30], time)).toBe(row));

  it('returns -1 without rows', () => expect(nearestRow([], 5)).toBe(-1));
});

describe('slotSeconds', () => {
  it.each([
    [[0, 60, 120], 1, 60],
    [[0, 60, 3600], 1, 60],
    [[0, 60, 3600], 2, 3540],
    [[7], 0, null],
    [[], 0, null],
  ])('for timestamps %j and row %d returns %s', (timestamps, row, seconds) => {
    expect(slotSeconds(timestamps, row)).toBe(seconds);
  });
});
