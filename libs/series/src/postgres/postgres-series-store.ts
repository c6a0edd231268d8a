import type pg from 'pg';
import {
  type MaintenanceReport,
  type RetentionPlan,
  type RetentionTiers,
  type SeriesBatch,
  type SeriesColumns,
  type SeriesQuery,
  type SeriesStore,
} from '../series-store.js';
import { BEGIN_WRITING, connectForMaintenance, createPool } from './connection.js';
import { type AnsweredSlots, BucketColumns } from './bucket-values.js';
import { MAINTENANCE_POLICY, type MaintenancePolicy, SeriesMaintenance } from './maintenance/series-maintenance.js';
import { cutOf, SeriesPeriods } from './maintenance/series-periods.js';
import { dropTier1 } from './drop-tier-1.js';
import { writeRecent } from './recent-writer.js';
import { loadEnds, loadManySeries, loadSeries, type StoredSeries } from './series-reader.js';

export interface PostgresSeriesStoreOptions {
  /** PostgreSQL 15 or newer with the tables of the migrations. */
  connectionString: string;
  /** Of series of which nothing else is said. The resolution of tier 2 is a multiple of that of tier 1. */
  tiers: RetentionTiers;
  maxConnections?: number;
  /** When `maintain` finds something to do; what is left out stays as it is. */
  policy?: Partial<MaintenancePolicy>;
}

const DAY = 86_400;
const OWN_TIERS: RetentionPlan = { groups: [], newestId: Infinity };
const MOST_FINE_SLOTS = 360;
/** No roll-up has longer slots, whatever tiers it was made for. */
const LONGEST_SLOT = 3600;

/**
 * SeriesStore in PostgreSQL. Points are never rows: they come as chunks of many series (series_recent), and maintenance
 * puts them together to compressed blocks of one series (series_block, a partition a day), at last one a day. Days that
 * leave tier 1 become roll-ups, a row per series and day (series_rollup). See README.md.
 *
 * - A slot of tier 2 that is rolled up answers for its time. Points that come late for it are combined with it when they
 *   are read, and again when their blocks are retired. A roll-up says itself how long its slots are.
 * - `series_erased`: of these series everything written up to a sequence number (`seq`), or the points of tier 1 only
 *   (`tier_1_seq`), is gone, wherever it still stands.
 *
 * Rows whose value is not finite are left out of what is written.
 */
export class PostgresSeriesStore implements SeriesStore {
  private readonly pool: pg.Pool;
  private readonly tiers: RetentionTiers;
  private readonly policy: MaintenancePolicy;
  private readonly closing = new AbortController();
  private maintaining: Promise<unknown> = Promise.resolve();
  private maintainer: pg.Client | undefined;
  /** Day and periods for which all roll-ups have been looked through. */
  private rollupsOf = '';

  constructor(private readonly options: PostgresSeriesStoreOptions) {
    requireFitting(options.tiers);
    this.tiers = options.tiers;
    this.policy = { ...MAINTENANCE_POLICY, ...options.policy };
    this.pool = createPool(options.connectionString, options.maxConnections ?? 4);
  }

  async write(batch: SeriesBatch): Promise<void> {
    await writeRecent(this.pool, batch);
  }

  async read(query: SeriesQuery): Promise<SeriesColumns> {
    const wanted = this.slotsOf(query);
    const series = await loadSeries(this.pool, query.id, wanted.from, wanted.until + LONGEST_SLOT);
    return columnsOf(query, series, wanted);
  }

  async readMany(queries: readonly SeriesQuery[]): Promise<SeriesColumns[]> {
    const wanted = queries.map((query) => this.slotsOf(query));
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

  maintain(now: number): Promise<MaintenanceReport> {
    return this.maintenance((maintenance) => maintenance.maintain(now));
  }

  async applyRetention(now: number, plan: RetentionPlan = OWN_TIERS): Promise<void> {
    for (const { tiers } of plan.groups) requireFitting(tiers);
    const periods = new SeriesPeriods(this.tiers, plan);
    // Takes seconds where there are many, and what is due changes by the day.
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

  /** One after the other in this process; other processes wait by a lock. */
  private maintenance<T>(work: (maintenance: SeriesMaintenance) => Promise<T>): Promise<T> {
    const run = async (): Promise<T> => {
      this.closing.signal.throwIfAborted();
      const client = (this.maintainer ??= await connectForMaintenance(this.options.connectionString));
      try {
        return await work(new SeriesMaintenance(client, this.policy, this.closing.signal));
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

  /** Slots of tier 2 count as a whole, and those that start in the window only. */
  private slotsOf({ from, until, resolutionSeconds, slots }: SeriesQuery): AnsweredSlots {
    if (!Number.isInteger(resolutionSeconds) || resolutionSeconds < 1) {
      throw new RangeError(`A bucket is a whole number of seconds, got ${String(resolutionSeconds)}`);
    }
    const { tier1, tier2 } = slots ?? {
      tier1: this.tiers.tier1.resolutionSeconds,
      tier2: this.tiers.tier2.resolutionSeconds,
    };
    const isForTier2 = resolutionSeconds % tier2 === 0 && resolutionSeconds > tier1;
    return isForTier2
      ? { from: Math.ceil(from / tier2) * tier2, until: Math.floor(until / tier2) * tier2 + tier2 - 1, tier: 2 }
      : { from, until, tier: 1 };
  }
}

/** A roll-up holds whole slots of tier 1, and not too many of them. */
function requireFitting({ tier1, tier2 }: RetentionTiers): void {
  const [fine, coarse] = [tier1.resolutionSeconds, tier2.resolutionSeconds];
  if (coarse % fine !== 0) {
    throw new RangeError(
      `The resolution of tier 2 (${String(coarse)} s) must be a multiple of that of tier 1 (${String(fine)} s)`,
    );
  }
  if (coarse > LONGEST_SLOT) throw new RangeError(`A slot of tier 2 has at most ${String(LONGEST_SLOT)} seconds`);
  if (coarse / fine > MOST_FINE_SLOTS) {
    throw new RangeError(`A slot of tier 2 may have at most ${String(MOST_FINE_SLOTS)} of tier 1`);
  }
}

function columnsOf(query: SeriesQuery, series: StoredSeries, wanted: AnsweredSlots): SeriesColumns {
  const columns = new BucketColumns(query);
  columns.addSeries(series, wanted);
  return columns.finish(wanted.tier);
}
