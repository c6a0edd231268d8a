import { TimeShare } from './time-share.js';

/** A share with a clock that the test moves. */
function timed(options: { share: number; creditMs: number; mostDebtMs?: number }) {
  let now = 1000;
  const time = new TimeShare({ mostDebtMs: 10_000, ...options }, () => now);
  return { time, pass: (milliseconds: number) => (now += milliseconds) };
}

describe('a share of the time', () => {
  it('lets a party use its credit at once', () => {
    const { time } = timed({ share: 0.25, creditMs: 100 });
    time.spend('busy', 100);
    expect(time.waitOf('busy')).toBe(0);
  });

  it('makes one beyond its credit wait in proportion to what it used', () => {
    const { time, pass } = timed({ share: 0.25, creditMs: 100 });
    time.spend('busy', 110);
    expect(time.waitOf('busy')).toBe(40);
    pass(30);
    expect(time.waitOf('busy')).toBe(10);
    pass(10);
    expect(time.waitOf('busy')).toBe(0);
  });

  it('leaves one that never pauses its part of the time', () => {
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

  it('gives credit back with time, and no more than its bound', () => {
    const { time, pass } = timed({ share: 0.5, creditMs: 100 });
    time.spend('busy', 100);
    pass(1_000_000);
    time.spend('busy', 110);
    expect(time.waitOf('busy')).toBe(20);
  });

  it('lets one wait no longer than for the largest debt, whatever it used', () => {
    const { time } = timed({ share: 0.25, creditMs: 100, mostDebtMs: 1000 });
    time.spend('busy', 60_000);
    expect(time.waitOf('busy')).toBe(4000);
  });

  it('takes nothing from the others', () => {
    const { time } = timed({ share: 0.25, creditMs: 100 });
    time.spend('busy', 5000);
    expect(time.waitOf('quiet')).toBe(0);
  });
});
