import fc from 'fast-check';
import { decodePoints, encodePoints } from './point-block.js';

const START = 1_767_225_600;

/** Encodes, decodes and compares bit by bit. Returns the number of bytes. */
function roundTrip(timestamps: readonly number[], values: readonly number[]): number {
  const count = values.length;
  const times = Float64Array.from(timestamps);
  const columns = { timestamps: new Float64Array(count), values: new Float64Array(count) };
  const bytes = encodePoints(times, Float64Array.from(values), count);
  decodePoints(bytes, count, timestamps[0] ?? 0, columns.timestamps, columns.values);
  expect(columns.timestamps).toEqual(times);
  expect(new BigUint64Array(columns.values.buffer)).toEqual(new BigUint64Array(Float64Array.from(values).buffer));
  return bytes.length;
}

const minutes = (count: number) => Array.from({ length: count }, (_, i) => START + i * 60);

/** A repeatable stand-in for noise, evenly spread over [0, 1). */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('a block of points', () => {
  it.each<[string, number[]]>([
    ['a single point', [1.5]],
    ['zeros of both signs', [0, -0, -0, 0, 1, -0]],
    ['the smallest numbers', [5e-324, -5e-324, 2.225e-308, 1e-310, 0]],
    ['the largest numbers', [1.7976931348623157e308, -1.7976931348623157e308, 1e308]],
    ['numbers around 2^53', [2 ** 53, 2 ** 53 - 1, 2 ** 53 + 2, -(2 ** 53), 2 ** 50, 2 ** 50 + 1]],
    ['numbers of many sizes', [1e-300, 1, 1e300, -1e-5, 12345.678, 1 / 3]],
    ['sums with rounding errors', [0.1 + 0.2, 0.3, 0.7 + 0.1, 0.8, 45.51600000000001, 6.1339999999999995]],
    ['one repeated value', Array<number>(500).fill(0.1)],
    ['a repeated negative zero', Array<number>(50).fill(-0)],
  ])('keeps %s', (_, values) => {
    roundTrip(minutes(values.length), values);
  });

  it('stores no points in less than 8 bytes', () => {
    expect(roundTrip([], [])).toBeLessThan(8);
  });

  it('keeps any finite float64 bit by bit', () => {
    const bits = fc
      .bigInt({ min: 0n, max: 2n ** 64n - 1n })
      .map((n) => new Float64Array(BigUint64Array.of(n).buffer)[0]!);
    const finite = fc.oneof(
      bits.filter((value) => Number.isFinite(value)),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.float({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.maxSafeInteger(),
      fc.constantFrom(0, -0, 5e-324, -5e-324, Number.MAX_VALUE, 0.1, 0.2, 1 / 3),
      fc.tuple(fc.integer(), fc.integer({ min: 0, max: 22 })).map(([n, places]) => n / 10 ** places),
      fc.integer().map((n) => n / 60),
      fc.integer().map((n) => Number((n / 60).toPrecision(15))),
    );
    const distances = fc.oneof(
      fc.constant(60),
      fc.constantFrom(1, 30, 60, 120, 600, 86_400),
      fc.integer({ min: 1, max: 1_000_000 }),
    );
    const mixed = fc.array(fc.tuple(distances, finite), { maxLength: 200 });
    const few = fc
      .tuple(fc.array(finite, { minLength: 1, maxLength: 5 }), fc.array(fc.nat(4), { maxLength: 300 }))
      .map(([some, picks]) => picks.map((pick): [number, number] => [60, some[pick % some.length]!]));
    const kind = fc.oneof(
      fc.array(fc.integer({ min: -100_000, max: 100_000 }), { maxLength: 300 }),
      fc.array(
        bits.filter((value) => Number.isFinite(value)),
        { maxLength: 100 },
      ),
    );
    const even = kind.map((values) => values.map((value): [number, number] => [60, value / 100]));
    fc.assert(
      fc.property(fc.oneof(mixed, few, even), (points) => {
        let timestamp = START;
        roundTrip(
          points.map(([distance]) => (timestamp += distance)),
          points.map(([, value]) => value),
        );
      }),
      { numRuns: 1500, seed: 20_260_101 },
    );
  });

  it('needs less than 40 bytes for a day of one value', () => {
    expect(roundTrip(minutes(1440), Array<number>(1440).fill(42.5))).toBeLessThan(40);
  });

  it('needs less than 7.5 bits per point for a gauge with 6 bits of noise', () => {
    const random = noise(1);
    const values = minutes(1440).map((_, i) => Math.round(5000 + 1000 * Math.sin(i / 200) + 64 * random()) / 100);
    // 64 equally likely values are 6 bits.
    expect(roundTrip(minutes(1440), values) / 1440).toBeLessThan(7.5 / 8);
  });

  it('needs less than half a byte per point for four different values', () => {
    const random = noise(2);
    const levels = [1 / 3, 1 / 7, Math.PI, Math.E];
    const values = minutes(1440).map(() => levels[Math.floor(random() * 4)]!);
    expect(roundTrip(minutes(1440), values) / 1440).toBeLessThan(0.5);
  });

  it('needs less than 2 bytes per point for rates that are counts per minute', () => {
    const random = noise(3);
    const rates = minutes(1440).map(() => Math.round(100_000 + 4096 * random()) / 60);
    expect(roundTrip(minutes(1440), rates) / 1440).toBeLessThan(2);
    const asPrinted = rates.map((rate) => Number(rate.toPrecision(15)));
    expect(roundTrip(minutes(1440), asPrinted) / 1440).toBeLessThan(2);
  });

  it('needs less than 80 bytes for a day of one value with gaps', () => {
    const timestamps = minutes(1440).filter((_, i) => i % 97 !== 0);
    expect(roundTrip(timestamps, Array<number>(timestamps.length).fill(1))).toBeLessThan(80);
  });

  it('rejects bytes that are not a block', () => {
    const decode = (bytes: Uint8Array) => () =>
      decodePoints(bytes, 100, START, new Float64Array(100), new Float64Array(100));
    const random = noise(4);
    const whole = encodePoints(Float64Array.from(minutes(100)), Float64Array.from(minutes(100), random), 100);

    expect(decode(Uint8Array.of(77))).toThrow(/unknown version/);
    expect(decode(whole.subarray(0, 30))).toThrow(RangeError);
    expect(decode(new Uint8Array())).toThrow(RangeError);
  });

  it('throws only RangeError for random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodePoints(Uint8Array.of(1, ...bytes), 50, START, new Float64Array(50), new Float64Array(50));
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 2000, seed: 20_260_102 },
    );
  });
});
