import type pg from 'pg';
import { type MaintenanceReport } from '../../series-store.js';
import { LOCK_MAINTENANCE, UNLOCK_MAINTENANCE } from '../connection.js';
import { Partitions } from '../partitions.js';
import { HELD_PARTS, RECENT_PARTS } from '../series-reader.js';
import { Compaction, COMPACTION_POLICY, type CompactionPolicy } from './compaction.js';
import { Fold, FOLD_POLICY, type FoldPolicy } from './fold.js';
import { Retirement } from './retirement.js';
import { type SeriesPeriods } from '../../retention/series-periods.js';

export const BLOCK_DAYS = 1;
export const ROLLUP_DAYS = 30;

export interface MaintenancePolicy extends FoldPolicy, CompactionPolicy {}

export const MAINTENANCE_POLICY: MaintenancePolicy = { ...FOLD_POLICY, ...COMPACTION_POLICY };

/**
 * All work that moves stored points: folding, compaction, retention and the removal of erased points. Each step is a
 * separate transaction, so it can be stopped at any moment. One connection in all processes does this at a time.
 */
export class SeriesMaintenance {
  private readonly blocks = new Partitions('series_block', BLOCK_DAYS);
  private readonly rollups = new Partitions('series_rollup', ROLLUP_DAYS);

  constructor(
    private readonly client: pg.ClientBase,
    private readonly policy: MaintenancePolicy,
    private readonly signal?: AbortSignal,
  ) {}

  /** Folds full tables and compacts one closed day. `now` in Unix seconds. */
  async maintain(now: number): Promise<MaintenanceReport> {
    return this.alone(async () => {
      const folded = await this.fold().run(false);
      const compacted = await new Compaction(this.client, this.blocks, this.policy, this.signal).run(now);
      await this.removeErased();
      return {
        foldedPoints: folded?.points ?? 0,
        writtenBlocks: folded?.blocks ?? 0,
        writtenBlockBytes: folded?.blockBytes ?? 0,
        compactedDays: compacted === null ? 0 : 1,
        recentPoints: await this.recentPoints(),
      };
    });
  }

  /**
   * Converts days that have left tier 1 into roll-ups, and drops data that has left tier 2.
   * @param someRollups also data of some series, not only data that has left tier 2 for all
   */
  async retire(now: number, periods: SeriesPeriods, someRollups: boolean): Promise<void> {
    await this.alone(async () => {
      if (await this.hasRecentBefore(now - periods.range('tier1').shortest)) await this.fold().run(true);
      await new Retirement(this.client, this.blocks, this.rollups, periods, now, this.signal).run(someRollups);
    });
  }

  private fold(): Fold {
    return new Fold(this.client, this.blocks, this.policy, this.signal);
  }

  private async alone<T>(work: () => Promise<T>): Promise<T> {
    await this.client.query(LOCK_MAINTENANCE);
    try {
      return await work();
    } finally {
      await this.client.query(UNLOCK_MAINTENANCE).catch(() => undefined);
    }
  }

  private async recentPoints(): Promise<number> {
    const { rows } = await this.client.query<{ points: number }>(
      `SELECT coalesce(sum(points), 0)::float8 AS points FROM (${this.currentChunks('points')}) AS chunk`,
    );
    return rows[0]!.points;
  }

  /** True if points of a day that ended before `cutoff` are not in blocks yet. */
  private async hasRecentBefore(cutoff: number): Promise<boolean> {
    const { rows } = await this.client.query<{ found: boolean }>(
      `SELECT EXISTS (SELECT FROM (${this.currentChunks('start_ts')}) AS chunk WHERE start_ts < $1::bigint) AS found`,
      [this.blocks.startOf(Math.max(0, Math.floor(cutoff)))],
    );
    return rows[0]!.found;
  }

  private currentChunks(columns: string): string {
    return [
      ...HELD_PARTS.map(
        (part) => `SELECT ${columns} FROM series_recent_${String(part)}
        WHERE seq >= (SELECT held_seq FROM series_state)`,
      ),
      ...RECENT_PARTS.map(
        (part) => `SELECT ${columns} FROM series_recent_${String(part)}
        WHERE seq > (SELECT folded_seq FROM series_state)`,
      ),
    ].join(' UNION ALL ');
  }

  /** Deletes the blocks of erased series. Their marks are kept as long as an earlier chunk may still contain points. */
  private async removeErased(): Promise<void> {
    const { rowCount } = await this.client.query('SELECT FROM series_erased LIMIT 1');
    if (rowCount === 0) return;
    await this.client.query('BEGIN');
    try {
      for (const [table, mark] of [
        ['series_block', 'tier_1_seq'],
        ['series_rollup', 'seq'],
      ] as const) {
        await this.client.query(
          `DELETE FROM ${table} AS b USING series_erased AS e WHERE b.metric_id = e.metric_id AND b.seq <= e.${mark}`,
        );
      }
      await this.client.query(
        'DELETE FROM series_erased WHERE tier_1_seq < (SELECT least(held_seq, folded_seq) FROM series_state)',
      );
      await this.client.query('COMMIT');
    } catch (error) {
      await this.client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
}
