import type pg from 'pg';
import { decodeSlots, encodeSlots } from '../../codec/rollup-block.js';
import { rollUp, type RollupSlots } from '../../rollup/rollup-slots.js';
import { type Partitions } from '../partitions.js';
import { seriesOfBlocks, type SeriesBlocks } from './block-source.js';
import { CopyRows, readInt64, readRows } from './copy-rows.js';
import { LOCK_ROLLUPS } from '../connection.js';
import { loadErased } from './fold.js';
import { replacePartition } from './replace-partition.js';
import { cutOf, type SeriesPeriods, type Tier } from '../../retention/series-periods.js';

const SERIES_AT_A_TIME = 1000;
const COLUMNS = '(metric_id, start_ts, end_ts, seq, slots, payload)';
/**
 * A partition that loses this share of its rows is rewritten; for a smaller share the space stays in use until it is
 * dropped.
 */
const WORTH_REWRITING = 0.05;

/** The data of a partition that has left its tier. */
interface Expiring {
  /** Ascending. */
  ids: number[];
  /** Share of its rows. */
  share: number;
}

/**
 * Converts data that leaves tier 1 into roll-ups, a row per series and day, and removes its blocks in the same
 * transaction; removes roll-ups that leave tier 2. A partition that all series have left is dropped as a whole.
 */
export class Retirement {
  constructor(
    private readonly client: pg.ClientBase,
    private readonly blocks: Partitions,
    private readonly rollups: Partitions,
    private readonly periods: SeriesPeriods,
    private readonly now: number,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** @param someRollups also remove roll-ups that have left tier 2 of some series only */
  async run(someRollups: boolean): Promise<void> {
    const { client, blocks, rollups } = this;
    for (const day of await blocks.existing(client)) {
      this.signal?.throwIfAborted();
      const expiring = await this.expiring('tier1', blocks, day, true);
      if (expiring) await this.alone(() => this.retire(day, expiring));
    }
    for (const start of await rollups.existing(client)) {
      this.signal?.throwIfAborted();
      const expiring = await this.expiring('tier2', rollups, start, someRollups);
      if (expiring) await this.alone(() => this.removeRollups(start, expiring));
    }
  }

  /** Null: nothing has left the tier. */
  private async expiring(
    tier: Tier,
    partitions: Partitions,
    start: number,
    ofSome: boolean,
  ): Promise<Expiring | 'all' | null> {
    const { periods, now } = this;
    const end = partitions.endOf(start);
    const { shortest, longest } = periods.range(tier);
    if (end <= now - longest) return 'all';
    if (!ofSome || end > now - shortest) return null;
    const { rows } = await this.client.query<[id: number, rows: number]>({
      text: `SELECT metric_id, count(*)::float8 FROM ${partitions.nameOf(start)} GROUP BY metric_id ORDER BY metric_id`,
      rowMode: 'array',
    });
    const left = rows.filter(([id]) => periods.hasLeft(tier, id, end, now));
    if (left.length === 0) return null;
    const count = (some: typeof rows) => some.reduce((sum, [, n]) => sum + n, 0);
    return { ids: left.map(([id]) => id), share: count(left) / count(rows) };
  }

  /** A transaction that excludes other writers of roll-ups. */
  private async alone(work: () => Promise<void>): Promise<void> {
    const { client } = this;
    await client.query('BEGIN; SET LOCAL synchronous_commit = on');
    try {
      await client.query(LOCK_ROLLUPS);
      await work();
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  private async retire(day: number, expiring: Expiring | 'all'): Promise<void> {
    const { client } = this;
    const table = this.blocks.nameOf(day);
    const hasCreatedPartition = await this.rollUpDay(day, expiring === 'all' ? undefined : expiring.ids);
    if (expiring === 'all') {
      await client.query('DELETE FROM series_block_day WHERE day = $1', [day]);
      // Dropping waits for all active readers: none of them can miss a partition that was created for the roll-ups.
      await replacePartition(client, async () => {
        await client.query(`DROP TABLE ${table}`);
      });
      return;
    }
    const { rowCount } = await client.query(`DELETE FROM ${table} WHERE metric_id = ANY($1::int[])`, [expiring.ids]);
    // Compaction rewrites the day, which frees the space.
    if (expiring.share >= WORTH_REWRITING) {
      await client.query('UPDATE series_block_day SET loose_blocks = loose_blocks + $2 WHERE day = $1', [
        day,
        rowCount,
      ]);
    }
    if (hasCreatedPartition) await replacePartition(client, () => this.rollups.waitForReaders(client));
  }

  private async removeRollups(start: number, expiring: Expiring | 'all'): Promise<void> {
    const { client, rollups } = this;
    const table = rollups.nameOf(start);
    if (expiring === 'all') {
      await replacePartition(client, async () => {
        await client.query(`DROP TABLE ${table}`);
      });
      return;
    }
    if (expiring.share < WORTH_REWRITING) {
      await client.query(`DELETE FROM ${table} WHERE metric_id = ANY($1::int[])`, [expiring.ids]);
      return;
    }
    const kept = `${table}_kept`;
    await rollups.createLoose(client, start, kept);
    await client.query(`INSERT INTO ${kept} SELECT * FROM ${table} WHERE metric_id <> ALL($1::int[])`, [expiring.ids]);
    await replacePartition(client, async () => {
      await client.query(`DROP TABLE ${table}; ALTER TABLE ${kept} RENAME TO ${table}`);
      await rollups.attach(client, start, table);
    });
  }

  /** Returns whether a partition was created for the roll-ups. */
  private async rollUpDay(day: number, ids: readonly number[] | undefined): Promise<boolean> {
    const { client, blocks, rollups, periods, now } = this;
    const partition = rollups.startOf(day);
    // Points that would be dropped from tier 2 immediately need no roll-up.
    const isKept = (id: number) => !periods.hasLeft('tier2', id, rollups.endOf(partition), now);
    if (rollups.endOf(partition) <= now - periods.range('tier2').longest) return false;
    const isNew = !(await rollups.existing(client)).includes(partition);
    if (isNew) await rollups.create(client, partition);
    const erased = await loadErased(client);
    const erasedRollups = await loadErased(client, 'all');
    let some: SeriesBlocks[] = [];
    for await (const one of seriesOfBlocks(client, blocks.nameOf(day), erased, ids)) {
      this.signal?.throwIfAborted();
      if (isKept(one.id)) some.push(one);
      if (some.length < SERIES_AT_A_TIME) continue;
      await this.writeRollups(day, some, erasedRollups);
      some = [];
    }
    if (some.length > 0) await this.writeRollups(day, some, erasedRollups);
    return isNew;
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
      const slots = rollUp(points, stored.get(id) ?? null, cutOf(this.periods.of(id)));
      rows.beginRow();
      rows.int32(id);
      rows.int64(slots.starts[0]!);
      rows.int64(slots.lastTimestamps.at(-1)!);
      rows.int64(seq);
      rows.int32(slots.starts.length);
      rows.bytes(encodeSlots(slots));
    }
    await rows.send(this.client, `${table} ${COLUMNS}`);
  }

  /** Removes the roll-ups of these series and this day, which are written again. */
  private async takeRollups(
    table: string,
    day: number,
    series: readonly SeriesBlocks[],
    erased: ReadonlyMap<number, number>,
  ): Promise<Map<number, RollupSlots>> {
    const ofDay = `start_ts >= ${String(day)} AND start_ts < ${String(this.blocks.endOf(day))}
      AND metric_id = ANY ('{${series.map(({ id }) => id).join(',')}}'::int[])`;
    const stored = new Map<number, RollupSlots>();
    const rows = await readRows(
      this.client,
      `SELECT metric_id, start_ts, seq, slots, payload FROM ${table} WHERE ${ofDay}`,
    );
    for (const [metricId, start, seq, slots, payload] of rows) {
      const id = metricId!.readInt32BE(0);
      if (readInt64(seq!) <= (erased.get(id) ?? 0)) continue;
      stored.set(id, decodeSlots(payload!, slots!.readInt32BE(0), readInt64(start!)));
    }
    if (rows.length > 0) await this.client.query(`DELETE FROM ${table} WHERE ${ofDay}`);
    return stored;
  }
}
