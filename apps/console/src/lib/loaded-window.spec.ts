import { loadedWindow, pointsFor } from './loaded-window.js';

const DAY = 86_400;

describe('the data loaded for a window', () => {
  it('covers half a window more on each side, aligned to a grid', () => {
    const loaded = loadedWindow({ from: 10 * DAY + 7, until: 11 * DAY + 7 });
    expect(loaded).toEqual({ from: 9.5 * DAY, until: 11.75 * DAY });
  });

  it('is the same for a slightly moved window', () => {
    expect(loadedWindow({ from: 10 * DAY + 900, until: 11 * DAY + 900 })).toEqual(
      loadedWindow({ from: 10 * DAY + 60, until: 11 * DAY + 60 }),
    );
  });

  it('is limited to 600 days', () => {
    const { from, until } = loadedWindow({ from: 10_000 * DAY, until: 10_400 * DAY });
    expect(until - from).toBeLessThanOrEqual(600 * DAY);
  });

  it('has two points per pixel of the window, within the limits of the API', () => {
    const window = { from: 10 * DAY, until: 11 * DAY };
    expect(pointsFor(1000, window, { from: 9.5 * DAY, until: 11.5 * DAY })).toBe(4000);
    expect(pointsFor(9000, window, loadedWindow(window))).toBe(10_000);
    expect(pointsFor(0, window, loadedWindow(window))).toBe(200);
  });
});
