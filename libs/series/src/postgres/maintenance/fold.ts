import type pg from 'pg';
import { type PointColumns } from '../../points/point-columns.js';
import { bucketsOfPart } from '../../recent/buckets.js';
import { ChunkReader } from '../../recent/recent-chunk.js';
import { MAX_ROWS, orderRows } from '../../recent/ordered-rows.js';
import { type SeriesBatch } from '../../series-store.js';
import { BEGIN_CLOSING } from '../connection.js';
import { type Partitions } from '../partitions.js';
import { chunksOfRows } from '../recent-writer.js';
import { HELD_PARTS, RECENT_PARTS } from '../series-reader.js';
import { BlockWriter } from './block-writer.js';
import { CopyRows, readInt64, readRows } from './copy-rows.js';
import { emptyTable } from './empty-table.js';
import { RunCollector } from './run-collector.js';

export interface FoldPolicy {
  /** Size and age at which the open table of recent points is closed and folded. */
  closePoints: number;
  closeSeconds: number;
  /**
   * Blocks are created when the series in memory have this many points each, or when the oldest of them has waited this
   * long.
   */
  blockPoints: number;
  blockSeconds: number;
  /** … or when this many points wait in total. */
  heldPoints: number;
}

export const FOLD_POLICY: FoldPolicy = {
  closePoints: 3_000_000,
  closeSeconds: 600,
  blockPoints: 96,
  blockSeconds: 4 * 3600,
  heldPoints: 60_000_000,
};

export interface FoldResult {
  points: number;
  blocks: number;
  blockBytes: number;
}

/** Maximum number of points decoded at a time: some 20 bytes of memory each. */
const POINTS_PER_PART = 700_000;
const MAX_PARTS = 4096;
const MAX_HELD_CHUNKS = 8192;
/** A series with fewer points is held back when blocks are created because others have enough. */
const KEEP_BELOW = 24;

const COLUMNS_OF_RECENT = '(part, bucket, seq, start_ts, end_ts, points, filter, payload)';

interface State {
  recent_part: number;
  recent_age: number;
  closed_part: number | null;
  closed_seq: number;
  folded_seq: number;
  held_part: number;
  held_age: number | null;
  held_seq: number;
}

interface Totals {
  points: number;
  chunks: number;
}

/**
 * Moves recent points on.
 *
 * Writers add chunks to one of three tables, the open one. It is closed and another one opened when it is large or old
 * enough; its content is then final. Folding combines its points: into larger chunks of few series ("held"), and, if a
 * series has enough of them for an efficient block, into blocks. All of a closed table moves in one transaction, which
 * also moves the boundaries in series_state (folded_seq: recent chunks up to here are folded; held_seq: held chunks
 * before this are in blocks). A reader therefore finds each point in one place, and after a crash either all points
 * have moved or none.
 *
 * Points later in the chain are older: blocks, then held chunks, then recent ones. A fold never creates a block of
 * newer points of a series while older ones of it stay held.
 */
export class Fold {
  constructor(
    private readonly client: pg.ClientBase,
    private readonly blocks: Partitions,
    private readonly policy: FoldPolicy,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Folds the open table if it is large or old enough, or with `everything` moves all committed points into blocks. */
  async run(everything: boolean): Promise<FoldResult | null> {
    let state = await this.state();
    let result: FoldResult | null = null;
    if (state.closed_part !== null) {
      // Remains of a process that ended in between.
      result = await this.foldClosed(state, false);
      state = await this.state();
    }
    if (!everything && !(await this.shouldClose(state))) return result;
    await this.close(state);
    const next = await this.foldClosed(await this.state(), everything);
    return {
      points: (result?.points ?? 0) + next.points,
      blocks: (result?.blocks ?? 0) + next.blocks,
      blockBytes: (result?.blockBytes ?? 0) + next.blockBytes,
    };
  }

  private async state(): Promise<State> {
    const { rows } = await this.client.query<Record<keyof State, number | string | null>>(`
      SELECT recent_part, extract(epoch FROM clock_timestamp() - recent_since)::float8 AS recent_age,
             closed_part, closed_seq::float8, folded_seq::float8, held_part,
             extract(epoch FROM clock_timestamp() - held_since)::float8 AS held_age, held_seq::float8
      FROM series_state`);
    return rows[0] as unknown as State;
  }

  private async shouldClose(state: State): Promise<boolean> {
    const { points } = await this.totals(state.recent_part, 'true');
    if (points === 0) return false;
    // A clock that was set back would otherwise keep the table open for ever.
    return points >= this.policy.closePoints || Math.abs(state.recent_age) >= this.policy.closeSeconds;
  }

  private async totals(part: number, condition: string): Promise<Totals> {
    const { rows } = await this.client.query<Totals>(
      `SELECT coalesce(sum(points), 0)::float8 AS points, count(*)::float8 AS chunks
       FROM series_recent_${String(part)} WHERE ${condition}`,
    );
    return rows[0]!;
  }

  /** Redirects writers to another table. */
  private async close(state: State): Promise<void> {
    const next = (state.recent_part + 1) % RECENT_PARTS.length;
    // Folded a while ago: a backup that started before that has its locks by now.
    await emptyTable(this.client, `series_recent_${String(next)}`);
    try {
      await this.client.query(BEGIN_CLOSING);
      await this.client.query(
        `UPDATE series_state SET closed_part = recent_part, closed_seq = nextval('series_seq'),
                recent_part = $1, recent_since = clock_timestamp()`,
        [next],
      );
      await this.client.query('COMMIT');
    } catch (error) {
      await this.client.query('ROLLBACK');
      throw error;
    }
  }

  private async foldClosed(state: State, everything: boolean): Promise<FoldResult> {
    const recent = `series_recent_${String(state.closed_part)}`;
    const held = `series_recent_${String(state.held_part)}`;
    const isHeld = `seq >= ${String(state.held_seq)}`;
    const fresh = await this.totals(state.closed_part!, 'true');
    const older = await this.totals(state.held_part, isHeld);
    const makesBlocks = everything || (await this.shouldWriteBlocks(state, fresh, older));
    const nextHeld = makesBlocks ? HELD_PARTS.find((part) => part !== state.held_part)! : state.held_part;
    if (makesBlocks) await emptyTable(this.client, `series_recent_${String(nextHeld)}`);

    const total = fresh.points + (makesBlocks ? older.points : 0);
    const parts = Math.min(MAX_PARTS, 2 ** Math.ceil(Math.log2(Math.max(1, total / POINTS_PER_PART))));
    const keepBelow = everything || this.isHeldTooLong(state) ? 0 : KEEP_BELOW;
    await this.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL synchronous_commit = on');
    try {
      const erased = await loadErased(this.client);
      const blocks = new BlockWriter(this.client, this.blocks);
      const seq = state.closed_seq;
      for (let remainder = 0; remainder < parts; remainder++) {
        this.signal?.throwIfAborted();
        const sources = [
          ...(makesBlocks ? await this.chunks(held, isHeld, parts, remainder) : []),
          ...(await this.chunks(recent, 'true', parts, remainder)),
        ];
        const collector = new RunCollector(sources.reduce((sum, { points }) => sum + points, 0));
        for (const source of sources) {
          const isWanted = (id: number) => id % parts === remainder && source.seq > (erased.get(id) ?? 0);
          collector.add(new ChunkReader(source.payload), isWanted);
        }
        const kept = new KeptPoints();
        for (const { id, points } of collector.series()) {
          if (makesBlocks && points.timestamps.length >= keepBelow) await blocks.add(id, points, seq);
          else kept.add(id, points);
        }
        await this.hold(nextHeld, seq, kept);
      }
      const written = await blocks.finish();
      await noteBlocks(this.client, written);
      await this.client.query(
        `UPDATE series_state SET folded_seq = $1, closed_part = NULL, held_part = $2,
                held_seq = CASE WHEN $3 THEN $1 ELSE held_seq END,
                held_since = CASE WHEN $3 OR held_since IS NULL THEN clock_timestamp() ELSE held_since END`,
        [seq, nextHeld, makesBlocks],
      );
      await blocks.publish();
      await this.client.query('COMMIT');
      return { points: fresh.points, blocks: blocks.blocks, blockBytes: blocks.bytes };
    } catch (error) {
      await this.client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  private async shouldWriteBlocks(state: State, fresh: Totals, older: Totals): Promise<boolean> {
    if (fresh.points + older.points >= this.policy.heldPoints || this.isHeldTooLong(state)) return true;
    const series = await this.countSeries(state);
    return fresh.points + older.points >= this.policy.blockPoints * series;
  }

  private isHeldTooLong({ held_age }: State): boolean {
    return held_age !== null && Math.abs(held_age) >= this.policy.blockSeconds;
  }

  /** Approximate number of series in the closed table, extrapolated from some of the chunks. */
  private async countSeries(state: State): Promise<number> {
    const { points } = await this.totals(state.closed_part!, 'true');
    const parts = Math.min(MAX_PARTS, 2 ** Math.ceil(Math.log2(Math.max(1, points / 100_000))));
    const ids = new Set<number>();
    for (const { payload } of await this.chunks(`series_recent_${String(state.closed_part)}`, 'true', parts, 0)) {
      const chunk = new ChunkReader(payload);
      while (chunk.next()) if (chunk.id % parts === 0) ids.add(chunk.id);
    }
    return ids.size * parts;
  }

  private async chunks(
    table: string,
    condition: string,
    modulus: number,
    remainder: number,
  ): Promise<{ seq: number; points: number; payload: Buffer }[]> {
    const buckets = bucketsOfPart(modulus, remainder);
    const inPart = buckets === null ? '' : `AND bucket = ANY ('{${buckets.join(',')}}'::int[])`;
    const rows = await readRows(
      this.client,
      `SELECT seq, points, payload FROM ${table} WHERE ${condition} ${inPart} ORDER BY seq`,
    );
    return rows.map(([seq, points, payload]) => ({
      seq: readInt64(seq!),
      points: points!.readInt32BE(0),
      payload: payload!,
    }));
  }

  private async hold(part: number, seq: number, kept: KeptPoints): Promise<void> {
    const rows = new CopyRows(8);
    const { ids, timestamps, values } = kept.batch();
    for (let first = 0; first < ids.length; first += MAX_ROWS) {
      const end = first + MAX_ROWS;
      const some = {
        ids: ids.subarray(first, end),
        timestamps: timestamps.subarray(first, end),
        values: values.subarray(first, end),
      };
      for (const chunk of chunksOfRows(orderRows(some, MAX_HELD_CHUNKS))) {
        rows.beginRow();
        rows.int16(part);
        rows.int32(chunk.bucket);
        rows.int64(seq);
        rows.int64(chunk.startTs);
        rows.int64(chunk.endTs);
        rows.int32(chunk.points);
        rows.bytes(chunk.filter);
        rows.bytes(chunk.payload);
      }
    }
    await rows.send(this.client, `series_recent_${String(part)} ${COLUMNS_OF_RECENT}`);
  }
}

/** Series whose points of tier 1, or `all` data, are erased, with the sequence number up to which this holds. */
export async function loadErased(client: pg.ClientBase, what: 'tier1' | 'all' = 'tier1'): Promise<Map<number, number>> {
  const { rows } = await client.query<{ id: number; seq: number }>(
    `SELECT metric_id AS id, ${what === 'all' ? 'seq' : 'tier_1_seq'}::float8 AS seq FROM series_erased`,
  );
  return new Map(rows.map(({ id, seq }) => [id, seq]));
}

/** Records for compaction which days have new blocks. */
async function noteBlocks(client: pg.ClientBase, blocksOfDay: ReadonlyMap<number, number>): Promise<void> {
  if (blocksOfDay.size === 0) return;
  await client.query(
    `INSERT INTO series_block_day AS d (day, loose_blocks)
     SELECT * FROM unnest($1::bigint[], $2::bigint[])
     ON CONFLICT (day) DO UPDATE SET loose_blocks = d.loose_blocks + EXCLUDED.loose_blocks, written_at = clock_timestamp()`,
    [[...blocksOfDay.keys()], [...blocksOfDay.values()]],
  );
}

/** Points for held chunks. */
class KeptPoints {
  private readonly stretches: { id: number; points: PointColumns }[] = [];
  private rows = 0;

  add(id: number, { timestamps, values }: PointColumns): void {
    // The columns are views of memory that the next series reuses.
    this.stretches.push({ id, points: { timestamps: timestamps.slice(), values: values.slice() } });
    this.rows += timestamps.length;
  }

  batch(): SeriesBatch {
    const ids = new Uint32Array(this.rows);
    const timestamps = new Float64Array(this.rows);
    const values = new Float64Array(this.rows);
    let row = 0;
    for (const { id, points } of this.stretches) {
      const size = points.timestamps.length;
      ids.fill(id, row, row + size);
      timestamps.set(points.timestamps, row);
      values.set(points.values, row);
      row += size;
    }
    return { ids, timestamps, values };
  }
}
