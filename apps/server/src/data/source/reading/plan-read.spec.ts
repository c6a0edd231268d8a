import {
  FIRST_INTERVALS,
  MAX_INTERVALS,
  newestInstant,
  nextChunk,
  nextReadTime,
  phaseOf,
  planPresent,
  planRead,
  POINTS_PER_READ,
  smallerChunk,
} from './plan-read.js';

const NOW = 1_760_000_000;
const progress = (more: object = {}) => ({
  watermark: NOW - 600,
  intervalSeconds: 60,
  lagSeconds: 60,
  chunkIntervals: 100,
  ...more,
});

describe('planRead', () => {
  it('covers whole intervals from the watermark up to the lag', () => {
    const { window, isLast } = planRead(progress({ watermark: 1_759_999_380 }), NOW, 0)!;
    expect(window).toEqual({ from: 1_759_999_380, until: 1_759_999_920, stepSeconds: 60 });
    expect(isLast).toBe(true);
  });

  it('is constant within an interval, and null until the next one is complete', () => {
    const until = newestInstant(NOW, progress());
    for (let second = 0; until + 60 + second < until + 120; second++) {
      expect(planRead(progress({ watermark: until - 60 }), until + 60 + second, 0)!.window.until).toBe(until);
      expect(planRead(progress({ watermark: until }), until + 60 + second, 0)).toBeNull();
    }
    expect(planRead(progress({ watermark: until }), until + 120, 0)!.window.until).toBe(until + 60);
  });

  it('continues from the watermark without gaps, part by part', () => {
    let watermark = 1_759_900_020;
    const parts: number[] = [];
    for (let plan; (plan = planRead(progress({ watermark, chunkIntervals: 500 }), NOW, 0));) {
      expect(plan.window.from).toBe(watermark);
      parts.push((plan.window.until - plan.window.from) / 60);
      watermark = plan.window.until;
      expect(plan.isLast).toBe(watermark === newestInstant(NOW, progress()));
    }
    expect(Math.max(...parts)).toBe(500);
    expect(watermark).toBe(newestInstant(NOW, progress()));
  });

  it('skips data that is no longer kept, and returns null while the clock is behind', () => {
    expect(planRead(progress({ watermark: 0 }), NOW, NOW - 3600)!.window.from).toBeLessThanOrEqual(NOW - 3600);
    expect(planRead(progress({ watermark: NOW + 900 }), NOW, 0)).toBeNull();
  });
});

it('planPresent requests only the last instant, however old the watermark is', () => {
  const { window, isLast } = planPresent(progress({ watermark: 0 }), NOW)!;
  expect([window.until - window.from, window.until, isLast]).toEqual([60, newestInstant(NOW, progress()), true]);
  expect(planPresent(progress({ watermark: window.until }), NOW)).toBeNull();
});

it('nextReadTime returns the next interval plus the lag and a constant phase per source', () => {
  const at = nextReadTime(7, 6000, progress());
  expect(at).toBe(6000 + 60 + 60 + phaseOf(7, 60));
  expect(planRead(progress({ watermark: 6000 }), at, 0)).not.toBeNull();
  for (let id = 1; id < 1000; id++) {
    expect(phaseOf(id, 10)).toBeLessThan(10);
    expect(phaseOf(id, 86_400)).toBeLessThan(60);
  }
});

describe('nextChunk', () => {
  it('limits a read to the points allowed per read', () => {
    expect(nextChunk(100, 10_000, 100, null)).toBe(POINTS_PER_READ / 100);
    expect(nextChunk(FIRST_INTERVALS, 10_000, 1, null)).toBe(5);
    expect(nextChunk(FIRST_INTERVALS, 1_000_000, 1, null)).toBe(1);
  });

  it('uses the highest density seen, so that an empty past does not enlarge reads too much', () => {
    expect(nextChunk(100, 0, 100, 1000)).toBe(50);
    expect(nextChunk(100, 0, 100, null)).toBe(400);
    expect(nextChunk(MAX_INTERVALS, 0, 100, null)).toBe(MAX_INTERVALS);
  });
});

it('smallerChunk stops at one interval', () => {
  expect([100, 25, 6, 1].map(smallerChunk)).toEqual([25, 6, 1, 1]);
});
