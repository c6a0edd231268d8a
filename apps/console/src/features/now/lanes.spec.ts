import { type LaneStretch, lanesOf, layoutLane } from './lanes';

const stretch = (over: Partial<LaneStretch>): LaneStretch => ({
  id: 1,
  what: 'anomaly',
  from: 1000,
  until: 1100,
  severity: 60,
  isExpected: false,
  label: 'spike',
  ...over,
});
const WINDOW = { from: 1000, until: 2000, now: 1900, width: 500 };
const layout = (...stretches: LaneStretch[]) => layoutLane({ metric: 'm', stretches }, WINDOW);

describe('layoutLane', () => {
  it('places a bar by its time', () => {
    expect(layout(stretch({ from: 1200, until: 1400 }))).toMatchObject([{ x: 100, width: 100, tone: 'major' }]);
  });

  it('draws an ongoing anomaly up to now', () => {
    expect(layout(stretch({ from: 1700, until: null }))).toMatchObject([{ x: 350, width: 100 }]);
  });

  it('clips a bar at the edges of the window', () => {
    expect(layout(stretch({ from: 0, until: 5000 }))).toMatchObject([{ x: 0, width: 500 }]);
  });

  it('omits bars outside the window', () => {
    expect(layout(stretch({ from: 0, until: 900 }), stretch({ from: 2100, until: 2200 }))).toEqual([]);
  });

  it('keeps a minimum width for short bars, even at the right edge', () => {
    expect(layout(stretch({ from: 2000, until: 2000 }))).toMatchObject([{ x: 496, width: 4 }]);
  });

  it('draws expected bars first and the most severe last', () => {
    const bars = layout(
      stretch({ id: 1, severity: 90 }),
      stretch({ id: 2, severity: 30 }),
      stretch({ id: 3, severity: 95, isExpected: true }),
    );
    expect(bars.map(({ id, tone }) => [id, tone])).toEqual([
      [3, 'expected'],
      [2, 'minor'],
      [1, 'critical'],
    ]);
  });

  it('keeps the 60 most severe bars', () => {
    const many = Array.from({ length: 200 }, (_, id) => stretch({ id, severity: id % 100 }));
    const bars = layout(...many);
    expect(bars).toHaveLength(60);
    expect(Math.min(...bars.map(({ severity }) => severity))).toBe(70);
  });
});

describe('lanesOf', () => {
  it('returns the worst metrics in the given order, then metrics with matches only', () => {
    const lanes = lanesOf(
      ['b', 'a'],
      [
        { ...stretch({ id: 1 }), metric: 'a' },
        { ...stretch({ id: 2 }), metric: 'not among the worst' },
      ],
      [{ ...stretch({ id: 3, what: 'match', isExpected: true }), metric: 'c' }],
      10,
    );
    expect(lanes.map(({ metric, stretches }) => [metric, stretches.map(({ id }) => id)])).toEqual([
      ['b', []],
      ['a', [1]],
      ['c', [3]],
    ]);
  });

  it('returns at most the requested number of lanes', () => {
    expect(lanesOf(['a', 'b', 'c'], [], [], 2).map(({ metric }) => metric)).toEqual(['a', 'b']);
  });
});
