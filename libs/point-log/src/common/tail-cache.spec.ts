import fc from 'fast-check';
import { type LogRecord } from '../point-log.js';
import { TailCache } from './tail-cache.js';

const record = (partition: number, position: number, points = 1): LogRecord => ({
  partition,
  position,
  kind: 'live',
  appendedAt: position,
  batch: {
    ids: new Uint32Array(points).fill(partition),
    timestamps: new Float64Array(points).fill(position),
    values: new Float64Array(points),
  },
});

const positions = (records: readonly LogRecord[]): number[] => records.map(({ position }) => position);

describe('TailCache', () => {
  it('caches nothing for partitions without a reader', () => {
    const tail = new TailCache(1e6);
    tail.add([record(0, 1)]);
    expect(tail.take(0, 0, 100)).toEqual([]);
    tail.add([record(0, 2), record(1, 3)]);
    expect(positions(tail.take(0, 1, 100))).toEqual([2]);
    expect(tail.take(1, 0, 100)).toEqual([]);
  });

  it('returns nothing to a reader that is behind the cache', () => {
    const tail = new TailCache(1e6);
    tail.add([record(0, 4)]);
    tail.take(0, 0, 100);
    tail.add([record(0, 5)]);
    expect(tail.take(0, 3, 100)).toEqual([]);
    expect(positions(tail.take(0, 4, 100))).toEqual([5]);
  });

  it('returns at most the requested points, but at least one record', () => {
    const tail = new TailCache(1e6);
    tail.add([record(0, 1)]);
    tail.take(0, 0, 1);
    tail.add([record(0, 2, 3), record(0, 3, 3), record(0, 4, 3)]);
    expect(positions(tail.take(0, 1, 1))).toEqual([2]);
    expect(positions(tail.take(0, 2, 6))).toEqual([3, 4]);
  });

  it('drops the oldest records when it exceeds its size', () => {
    const tail = new TailCache(2 * 220);
    tail.add([record(0, 1)]);
    tail.take(0, 1, 1);
    tail.add([record(0, 2), record(0, 3), record(0, 4)]);
    expect(tail.take(0, 1, 100)).toEqual([]);
    expect(positions(tail.take(0, 2, 100))).toEqual([3, 4]);
  });

  it('never causes a missed or repeated record, with any writers and cache size', () => {
    const commit = fc.record({
      others: fc.constantFrom(0, 0, 0, 1, 3),
      records: fc.array(fc.record({ partition: fc.nat(2), points: fc.integer({ min: 1, max: 4 }) }), { minLength: 1 }),
      reads: fc.array(fc.record({ partition: fc.nat(2), maxPoints: fc.integer({ min: 1, max: 9 }) })),
    });
    fc.assert(
      fc.property(fc.array(commit, { maxLength: 25 }), fc.integer({ min: 100, max: 3000 }), (commits, maxBytes) => {
        const tail = new TailCache(maxBytes);
        const database: LogRecord[] = [];
        const seen = new Map<number, number[]>([0, 1, 2].map((partition) => [partition, []]));
        let position = 0;
        const read = (partition: number, maxPoints: number): number => {
          const known = seen.get(partition)!;
          const after = known.at(-1) ?? 0;
          const cached = tail.take(partition, after, maxPoints);
          const rows = database.filter((row) => row.partition === partition && row.position > after);
          const records = cached.length > 0 ? cached : rows.slice(0, 2);
          known.push(...positions(records));
          return records.length;
        };
        for (const { others, records, reads } of commits) {
          for (let i = 0; i < others; i++) database.push(record(i, ++position));
          const own = records.map(({ partition, points }) => record(partition, ++position, points));
          database.push(...own);
          tail.add(own);
          for (const { partition, maxPoints } of reads) read(partition, maxPoints);
        }
        for (const partition of [0, 1, 2]) {
          while (read(partition, 5) > 0);
          const all = database.filter((row) => row.partition === partition);
          expect(seen.get(partition)).toEqual(positions(all));
        }
      }),
      { seed: 20_260_102, numRuns: 300 },
    );
  });
});
