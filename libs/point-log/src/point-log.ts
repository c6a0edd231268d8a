/**
 * Accepted points in order of arrival, durable. Points are acknowledged once they are in the log, and detection reads
 * them from it. It is trimmed when every consumer has a later checkpoint.
 */

/** Points as columns; row i of every column is one point. `timestamps` in Unix seconds (fractions allowed). */
export interface PointBatch {
  /** Metric ids. */
  ids: Uint32Array;
  timestamps: Float64Array;
  /** NaN: the sender reports that the series has ended at that time. */
  values: Float64Array;
}

/**
 * `live` points open anomalies that alert; `backfill` points are history: the detector learns from them, but no alerts
 * are sent. `tick` has no points, only a time. `define` has no points either: its rows are metrics whose definition
 * changes here; `values` describe the change.
 */
export type RecordKind = 'live' | 'backfill' | 'tick' | 'define';

export interface LogRecord {
  partition: number;
  /** Ascending within a partition; gaps are allowed. */
  position: number;
  kind: RecordKind;
  /**
   * Unix seconds at which the record was appended: the only clock of detection, so that a replay gives the same
   * results.
   */
  appendedAt: number;
  batch: PointBatch;
}

export interface PointLogStats {
  /** Appends that wait for the next group commit. */
  queuedAppends: number;
  queuedPoints: number;
}

/** Stored by index: never renumber. */
export const RECORD_KINDS: readonly RecordKind[] = ['live', 'backfill', 'tick', 'define'];

/** The points that detection has not processed yet. */
export interface WaitingPoints {
  points: number;
  /** Unix seconds at which the oldest of them was appended; null if there is none. */
  oldestAppendedAt: number | null;
}

/** Thrown by `append` if the bounded queue is full: the sender should retry later. */
export class PointLogFullError extends Error {
  constructor(readonly queuedPoints: number) {
    super(`The point log has ${String(queuedPoints)} points waiting to be written; try again shortly`);
    this.name = 'PointLogFullError';
  }
}

/**
 * Thrown by `append` if the log is unreachable or full. Nothing was stored, or the outcome is unknown: the same append
 * may be repeated.
 */
export class PointLogUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PointLogUnavailableError';
  }
}

/** Thrown on opening a log that was created with another number of partitions. */
export class PointLogPartitionsError extends Error {
  constructor(
    readonly recorded: number,
    readonly asked: number,
    place = 'in this database',
  ) {
    super(
      `The point log ${place} has ${String(recorded)} partitions and was opened for ${String(asked)}: ` +
        `the number is fixed for the life of a log`,
    );
    this.name = 'PointLogPartitionsError';
  }
}

export interface PointLog {
  /** Number of partitions; a metric belongs to partition `id % partitions`. Fixed for the life of a log. */
  readonly partitions: number;
  /**
   * Resolves when every point is durable. Concurrent calls share a commit; the log keeps the order of the calls. The
   * caller must not use the arrays afterwards. Rejects with PointLogFullError if too many points are queued, and with
   * PointLogUnavailableError or the error of the database if the log cannot be written.
   */
  append(batch: PointBatch, kind: RecordKind): Promise<void>;
  /**
   * Records of a partition with a position above `after`, oldest first: at most `maxPoints` points, but at least one
   * record. The columns belong to the caller.
   */
  read(partition: number, after: number, maxPoints: number): Promise<LogRecord[]>;
  /**
   * Resolves at the next append seen by this process, or after `timeoutMs`. If called before a `read`, no append is
   * missed.
   * @returns false if the time elapsed before an append
   */
  waitForAppend(timeoutMs: number): Promise<boolean>;
  /** Drops the records of a partition up to and including `upTo`. */
  trim(partition: number, upTo: number): Promise<void>;
  /**
   * Number of points above a position in each partition. An adapter may estimate it if counting would require reading;
   * 0 is exact.
   * @param after by partition: positions up to which points are not counted
   */
  waiting(after: readonly number[]): Promise<WaitingPoints>;
  stats(): PointLogStats;
  /** Finishes queued appends, then releases connections. */
  close(): Promise<void>;
}
