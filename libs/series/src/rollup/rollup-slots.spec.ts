import fc from 'fast-check';
import { decodeSlots, encodeSlots } from '../codec/rollup-block.js';
import { type PointColumns } from '../points/point-columns.js';
import { rollUp, type RollupSlots, slotEnd, slotStart } from './rollup-slots.js';

const START = 1_767_225_600;
const DAY = 86_400;
const CUT = { slotSeconds: 600, unitSeconds: 60 };

const pointsOf = (points: ReadonlyMap<number, number>): PointColumns => {
  const rows = [...points].sort(([a], [b]) => a - b);
  return {
    timestamps: Float64Array.from(rows, ([minute]) => START + minute * 60),
    values: Float64Array.from(rows, ([, value]) => value),
  };
};
const plain = (slots: RollupSlots) =>
  Object.fromEntries(
    Object.entries(slots).map(([name, column]: [string, unknown]) => [
      name,
      typeof column === 'number' ? column : [...(column as Float64Array)],
    ]),
  );

describe('roll-ups', () => {
  it('are the same for points in one batch, in parts, or resent', () => {
    const minute = fc.integer({ min: 0, max: 59 });
    const valueOf = (at: number) => ((at * 37) % 101) / 4;
    fc.assert(
      fc.property(fc.array(fc.array(minute, { minLength: 1 }), { minLength: 1, maxLength: 6 }), (parts) => {
        const all = new Map(parts.flat().map((at) => [at, valueOf(at)]));
        let slots: RollupSlots | null = null;
        for (const part of parts) slots = rollUp(pointsOf(new Map(part.map((at) => [at, valueOf(at)]))), slots, CUT);
        expect(plain(slots!)).toEqual(plain(rollUp(pointsOf(all), null, CUT)));
      }),
      { numRuns: 500, seed: 20_260_101 },
    );
  });

  it('use changed values when all points of a slot are resent', () => {
    const slots = rollUp(
      pointsOf(
        new Map([
          [0, 1],
          [1, 9],
        ]),
      ),
      null,
      CUT,
    );
    const again = rollUp(
      pointsOf(
        new Map([
          [0, 2],
          [1, 3],
        ]),
      ),
      slots,
      CUT,
    );
    expect(plain(again)).toMatchObject({ counts: [2], mins: [2], maxs: [3], sums: [5], lasts: [3] });
  });

  it('only widen their range when some points of a slot are resent with changed values', () => {
    const slots = rollUp(
      pointsOf(
        new Map([
          [0, 1],
          [1, 9],
          [2, 4],
        ]),
      ),
      null,
      CUT,
    );
    const again = rollUp(
      pointsOf(
        new Map([
          [1, -7],
          [2, 5],
        ]),
      ),
      slots,
      CUT,
    );
    expect(plain(again)).toMatchObject({ counts: [3], mins: [-7], maxs: [9], sums: [14], lasts: [5] });
  });

  it.each([
    [60, 600],
    [10, 3600],
    [300, 300],
    [60, 420],
  ])('are encoded exactly: slots of %d s in %d s', (unitSeconds, slotSeconds) => {
    const rows = Array.from({ length: 200 }, (_, i) => i).filter((i) => i % 13 !== 0);
    const points = {
      timestamps: Float64Array.from(rows, (i) => START + i * unitSeconds),
      values: Float64Array.from(rows, (i) => Math.sin(i) * 1e3),
    };
    const slots = rollUp(points, null, { slotSeconds, unitSeconds });
    const bytes = encodeSlots(slots);
    const decoded = decodeSlots(bytes, slots.starts.length, slots.starts[0]!);
    expect(decoded).toMatchObject({ slotSeconds, unitSeconds });
    expect(plain(decoded)).toEqual(plain(slots));
  });

  it('of the first format can be decoded', () => {
    // Two slots of ten minutes, with the points 1, 2 and 3.5 at the minutes 0, 1 and 12.
    const bytes = Buffer.from(
      '0102d8040101bcf8ffff03ffffff079edf0002ffff5fd0ffff376410f8ff7f03fdffffc283c0ffff1bfcff40e0ffff0df4ffff0b0f',
      'hex',
    );
    const expected = rollUp(
      pointsOf(
        new Map([
          [0, 1],
          [1, 2],
          [12, 3.5],
        ]),
      ),
      null,
      CUT,
    );
    expect(plain(decodeSlots(bytes, 2, START))).toEqual(plain(expected));
  });

  it('reject bytes that are not roll-ups', () => {
    expect(() => decodeSlots(Uint8Array.of(9, 1, 1), 1, START)).toThrow(/unknown version/);
    expect(() => decodeSlots(Uint8Array.of(1, 3, 1), 1, START)).toThrow(/other tiers/);
    expect(() => decodeSlots(Uint8Array.of(2, 10, 3), 1, START)).toThrow(/damaged/);
  });

  it('keep the slot length with which their day was rolled up', () => {
    const first = rollUp(pointsOf(new Map([[0, 1]])), null, CUT);
    const late = pointsOf(
      new Map([
        [5, 3],
        [11, 4],
      ]),
    );
    const again = rollUp(late, first, { slotSeconds: 3600, unitSeconds: 60 });
    expect(plain(again)).toMatchObject({
      slotSeconds: 600,
      starts: [START, START + 600],
      counts: [2, 1],
      sums: [4, 4],
    });
  });

  it('count no point twice when later points have a shorter interval', () => {
    const stored = rollUp(
      pointsOf(
        new Map([
          [0, 1],
          [2, 5],
        ]),
      ),
      null,
      CUT,
    );
    const closer = {
      timestamps: Float64Array.from([0, 10, 50, 60, 70, 120], (second) => START + second),
      values: Float64Array.of(1, 9, 1, 2, 4, 5),
    };
    const again = rollUp(closer, stored, { slotSeconds: 600, unitSeconds: 10 });
    // One point each of minutes 0 and 2 is already counted; both points of minute 1 are new.
    expect(plain(again)).toMatchObject({ unitSeconds: 10, counts: [4], sums: [12], mins: [1], maxs: [9] });
    expect(plain(rollUp(closer, again, { slotSeconds: 600, unitSeconds: 60 }))).toEqual(plain(again));
  });

  it('distinguish points that are closer together than the given unit', () => {
    const seconds = [0, 20, 40, 60, 300];
    const points = {
      timestamps: Float64Array.from(seconds, (second) => START + second),
      values: Float64Array.from(seconds),
    };
    const once = rollUp(points, null, { slotSeconds: 600, unitSeconds: 300 });
    expect(plain(once)).toMatchObject({ unitSeconds: 20, counts: [5] });
    const one = { timestamps: Float64Array.of(START + 20), values: Float64Array.of(20) };
    expect(plain(rollUp(one, once, { slotSeconds: 600, unitSeconds: 300 }))).toEqual(plain(once));
  });

  it('end at midnight when slots do not divide a day', () => {
    const midnight = START + DAY;
    const lastStart = slotStart(midnight - 1, 420);
    expect(slotEnd(lastStart, 420)).toBe(midnight);
    expect(slotStart(midnight + 10, 420)).toBe(midnight);
    // The epoch-aligned slot that contains midnight continues after it.
    expect(slotEnd(midnight, 420)).toBe(midnight - (midnight % 420) + 420);
    const points = { timestamps: Float64Array.of(midnight - 60, midnight), values: Float64Array.of(1, 2) };
    expect(plain(rollUp(points, null, { slotSeconds: 420, unitSeconds: 60 }))).toMatchObject({
      starts: [lastStart, midnight],
      counts: [1, 1],
    });
  });
});
