import { decodePoints, encodePoints } from '../../dist/libs/series/src/codec/point-block.js';

const DAY = 86_400;
const MIDNIGHT = 20_454 * DAY;
/** A table grows by half a megabyte at a time: with fewer series, the figures would show mainly that. */
const FEWEST_SERIES = 2000;
const REPEATS = 3;

const minutes = Float64Array.from({ length: 1440 }, (_, i) => MIDNIGHT + i * 60);

/** Bytes of the blocks alone, and the speed of encoding and decoding them. */
export function measureCodec(sets) {
  return sets.map(({ name, days }) => {
    const timestamps = new Float64Array(1440);
    const values = new Float64Array(1440);
    let bytes = 0;
    let encoding = 0;
    let decoding = 0;
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      for (const day of days) {
        const start = performance.now();
        const block = encodePoints(minutes, day, day.length);
        const middle = performance.now();
        decodePoints(block, day.length, minutes[0], timestamps, values);
        encoding += middle - start;
        decoding += performance.now() - middle;
        bytes += block.length;
        if (!Buffer.from(values.buffer).equals(Buffer.from(day.buffer, day.byteOffset, day.byteLength))) {
          throw new Error(`A block of ${name} does not hold what was written`);
        }
      }
    }
    const points = REPEATS * days.length * 1440;
    return {
      name,
      'bytes/point': round(bytes / points, 3),
      'encode ns/point': round((encoding * 1e6) / points, 0),
      'decode ns/point': round((decoding * 1e6) / points, 0),
    };
  });
}

/** Disk space in PostgreSQL after compaction: rows, indexes, TOAST. Every stretch is a series of one day. */
export async function measureDisk(database, sets) {
  const results = [];
  for (const { name, days } of sets) {
    const store = database.open({ closePoints: 1, closedSeconds: 0, quietSeconds: 0 });
    const series = Math.max(FEWEST_SERIES, days.length);
    const atATime = 200;
    for (let first = 0; first < series; first += atATime) {
      const count = Math.min(atATime, series - first) * 1440;
      const batch = {
        ids: new Uint32Array(count),
        timestamps: new Float64Array(count),
        values: new Float64Array(count),
      };
      for (let n = 0; n * 1440 < count; n++) {
        batch.ids.fill(1 + first + n, n * 1440, (n + 1) * 1440);
        batch.timestamps.set(minutes, n * 1440);
        batch.values.set(days[(first + n) % days.length], n * 1440);
      }
      await store.write(batch);
    }
    const folded = await store.maintain(MIDNIGHT + 9 * DAY);
    if (folded.compactedDays !== 1 || folded.recentPoints !== 0) throw new Error(`${name} was not compacted`);
    const [{ bytes, points }] = await database.query(`
      SELECT sum(pg_total_relation_size(inhrelid))::float8 AS bytes,
             (SELECT sum(points) FROM series_block)::float8 AS points
      FROM pg_inherits WHERE inhparent = 'series_block'::regclass`);
    results.push({ name, series, points, 'bytes/point on disk': round(bytes / points, 3) });
    await store.close();
    await database.reset();
  }
  return results;
}

function round(value, places) {
  return Number(value.toFixed(places));
}
