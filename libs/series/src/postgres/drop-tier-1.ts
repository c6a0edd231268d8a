import type pg from 'pg';
import { encodeSlots } from '../codec/rollup-block.js';
import { pointsBetween } from '../points/point-columns.js';
import { rollUp, type RollupSlots, type SlotCut } from '../rollup/rollup-slots.js';
import { BEGIN_DROPPING } from './connection.js';
import { BLOCK_DAYS, ROLLUP_DAYS } from './maintenance/series-maintenance.js';
import { Partitions } from './partitions.js';
import { loadSeries } from './series-reader.js';

/** Number of series that are rolled up while writers wait: some milliseconds each. */
const SERIES_AT_A_TIME = 10;

/**
 * Rolls up the points of series as if their days had left tier 1, and marks the points as gone. Works on some series at
 * a time; after a failure, the earlier ones are done.
 */
export async function dropTier1(pool: pg.Pool, ids: readonly number[], cut: SlotCut): Promise<void> {
  const different = [...new Set(ids)];
  for (let first = 0; first < different.length; first += SERIES_AT_A_TIME) {
    const client = await pool.connect();
    try {
      await client.query(BEGIN_DROPPING);
      for (const id of different.slice(first, first + SERIES_AT_A_TIME)) await dropOne(client, id, cut);
      await client.query('COMMIT');
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
  }
}

/** Stores given roll-ups of days; existing roll-ups of these days are replaced. */
export async function writeRollups(pool: pg.Pool, id: number, rollups: readonly RollupSlots[]): Promise<void> {
  const days = new Partitions('series_block', BLOCK_DAYS);
  const client = await pool.connect();
  try {
    await client.query(BEGIN_DROPPING);
    for (const slots of rollups) await writeDay(client, id, days.startOf(slots.starts[0]!), slots);
    await client.query('COMMIT');
  } catch (error) {
    client.release(true);
    throw error;
  }
  client.release();
}

async function dropOne(client: pg.ClientBase, id: number, cut: SlotCut): Promise<void> {
  const days = new Partitions('series_block', BLOCK_DAYS);
  const { points, rollups } = await loadSeries(client, id, 0, Number.MAX_SAFE_INTEGER);
  const rollupOf = new Map(rollups.map((slots) => [days.startOf(slots.starts[0]!), slots]));
  for (let row = 0; row < points.timestamps.length;) {
    const day = days.startOf(points.timestamps[row]!);
    const ofDay = pointsBetween(points, day, days.endOf(day) - 1);
    await writeDay(client, id, day, rollUp(ofDay, rollupOf.get(day) ?? null, cut));
    row += ofDay.timestamps.length;
  }
  await client.query(
    `INSERT INTO series_erased (metric_id, seq, tier_1_seq) VALUES ($1, 0, nextval('series_seq'))
     ON CONFLICT (metric_id) DO UPDATE SET tier_1_seq = EXCLUDED.tier_1_seq`,
    [id],
  );
}

async function writeDay(client: pg.ClientBase, id: number, day: number, slots: RollupSlots): Promise<void> {
  const partitions = new Partitions('series_rollup', ROLLUP_DAYS);
  const partition = partitions.startOf(day);
  if (!(await partitions.existing(client)).includes(partition)) {
    await partitions.create(client, partition);
    await partitions.waitForReaders(client);
  }
  await client.query('DELETE FROM series_rollup WHERE metric_id = $1 AND start_ts >= $2 AND start_ts < $2 + 86400', [
    id,
    day,
  ]);
  await client.query(
    `INSERT INTO series_rollup (metric_id, start_ts, end_ts, seq, slots, payload)
     VALUES ($1, $2, $3, nextval('series_seq'), $4, $5)`,
    [id, slots.starts[0]!, slots.lastTimestamps.at(-1)!, slots.starts.length, Buffer.from(encodeSlots(slots))],
  );
}
