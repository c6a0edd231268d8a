import fc from 'fast-check';
import { type LogRecord, type PointBatch, type PointLog, PointLogFullError, type RecordKind } from './point-log.js';

export interface PointLogOpening {
  partitions?: number;
  now?: () => number;
  maxQueuedPoints?: number;
}

/** One stored log. Each `open` has its own connections, as another process would. */
export interface PointLogFixture {
  open(opening?: PointLogOpening): Promise<PointLog>;
  /** Removes the log. All opened users of it are closed by then. */
  dispose(): Promise<void>;
}

const PARTITIONS = 4;

/** The contract that every adapter of PointLog must fulfil. `create` creates an empty log. */
export function pointLogContract(create: () => Promise<PointLogFixture>): void {
  let fixture: PointLogFixture;
  let opened: PointLog[];
  let now: number;

  const open = async (opening: PointLogOpening = {}): Promise<PointLog> => {
    const log = await fixture.open({ partitions: PARTITIONS, now: () => now, ...opening });
    opened.push(log);
    return log;
  };

  beforeEach(async () => {
    fixture = await create();
    opened = [];
    now = 1_800_000_000.25;
  });

  afterEach(async () => {
    await Promise.all(opened.map((log) => log.close()));
    await fixture.dispose();
  });

  describe('append and read', () => {
    it('returns the points, each in the partition of its id', async () => {
      const log = await open();

      await log.append(batch([1, 10, 1.5], [2, 20, -2.5], [5, 30, 1e300], [1, 40, 0]), 'live');

      expect(points(await log.read(1, 0, 100))).toEqual([
        [1, 10, 1.5],
        [5, 30, 1e300],
        [1, 40, 0],
      ]);
      expect(points(await log.read(2, 0, 100))).toEqual([[2, 20, -2.5]]);
      expect(await log.read(0, 0, 100)).toEqual([]);
    });

    it('keeps all batches exactly, in the order of the calls', async () => {
      const log = await open();
      const row = fc.tuple(
        fc.integer({ min: 0, max: 2_147_483_647 }),
        fc.double({ noNaN: true }),
        fc.double({ noNaN: true }),
      );
      const append = fc.record({
        rows: fc.array(row),
        kind: fc.constantFrom<RecordKind>('live', 'backfill', 'define'),
      });
      const seen = Array.from({ length: PARTITIONS }, () => 0);

      await fc.assert(
        fc.asyncProperty(fc.array(append, { minLength: 1, maxLength: 8 }), async (appends) => {
          await Promise.all(appends.map(({ rows, kind }) => log.append(batch(...rows), kind)));

          for (let partition = 0; partition < PARTITIONS; partition++) {
            const records = await log.read(partition, seen[partition]!, 1_000_000);
            seen[partition] = records.at(-1)?.position ?? seen[partition]!;
            const expected = appends.flatMap(({ rows, kind }) =>
              rows.filter(([id]) => id % PARTITIONS === partition).map((values) => [kind, ...values]),
            );
            const actual = records.flatMap((record) => points([record]).map((values) => [record.kind, ...values]));
            expect(actual).toEqual(expected);
          }
        }),
        { numRuns: 40, seed: 20_260_101 },
      );
    });

    it('returns separate columns that can be transferred to a worker', async () => {
      const log = await open();
      await log.append(batch([0, 10, 1], [4, 20, 2]), 'live');

      const [record] = await log.read(0, 0, 100);
      const { ids } = record!.batch;
      const transferred = structuredClone(ids, { transfer: [ids.buffer as ArrayBuffer] });

      expect([...transferred]).toEqual([0, 4]);
      expect(ids).toHaveLength(0);
    });

    it('stamps records with the time of the append and its kind', async () => {
      const log = await open();

      await log.append(batch([1, 10, 1]), 'live');
      now = 1_800_000_060.5;
      await log.append(batch([1, 5, 2]), 'backfill');

      const records = await log.read(1, 0, 100);
      expect(records.map(({ partition, kind, appendedAt }) => [partition, kind, appendedAt])).toEqual([
        [1, 'live', 1_800_000_000.25],
        [1, 'backfill', 1_800_000_060.5],
      ]);
    });

    it('never decreases the append time', async () => {
      const log = await open();

      await log.append(batch([1, 10, 1]), 'live');
      now -= 3600;
      await log.append(batch([1, 20, 1]), 'live');

      const [first, second] = await log.read(1, 0, 100);
      expect(second!.appendedAt).toBe(first!.appendedAt);
    });

    it('appends a tick to every partition, between earlier and later appends', async () => {
      const log = await open();

      await Promise.all([
        log.append(batch([3, 10, 1]), 'live'),
        log.append(batch(), 'tick'),
        log.append(batch([3, 20, 2]), 'live'),
      ]);

      for (let partition = 0; partition < PARTITIONS; partition++) {
        const kinds = (await log.read(partition, 0, 100)).map(({ kind, batch: { ids } }) => [kind, ids.length]);
        expect(kinds).toEqual(
          partition === 3
            ? [
                ['live', 1],
                ['tick', 0],
                ['live', 1],
              ]
            : [['tick', 0]],
        );
      }
    });

    it('writes nothing for an empty batch', async () => {
      const log = await open();

      await log.append(batch(), 'live');

      for (let partition = 0; partition < PARTITIONS; partition++) {
        expect(await log.read(partition, 0, 100)).toEqual([]);
      }
    });

    it('assigns increasing positions, and reads only records after a position', async () => {
      const log = await open();
      for (let i = 0; i < 5; i++) await log.append(batch([1, i, i]), 'live');

      const all = await log.read(1, 0, 100);
      const positions = all.map(({ position }) => position);

      expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
      expect(positions.every((position) => position > 0)).toBe(true);
      expect(points(await log.read(1, positions[2]!, 100))).toEqual([
        [1, 3, 3],
        [1, 4, 4],
      ]);
      expect(await log.read(1, positions[4]!, 100)).toEqual([]);
    });

    it('returns the same records to a reader that follows and one that reads later', async () => {
      const [log, later] = [await open(), await open()];
      const followed: LogRecord[] = [];
      let after = 0;
      for (let i = 0; i < 12; i++) {
        // Every fifth append is made by the other user.
        await (i % 5 === 4 ? later : log).append(batch([1, i, i], [2, i, i], [1, i, -i]), i % 3 ? 'live' : 'backfill');
        if (i % 4 === 3) continue;
        const records = await log.read(1, after, 100);
        after = records.at(-1)?.position ?? after;
        followed.push(...records);
      }
      followed.push(...(await log.read(1, after, 100)));

      expect(await later.read(1, 0, 100)).toEqual(followed);
      expect(await log.read(1, 0, 100)).toEqual(followed);
    });

    it('reads at most the requested points, but at least one record', async () => {
      const log = await open();
      for (let i = 0; i < 4; i++) await log.append(batch([1, i, 0], [1, i, 1], [1, i, 2]), 'live');

      expect(points(await log.read(1, 0, 7))).toHaveLength(6);
      expect(points(await log.read(1, 0, 6))).toHaveLength(6);
      expect(points(await log.read(1, 0, 1))).toHaveLength(3);
    });

    it('rejects columns of different lengths', async () => {
      const log = await open();
      const uneven = { ids: new Uint32Array(2), timestamps: new Float64Array(2), values: new Float64Array(1) };

      await expect(log.append(uneven, 'live')).rejects.toThrow(RangeError);
    });
  });

  describe('several users of a log', () => {
    it('see the appends of each other', async () => {
      const [writer, reader] = [await open(), await open()];

      await writer.append(batch([1, 10, 1]), 'live');

      expect(points(await reader.read(1, 0, 100))).toEqual([[1, 10, 1]]);
    });

    it('find all earlier records at the same positions', async () => {
      const first = await open();
      await first.append(batch([1, 10, 1], [2, 10, 2]), 'live');
      const before = await first.read(1, 0, 100);
      await first.close();

      const second = await open();

      expect(await second.read(1, 0, 100)).toEqual(before);
    });

    it('miss no record during concurrent writes', async () => {
      const writers = [await open(), await open(), await open()];
      const reader = await open();
      const rounds = 40;
      const seen: number[] = [];
      let isWriting = true;
      let after = 0;

      const follow = async (): Promise<void> => {
        for (;;) {
          const isLast = !isWriting;
          const records = await reader.read(1, after, 1_000_000);
          after = records.at(-1)?.position ?? after;
          seen.push(...points(records).map(([, timestamp]) => timestamp));
          if (isLast && records.length === 0) return;
        }
      };
      const following = follow();
      await Promise.all(
        writers.map(async (writer, w) => {
          for (let i = 0; i < rounds; i++) await writer.append(batch([1, w * 1000 + i, 0]), 'live');
        }),
      );
      isWriting = false;
      await following;

      expect(seen).toHaveLength(writers.length * rounds);
      for (let w = 0; w < writers.length; w++) {
        const own = seen.filter((timestamp) => Math.floor(timestamp / 1000) === w);
        expect(own).toEqual(Array.from({ length: rounds }, (_, i) => w * 1000 + i));
      }
    });

    it('must agree on the number of partitions', async () => {
      await open();

      await expect(open({ partitions: PARTITIONS + 1 })).rejects.toThrow(/4 partitions/);
    });
  });

  describe('waitForAppend', () => {
    const aLongTime = 60_000;

    it('returns when this user appends', async () => {
      const log = await open();

      const waiting = log.waitForAppend(aLongTime);
      await log.append(batch([1, 10, 1]), 'live');

      await expect(waiting).resolves.toBe(true);
    });

    it('returns when another user appends, and the record can then be read', async () => {
      const [writer, reader] = [await open(), await open()];

      const waiting = reader.waitForAppend(aLongTime);
      await writer.append(batch([1, 10, 1]), 'live');
      await waiting;

      expect(await reader.read(1, 0, 100)).toHaveLength(1);
    });

    it('returns false after its timeout without an append', async () => {
      const log = await open();

      await expect(log.waitForAppend(5)).resolves.toBe(false);
    });

    it('returns when the log is closed', async () => {
      const log = await open();

      const waiting = log.waitForAppend(aLongTime);
      await log.close();

      await waiting;
    });
  });

  describe('trim', () => {
    it('drops the records of one partition up to a position, and no others', async () => {
      const log = await open();
      for (let i = 0; i < 3; i++) await log.append(batch([1, i, i], [2, i, i]), 'live');
      const second = (await log.read(1, 0, 100))[1]!;

      await log.trim(1, second.position);

      expect(points(await log.read(1, 0, 100))).toEqual([[1, 2, 2]]);
      expect(points(await log.read(2, 0, 100))).toHaveLength(3);
    });

    it('never reuses a position, even when all records were dropped', async () => {
      const log = await open();
      await log.append(batch([1, 10, 1]), 'live');
      const [last] = await log.read(1, 0, 100);

      await log.trim(1, last!.position);
      await log.close();
      const later = await open();
      await later.append(batch([1, 20, 2]), 'live');

      expect(points(await later.read(1, last!.position, 100))).toEqual([[1, 20, 2]]);
    });
  });

  describe('waiting', () => {
    const nothing = { points: 0, oldestAppendedAt: null };

    it('returns the number of points after given positions, and when the oldest was appended', async () => {
      const log = await open();
      const start = Array.from({ length: PARTITIONS }, () => 0);
      expect(await log.waiting(start)).toEqual(nothing);

      await log.append(batch([1, 10, 1], [2, 10, 1]), 'live');
      now += 5;
      await log.append(batch([1, 20, 1], [2, 20, 1]), 'live');

      const [first, last] = await log.read(1, 0, 100);
      const [, lastOfOther] = await log.read(2, 0, 100);
      expect(await log.waiting(start)).toEqual({ points: 4, oldestAppendedAt: now - 5 });
      expect(await log.waiting([0, first!.position, lastOfOther!.position, 0])).toEqual({
        points: 1,
        oldestAppendedAt: now,
      });
      expect(await log.waiting([0, last!.position, lastOfOther!.position, 0])).toEqual(nothing);
      await log.trim(1, first!.position);
      expect(await log.waiting([0, 0, lastOfOther!.position, 0])).toEqual({ points: 1, oldestAppendedAt: now });
    });

    it('ignores ticks', async () => {
      const log = await open();

      await log.append(batch(), 'tick');

      expect(await log.waiting(Array.from({ length: PARTITIONS }, () => 0))).toEqual(nothing);
    });
  });

  describe('back-pressure', () => {
    it('rejects appends that exceed the queue, and accepts appends again once it is written', async () => {
      const log = await open({ maxQueuedPoints: 3 });

      const accepted = log.append(batch([1, 10, 1], [1, 20, 2]), 'live');
      const refused = log.append(batch([1, 30, 3], [1, 40, 4]), 'live');

      await expect(refused).rejects.toThrow(PointLogFullError);
      await accepted;
      await log.append(batch([1, 50, 5], [1, 60, 6]), 'live');
      expect(points(await log.read(1, 0, 100)).map(([, timestamp]) => timestamp)).toEqual([10, 20, 50, 60]);
    });

    it('accepts a batch larger than the queue when the queue is empty', async () => {
      const log = await open({ maxQueuedPoints: 1 });

      await log.append(batch([1, 10, 1], [1, 20, 2]), 'live');

      expect(points(await log.read(1, 0, 100))).toHaveLength(2);
    });

    it('reports the queued points', async () => {
      const log = await open();

      const appending = log.append(batch([1, 10, 1], [1, 20, 2]), 'live');
      expect(log.stats().queuedPoints).toBe(2);
      await appending;

      expect(log.stats()).toEqual({ queuedAppends: 0, queuedPoints: 0 });
    });
  });

  describe('close', () => {
    it('completes accepted appends, and rejects new ones', async () => {
      const log = await open();

      const accepted = log.append(batch([1, 10, 1]), 'live');
      await log.close();

      await expect(accepted).resolves.toBeUndefined();
      await expect(log.append(batch([1, 20, 2]), 'live')).rejects.toThrow(/closed/);
      expect(await (await open()).read(1, 0, 100)).toHaveLength(1);
    });
  });
}

/** A batch from rows of id, timestamp and value. */
export function batch(...rows: readonly (readonly [number, number, number])[]): PointBatch {
  return {
    ids: Uint32Array.from(rows, ([id]) => id),
    timestamps: Float64Array.from(rows, ([, timestamp]) => timestamp),
    values: Float64Array.from(rows, ([, , value]) => value),
  };
}

function points(records: readonly LogRecord[]): [number, number, number][] {
  return records.flatMap(({ batch: { ids, timestamps, values } }) =>
    Array.from(ids, (id, i): [number, number, number] => [id, timestamps[i]!, values[i]!]),
  );
}
