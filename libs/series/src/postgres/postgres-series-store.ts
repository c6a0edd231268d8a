import pg from 'pg';
import {
  type RetentionTiers,
  type SeriesBatch,
  type SeriesColumns,
  type SeriesFunction,
  type SeriesQuery,
  type SeriesStore,
} from '../series-store.js';
import { RangePartitions } from './range-partitions.js';
import { arrayLiteral, orderedRows, touchedSlots } from './rows.js';

export interface PostgresSeriesStoreOptions {
  /** PostgreSQL 15 or newer with the tables of the migrations. */
  connectionString: string;
  /** The resolution of tier 2 is a multiple of that of tier 1. */
  tiers: RetentionTiers;
  maxConnections?: number;
}

const TIER_1_PARTITION_DAYS = 1;
const TIER_2_PARTITION_DAYS = 30;
const CHUNK_ROWS = 20_000;

/**
 * Two writers of the same roll-up must not read tier 1 at the same time: each would miss the other's points. Writers
 * take a lock per class of metrics (id modulo this), in rising order; consumers of different partitions do not meet.
 */
const WRITE_LOCK = 0x706c_0003;
const LOCK_CLASSES = 32;

/** Sums take values up to here, so that no sum of stored slots leaves the range of float64 (PostgreSQL would raise an error). */
const SUMMAND = (value: string) => `least(greatest(${value}, -1e300), 1e300)`;

const CHECK_VIOLATION = '23514';
const LOCK_NOT_AVAILABLE = '55P03';
const RETENTION_ATTEMPTS = 5;

/** A "tier 1 begins here" that no data reaches: everything is read from tier 2. */
const NEVER = Number.MAX_SAFE_INTEGER;

const AGGREGATES: Readonly<Record<SeriesFunction, string>> = {
  // A quotient too small for float64 is an error to PostgreSQL, not 0.
  avg: 'CASE WHEN abs(sum(sum)) < 1e-290 THEN 0 ELSE sum(sum) / sum(count) END',
  min: 'min(min)',
  max: 'max(max)',
  sum: 'sum(sum)',
  last: '(array_agg(last ORDER BY last_ts DESC))[1]',
};

/**
 * SeriesStore in PostgreSQL.
 *
 * - Tier 1 (`series_point`): a row per slot, in partitions of a day that are made on demand and dropped as a whole.
 * - Tier 2 (`series_rollup`): smallest, largest, sum, count and last value of each longer slot, in partitions of 30
 *   days. Every write recomputes the roll-ups it touches from tier 1, in its own transaction. That is exact as long as
 *   tier 1 holds all of the slot. Where retention has dropped tier 1, what is written late finds a roll-up that counts
 *   more points than tier 1 has: it then only widens min and max and takes over a newer last value. So a repeated
 *   back-fill of old history never counts twice, and a complete one replaces the roll-up.
 * - `series_retention.tier_1_from`: tier 1 is complete from here on; reads before it use tier 2.
 *
 * Rows whose value is not finite are left out of what is written.
 */
export class PostgresSeriesStore implements SeriesStore {
  private readonly pool: pg.Pool;
  private readonly tiers: RetentionTiers;
  private readonly points = new RangePartitions('series_point', TIER_1_PARTITION_DAYS);
  private readonly rollups = new RangePartitions('series_rollup', TIER_2_PARTITION_DAYS);

  constructor(options: PostgresSeriesStoreOptions) {
    const { tier1, tier2 } = options.tiers;
    if (tier2.resolutionSeconds % tier1.resolutionSeconds !== 0) {
      throw new RangeError(
        `The resolution of tier 2 (${String(tier2.resolutionSeconds)} s) must be a multiple of that of tier 1 (${String(tier1.resolutionSeconds)} s)`,
      );
    }
    this.tiers = options.tiers;
    this.pool = new pg.Pool({
      connectionString: options.connectionString,
      application_name: 'plumbline series store',
      max: options.maxConnections ?? 4,
      connectionTimeoutMillis: 5000,
      statement_timeout: 60_000,
      query_timeout: 90_000,
      idle_in_transaction_session_timeout: 30_000,
      keepAlive: true,
    });
    // A connection that breaks while idle is replaced at the next use; without a listener it would end the process.
    this.pool.on('error', () => undefined);
    // The pool does not listen while a connection is in use; one that breaks between two statements fails the next.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  async write(batch: SeriesBatch): Promise<void> {
    const rows = orderedRows(batch);
    if (rows.ids.length === 0) return;
    await this.ensurePartitions(rows);
    try {
      await this.store(rows);
    } catch (error) {
      if (sqlState(error) !== CHECK_VIOLATION) throw error;
      // Another process dropped a partition that this one has seen.
      this.points.forget();
      this.rollups.forget();
      await this.ensurePartitions(rows);
      await this.store(rows);
    }
  }

  async read(query: SeriesQuery): Promise<SeriesColumns> {
    const { id, from, until, resolutionSeconds, envelope } = query;
    const { tier1, tier2 } = this.tiers;
    if (!Number.isInteger(resolutionSeconds) || resolutionSeconds < 1) {
      throw new RangeError(`A bucket is a whole number of seconds, got ${String(resolutionSeconds)}`);
    }
    // Roll-ups are in step with tier 1, so what is asked in their multiples is read from them: a tenth of the rows.
    const isForTier2 = resolutionSeconds % tier2.resolutionSeconds === 0 && resolutionSeconds > tier1.resolutionSeconds;
    const { rows } = await this.pool.query<[number, number, number, number, number, number, number]>({
      text: `
        WITH boundary AS (
          SELECT coalesce($5::bigint, (SELECT tier_1_from FROM series_retention), 0) AS tier_1_from
        ), slot AS (
          SELECT 2 AS tier, ts, min, max, sum, count, last, last_ts FROM series_rollup
          WHERE metric_id = $1 AND ts BETWEEN $2 AND least($3, (SELECT tier_1_from FROM boundary) - 1)
          UNION ALL
          SELECT 1, ts, value, value, ${SUMMAND('value')}, 1, value, ts FROM series_point
          WHERE metric_id = $1 AND ts BETWEEN greatest($2, (SELECT tier_1_from FROM boundary)) AND $3
        )
        SELECT (ts - ts % $4)::float8 AS bucket, ${AGGREGATES[query.function]}, min(min), max(max),
               sum(count)::float8, min(tier), max(tier)
        FROM slot GROUP BY bucket ORDER BY bucket`,
      values: [id, Math.ceil(from), Math.floor(until), resolutionSeconds, isForTier2 ? NEVER : null],
      rowMode: 'array',
    });
    let lowestTier = isForTier2 ? 2 : 1;
    let highestTier = lowestTier;
    let mostSlots = 1;
    const columns = {
      timestamps: new Float64Array(rows.length),
      values: new Float64Array(rows.length),
      min: envelope ? new Float64Array(rows.length) : null,
      max: envelope ? new Float64Array(rows.length) : null,
    };
    rows.forEach(([bucket, value, min, max, slots, bucketLowestTier, bucketHighestTier], i) => {
      columns.timestamps[i] = bucket;
      columns.values[i] = value;
      if (columns.min) columns.min[i] = min;
      if (columns.max) columns.max[i] = max;
      mostSlots = Math.max(mostSlots, slots);
      lowestTier = i === 0 ? bucketLowestTier : Math.min(lowestTier, bucketLowestTier);
      highestTier = i === 0 ? bucketHighestTier : Math.max(highestTier, bucketHighestTier);
    });
    const tier = lowestTier !== highestTier ? 0 : lowestTier === 1 ? 1 : 2;
    return { ...columns, resolutionSeconds, tier, aggregated: tier !== 1 || mostSlots > 1 };
  }

  async readRaw(id: number, from: number, until: number): Promise<{ timestamps: Float64Array; values: Float64Array }> {
    const { rows } = await this.pool.query<[number, number]>({
      text: `
        SELECT ts::float8, value FROM series_point
        WHERE metric_id = $1 AND ts BETWEEN $2 AND $3 ORDER BY series_point.ts`,
      values: [id, Math.ceil(from), Math.floor(until)],
      rowMode: 'array',
    });
    const timestamps = new Float64Array(rows.length);
    const values = new Float64Array(rows.length);
    rows.forEach(([ts, value], i) => {
      timestamps[i] = ts;
      values[i] = value;
    });
    return { timestamps, values };
  }

  async extent(id: number): Promise<{ first: number; last: number } | null> {
    // Every point is in a roll-up; where tier 1 still has the oldest roll-up's points, it knows their exact start.
    const { rows } = await this.pool.query<{ first: number | null; last: number | null }>(
      `
      SELECT greatest(rollup.first, CASE WHEN point.first < rollup.first + $2 THEN point.first END)::float8 AS first,
             rollup.last::float8 AS last
      FROM (SELECT min(ts) AS first FROM series_point WHERE metric_id = $1) AS point,
           (SELECT (SELECT ts FROM series_rollup WHERE metric_id = $1 ORDER BY ts LIMIT 1) AS first,
                   (SELECT last_ts FROM series_rollup WHERE metric_id = $1 ORDER BY ts DESC LIMIT 1) AS last) AS rollup`,
      [id, this.tiers.tier2.resolutionSeconds],
    );
    const { first, last } = rows[0]!;
    return first === null || last === null ? null : { first, last };
  }

  async dropTier1(ids: readonly number[]): Promise<number> {
    if (ids.length === 0) return 0;
    const dropped = Uint32Array.from(ids);
    return this.transaction(beginWriting(dropped), async (client) => {
      const { rowCount } = await client.query('DELETE FROM series_point WHERE metric_id = ANY ($1::int[])', [
        arrayLiteral(dropped),
      ]);
      return rowCount ?? 0;
    });
  }

  async erase(ids: readonly number[]): Promise<number> {
    if (ids.length === 0) return 0;
    const erased = Uint32Array.from(ids);
    return this.transaction(beginWriting(erased), async (client) => {
      const { rowCount } = await client.query('DELETE FROM series_point WHERE metric_id = ANY ($1::int[])', [
        arrayLiteral(erased),
      ]);
      await client.query('DELETE FROM series_rollup WHERE metric_id = ANY ($1::int[])', [arrayLiteral(erased)]);
      return rowCount ?? 0;
    });
  }

  async applyRetention(now: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        // Dropping a partition needs the whole table for a moment: better to come again than to make everyone wait.
        await this.transaction(`BEGIN; SET LOCAL lock_timeout = '2s'`, async (client) => {
          const droppedUntil = await this.points.dropBefore(client, now - this.tiers.tier1.periodSeconds);
          if (droppedUntil !== null) {
            await client.query(
              `INSERT INTO series_retention AS r (tier_1_from) VALUES ($1)
               ON CONFLICT (one_row) DO UPDATE SET tier_1_from = greatest(r.tier_1_from, EXCLUDED.tier_1_from)`,
              [droppedUntil],
            );
          }
          await this.rollups.dropBefore(client, now - this.tiers.tier2.periodSeconds);
        });
        return;
      } catch (error) {
        if (attempt >= RETENTION_ATTEMPTS || sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
      }
    }
  }

  async close(): Promise<void> {
    if (!this.pool.ending) await this.pool.end();
  }

  private async ensurePartitions(rows: SeriesBatch): Promise<void> {
    const pointStarts = new Set<number>();
    const rollupStarts = new Set<number>();
    for (const ts of rows.timestamps) {
      pointStarts.add(this.points.startOf(ts));
      rollupStarts.add(this.rollups.startOf(ts - (ts % this.tiers.tier2.resolutionSeconds)));
    }
    await this.points.ensure(this.pool, pointStarts);
    await this.rollups.ensure(this.pool, rollupStarts);
  }

  private async store(rows: SeriesBatch): Promise<void> {
    const touched = touchedSlots(rows, this.tiers.tier2.resolutionSeconds);
    await this.transaction(beginWriting(rows.ids), async (client) => {
      for (let first = 0; first < rows.ids.length; first += CHUNK_ROWS) {
        const end = first + CHUNK_ROWS;
        await client.query(
          `INSERT INTO series_point AS p (metric_id, ts, value)
           SELECT * FROM unnest($1::int[], $2::bigint[], $3::float8[])
           ON CONFLICT (metric_id, ts) DO UPDATE SET value = EXCLUDED.value WHERE p.value <> EXCLUDED.value`,
          [rows.ids, rows.timestamps, rows.values].map((column) => arrayLiteral(column.subarray(first, end))),
        );
      }
      for (let first = 0; first < touched.ids.length; first += CHUNK_ROWS) {
        const end = first + CHUNK_ROWS;
        await client.query(ROLL_UP, [
          arrayLiteral(touched.ids.subarray(first, end)),
          arrayLiteral(touched.slots.subarray(first, end)),
          this.tiers.tier2.resolutionSeconds,
        ]);
      }
    });
  }

  private async transaction<T>(begin: string, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let result: T;
    try {
      await client.query(begin);
      result = await work(client);
      await client.query('COMMIT');
    } catch (error) {
      // Closing the connection is the one way back that works in every state; the server rolls back.
      client.release(true);
      throw error;
    }
    client.release();
    return result;
  }
}

/** LATERAL makes one index scan per slot of it; a plain join leaves the planner free to scan whole partitions. */
const ROLL_UP = `
  INSERT INTO series_rollup AS r (metric_id, ts, min, max, sum, count, last, last_ts)
  SELECT slot.metric_id, slot.ts, point.*
  FROM unnest($1::int[], $2::bigint[]) AS slot (metric_id, ts)
  CROSS JOIN LATERAL (
    SELECT min(value), max(value), sum(${SUMMAND('value')}), count(*)::int,
           (array_agg(value ORDER BY p.ts DESC))[1], max(p.ts)
    FROM series_point AS p
    WHERE p.metric_id = slot.metric_id AND p.ts >= slot.ts AND p.ts < slot.ts + $3
  ) AS point
  ON CONFLICT (metric_id, ts) DO UPDATE SET
    min = CASE WHEN EXCLUDED.count >= r.count THEN EXCLUDED.min ELSE least(r.min, EXCLUDED.min) END,
    max = CASE WHEN EXCLUDED.count >= r.count THEN EXCLUDED.max ELSE greatest(r.max, EXCLUDED.max) END,
    sum = CASE WHEN EXCLUDED.count >= r.count THEN EXCLUDED.sum ELSE r.sum END,
    last = CASE WHEN EXCLUDED.count >= r.count OR EXCLUDED.last_ts >= r.last_ts THEN EXCLUDED.last ELSE r.last END,
    last_ts = CASE WHEN EXCLUDED.count >= r.count THEN EXCLUDED.last_ts ELSE greatest(r.last_ts, EXCLUDED.last_ts) END,
    count = greatest(r.count, EXCLUDED.count)`;

/** Opens a transaction that may write roll-ups of these metrics. */
function beginWriting(ids: Uint32Array): string {
  const classes = [...new Set(Array.from(ids, (id) => id % LOCK_CLASSES))].sort((a, b) => a - b);
  const locks = classes.map((lockClass) => `pg_advisory_xact_lock(${String(WRITE_LOCK)}, ${String(lockClass)})`);
  return `BEGIN; SET LOCAL synchronous_commit = on; SELECT ${locks.join(', ')}`;
}

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
