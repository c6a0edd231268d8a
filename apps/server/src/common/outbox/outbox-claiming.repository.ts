import { type DataSource } from 'typeorm';
import { type OutboxRow, type OutboxRows, type WaitingQueue } from './outbox.types.js';

/**
 * Describes how a table serves as an outbox, in SQL that contains no input. The table has the columns `id`, `due_at`
 * (when a row is tried next; while it is being tried, when it counts as abandoned) and `tries`. In conditions the row
 * is called `q`, in assignments and answers `d`, with the selected columns in `c`.
 */
export interface OutboxTable {
  name: string;
  /** Condition for waiting rows, whether they are due or not. */
  waits: string;
  /** The queue of the row: an expression, usually the column `lane`. */
  queue: string;
  /** Condition for due rows that may be tried; default: all. */
  isReady?: string;
  /** Additional columns of `c`. */
  selected?: string;
  /** Tables joined to the claimed row. */
  joined?: string;
  /** Increment of `tries` at a claim; default 1. */
  triesStep?: string;
  /** Additional assignments; `$2` is now, `$3` the lease in seconds. */
  assigned?: string;
  /** Columns of the answer. */
  answered: string;
}

/** Claims rows of an outbox for a time, each for one of the sending processes. Rows are of all organisations. */
export abstract class OutboxClaimingRepository<Row extends OutboxRow> implements OutboxRows<Row> {
  private readonly queuesSql: string;
  private readonly claimSql: string;

  protected constructor(
    protected readonly dataSource: DataSource,
    table: OutboxTable,
  ) {
    const { name, waits, queue } = table;
    // Iterates over the queues along the index: one or two steps per queue, however many rows wait.
    this.queuesSql = `
      WITH RECURSIVE queues AS (
        (SELECT ${queue} AS queue FROM ${name} q WHERE ${waits} ORDER BY ${queue} LIMIT 1)
        UNION ALL
        SELECT (SELECT ${queue} FROM ${name} q WHERE ${waits} AND ${queue} > l.queue ORDER BY ${queue} LIMIT 1)
        FROM queues l WHERE l.queue IS NOT NULL
      )
      SELECT l.queue, extract(epoch FROM (
        SELECT min(q.due_at) FROM ${name} q WHERE ${waits} AND ${queue} = l.queue))::float8 AS "sendAt"
      FROM queues l WHERE l.queue IS NOT NULL`;
    // Materialized: a subquery may run again for a join, and would then lock different rows.
    this.claimSql = `
      WITH c AS MATERIALIZED (
        SELECT q.id ${table.selected === undefined ? '' : `, ${table.selected}`} FROM ${name} q
        WHERE ${waits} AND ${queue} = $1 AND q.due_at <= to_timestamp($2::float8) AND (${table.isReady ?? 'true'})
        ORDER BY q.due_at, q.id LIMIT 1 FOR UPDATE OF q SKIP LOCKED
      )
      UPDATE ${name} d
      SET due_at = to_timestamp($2::float8 + $3::float8), tries = d.tries + ${table.triesStep ?? '1'}
          ${table.assigned === undefined ? '' : `, ${table.assigned}`}
      FROM c ${table.joined ?? ''}
      WHERE d.id = c.id
      RETURNING ${table.answered}`;
  }

  /** Every queue with waiting rows, and the earliest time at which one of them is due. */
  waitingQueuesOfAll(): Promise<WaitingQueue[]> {
    return this.dataSource.query(this.queuesSql);
  }

  /** Claims the row that has been due longest for `leaseSeconds`: no other process gets it during this time. */
  async claimOfAll(queue: string, now: number, leaseSeconds: number): Promise<Row | undefined> {
    const [rows]: [Row[], number] = await this.dataSource.query(this.claimSql, [queue, now, leaseSeconds]);
    return rows[0];
  }
}
