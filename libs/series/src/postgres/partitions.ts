import type pg from 'pg';

const DAY_SECONDS = 86_400;

/**
 * Time ranges of equal length of a table partitioned by `start_ts` (Unix seconds), each a table named after its first
 * day (UTC). Created and dropped by maintenance only, which one connection does at a time.
 */
export class Partitions {
  private readonly spanSeconds: number;

  constructor(
    private readonly table: string,
    spanDays: number,
  ) {
    this.spanSeconds = spanDays * DAY_SECONDS;
  }

  /** Start of the partition that contains a time. */
  startOf(timestamp: number): number {
    return timestamp - (timestamp % this.spanSeconds);
  }

  endOf(start: number): number {
    return start + this.spanSeconds;
  }

  nameOf(start: number): string {
    return `${this.table}_${new Date(start * 1000).toISOString().slice(0, 10).replaceAll('-', '')}`;
  }

  /** Starts of the existing partitions, oldest first. */
  async existing(client: pg.ClientBase): Promise<number[]> {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass`,
      [this.table],
    );
    return rows
      .map(({ name }) => {
        const day = name.slice(-8);
        return Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`) / 1000;
      })
      .sort((a, b) => a - b);
  }

  /** Creates the partition that starts at `start` in the transaction of the caller; see `waitForReaders`. */
  async create(client: pg.ClientBase, start: number): Promise<void> {
    // CREATE … PARTITION OF would lock out readers of the whole table; ATTACH does not.
    await this.createLoose(client, start, this.nameOf(start));
    await this.attach(client, start, this.nameOf(start));
  }

  /**
   * Waits for active readers, and makes new ones wait until the transaction ends. Call it last in code that created a
   * partition and moved points into it: a statement that was planned before the partition existed, and runs after that,
   * would find the points neither in the old nor in the new place.
   */
  async waitForReaders(client: pg.ClientBase): Promise<void> {
    await client.query(`LOCK TABLE ${this.table} IN ACCESS EXCLUSIVE MODE`);
  }

  /** Creates a table like a partition, not yet attached. */
  async createLoose(client: pg.ClientBase, start: number, name: string): Promise<void> {
    // The constraint saves ATTACH from scanning the table.
    await client.query(`
      CREATE TABLE ${name} (
        LIKE ${this.table} INCLUDING ALL,
        CONSTRAINT in_range CHECK (start_ts >= ${String(start)} AND start_ts < ${String(this.endOf(start))})
      )`);
  }

  async attach(client: pg.ClientBase, start: number, name: string): Promise<void> {
    await client.query(`
      ALTER TABLE ${this.table} ATTACH PARTITION ${name} FOR VALUES FROM (${String(start)}) TO (${String(this.endOf(start))});
      ALTER TABLE ${name} DROP CONSTRAINT in_range`);
  }
}
