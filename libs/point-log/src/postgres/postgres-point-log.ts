import pg from 'pg';
import { clientThatWaits, lastingConnection } from '#libs/database-connections';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { JoinedCalls } from '#libs/joined-calls';
import {
  type LogRecord,
  type PointBatch,
  type PointLog,
  PointLogPartitionsError,
  type PointLogStats,
  RECORD_KINDS,
  type RecordKind,
  type WaitingPoints,
} from '../point-log.js';
import { AppendQueue, type AppendQueueOptions } from '../common/append-queue.js';
import { type NewRecord, type QueuedAppend, toRecords } from '../common/group.js';
import { readPayload, storedBytes } from '../common/payload.js';
import { TailCache } from '../common/tail-cache.js';
import { AppendSignal, NOTIFY_APPENDED } from './append-signal.js';

export interface PostgresPointLogOptions extends AppendQueueOptions {
  /** PostgreSQL 15 or newer with the tables of the migrations. */
  connectionString: string;
  /** Unix seconds, fractions allowed: the time of the records. */
  now: () => number;
  /** Fixed when the log is first opened; opening it later with another number fails. */
  partitions?: number;
  maxConnections?: number;
  /** Memory for records that were just appended and are read in the same process, in bytes. */
  tailBytes?: number;
}

const DEFAULT_PARTITIONS = 8;
const DEFAULT_TAIL_BYTES = 64 * 1024 * 1024;
const MAX_INSERT_ROWS = 1000;
const MAX_READ_RECORDS = 256;
/**
 * Reads of several partitions are combined into one statement. Maximum number of such statements at a time; the reads
 * share the limit of points.
 */
const READS_AT_ONCE = 2;
const MAX_READ_POINTS = 500_000;

/**
 * Readers request records above the last position they have seen. A position that became visible after a higher one
 * would be skipped for ever. Positions are therefore assigned and committed under one lock across all processes, which
 * PostgreSQL releases only when the transaction is visible to others.
 */
const APPEND_LOCK = DATABASE_LOCKS.pointLogAppend.number;
const BEGIN_APPEND = `BEGIN; SET LOCAL synchronous_commit = on; SELECT pg_advisory_xact_lock(${String(APPEND_LOCK)})`;
const COMMIT_APPEND = `${NOTIFY_APPENDED}; COMMIT`;

interface PendingRead {
  partition: number;
  after: number;
  maxPoints: number;
}

/** Number of the read (from 1), position, kind, time of the append, payload. */
type StoredRow = [number, string, number, number, Buffer];

/**
 * PointLog in a PostgreSQL table: a record is a row, its points are binary columns (payload.ts). A group of
 * appends is one transaction.
 *
 * To miss no append, create the signal before reading: `const next = log.waitForAppend(1000); const records = await
 * log.read(…); if (records.length === 0) await next;`
 */
export class PostgresPointLog implements PointLog {
  private readonly queue: AppendQueue;
  private readonly reads = new JoinedCalls<PendingRead, StoredRow[]>((asked) => this.readTogether(asked), {
    atOnce: READS_AT_ONCE,
  });
  private lastAppendedAt = -Infinity;
  private isClosed = false;

  private constructor(
    readonly partitions: number,
    private readonly pool: pg.Pool,
    private readonly signal: AppendSignal,
    private readonly now: () => number,
    private readonly tail: TailCache,
    queue: AppendQueueOptions,
  ) {
    this.queue = new AppendQueue(queue, (group) => this.store(group));
  }

  /** Connects and checks the layout of the log. Throws PointLogPartitionsError, or the error of the database. */
  static async open(options: PostgresPointLogOptions): Promise<PostgresPointLog> {
    const partitions = options.partitions ?? DEFAULT_PARTITIONS;
    if (!Number.isInteger(partitions) || partitions < 1) {
      throw new RangeError(`A point log needs at least one partition, got ${String(partitions)}`);
    }
    const pool = new pg.Pool({
      ...lastingConnection(options.connectionString),
      application_name: 'plumbline point log',
      max: options.maxConnections ?? 4,
      connectionTimeoutMillis: 5000,
      statement_timeout: 30_000,
      Client: clientThatWaits(60_000),
      // A process that hangs while it holds the append lock would block all others.
      idle_in_transaction_session_timeout: 30_000,
    });
    // A connection that breaks while idle is replaced at the next use; without a listener it would end the process.
    pool.on('error', () => undefined);
    // The pool does not listen while a connection is in use; if one breaks between two statements, the next one fails.
    pool.on('connect', (client) => client.on('error', () => undefined));
    const signal = new AppendSignal(options.connectionString);
    try {
      await checkLayout(pool, partitions);
      await signal.listen();
    } catch (error) {
      await pool.end();
      throw error;
    }
    return new PostgresPointLog(
      partitions,
      pool,
      signal,
      options.now,
      new TailCache(options.tailBytes ?? DEFAULT_TAIL_BYTES),
      options,
    );
  }

  append(batch: PointBatch, kind: RecordKind): Promise<void> {
    return this.queue.add(batch, kind);
  }

  async read(partition: number, after: number, maxPoints: number): Promise<LogRecord[]> {
    const recent = this.tail.take(partition, after, maxPoints);
    if (recent.length > 0) return recent;
    const rows = await this.reads.call({ partition, after, maxPoints });
    return rows.map(([, position, kind, appendedAt, payload]) => ({
      partition,
      position: Number(position),
      kind: RECORD_KINDS[kind]!,
      appendedAt,
      batch: readPayload(payload),
    }));
  }

  waitForAppend(timeoutMs: number): Promise<boolean> {
    return this.signal.wait(timeoutMs);
  }

  async trim(partition: number, upTo: number): Promise<void> {
    await this.pool.query('DELETE FROM point_log WHERE partition = $1 AND position <= $2', [partition, upTo]);
  }

  /** Reads only the index of the log, not the payloads. */
  async waiting(after: readonly number[]): Promise<WaitingPoints> {
    const { rows } = await this.pool.query<{ points: string; oldest: number | null }>(
      `SELECT coalesce(sum(waiting.points), 0) AS points, min(waiting.oldest) AS oldest
       FROM unnest($1::bigint[]) WITH ORDINALITY AS known (position, number)
       CROSS JOIN LATERAL (
         SELECT sum(l.points) AS points, min(l.appended_at) AS oldest
         FROM point_log l
         WHERE l."partition" = known.number - 1 AND l.position > known.position AND l.points > 0
       ) AS waiting`,
      [after],
    );
    const row = rows[0]!;
    return { points: Number(row.points), oldestAppendedAt: row.oldest };
  }

  stats(): PointLogStats {
    return this.queue.stats();
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.queue.close();
    await this.signal.close();
    await this.pool.end();
  }

  /** An append wakes the readers of all partitions: a statement for each would delay the next append. */
  private async readTogether(asked: readonly PendingRead[]): Promise<StoredRow[][]> {
    const share = Math.floor(MAX_READ_POINTS / asked.length);
    const { rows } = await this.pool.query<StoredRow>({
      text: `
        SELECT asked.number::integer, found.position, found.kind, found.appended_at, found.payload
        FROM unnest($1::integer[], $2::bigint[], $3::bigint[])
          WITH ORDINALITY AS asked ("partition", position, points, number)
        CROSS JOIN LATERAL (
          SELECT position, kind, appended_at, payload,
                 sum(points) OVER (ORDER BY position) AS points_so_far,
                 row_number() OVER (ORDER BY position) AS row
          FROM (
            SELECT * FROM point_log l
            WHERE l."partition" = asked."partition" AND l.position > asked.position
            ORDER BY l.position LIMIT ${String(MAX_READ_RECORDS)}
          ) AS next
        ) AS found
        WHERE found.points_so_far <= asked.points OR found.row = 1
        ORDER BY asked.number, found.position`,
      values: [
        asked.map(({ partition }) => partition),
        asked.map(({ after }) => after),
        asked.map(({ maxPoints }) => Math.min(maxPoints, share)),
      ],
      rowMode: 'array',
    });
    const found = asked.map((): StoredRow[] => []);
    for (const row of rows) found[row[0] - 1]!.push(row);
    return found;
  }

  private async store(group: readonly QueuedAppend[]): Promise<void> {
    this.tail.add(await this.commit(toRecords(group, this.partitions)));
    this.signal.notify();
  }

  private async commit(records: readonly NewRecord[]): Promise<LogRecord[]> {
    const written: LogRecord[] = [];
    const client = await this.pool.connect();
    try {
      await client.query(BEGIN_APPEND);
      // Assigned under the lock, and never earlier than the last one: the clock of detection does not run backwards.
      this.lastAppendedAt = Math.max(this.lastAppendedAt, this.now());
      for (let first = 0; first < records.length; first += MAX_INSERT_ROWS) {
        const some = records.slice(first, first + MAX_INSERT_ROWS);
        const { rows } = await client.query<[string]>(insertion(some, this.lastAppendedAt));
        const appendedAt = this.lastAppendedAt;
        some.forEach(({ partition, kind, payload }, i) => {
          written.push({ partition, position: Number(rows[i]![0]), kind, appendedAt, batch: payload.columns });
        });
      }
      await client.query(COMMIT_APPEND);
    } catch (error) {
      // Closing the connection is the one rollback that works in every state.
      client.release(true);
      throw error;
    }
    client.release();
    return written;
  }
}

/** Rows of VALUES are evaluated in order, so positions ascend in the order of `records`. Returns them in this order. */
function insertion(records: readonly NewRecord[], appendedAt: number): pg.QueryArrayConfig {
  const values: unknown[] = [appendedAt];
  const rows = records.map(({ partition, kind, points, payload }) => {
    const n = values.push(partition, RECORD_KINDS.indexOf(kind), points, storedBytes(payload)) - 3;
    return `($${String(n)}, nextval('point_log_position_seq'), $${String(n + 1)}, $1, $${String(n + 2)}, $${String(n + 3)})`;
  });
  return {
    text: `INSERT INTO point_log (partition, position, kind, appended_at, points, payload) VALUES ${rows.join(', ')} RETURNING position`,
    values,
    rowMode: 'array',
  };
}

async function checkLayout(pool: pg.Pool, partitions: number): Promise<void> {
  await pool.query('INSERT INTO point_log_layout (partitions) VALUES ($1) ON CONFLICT DO NOTHING', [partitions]);
  const { rows } = await pool.query<{ partitions: number }>('SELECT partitions FROM point_log_layout');
  const recorded = rows[0]!.partitions;
  if (recorded !== partitions) throw new PointLogPartitionsError(recorded, partitions);
}
