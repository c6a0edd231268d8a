import { type Batch } from './ingest-client.js';

/** Maximum number of points per request; the server accepts 50,000 and 4 MiB. */
export const MAX_BATCH_POINTS = 10_000;

/** A batch and the earliest time of sending it, Unix seconds. */
export interface ScheduledBatch extends Batch {
  sendAt: number;
}

function* rowsWithValue(values: Float64Array): Generator<number> {
  for (let row = 0; row < values.length; row++) {
    if (Number.isFinite(values[row])) yield row;
  }
}

function* inBatches(
  values: Float64Array,
  timestampOf: (row: number) => number,
  isFull: (batch: ScheduledBatch, timestamp: number) => boolean,
): Generator<ScheduledBatch> {
  let batch: ScheduledBatch | undefined;
  for (const row of rowsWithValue(values)) {
    const timestamp = timestampOf(row);
    if (batch && (batch.timestamps.length === MAX_BATCH_POINTS || isFull(batch, timestamp))) {
      yield batch;
      batch = undefined;
    }
    batch ??= { sendAt: timestamp, timestamps: [], values: [] };
    batch.timestamps.push(timestamp);
    batch.values.push(values[row]!);
  }
  if (batch) yield batch;
}

/**
 * History, sent as fast as the server accepts it: the times of the file, moved by `shiftSeconds`, all ready
 * immediately.
 */
export function* backfillSchedule(
  timestamps: Float64Array,
  values: Float64Array,
  shiftSeconds: number,
): Generator<ScheduledBatch> {
  const batches = inBatches(
    values,
    (row) => timestamps[row]! + shiftSeconds,
    () => false,
  );
  for (const batch of batches) yield { ...batch, sendAt: -Infinity };
}

/**
 * The file as if it happened from `startAt` (Unix seconds): its first row gets that time, and all intervals are divided
 * by `speed`, so that every point is sent at its own timestamp and arrives as live data. Points of the same second
 * share a request.
 */
export function liveSchedule(
  timestamps: Float64Array,
  values: Float64Array,
  startAt: number,
  speed: number,
): Generator<ScheduledBatch> {
  const first = timestamps.reduce((least, timestamp) => Math.min(least, timestamp), Infinity);
  return inBatches(
    values,
    (row) => startAt + (timestamps[row]! - first) / speed,
    (batch, timestamp) => Math.floor(timestamp) !== Math.floor(batch.sendAt),
  );
}
