import fc from 'fast-check';
import { decodeSlots, encodeSlots } from '../codec/rollup-block.js';
import { type PointColumns } from '../points/point-columns.js';
import { joinSlots, maskBytesOf, rollUp, type RollupSlots } from './rollup-slots.js';

const START = 1_767_225_600;
const tiersOf = (slot1: number, slot2: number) => ({
  tier1: { resolutionSeconds: slot1, periodSeconds: 86_400 },
  tier2: { resolutionSeconds: slot2, periodSeconds: 86_400 },
});
const TIERS = tiersOf(60, 600);

const pointsOf = (points: ReadonlyMap<number, number>): PointColumns => {
  const rows = [...points].sort(([a], [b]) => a - b);
  return {
    timestamps: Float64Array.from(rows, ([minute]) => START + minute * 60),
    values: Float64Array.from(rows, ([, value]) => value),
  };
};
const plain = (slots: RollupSlots) =>
  Object.fromEntries(Object.entries(slots).map(([name, column]) => [name, [...column]]));

describe('roll-ups', () => {
  it('are the same whether points come at once, in parts, or again', () => {
    const minute = fc.integer({ min: 0, max: 59 });
    const valueOf = (at: number) => ((at * 37) % 101) / 4;
    fc.assert(
      fc.property(fc.array(fc.array(minute, { minLength: 1 }), { minLength: 1, maxLength: 6 }), (parts) => {
        const all = new Map(parts.flat().map((at) => [at, valueOf(at)]));
        let slots: RollupSlots | null = null;
        for (const part of parts) slots = rollUp(pointsOf(new Map(part.map((at) => [at, valueOf(at)]))), slots, TIERS);
        expect(plain(slots!)).toEqual(plain(rollUp(pointsOf(all), null, TIERS)));
      }),
      { numRuns: 500, seed: 20_260_101 },
    );
  });

  it('take changed values when all points of a slot come again', () => {
    const slots = rollUp(
      pointsOf(
        new Map([
          [0, 1],
          [1, 9],
        ]),
      ),
      null,
      TIERS,
    );
    const again = rollUp(
      pointsOf(
        new Map([
          [0, 2],
          [1, 3],
        ]),
      ),
      slots,
      TIERS,
    );
    expect(plain(again)).toMatchObject({ counts: [2], mins: [2], maxs: [3], sums: [5], lasts: [3] });
  });

  it('only widen their range by changed values of some points', () => {
    const slots = rollUp(
      pointsOf(
        new Map([
          [0, 1],
          [1, 9],
          [2, 4],
        ]),
      ),
      null,
      TIERS,
    );
    const again = rollUp(
      pointsOf(
        new Map([
          [1, -7],
          [2, 5],
        ]),
      ),
      slots,
      TIERS,
    );
    expect(plain(again)).toMatchObject({ counts: [3], mins: [-7], maxs: [9], sums: [14], lasts: [5] });
  });

  it.each([tiersOf(60, 600), tiersOf(10, 3600), tiersOf(300, 300)])('are kept exactly', (tiers) => {
    const maskBytes = maskBytesOf(tiers);
    const rows = Array.from({ length: 2000 }, (_, i) => i).filter((i) => i % 13 !== 0);
    const points = {
      timestamps: Float64Array.from(rows, (i) => START + i * tiers.tier1.resolutionSeconds),
      values: Float64Array.from(rows, (i) => Math.sin(i) * 1e3),
    };
    const slots = rollUp(points, null, tiers);
    const bytes = encodeSlots(slots, maskBytes);
    expect(plain(decodeSlots(bytes, slots.starts.length, slots.starts[0]!, maskBytes))).toEqual(plain(slots));
    expect(() => decodeSlots(bytes, slots.starts.length, slots.starts[0]!, maskBytes + 1)).toThrow(/other tiers/);
  });

  it('are joined in the order of time', () => {
    const day = rollUp(pointsOf(new Map([[0, 1]])), null, TIERS);
    const next = rollUp(pointsOf(new Map([[20, 2]])), null, TIERS);
    const both = rollUp(
      pointsOf(
        new Map([
          [0, 1],
          [20, 2],
        ]),
      ),
      null,
      TIERS,
    );
    expect(plain(joinSlots([day, next], maskBytesOf(TIERS))!)).toEqual(plain(both));
    expect(joinSlots([], 2)).toBeNull();
  });
});
