import { type SeriesBatch } from '../series-store.js';

/** The end of the year 9999: partitions are named by dates of four-digit years. */
const MAX_TIMESTAMP = 253_402_300_799;

/**
 * The rows of a batch that can be stored, rising by (id, timestamp) without duplicates: of equal keys the last wins,
 * and rows whose value is not finite are left out. Throws RangeError for columns of different lengths and for
 * timestamps that are no whole, positive number of seconds.
 */
export function orderedRows(batch: SeriesBatch): SeriesBatch {
  const { ids, timestamps, values } = batch;
  const size = ids.length;
  if (timestamps.length !== size || values.length !== size) {
    throw new RangeError('The columns of a batch must have the same length');
  }
  let isOrdered = true;
  let stored = 0;
  for (let i = 0; i < size; i++) {
    const ts = timestamps[i]!;
    if (!Number.isInteger(ts) || ts < 0 || ts > MAX_TIMESTAMP) {
      throw new RangeError(`A slot starts at a whole number of Unix seconds, got ${String(ts)}`);
    }
    if (Number.isFinite(values[i]!)) stored++;
    if (i > 0 && !isBefore(batch, i - 1, i)) isOrdered = false;
  }
  if (isOrdered && stored === size) return batch;

  const order = new Uint32Array(stored);
  for (let i = 0, n = 0; i < size; i++) {
    if (Number.isFinite(values[i]!)) order[n++] = i;
  }
  if (!isOrdered) order.sort((a, b) => ids[a]! - ids[b]! || timestamps[a]! - timestamps[b]! || a - b);
  let kept = 0;
  for (let n = 0; n < stored; n++) {
    const row = order[n]!;
    const next = order[n + 1];
    const isReplaced = next !== undefined && ids[next] === ids[row] && timestamps[next] === timestamps[row];
    if (!isReplaced) order[kept++] = row;
  }
  const rows: SeriesBatch = {
    ids: new Uint32Array(kept),
    timestamps: new Float64Array(kept),
    values: new Float64Array(kept),
  };
  for (let n = 0; n < kept; n++) {
    const row = order[n]!;
    rows.ids[n] = ids[row]!;
    rows.timestamps[n] = timestamps[row]!;
    rows.values[n] = values[row]!;
  }
  return rows;
}

function isBefore({ ids, timestamps }: SeriesBatch, row: number, next: number): boolean {
  const [id, nextId] = [ids[row]!, ids[next]!];
  return id < nextId || (id === nextId && timestamps[row]! < timestamps[next]!);
}

/** The distinct slots of `slotSeconds` that ordered rows fall into. */
export function touchedSlots(rows: SeriesBatch, slotSeconds: number): { ids: Uint32Array; slots: Float64Array } {
  const size = rows.ids.length;
  const ids = new Uint32Array(size);
  const slots = new Float64Array(size);
  let count = 0;
  for (let i = 0; i < size; i++) {
    const id = rows.ids[i]!;
    const ts = rows.timestamps[i]!;
    const slot = ts - (ts % slotSeconds);
    if (count > 0 && ids[count - 1] === id && slots[count - 1] === slot) continue;
    ids[count] = id;
    slots[count] = slot;
    count++;
  }
  return { ids: ids.subarray(0, count), slots: slots.subarray(0, count) };
}

/** PostgreSQL's array literal of a column. */
export function arrayLiteral(column: Uint32Array | Float64Array): string {
  return `{${column.join(',')}}`;
}
