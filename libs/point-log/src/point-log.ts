/**
 * Accepted points in the order of their arrival, durable. The log is what an acknowledged point is acknowledged into,
 * and what detection reads; it is trimmed once every consumer has a checkpoint behind it.
 */

/** Points as columns; row i of every column is one point. `timestamps` in Unix seconds (fractions allowed). */
export interface PointBatch {
  /** Metric ids. */
  ids: Uint32Array;
  timestamps: Float64Array;
  /** NaN: the sender says that the series has ended at that time. */
  values: Float64Array;
}

/**
 * `live` points open anomalies that alert; `backfill` points are history: the detector learns from them, but no alerts
 * are sent. `tick` has no points, only time.
 * `define` has no points either: its rows name metrics whose definition changes here; `values` say how.
 */
export type RecordKind = 'live' | 'backfill' | 'tick' | 'define';

export interface LogRecord {
  partition: number;
  /** Rises within a partition; gaps are allowed. */
  position: number;
  kind: RecordKind;
  /** Unix seconds at which the record was appended: the only clock that detection sees, so that a replay sees the same. */
  appendedAt: number;
  batch: PointBatch;
}

export interface PointLogStats {
  /** Appends waiting for the next group commit. */
  queuedAppends: number;
  queuedPoints: number;
}

/** Stored values, by their index: never renumber. */
export const RECORD_KINDS: readonly RecordKind[] = ['live', 'backfill', 'tick', 'define'];

/** What detection has not seen yet. */
export interface WaitingPoints {
  points: number;
  /** Unix seconds at which the oldest of them was appended; null when there is none. */
  oldestAppendedAt: number | null;
}

/** Raised by `append` when the bounded queue is full: the sender is asked to come back later. */
export class PointLogFullError extends Error {
  constructor(readonly queuedPoints: number) {
    super(`The point log has ${String(queuedPoints)} points waiting to be written; try again shortly`);
    this.name = 'PointLogFullError';
  }
}

/**
 * Raised by `append` when the log is out of reach or has no room. Nothing was stored, or the outcome is unknown: the same
 * append may be repeated.
 */
export class PointLogUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PointLogUnavailableError';
  }
}

/** Raised when a log is opened that was made with another number of partitions. */
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
  /** Number of partitions; a metric lives in partition `id % partitions`. Fixed for the life of a log. */
  readonly partitions: number;
  /**
   * Resolves when every point is durable. Concurrent calls share one commit; order of calls is order in the log.
   * The caller may not touch the arrays afterwards. Rejects with PointLogFullError when too much is queued, and with
   * PointLogUnavailableError or the error of the database when it cannot be written.
   */
  append(batch: PointBatch, kind: RecordKind): Promise<void>;
  /**
   * Records of a partition with a position above `after`, oldest first; at most `maxPoints` points (but at least one
   * record). The columns belong to the caller.
   */
  read(partition: number, after: number, maxPoints: number): Promise<LogRecord[]>;
  /**
   * Resolves at the next append that this process sees, or after `timeoutMs`. Taken before a `read`, it misses nothing.
   * @returns false when the time was over before something was appended
   */
  waitForAppend(timeoutMs: number): Promise<boolean>;
  /** Drops the records of a partition up to and including `upTo`. */
  trim(partition: number, upTo: number): Promise<void>;
  /**
   * Points above a position in each partition. An adapter may estimate how many there are where it would have to read them
   * to count them; 0 is exact.
   * @param after by partition: positions that are not counted
   */
  waiting(after: readonly number[]): Promise<WaitingPoints>;
  stats(): PointLogStats;
  /** Finishes queued appends, then releases connections. */
  close(): Promise<void>;
}
