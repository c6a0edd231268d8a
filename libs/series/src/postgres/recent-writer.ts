import type pg from 'pg';
import { JoinedCalls } from '#libs/joined-calls';
import { filterOf } from '../recent/buckets.js';
import { encodeChunk } from '../recent/recent-chunk.js';
import { MAX_ROWS, orderRows, type OrderedRows, requireSoundRows } from '../recent/ordered-rows.js';
import { type SeriesBatch } from '../series-store.js';
import { BEGIN_WRITING } from './connection.js';

/** Maximum number of rows into which a large write is split, so that a reader fetches little data of other series. */
const MAX_CHUNKS = 64;
const PARAMETERS_PER_CHUNK = 6;
const CHUNKS_PER_STATEMENT = 500;

/** A row of series_recent. */
export interface RecentChunk {
  bucket: number;
  startTs: number;
  endTs: number;
  points: number;
  filter: Buffer;
  payload: Buffer;
}

/** Maximum number of concurrent writes, and of points in one of them. */
const WRITES_AT_ONCE = 3;
const MAX_JOINED_POINTS = 500_000;

/**
 * Combines writes of several partitions: fewer transactions, and fewer and larger chunks. The writes have no series in
 * common, so each series keeps the order of its writer. Throws RangeError for batches that no store would accept.
 */
export class JoinedWrites {
  private readonly writes: JoinedCalls<SeriesBatch, undefined>;

  /** @param write makes one batch durable */
  constructor(write: (batch: SeriesBatch) => Promise<void>) {
    const together = async (batches: readonly SeriesBatch[]): Promise<undefined[]> => {
      await write(joined(batches));
      return batches.map(() => undefined);
    };
    this.writes = new JoinedCalls(together, {
      atOnce: WRITES_AT_ONCE,
      mostWeight: MAX_JOINED_POINTS,
      weightOf: ({ ids }) => ids.length,
    });
  }

  async write(batch: SeriesBatch): Promise<void> {
    // Here: an invalid batch does not affect the others.
    requireSoundRows(batch);
    await this.writes.call(batch);
  }
}

function joined(batches: readonly SeriesBatch[]): SeriesBatch {
  if (batches.length === 1) return batches[0]!;
  const count = batches.reduce((sum, { ids }) => sum + ids.length, 0);
  const all = { ids: new Uint32Array(count), timestamps: new Float64Array(count), values: new Float64Array(count) };
  let row = 0;
  for (const { ids, timestamps, values } of batches) {
    all.ids.set(ids, row);
    all.timestamps.set(timestamps, row);
    all.values.set(values, row);
    row += ids.length;
  }
  return all;
}

/**
 * Adds the points to the open table of recent points, in one transaction. Durable when it resolves. Throws RangeError
 * for batches that no store would accept.
 */
export async function writeRecent(pool: pg.Pool, batch: SeriesBatch): Promise<void> {
  const chunks = chunksOf(batch);
  if (chunks.length === 0) return;
  const client = await pool.connect();
  try {
    const answers = (await client.query(BEGIN_WRITING)) as unknown as pg.QueryResult<{ part: number }>[];
    const { part } = answers.at(-1)!.rows[0]!;
    for (let first = 0; first < chunks.length; first += CHUNKS_PER_STATEMENT) {
      await client.query(insertion(part, chunks.slice(first, first + CHUNKS_PER_STATEMENT)));
    }
    await client.query('COMMIT');
  } catch (error) {
    // Closing the connection is the one rollback that works in every state.
    client.release(true);
    throw error;
  }
  client.release();
}

/** The chunks of ordered rows, one per bucket. */
export function* chunksOfRows(rows: OrderedRows): Generator<RecentChunk> {
  const { ids, timestamps } = rows;
  for (const { bucket, from, until } of rows.buckets) {
    let startTs = Infinity;
    let endTs = -Infinity;
    const series: number[] = [];
    for (let row = from; row < until; row++) {
      const timestamp = timestamps[row]!;
      if (timestamp < startTs) startTs = timestamp;
      if (timestamp > endTs) endTs = timestamp;
      if (row === from || ids[row] !== ids[row - 1]) series.push(ids[row]!);
    }
    yield {
      bucket,
      startTs,
      endTs,
      points: until - from,
      filter: filterOf(series, series.length),
      payload: encodeChunk(rows, from, until),
    };
  }
}

/** A batch as chunks, in the order of their numbers. Throws RangeError for batches that no store would accept. */
export function chunksOf(batch: SeriesBatch): RecentChunk[] {
  requireSoundRows(batch);
  const chunks: RecentChunk[] = [];
  for (let first = 0; first < batch.ids.length; first += MAX_ROWS) {
    const end = first + MAX_ROWS;
    const part = {
      ids: batch.ids.subarray(first, end),
      timestamps: batch.timestamps.subarray(first, end),
      values: batch.values.subarray(first, end),
    };
    chunks.push(...chunksOfRows(orderRows(part, MAX_CHUNKS)));
  }
  return chunks;
}

/** Rows of VALUES are evaluated in order, so a later row of a batch gets the higher sequence number. */
function insertion(part: number, chunks: readonly RecentChunk[]): pg.QueryConfig {
  const values: unknown[] = [];
  const rows = chunks.map(({ bucket, startTs, endTs, points, filter, payload }) => {
    const n = values.push(bucket, startTs, endTs, points, filter, payload) - PARAMETERS_PER_CHUNK;
    const parameters = Array.from({ length: PARAMETERS_PER_CHUNK }, (_, i) => `$${String(n + 1 + i)}`);
    return `(${String(part)}, ${parameters.join(', ')})`;
  });
  return {
    text: `INSERT INTO series_recent_${String(part)} (part, bucket, start_ts, end_ts, points, filter, payload) VALUES ${rows.join(', ')}`,
    values,
  };
}
