import type pg from 'pg';
import { type Partitions } from '../partitions.js';
import { seriesOfBlocks } from './block-source.js';
import { BlockWriter } from './block-writer.js';
import { loadErased } from './fold.js';
import { replacePartition } from './replace-partition.js';

export interface CompactionPolicy {
  /** A day is closed when it has been over for this time, and nothing was written to it for `quietSeconds`. */
  closedSeconds: number;
  quietSeconds: number;
  /**
   * Late blocks of a compacted day wait until they are this share of its blocks, or until `lateSeconds` have elapsed.
   */
  latePart: number;
  lateSeconds: number;
}

export const COMPACTION_POLICY: CompactionPolicy = {
  closedSeconds: 5 * 3600,
  quietSeconds: 600,
  latePart: 0.1,
  lateSeconds: 86_400,
};

/**
 * Rewrites the blocks of closed days: one per series and day, in a new table that replaces the old one, so that
 * replaced blocks occupy no space.
 */
export class Compaction {
  constructor(
    private readonly client: pg.ClientBase,
    private readonly blocks: Partitions,
    private readonly policy: CompactionPolicy,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Compacts the oldest closed day. Returns the day, or null if there is none. `now` in Unix seconds. */
  async run(now: number): Promise<number | null> {
    const { closedSeconds, quietSeconds, latePart, lateSeconds } = this.policy;
    const { rows } = await this.client.query<{ day: number }>(
      `SELECT day::float8 AS day FROM series_block_day
       WHERE loose_blocks > 0 AND day <= $1
         AND abs(extract(epoch FROM clock_timestamp() - written_at)) >= $2
         AND (compacted_at IS NULL OR loose_blocks >= compact_blocks * $3::float8
              OR abs(extract(epoch FROM clock_timestamp() - compacted_at)) >= $4)
       ORDER BY day LIMIT 1`,
      [Math.floor(now) - closedSeconds - 86_400, quietSeconds, latePart, lateSeconds],
    );
    const day = rows[0]?.day;
    if (day === undefined) return null;
    await this.compact(day);
    return day;
  }

  private async compact(day: number): Promise<void> {
    const { client, blocks } = this;
    if (!(await blocks.existing(client)).includes(day)) {
      await client.query('DELETE FROM series_block_day WHERE day = $1', [day]);
      return;
    }
    const table = blocks.nameOf(day);
    const compacted = `${table}_compacted`;
    await client.query('BEGIN; SET LOCAL synchronous_commit = on');
    try {
      await blocks.createLoose(client, day, compacted);
      const writer = new BlockWriter(client, blocks, () => compacted);
      for await (const { id, points, seq } of seriesOfBlocks(client, table, await loadErased(client))) {
        this.signal?.throwIfAborted();
        await writer.add(id, points, seq);
      }
      await writer.finish();
      await client.query(
        `UPDATE series_block_day SET loose_blocks = 0, compact_blocks = $2, compacted_at = clock_timestamp() WHERE day = $1`,
        [day, writer.blocks],
      );
      await replacePartition(client, async () => {
        await client.query(`DROP TABLE ${table}; ALTER TABLE ${compacted} RENAME TO ${table}`);
        await blocks.attach(client, day, table);
      });
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
}
