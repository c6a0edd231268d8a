import { correlate } from './correlation.js';

/** A fixed noise of −1..1. */
function noise(seed: number, length: number): number[] {
  let state = seed;
  return Array.from({ length }, () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 1_073_741_824 - 1);
}

describe('correlation with lag', () => {
  const base = noise(7, 300);

  it('finds how far one series follows another, and in which direction', () => {
    const follower = base.map((_, i) => 5 + 3 * (base[i - 4] ?? 0));
    const found = correlate(base, follower, 10)!;
    expect(found.lag).toBe(4);
    expect(found.coefficient).toBeGreaterThan(0.95);
    expect(correlate(follower, base, 10)!.lag).toBe(-4);
    expect(
      correlate(
        base,
        base.map((value) => -value),
        10,
      ),
    ).toEqual({ coefficient: -1, lag: 0 });
  });

  it('finds little between strangers, even if both rise', () => {
    const rising = (seed: number) => noise(seed, 300).map((value, i) => value + i);
    expect(Math.abs(correlate(rising(3), rising(99), 10)!.coefficient)).toBeLessThan(0.5);
  });

  it('says nothing of what is missing, short or constant', () => {
    expect(correlate(base.slice(0, 20), base.slice(0, 20), 5)).toBeNull();
    expect(
      correlate(
        base,
        base.map(() => 4),
        5,
      ),
    ).toBeNull();
    expect(
      correlate(
        base,
        base.map(() => null),
        5,
      ),
    ).toBeNull();
    const holes = base.map((value, i) => (i % 5 === 0 ? null : value));
    expect(correlate(holes, holes, 5)).toMatchObject({ lag: 0, coefficient: expect.closeTo(1, 6) });
  });
});
