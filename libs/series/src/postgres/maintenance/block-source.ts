import type pg from 'pg';
import { decodePoints } from '../../codec/point-block.js';
import { mergePoints, type PointColumns } from '../../points/point-columns.js';
import { readInt64, readRows } from './copy-rows.js';

export interface SeriesBlocks {
  id: number;
  /** Merged. */
  points: PointColumns;
  /** Of the latest block. */
  seq: number;
  /** Number of blocks that contained the points. */
  blocks: number;
}

const ROWS_AT_A_TIME = 4000;
const SERIES_AT_A_TIME = 1000;

/**
 * The series of a table of blocks ordered by id, without erased data.
 * @param ids some of them, ascending; default: all
 */
export async function* seriesOfBlocks(
  client: pg.ClientBase,
  table: string,
  erased: ReadonlyMap<number, number>,
  ids?: readonly number[],
): AsyncGenerator<SeriesBlocks> {
  if (!ids) yield* seriesAmong(client, table, erased, 'true');
  else {
    for (let first = 0; first < ids.length; first += SERIES_AT_A_TIME) {
      const some = ids.slice(first, first + SERIES_AT_A_TIME).join(',');
      yield* seriesAmong(client, table, erased, `metric_id = ANY ('{${some}}'::int[])`);
    }
  }
}

async function* seriesAmong(
  client: pg.ClientBase,
  table: string,
  erased: ReadonlyMap<number, number>,
  condition: string,
): AsyncGenerator<SeriesBlocks> {
  let next = 0;
  let limit = ROWS_AT_A_TIME;
  for (;;) {
    const rows = await readRows(
      client,
      `SELECT metric_id, start_ts, seq, points, payload FROM ${table}
       WHERE metric_id >= ${String(next)} AND ${condition} ORDER BY metric_id, seq, start_ts LIMIT ${String(limit)}`,
    );
    const isLast = rows.length < limit;
    const lastId = rows.at(-1)?.[0]!.readInt32BE(0);
    let row = 0;
    while (row < rows.length) {
      const id = rows[row]![0]!.readInt32BE(0);
      // The last series may continue in the next rows.
      if (!isLast && id === lastId) break;
      const stretches: PointColumns[] = [];
      let seq = 0;
      for (; row < rows.length && rows[row]![0]!.readInt32BE(0) === id; row++) {
        const [, start, blockSeq, points, payload] = rows[row]!;
        const written = readInt64(blockSeq!);
        if (written <= (erased.get(id) ?? 0)) continue;
        seq = written;
        stretches.push(decode(payload!, points!.readInt32BE(0), readInt64(start!)));
      }
      if (stretches.length > 0) yield { id, points: mergePoints(stretches), seq, blocks: stretches.length };
    }
    if (isLast) return;
    // A single series fills the rows: more of them are needed.
    limit = lastId === next ? limit * 2 : ROWS_AT_A_TIME;
    next = lastId!;
  }
}

function decode(payload: Buffer, count: number, first: number): PointColumns {
  const timestamps = new Float64Array(count);
  const values = new Float64Array(count);
  decodePoints(payload, count, first, timestamps, values);
  return { timestamps, values };
}
