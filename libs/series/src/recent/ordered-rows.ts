import { type SeriesBatch } from '../series-store.js';
import { chooseModulus } from './buckets.js';

/** The end of the year 9999: partitions are named by dates of four-digit years. */
const MAX_TIMESTAMP = 253_402_300_799;
/** Sort keys consist of a 32-bit id and a 20-bit row: a float64 represents them exactly. */
const ROW_RANGE = 2 ** 20;
const ID_RANGE = 2 ** 32;

/** Shorter runs of rows are sorted in place. */
const SHORT_RUN = 32;

/** Rows bucket by bucket, each ordered by id and timestamp, without duplicate slots. */
export interface OrderedRows extends SeriesBatch {
  buckets: BucketRows[];
}

export interface BucketRows {
  bucket: number;
  /** Rows [from, until). */
  from: number;
  until: number;
}

/** Maximum number of rows in one call of orderRows. */
export const MAX_ROWS = ROW_RANGE;

/**
 * The rows of a batch that can be stored, in the order of their buckets: for equal slots the last row wins, and rows
 * whose value is not finite are omitted. Throws RangeError for columns of different lengths, for timestamps that are
 * not a whole, positive number of seconds, and for more than MAX_ROWS rows.
 */
export function orderRows(batch: SeriesBatch, mostChunks: number): OrderedRows {
  const { ids, timestamps, values } = batch;
  const size = ids.length;
  if (size > MAX_ROWS) throw new RangeError(`At most ${String(MAX_ROWS)} rows can be ordered at once`);
  const modulus = chooseModulus(ids, mostChunks);
  const span = ID_RANGE / modulus;
  const keys = new Float64Array(size);
  let stored = 0;
  let isOrdered = true;
  let lastKey = -1;
  let lastTimestamp = -1;
  for (let row = 0; row < size; row++) {
    if (!Number.isFinite(values[row]!)) continue;
    const id = ids[row]!;
    const remainder = id % modulus;
    const rank = remainder * span + (id - remainder) / modulus;
    const timestamp = timestamps[row]!;
    if (rank < lastKey || (rank === lastKey && timestamp <= lastTimestamp)) isOrdered = false;
    lastKey = rank;
    lastTimestamp = timestamp;
    keys[stored++] = rank * ROW_RANGE + row;
  }
  const order = keys.subarray(0, stored);
  if (!isOrdered) order.sort();
  return copyRows(batch, order, modulus);
}

/** Throws RangeError unless every row has a slot start that can be stored. */
export function requireSoundRows({ ids, timestamps, values }: SeriesBatch): void {
  if (timestamps.length !== ids.length || values.length !== ids.length) {
    throw new RangeError('The columns of a batch must have the same length');
  }
  for (const timestamp of timestamps) {
    if (!Number.isInteger(timestamp) || timestamp < 0 || timestamp > MAX_TIMESTAMP) {
      throw new RangeError(`A slot starts at a whole number of Unix seconds, got ${String(timestamp)}`);
    }
  }
}

function copyRows(batch: SeriesBatch, order: Float64Array, modulus: number): OrderedRows {
  const count = order.length;
  const ids = new Uint32Array(count);
  const timestamps = new Float64Array(count);
  const values = new Float64Array(count);
  const buckets: BucketRows[] = [];
  let kept = 0;
  let runStart = 0;
  let isRising = true;
  const endRun = () => {
    if (!isRising) kept = sortRun(timestamps, values, runStart, kept);
    isRising = true;
  };
  for (let n = 0; n < count; n++) {
    const row = order[n]! % ROW_RANGE;
    const id = batch.ids[row]!;
    if (n === 0 || id !== ids[kept - 1]) {
      endRun();
      runStart = kept;
      const bucket = modulus + (id % modulus);
      const last = buckets.at(-1);
      if (last?.bucket !== bucket) {
        if (last) last.until = kept;
        buckets.push({ bucket, from: kept, until: count });
      }
    } else if (batch.timestamps[row]! <= timestamps[kept - 1]!) {
      isRising = false;
    }
    ids[kept] = id;
    timestamps[kept] = batch.timestamps[row]!;
    values[kept] = batch.values[row]!;
    kept++;
  }
  endRun();
  const last = buckets.at(-1);
  if (last) last.until = kept;
  return {
    ids: ids.subarray(0, kept),
    timestamps: timestamps.subarray(0, kept),
    values: values.subarray(0, kept),
    buckets,
  };
}

/** Sorts rows [from, until) of one series by time; of equal times the last row stays. Returns the new end. */
export function sortRun(timestamps: Float64Array, values: Float64Array, from: number, until: number): number {
  if (until - from <= SHORT_RUN) return sortShortRun(timestamps, values, from, until);
  const times = timestamps.slice(from, until);
  const before = values.slice(from, until);
  const order = Uint32Array.from(times, (_, i) => i).sort((a, b) => times[a]! - times[b]! || a - b);
  let kept = from;
  for (let n = 0; n < order.length; n++) {
    const row = order[n]!;
    if (n + 1 < order.length && times[order[n + 1]!] === times[row]) continue;
    timestamps[kept] = times[row]!;
    values[kept] = before[row]!;
    kept++;
  }
  return kept;
}

/**
 * In place: a batch may have a short run for each of its series, and creating arrays for each would cost more than the
 * sort.
 */
function sortShortRun(timestamps: Float64Array, values: Float64Array, from: number, until: number): number {
  let kept = from;
  for (let row = from; row < until; row++) {
    const timestamp = timestamps[row]!;
    const value = values[row]!;
    let place = kept;
    while (place > from && timestamps[place - 1]! > timestamp) place--;
    if (place > from && timestamps[place - 1] === timestamp) {
      values[place - 1] = value;
      continue;
    }
    timestamps.copyWithin(place + 1, place, kept);
    values.copyWithin(place + 1, place, kept);
    timestamps[place] = timestamp;
    values[place] = value;
    kept++;
  }
  return kept;
}
