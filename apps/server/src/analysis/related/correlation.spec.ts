import { seededRandom } from '#libs/synthetic';
import { correlate, movementsOf } from './correlation.js';

/** Seeded noise of about −1..1. */
function noise(seed: number, length: number): number[] {
  const next = seededRandom(seed);
  return Array.from({ length }, () => next() + next() + next() - 1.5);
}

const of = (one: readonly (number | null)[], other: readonly (number | null)[], mostLag = 15) =>
  correlate(movementsOf(one), movementsOf(other), mostLag);

const SLOTS = 1440;
/** What a fault adds to the value, by the slots after its beginning. */
const FAULTS: Record<string, (after: number) => number> = {
  'a step that stays': (after) => (after >= 0 ? 10 : 0),
  'a step of half an hour': (after) => (after >= 0 && after < 30 ? 10 : 0),
  'a small step of half an hour': (after) => (after >= 0 && after < 30 ? 4 : 0),
  'a spike': (after) => (after === 0 ? 12 : 0),
  'a ramp of ten minutes': (after) => (after >= 0 && after < 60 ? Math.min(12, 1.2 * after) : 0),
};

describe('correlation with lag', () => {
  const base = noise(7, 300);

  it('returns the lag and direction in which one series follows another', () => {
    const follower = base.map((_, i) => 5 + 3 * (base[i - 4] ?? 0));
    const found = of(base, follower, 10)!;
    expect(found.lag).toBe(4);
    expect(found.coefficient).toBeGreaterThan(0.95);
    expect(of(follower, base, 10)!.lag).toBe(-4);
    const inverse = of(
      base,
      base.map((value) => -value),
    )!;
    expect(inverse.lag).toBe(0);
    expect(inverse.coefficient).toBeCloseTo(-1, 9);
  });

  describe.each(Object.entries(FAULTS))('for the same fault in both series, %s', (name, fault) => {
    const isSharp = !/small|ramp/.test(name);

    it.each([
      [0, 1],
      [1, 1],
      [3, 1],
      [-3, 1],
      [3, -1],
    ])('is found in separate noise, %s slots later, times %s', (lag, sign) => {
      for (const [seed, wave] of [
        [11, 0],
        [23, 0],
        [35, 30],
      ] as const) {
        const one = noise(seed, SLOTS).map((value, i) => value + fault(i - 900));
        const other = noise(seed + 1, SLOTS).map((value, i) => {
          return 500 + wave * Math.sin((2 * Math.PI * i) / SLOTS) + 3 * (value + sign * fault(i - 900 - lag));
        });
        const found = of(one, other)!;
        expect(sign * found.coefficient).toBeGreaterThanOrEqual(0.9);
        expect(Math.abs(found.lag - lag)).toBeLessThanOrEqual(isSharp ? 0 : 1);
      }
    });
  });

  it('finds a fault in otherwise constant series', () => {
    const step = (at: number) => Array.from({ length: SLOTS }, (_, i) => (i >= at ? 7 : 2));
    expect(of(step(700), step(703))).toEqual({ coefficient: expect.closeTo(1, 9), lag: 3 });
  });

  it('finds nothing between unrelated noise, trends, daily waves, random walks and spikes', () => {
    const walk = (seed: number): number[] => {
      let at = 0;
      return noise(seed, SLOTS).map((value) => (at += value));
    };
    const kinds: ((seed: number) => number[])[] = [
      (seed) => noise(seed, SLOTS),
      (seed) => noise(seed, SLOTS).map((value, i) => value + i),
      (seed) => noise(seed, SLOTS).map((value, i) => value + 50 * Math.sin((2 * Math.PI * i) / SLOTS)),
      walk,
      (seed) => noise(seed, SLOTS).map((value, i) => value + ((i * seed) % 211 === 3 ? 12 : 0)),
    ];
    for (const kind of kinds) {
      for (let seed = 1; seed < 20; seed += 2) {
        expect(Math.abs(of(kind(seed), kind(seed + 400))!.coefficient)).toBeLessThan(0.5);
      }
    }
  });

  it('returns lag 0 when the lag may be chance', () => {
    for (let seed = 1; seed < 20; seed++) expect(of(noise(seed, SLOTS), noise(seed + 400, SLOTS))!.lag).toBe(0);
  });

  it('returns null for short, constant or missing series', () => {
    expect(of(base.slice(0, 20), base.slice(0, 20), 5)).toBeNull();
    const constant = base.map(() => 4);
    expect(of(base, constant)).toBeNull();
    const missing = base.map(() => null);
    expect(of(base, missing)).toBeNull();
    const holes = base.map((value, i) => (i % 5 === 0 ? null : value));
    expect(of(holes, holes)).toMatchObject({ lag: 0, coefficient: expect.closeTo(1, 6) });
  });
});
