import type pg from 'pg';
import {
  type MaintenanceReport,
  type RetentionPlan,
  type RetentionTiers,
  type SeriesBatch,
  type SeriesColumns,
  type SeriesQuery,
} from '../series-store.js';
import { type TransferableStore } from '../series-transfer.js';
import { type RollupSlots } from '../rollup/rollup-slots.js';
import { BEGIN_WRITING, connectForMaintenance, createPool } from './connection.js';
import { answeredSlots, columnsOf, LONGEST_SLOT, requireFitting } from '../answer/stored-series.js';
import { type StoredSeries } from '../answer/stored-series.types.js';
import { MAINTENANCE_POLICY, type MaintenancePolicy, SeriesMaintenance } from './maintenance/series-maintenance.js';
import { cutOf, SeriesPeriods } from '../retention/series-periods.js';
import { dropTier1, writeRollups } from './drop-tier-1.js';
import { JoinedWrites, writeRecent } from './recent-writer.js';
import { loadEnds, loadManySeries, loadSeries } from './series-reader.js';

export interface PostgresSeriesStoreOptions {
  /** PostgreSQL 15 or newer with the tables of the migrations. */
  connectionString: string;
  /** For series without other settings. The resolution of tier 2 is a multiple of that of tier 1. */
  tiers: RetentionTiers;
  maxConnections?: number;
  /** When `maintain` finds work; omitted members keep their defaults. */
  policy?: Partial<MaintenancePolicy>;
}

const DAY = 86_400;
const OWN_TIERS: RetentionPlan = { groups: [], newestId: Infinity };

/**
 * SeriesStore in PostgreSQL. Points are never rows: they arrive as chunks of many series (series_recent), and
 * maintenance combines them into compressed blocks of one series (series_block, a partition a day), at last one a day.
 * Days that leave tier 1 become roll-ups, a row per series and day (series_rollup). See README.md.
 *
 * - A slot of tier 2 that is rolled up answers for its time. Points that come late for it are combined with it when
 *   they are read, and again when their blocks are retired. A roll-up contains the length of its slots.
 * - `series_erased`: for these series everything written up to a sequence number (`seq`), or only the points of tier 1
 *   (`tier_1_seq`), counts as erased, even if it is still stored.
 *
 * Rows whose value is not finite are not written.
 */
export class PostgresSeriesStore implements TransferableStore {
  private readonly pool: pg.Pool;
  private readonly writes = new JoinedWrites((batch) => writeRecent(this.pool, batch));
  private readonly tiers: RetentionTiers;
  private readonly policy: MaintenancePolicy;
  private readonly closing = new AbortController();
  private maintaining: Promise<unknown> = Promise.resolve();
  private maintainer: pg.Client | undefined;
  /** Day and periods for which all roll-ups have been examined. */
  private rollupsOf = '';

  constructor(private readonly options: PostgresSeriesStoreOptions) {
    requireFitting(options.tiers);
    this.tiers = options.tiers;
    this.policy = { ...MAINTENANCE_POLICY, ...options.policy };
    this.pool = createPool(options.connectionString, options.maxConnections ?? 4);
  }

  write(batch: SeriesBatch): Promise<void> {
    return this.writes.write(batch);
  }

  async read(query: SeriesQuery): Promise<SeriesColumns> {
    const wanted = answeredSlots(query, this.tiers);
    const series = await loadSeries(this.pool, query.id, wanted.from, wanted.until + LONGEST_SLOT);
    return columnsOf(query, series, wanted);
  }

  async readMany(queries: readonly SeriesQuery[]): Promise<SeriesColumns[]> {
    const wanted = queries.map((query) => answeredSlots(query, this.tiers));
    const windows = queries.map(({ id }, i) => ({ id, from: wanted[i]!.from, until: wanted[i]!.until + LONGEST_SLOT }));
    const series = await loadManySeries(this.pool, windows);
    return queries.map((query, i) => columnsOf(query, series[i]!, wanted[i]!));
  }

  async readRaw(id: number, from: number, until: number): Promise<{ timestamps: Float64Array; values: Float64Array }> {
    const { points } = await loadSeries(this.pool, id, from, until, false);
    return { timestamps: points.timestamps.slice(), values: points.values.slice() };
  }

  extent(id: number): Promise<{ first: number; last: number } | null> {
    return loadEnds(this.pool, id);
  }

  async dropTier1(ids: readonly number[], tiers = this.tiers): Promise<void> {
    requireFitting(tiers);
    await dropTier1(this.pool, ids, cutOf(tiers));
  }

  async erase(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const client = await this.pool.connect();
    try {
      await client.query(BEGIN_WRITING);
      await client.query(
        `INSERT INTO series_erased (metric_id, seq, tier_1_seq)
         SELECT id, mark, mark FROM unnest($1::int[]) AS id, nextval('series_seq') AS mark
         ON CONFLICT (metric_id) DO UPDATE SET seq = EXCLUDED.seq, tier_1_seq = EXCLUDED.tier_1_seq`,
        [[...new Set(ids)]],
      );
      await client.query('COMMIT');
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
  }

  readStored(id: number, from: number, until: number): Promise<StoredSeries> {
    return loadSeries(this.pool, id, from, until);
  }

  writeRollups(id: number, rollups: readonly RollupSlots[]): Promise<void> {
    return writeRollups(this.pool, id, rollups);
  }

  /** A resolved write is in its final place. */
  settle(): Promise<void> {
    return Promise.resolve();
  }

  maintain(now: number): Promise<MaintenanceReport> {
    return this.maintenance((maintenance) => maintenance.maintain(now));
  }

  async applyRetention(now: number, plan: RetentionPlan = OWN_TIERS): Promise<void> {
    for (const { tiers } of plan.groups) requireFitting(tiers);
    const periods = new SeriesPeriods(this.tiers, plan);
    // Takes seconds if there are many, and the work changes only daily.
    const rollups = `${String(Math.floor(now / DAY))} ${periods.fingerprint}`;
    await this.maintenance((maintenance) => maintenance.retire(now, periods, rollups !== this.rollupsOf));
    this.rollupsOf = rollups;
  }

  async close(): Promise<void> {
    this.closing.abort(new Error('The series store was closed'));
    await this.maintaining.catch(() => undefined);
    await this.maintainer?.end().catch(() => undefined);
    if (!this.pool.ending) await this.pool.end();
  }

  /** Sequential in this process; other processes wait for a lock. */
  private maintenance<T>(work: (maintenance: SeriesMaintenance) => Promise<T>): Promise<T> {
    const run = async (): Promise<T> => {
      this.closing.signal.throwIfAborted();
      const client = (this.maintainer ??= await connectForMaintenance(this.options.connectionString));
      try {
        return await work(new SeriesMaintenance(client, this.policy, this.closing.signal));
      } catch (error) {
        // Closing the connection is the one rollback that works in every state.
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
