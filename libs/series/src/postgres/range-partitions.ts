import type pg from 'pg';

/** Partitions are made and dropped by one process at a time. Arbitrary keys, the same in every version. */
const PARTITION_LOCK = 0x706c_0002;
const MAX_PER_TRANSACTION = 100;
const DAY_SECONDS = 86_400;

/**
 * Time ranges of equal length of a table partitioned by `ts` (Unix seconds), each a table named after its first day
 * (UTC). The names of those that this process knows to exist are kept, so that the usual write asks nothing.
 */
export class RangePartitions {
  private readonly known = new Set<number>();
  private readonly spanSeconds: number;

  constructor(
    private readonly table: string,
    spanDays: number,
  ) {
    this.spanSeconds = spanDays * DAY_SECONDS;
  }

  /** Start of the partition that holds `ts`. */
  startOf(ts: number): number {
    return ts - (ts % this.spanSeconds);
  }

  forget(): void {
    this.known.clear();
  }

  /** Makes the partitions that begin at `starts` where they do not exist yet. Safe to run in several processes. */
  async ensure(pool: pg.Pool, starts: Iterable<number>): Promise<void> {
    const missing = [...starts].filter((start) => !this.known.has(start)).sort((a, b) => a - b);
    for (let first = 0; first < missing.length; first += MAX_PER_TRANSACTION) {
      const some = missing.slice(first, first + MAX_PER_TRANSACTION);
      await this.create(pool, some);
      for (const start of some) this.known.add(start);
    }
  }

  /**
   * Drops the partitions that end at or before `cutoff`, in the caller's transaction. Returns the end of the newest
   * one dropped, or null when there was nothing to drop.
   */
  async dropBefore(client: pg.ClientBase, cutoff: number): Promise<number | null> {
    await client.query(`SELECT pg_advisory_xact_lock(${String(PARTITION_LOCK)})`);
    const old = (await this.existing(client)).filter((start) => start + this.spanSeconds <= cutoff);
    if (old.length === 0) return null;
    for (const start of old) this.known.delete(start);
    await client.query(`DROP TABLE ${old.map((start) => this.nameOf(start)).join(', ')}`);
    return Math.max(...old) + this.spanSeconds;
  }

  private async create(pool: pg.Pool, starts: readonly number[]): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${String(PARTITION_LOCK)})`);
      const existing = new Set(await this.existing(client));
      // CREATE … PARTITION OF would lock out readers and writers of the whole table; ATTACH does not.
      const statements = starts
        .filter((start) => !existing.has(start))
        .map((start) => {
          const name = this.nameOf(start);
          return (
            `CREATE TABLE ${name} (LIKE ${this.table} INCLUDING ALL); ALTER TABLE ${this.table} ATTACH PARTITION ${name} ` +
            `FOR VALUES FROM (${String(start)}) TO (${String(start + this.spanSeconds)});`
          );
        });
      await client.query(`${statements.join('\n')} COMMIT`);
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
  }

  /** Starts of the partitions that exist. */
  private async existing(client: pg.ClientBase): Promise<number[]> {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass`,
      [this.table],
    );
    return rows.map(({ name }) => {
      const day = name.slice(-8);
      return Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`) / 1000;
    });
  }

  private nameOf(start: number): string {
    return `${this.table}_${new Date(start * 1000).toISOString().slice(0, 10).replaceAll('-', '')}`;
  }
}
