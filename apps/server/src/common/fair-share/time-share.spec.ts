import { TimeShare } from './time-share.js';

/** A TimeShare with a clock that the test moves. */
function timed(options: { share: number; creditMs: number; mostDebtMs?: number }) {
  let now = 1000;
  const time = new TimeShare({ mostDebtMs: 10_000, ...options }, () => now);
  return { time, pass: (milliseconds: number) => (now += milliseconds) };
}

describe('TimeShare', () => {
  it('does not delay a party within its credit', () => {
    const { time } = timed({ share: 0.25, creditMs: 100 });
    time.spend('busy', 100);
    expect(time.waitOf('busy')).toBe(0);
  });

  it('delays a party beyond its credit in proportion to the excess', () => {
    const { time, pass } = timed({ share: 0.25, creditMs: 100 });
    time.spend('busy', 110);
    expect(time.waitOf('busy')).toBe(40);
    pass(30);
    expect(time.waitOf('busy')).toBe(10);
    pass(10);
    expect(time.waitOf('busy')).toBe(0);
  });

  it('limits a party that never pauses to its share of the time', () => {
    const { time, pass } = timed({ share: 0.25, creditMs: 200 });
    let used = 0;
    let passed = 0;
    while (passed < 100_000) {
      used += 50;
      passed += pass(50) && 50;
      time.spend('busy', 50);
      const wait = time.waitOf('busy');
      passed += pass(wait) && wait;
    }
    expect(used / passed).toBeCloseTo(0.25, 2);
  });

  it('restores credit over time, up to its limit', () => {
    const { time, pass } = timed({ share: 0.5, creditMs: 100 });
    time.spend('busy', 100);
    pass(1_000_000);
    time.spend('busy', 110);
    expect(time.waitOf('busy')).toBe(20);
  });

  it('delays a party at most for the largest debt', () => {
    const { time } = timed({ share: 0.25, creditMs: 100, mostDebtMs: 1000 });
    time.spend('busy', 60_000);
    expect(time.waitOf('busy')).toBe(4000);
  });

  it('does not delay other parties', () => {
    const { time } = timed({ share: 0.25, creditMs: 100 });
    time.spend('busy', 5000);
    expect(time.waitOf('quiet')).toBe(0);
  });
});
