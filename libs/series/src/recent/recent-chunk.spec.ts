import fc from 'fast-check';
import { type SeriesBatch } from '../series-store.js';
import { bucketsOf, bucketsOfPart, chooseModulus, filterHash, filterOf } from './buckets.js';
import { orderRows, requireSoundRows } from './ordered-rows.js';
import { ChunkReader, encodeChunk } from './recent-chunk.js';

type Row = [id: number, timestamp: number, value: number];

const id = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 0x7fff_ffff }));
const timestamp = fc.oneof(
  fc.integer({ min: 0, max: 100 }).map((n) => 1_767_225_600 + n * 60),
  fc.integer({ min: 0, max: 253_402_300_799 }),
);
const rows = fc.array(fc.tuple(id, timestamp, fc.double()), { maxLength: 300 });

function batchOf(some: readonly Row[]): SeriesBatch {
  return {
    ids: Uint32Array.from(some, (row) => row[0]),
    timestamps: Float64Array.from(some, (row) => row[1]),
    values: Float64Array.from(some, (row) => row[2]),
  };
}

/** The expected rows: the last finite value of each slot. */
function expected(some: readonly Row[]): Row[] {
  const slots = new Map<string, Row>();
  for (const row of some) if (Number.isFinite(row[2])) slots.set(`${String(row[0])}/${String(row[1])}`, row);
  return [...slots.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

function decode(chunk: Buffer): Row[] {
  const decoded: Row[] = [];
  const reader = new ChunkReader(chunk);
  while (reader.next()) {
    const timestamps = new Float64Array(reader.points);
    const values = new Float64Array(reader.points);
    reader.copyTo(timestamps, values, 0);
    timestamps.forEach((at, i) => decoded.push([reader.id, at, values[i]!]));
  }
  return decoded;
}

describe('chunks of recent points', () => {
  it('contain every slot of a batch exactly once, in buckets in which its series is looked up', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(1, 8, 64), (some, mostChunks) => {
        const ordered = orderRows(batchOf(some), mostChunks);
        const found: Row[] = [];
        for (const { bucket, from, until } of ordered.buckets) {
          const stored = decode(encodeChunk(ordered, from, until));
          const filter = filterOf(new Set(stored.map(([one]) => one)), stored.length);
          for (const [one] of stored) {
            expect(bucketsOf(one)).toContain(bucket);
            const bit = filterHash(one) % (filter.length * 8);
            expect(filter[bit >>> 3]! & (1 << (bit & 7))).not.toBe(0);
          }
          found.push(...stored);
        }
        found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        expect(found).toEqual(expected(some));
      }),
      { numRuns: 500, seed: 20_260_101 },
    );
  });

  it('are split by the bits in which ids differ, into at most the given number of buckets', () => {
    const ids = (count: number, step: number) => Uint32Array.from({ length: count }, (_, n) => 3 + n * step);

    expect(chooseModulus(ids(400, 8), 64)).toBe(8);
    expect(chooseModulus(ids(20_000, 8), 64)).toBe(256);
    expect(chooseModulus(ids(20_000, 1), 1)).toBe(1);
    expect(chooseModulus(Uint32Array.of(7, 7, 7), 64)).toBe(8192);
  });

  it('are in a bucket of the part of their series', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(1, 2, 16, 4096), (one, parts) => {
        const buckets = bucketsOfPart(parts, one % parts);
        for (const bucket of bucketsOf(one)) expect(buckets === null || buckets.includes(bucket)).toBe(true);
      }),
      { numRuns: 200, seed: 20_260_101 },
    );
  });

  it('reject invalid times and columns of different length', () => {
    const row = (at: number) => () => requireSoundRows(batchOf([[1, at, 1]]));
    expect(row(1.5)).toThrow(/whole number/);
    expect(row(-1)).toThrow(/whole number/);
    expect(row(253_402_300_800)).toThrow(/whole number/);
    expect(() => requireSoundRows({ ...batchOf([]), values: new Float64Array(1) })).toThrow(/same length/);
  });

  it('reject bytes that are not a chunk', () => {
    expect(() => new ChunkReader(Buffer.alloc(3))).toThrow(RangeError);
    const reader = new ChunkReader(Buffer.of(1, 0, 0, 0, 1, 0, 0, 0));
    expect(() => reader.next()).toThrow(RangeError);
  });
});
