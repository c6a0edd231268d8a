import pg from 'pg';
import { DATABASE_LOCKS } from '#libs/database-locks';
import {
  type LogRecord,
  type PointBatch,
  type PointLog,
  PointLogFullError,
  type PointLogStats,
  type RecordKind,
} from '../point-log.js';
import { AppendSignal, NOTIFY_APPENDED } from './append-signal.js';
import { type NewRecord, type QueuedAppend, toRecords } from './group.js';
import { readPayload, storedBytes } from './payload.js';
import { TailCache } from './tail-cache.js';

export interface PostgresPointLogOptions {
  /** PostgreSQL 15 or newer with the tables of the migrations. */
  connectionString: string;
  /** Unix seconds, fraction allowed: stamps the records. */
  now: () => number;
  /** Fixed when the log is first opened; opening it later with another number fails. */
  partitions?: number;
  /** Points that may wait for a commit; more are refused with PointLogFullError. */
  maxQueuedPoints?: number;
  /** How long the first append of a group waits for company. */
  commitDelayMs?: number;
  maxConnections?: number;
  /** Memory for records that were just appended and are read in the same process. */
  tailBytes?: number;
}

/** Raised by `open` when the log was made with another number of partitions. */
export class PointLogPartitionsError extends Error {
  constructor(
    readonly recorded: number,
    readonly asked: number,
  ) {
    super(
      `The point log in this database has ${String(recorded)} partitions and was opened for ${String(asked)}: ` +
        `the number is fixed for the life of a log`,
    );
    this.name = 'PointLogPartitionsError';
  }
}

const DEFAULT_PARTITIONS = 8;
const DEFAULT_TAIL_BYTES = 64 * 1024 * 1024;
const MAX_COMMIT_POINTS = 500_000;
const MAX_INSERT_ROWS = 1000;
const MAX_READ_RECORDS = 256;

/** Stored values: never renumber. */
const KINDS: readonly RecordKind[] = ['live', 'backfill', 'tick', 'define'];

/**
 * Readers ask for what is above a position they have seen. A position that became visible after a higher one would be
 * passed over for ever, so positions are taken and committed under one lock, across all processes: PostgreSQL releases
 * it only when the transaction is visible to others.
 */
const APPEND_LOCK = DATABASE_LOCKS.pointLogAppend.number;
const BEGIN_APPEND = `BEGIN; SET LOCAL synchronous_commit = on; SELECT pg_advisory_xact_lock(${String(APPEND_LOCK)})`;
const COMMIT_APPEND = `${NOTIFY_APPENDED}; COMMIT`;

interface WaitingAppend extends QueuedAppend {
  resolve: () => void;
  reject: (error: Error) => void;
}

/**
 * PointLog in a PostgreSQL table: a record is a row, its points are binary columns (payload.ts). Appends that arrive
 * while a commit is under way share the next one. A failed commit rejects the appends in it and nothing else.
 *
 * To miss no append, take the signal before reading:
 * `const next = log.waitForAppend(1000); const records = await log.read(…); if (records.length === 0) await next;`
 */
export class PostgresPointLog implements PointLog {
  private readonly queue: WaitingAppend[] = [];
  private queuedPoints = 0;
  private flushing: Promise<void> | undefined;
  private lastAppendedAt = -Infinity;
  private isClosed = false;

  private constructor(
    readonly partitions: number,
    private readonly pool: pg.Pool,
    private readonly signal: AppendSignal,
    private readonly now: () => number,
    private readonly maxQueuedPoints: number,
    private readonly commitDelayMs: number,
    private readonly tail: TailCache,
  ) {}

  /** Connects and checks the layout of the log. Throws PointLogPartitionsError, or the error of the database. */
  static async open(options: PostgresPointLogOptions): Promise<PostgresPointLog> {
    const partitions = options.partitions ?? DEFAULT_PARTITIONS;
    if (!Number.isInteger(partitions) || partitions < 1) {
      throw new RangeError(`A point log needs at least one partition, got ${String(partitions)}`);
    }
    const pool = new pg.Pool({
      connectionString: options.connectionString,
      application_name: 'plumbline point log',
      max: options.maxConnections ?? 4,
      connectionTimeoutMillis: 5000,
      statement_timeout: 30_000,
      query_timeout: 60_000,
      // A process that hangs while it holds the append lock would stop all others.
      idle_in_transaction_session_timeout: 30_000,
      keepAlive: true,
    });
    // A connection that breaks while idle is replaced at the next use; without a listener it would end the process.
    pool.on('error', () => undefined);
    // The pool does not listen while a connection is in use; one that breaks between two statements fails the next.
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
      options.maxQueuedPoints ?? 1_000_000,
      options.commitDelayMs ?? 2,
      new TailCache(options.tailBytes ?? DEFAULT_TAIL_BYTES),
    );
  }

  append(batch: PointBatch, kind: RecordKind): Promise<void> {
    const points = batch.ids.length;
    if (batch.timestamps.length !== points || batch.values.length !== points) {
      return Promise.reject(new RangeError('The columns of a batch must have the same length'));
    }
    if (this.isClosed) return Promise.reject(new Error('The point log is closed'));
    if (points === 0 && kind !== 'tick') return Promise.resolve();
    // An append larger than the whole queue is taken when it is alone: it could not be accepted at any other time.
    if (this.queuedPoints > 0 && this.queuedPoints + points > this.maxQueuedPoints) {
      return Promise.reject(new PointLogFullError(this.queuedPoints));
    }
    this.queuedPoints += points;
    const durable = new Promise<void>((resolve, reject) => {
      this.queue.push({ batch, kind, resolve, reject });
    });
    this.flushing ??= this.flush();
    return durable;
  }

  async read(partition: number, after: number, maxPoints: number): Promise<LogRecord[]> {
    const recent = this.tail.take(partition, after, maxPoints);
    if (recent.length > 0) return recent;
    const { rows } = await this.pool.query<[string, number, number, Buffer]>({
      text: `
        SELECT position, kind, appended_at, payload
        FROM (
          SELECT position, kind, appended_at, payload,
                 sum(points) OVER (ORDER BY position) AS points_so_far,
                 row_number() OVER (ORDER BY position) AS row
          FROM (
            SELECT * FROM point_log WHERE partition = $1 AND position > $2 ORDER BY position LIMIT ${String(MAX_READ_RECORDS)}
          ) AS next
        ) AS counted
        WHERE points_so_far <= $3 OR row = 1
        ORDER BY position`,
      values: [partition, after, maxPoints],
      rowMode: 'array',
    });
    return rows.map(([position, kind, appendedAt, payload]) => ({
      partition,
      position: Number(position),
      kind: KINDS[kind]!,
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

  stats(): PointLogStats {
    return { queuedAppends: this.queue.length, queuedPoints: this.queuedPoints };
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.flushing;
    await this.signal.close();
    await this.pool.end();
  }

  /** Commits the queue group by group until it is empty. Never rejects: errors go to the appends of their group. */
  private async flush(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.commitDelayMs));
    while (this.queue.length > 0) {
      const group = this.takeGroup();
      try {
        this.tail.add(await this.commit(toRecords(group, this.partitions)));
        this.settle(group, (append) => append.resolve());
        this.signal.notify();
      } catch (error) {
        const reason = error instanceof Error ? error : new Error(String(error));
        this.settle(group, (append) => append.reject(reason));
      }
    }
    this.flushing = undefined;
  }

  private takeGroup(): WaitingAppend[] {
    let points = 0;
    let size = 0;
    while (size < this.queue.length) {
      points += this.queue[size]!.batch.ids.length;
      if (size > 0 && points > MAX_COMMIT_POINTS) break;
      size++;
    }
    return this.queue.splice(0, size);
  }

  private settle(group: readonly WaitingAppend[], how: (append: WaitingAppend) => void): void {
    for (const append of group) {
      this.queuedPoints -= append.batch.ids.length;
      how(append);
    }
  }

  private async commit(records: readonly NewRecord[]): Promise<LogRecord[]> {
    const written: LogRecord[] = [];
    const client = await this.pool.connect();
    try {
      await client.query(BEGIN_APPEND);
      // Taken under the lock, and never behind the last one: the clock of detection does not run backwards.
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
      // Closing the connection is the one way back that works in every state; the server rolls back.
      client.release(true);
      throw error;
    }
    client.release();
    return written;
  }
}

/** Rows of VALUES are evaluated in their order, so positions rise in the order of `records`. Returns them in this order. */
function insertion(records: readonly NewRecord[], appendedAt: number): pg.QueryArrayConfig {
  const values: unknown[] = [appendedAt];
  const rows = records.map(({ partition, kind, points, payload }) => {
    const n = values.push(partition, KINDS.indexOf(kind), points, storedBytes(payload)) - 3;
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
