import type pg from 'pg';
import { decodeSlots, encodeSlots } from '../../codec/rollup-block.js';
import { joinSlots, maskBytesOf, rollUp, type RollupSlots } from '../../rollup/rollup-slots.js';
import { type RetentionTiers } from '../../series-store.js';
import { type Partitions } from '../partitions.js';
import { seriesOfBlocks, type SeriesBlocks } from './block-source.js';
import { CopyRows, readInt64, readRows } from './copy-rows.js';
import { LOCK_ROLLUPS } from '../connection.js';
import { loadErased } from './fold.js';
import { replacePartition } from './replace-partition.js';

const SERIES_AT_A_TIME = 1000;
const COLUMNS = '(metric_id, start_ts, end_ts, seq, slots, payload)';

/**
 * Turns days that leave tier 1 into roll-ups, a row per series and day, and drops their blocks in the same transaction.
 * Roll-ups that leave tier 2 are dropped.
 */
export class Retirement {
  private readonly maskBytes: number;

  constructor(
    private readonly client: pg.ClientBase,
    private readonly blocks: Partitions,
    private readonly rollups: Partitions,
    private readonly tiers: RetentionTiers,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.maskBytes = maskBytesOf(tiers);
  }

  /** Days of blocks that end at or before `now` less the period of tier 1, oldest first. */
  async dueDays(now: number): Promise<number[]> {
    const cutoff = now - this.tiers.tier1.periodSeconds;
    return (await this.blocks.existing(this.client)).filter((day) => this.blocks.endOf(day) <= cutoff);
  }

  async retire(day: number, now: number): Promise<void> {
    const { client } = this;
    // What would be dropped from tier 2 at once needs no roll-up.
    const isKept = this.rollups.endOf(this.rollups.startOf(day)) > now - this.tiers.tier2.periodSeconds;
    await client.query('BEGIN; SET LOCAL synchronous_commit = on');
    try {
      await client.query(LOCK_ROLLUPS);
      if (isKept) await this.rollUpDay(day);
      await client.query('UPDATE series_state SET tier_1_from = greatest(tier_1_from, $1)', [this.blocks.endOf(day)]);
      await client.query('DELETE FROM series_block_day WHERE day = $1', [day]);
      // Dropping waits for all readers under way: none of them can miss a partition that was made for the roll-ups.
      await replacePartition(client, async () => {
        await client.query(`DROP TABLE ${this.blocks.nameOf(day)}`);
      });
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  /** Drops the roll-ups that are older than tier 2 keeps them. */
  async dropRollups(now: number): Promise<void> {
    const { client } = this;
    const cutoff = now - this.tiers.tier2.periodSeconds;
    const old = (await this.rollups.existing(client)).filter((start) => this.rollups.endOf(start) <= cutoff);
    for (const start of old) {
      await client.query('BEGIN');
      try {
        await replacePartition(client, async () => {
          await client.query(`DROP TABLE ${this.rollups.nameOf(start)}`);
        });
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    }
  }

  private async rollUpDay(day: number): Promise<void> {
    const partition = this.rollups.startOf(day);
    if (!(await this.rollups.existing(this.client)).includes(partition)) {
      await this.rollups.create(this.client, partition);
    }
    const erased = await loadErased(this.client);
    const erasedRollups = await loadErased(this.client, 'all');
    let some: SeriesBlocks[] = [];
    for await (const one of seriesOfBlocks(this.client, this.blocks.nameOf(day), erased)) {
      this.signal?.throwIfAborted();
      some.push(one);
      if (some.length < SERIES_AT_A_TIME) continue;
      await this.writeRollups(day, some, erasedRollups);
      some = [];
    }
    if (some.length > 0) await this.writeRollups(day, some, erasedRollups);
  }

  private async writeRollups(
    day: number,
    series: readonly SeriesBlocks[],
    erased: ReadonlyMap<number, number>,
  ): Promise<void> {
    const table = this.rollups.nameOf(this.rollups.startOf(day));
    const stored = await this.takeRollups(table, day, series, erased);
    const rows = new CopyRows(6);
    for (const { id, points, seq } of series) {
      const slots = rollUp(points, joinSlots(stored.get(id) ?? [], this.maskBytes), this.tiers);
      rows.beginRow();
      rows.int32(id);
      rows.int64(slots.starts[0]!);
      rows.int64(slots.lastTimestamps.at(-1)!);
      rows.int64(seq);
      rows.int32(slots.starts.length);
      rows.bytes(encodeSlots(slots, this.maskBytes));
    }
    await rows.send(this.client, `${table} ${COLUMNS}`);
  }

  /** Removes what is rolled up of these series and this day, to be written anew. */
  private async takeRollups(
    table: string,
    day: number,
    series: readonly SeriesBlocks[],
    erased: ReadonlyMap<number, number>,
  ): Promise<Map<number, RollupSlots[]>> {
    const ofDay = `start_ts >= ${String(day)} AND start_ts < ${String(this.blocks.endOf(day))}
      AND metric_id = ANY ('{${series.map(({ id }) => id).join(',')}}'::int[])`;
    const stored = new Map<number, RollupSlots[]>();
    const rows = await readRows(
      this.client,
      `SELECT metric_id, start_ts, seq, slots, payload FROM ${table} WHERE ${ofDay} ORDER BY start_ts`,
    );
    for (const [metricId, start, seq, slots, payload] of rows) {
      const id = metricId!.readInt32BE(0);
      if (readInt64(seq!) <= (erased.get(id) ?? 0)) continue;
      const found = decodeSlots(payload!, slots!.readInt32BE(0), readInt64(start!), this.maskBytes);
      stored.set(id, [...(stored.get(id) ?? []), found]);
    }
    if (rows.length > 0) await this.client.query(`DELETE FROM ${table} WHERE ${ofDay}`);
    return stored;
  }
}
