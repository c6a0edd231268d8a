import type pg from 'pg';
import { pointsBetween } from '../points/point-columns.js';
import { maskBytesOf, rollUp } from '../rollup/rollup-slots.js';
import {
  type MaintenanceReport,
  type RetentionTiers,
  type SeriesBatch,
  type SeriesColumns,
  type SeriesQuery,
  type SeriesStore,
} from '../series-store.js';
import { BEGIN_WRITING, connectForMaintenance, createPool } from './connection.js';
import { BucketColumns } from './bucket-values.js';
import { MAINTENANCE_POLICY, type MaintenancePolicy, SeriesMaintenance } from './maintenance/series-maintenance.js';
import { dropTier1 } from './drop-tier-1.js';
import { writeRecent } from './recent-writer.js';
import { loadEnds, loadSeries } from './series-reader.js';

export interface PostgresSeriesStoreOptions {
  /** PostgreSQL 15 or newer with the tables of the migrations. */
  connectionString: string;
  /** The resolution of tier 2 is a multiple of that of tier 1 and divides a day. */
  tiers: RetentionTiers;
  maxConnections?: number;
  /** When `maintain` finds something to do; what is left out stays as it is. */
  policy?: Partial<MaintenancePolicy>;
}

const DAY = 86_400;
const MOST_FINE_SLOTS = 360;

/**
 * SeriesStore in PostgreSQL. Points are never rows: they come as chunks of many series (series_recent), and maintenance
 * puts them together to compressed blocks of one series (series_block, a partition a day), at last one a day. Days that
 * leave tier 1 become roll-ups, a row per series and day (series_rollup). See README.md.
 *
 * - `series_state.tier_1_from`: tier 1 is complete from here on; reads before it use tier 2. Points that come late for a
 *   day before it are combined with its roll-up when they are read, and again when their blocks are retired.
 * - `series_erased`: of these series everything written up to a sequence number (`seq`), or the points of tier 1 only
 *   (`tier_1_seq`), is gone, wherever it still stands.
 *
 * Rows whose value is not finite are left out of what is written.
 */
export class PostgresSeriesStore implements SeriesStore {
  private readonly pool: pg.Pool;
  private readonly tiers: RetentionTiers;
  private readonly maskBytes: number;
  private readonly policy: MaintenancePolicy;
  private readonly closing = new AbortController();
  private maintaining: Promise<unknown> = Promise.resolve();
  private maintainer: pg.Client | undefined;

  constructor(private readonly options: PostgresSeriesStoreOptions) {
    requireFitting(options.tiers);
    this.tiers = options.tiers;
    this.maskBytes = maskBytesOf(options.tiers);
    this.policy = { ...MAINTENANCE_POLICY, ...options.policy };
    this.pool = createPool(options.connectionString, options.maxConnections ?? 4);
  }

  async write(batch: SeriesBatch): Promise<void> {
    await writeRecent(this.pool, batch);
  }

  async read(query: SeriesQuery): Promise<SeriesColumns> {
    const { id, from, until, resolutionSeconds } = query;
    if (!Number.isInteger(resolutionSeconds) || resolutionSeconds < 1) {
      throw new RangeError(`A bucket is a whole number of seconds, got ${String(resolutionSeconds)}`);
    }
    const slot = this.tiers.tier2.resolutionSeconds;
    const isForTier2 = resolutionSeconds % slot === 0 && resolutionSeconds > this.tiers.tier1.resolutionSeconds;
    const firstSlot = Math.ceil(from / slot) * slot;
    const lastSlot = Math.floor(until / slot) * slot;
    // Slots of tier 2 count as a whole, and those that start in the window only.
    const series = await loadSeries(
      this.pool,
      id,
      Math.min(from, firstSlot),
      Math.max(until, lastSlot + slot - 1),
      this.maskBytes,
    );
    const columns = new BucketColumns(query);
    const rolledUpUntil = isForTier2 ? lastSlot + slot : Math.min(series.tier1From, lastSlot + slot);
    if (rolledUpUntil > firstSlot) {
      const points = pointsBetween(series.points, firstSlot, rolledUpUntil - 1);
      columns.addRollups(rollUp(points, series.rollups, this.tiers), firstSlot, rolledUpUntil - 1);
    }
    if (!isForTier2) columns.addPoints(pointsBetween(series.points, Math.max(from, series.tier1From), until));
    return columns.finish(isForTier2 ? 2 : 1);
  }

  async readRaw(id: number, from: number, until: number): Promise<{ timestamps: Float64Array; values: Float64Array }> {
    const { points } = await loadSeries(this.pool, id, from, until, null);
    return { timestamps: points.timestamps.slice(), values: points.values.slice() };
  }

  extent(id: number): Promise<{ first: number; last: number } | null> {
    return loadEnds(this.pool, id);
  }

  dropTier1(ids: readonly number[]): Promise<void> {
    return dropTier1(this.pool, ids, this.tiers);
  }

  async erase(ids: readonly number[]): Promise<number> {
    if (ids.length === 0) return 0;
    const different = [...new Set(ids)];
    const client = await this.pool.connect();
    let points = 0;
    try {
      await client.query(BEGIN_WRITING);
      for (const id of different) {
        const series = await loadSeries(client, id, 0, Number.MAX_SAFE_INTEGER, null);
        points += series.points.timestamps.length;
      }
      await client.query(
        `INSERT INTO series_erased (metric_id, seq, tier_1_seq)
         SELECT id, mark, mark FROM unnest($1::int[]) AS id, nextval('series_seq') AS mark
         ON CONFLICT (metric_id) DO UPDATE SET seq = EXCLUDED.seq, tier_1_seq = EXCLUDED.tier_1_seq`,
        [different],
      );
      await client.query('COMMIT');
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
    return points;
  }

  maintain(now: number): Promise<MaintenanceReport> {
    return this.maintenance((maintenance) => maintenance.maintain(now));
  }

  applyRetention(now: number): Promise<void> {
    return this.maintenance((maintenance) => maintenance.retire(now));
  }

  async close(): Promise<void> {
    this.closing.abort(new Error('The series store was closed'));
    await this.maintaining.catch(() => undefined);
    await this.maintainer?.end().catch(() => undefined);
    if (!this.pool.ending) await this.pool.end();
  }

  /** One after the other in this process; other processes wait by a lock. */
  private maintenance<T>(work: (maintenance: SeriesMaintenance) => Promise<T>): Promise<T> {
    const run = async (): Promise<T> => {
      this.closing.signal.throwIfAborted();
      const client = (this.maintainer ??= await connectForMaintenance(this.options.connectionString));
      try {
        return await work(new SeriesMaintenance(client, this.tiers, this.policy, this.closing.signal));
      } catch (error) {
        // Closing the connection is the one way back that works in every state; the server rolls back.
        this.maintainer = undefined;
        await client.end().catch(() => undefined);
        throw error;
      }
    };
    const result = this.maintaining.then(run, run);
    this.maintaining = result;
    return result;
  }
}

/** A roll-up holds whole slots of tier 1, and a day whole slots of tier 2. */
function requireFitting({ tier1, tier2 }: RetentionTiers): void {
  const [fine, coarse] = [tier1.resolutionSeconds, tier2.resolutionSeconds];
  if (coarse % fine !== 0) {
    throw new RangeError(
      `The resolution of tier 2 (${String(coarse)} s) must be a multiple of that of tier 1 (${String(fine)} s)`,
    );
  }
  if (DAY % coarse !== 0) throw new RangeError(`The resolution of tier 2 (${String(coarse)} s) must divide a day`);
  if (coarse / fine > MOST_FINE_SLOTS) {
    throw new RangeError(`A slot of tier 2 may have at most ${String(MOST_FINE_SLOTS)} of tier 1`);
  }
}
