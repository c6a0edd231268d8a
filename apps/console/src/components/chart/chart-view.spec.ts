import { brushed, moved, nearestRow, slotSeconds, timeAt, xAt, zoomed } from './chart-view.js';

const plot = { left: 10, top: 0, width: 100, height: 50 };
const view = { from: 1000, until: 2000 };

describe('a place in the picture', () => {
  it('stands for a time and back', () => {
    expect(timeAt(60, plot, view)).toBe(1500);
    expect(xAt(1500, plot, view)).toBe(60);
  });
});

describe('moving the view', () => {
  it('keeps its length', () => expect(moved(view, -250.4, 3000)).toEqual({ from: 750, until: 1750 }));

  it('ends at the latest time', () => expect(moved(view, 5000, 2300)).toEqual({ from: 1300, until: 2300 }));

  it('does not push back a view that ends later', () => expect(moved(view, 10, 1500)).toEqual(view));
});

describe('zooming', () => {
  it('keeps the time under the pointer where it is', () => {
    const next = zoomed(view, 0.5, 1250, 5000);
    expect(next).toEqual({ from: 1125, until: 1625 });
    expect(xAt(1250, plot, next)).toBe(xAt(1250, plot, view));
  });

  it('out stops at the latest time', () => expect(zoomed(view, 2, 1500, 2100)).toEqual({ from: 100, until: 2100 }));

  it('in stops at a minute', () => expect(zoomed(view, 1e-6, 1500, 5000)).toEqual({ from: 1470, until: 1530 }));
});

describe('a drag', () => {
  it('chooses a stretch in either direction', () => {
    expect(brushed(60, 35, plot, view)).toEqual({ from: 1250, until: 1500 });
  });

  it('outside of the plot ends at its edge', () => {
    expect(brushed(-50, 60, plot, view)).toEqual({ from: 1000, until: 1500 });
  });

  it('of a few pixels is a click', () => expect(brushed(60, 62, plot, view)).toBeNull());
});

describe('the nearest row', () => {
  it.each([
    [0, 0],
    [14, 0],
    [16, 1],
    [99, 2],
  ])('to %d is %d', (time, row) => expect(nearestRow([10, 20, 30], time)).toBe(row));

  it('of nothing is none', () => expect(nearestRow([], 5)).toBe(-1));
});

describe('the slot of a row', () => {
  it.each([
    [[0, 60, 120], 1, 60],
    [[0, 60, 3600], 1, 60],
    [[0, 60, 3600], 2, 3540],
    [[7], 0, null],
    [[], 0, null],
  ])('in %j at %d lasts %s seconds', (timestamps, row, seconds) => {
    expect(slotSeconds(timestamps, row)).toBe(seconds);
  });
});
