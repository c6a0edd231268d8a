import { type PointBatch, type RecordKind } from '../point-log.js';
import { openPayload, type OpenPayload } from './payload.js';

/**
 * Maximum number of points of a merged record; a single append may be larger. Keeps reads close to their limit of
 * points.
 */
const MAX_RECORD_POINTS = 65_536;

export interface QueuedAppend {
  batch: PointBatch;
  kind: RecordKind;
}

/** A row of the log without a position yet. */
export interface NewRecord {
  partition: number;
  kind: RecordKind;
  points: number;
  payload: OpenPayload;
}

/**
 * Merges appends into as few records as their order allows: neighbours of one kind share a record per partition. A tick
 * creates a record in every partition. The records of a partition are in the order of the appends.
 * @param maxPoints per record; larger appends are split
 */
export function toRecords(appends: readonly QueuedAppend[], partitions: number, maxPoints = Infinity): NewRecord[] {
  const records: NewRecord[] = [];
  let first = 0;
  while (first < appends.length) {
    const kind = appends[first]!.kind;
    let end = first;
    let points = 0;
    while (end < appends.length && appends[end]!.kind === kind) {
      const size = appends[end]!.batch.ids.length;
      if (points > 0 && points + size > MAX_RECORD_POINTS) break;
      points += size;
      end++;
    }
    const batches = appends.slice(first, end).map(({ batch }) => batch);
    records.push(...(kind === 'tick' ? ticks(partitions) : split(batches, kind, partitions)));
    first = end;
  }
  return records.flatMap((record) => (record.points > maxPoints ? pieces(record, maxPoints) : record));
}

function pieces({ partition, kind, points, payload }: NewRecord, maxPoints: number): NewRecord[] {
  return Array.from({ length: Math.ceil(points / maxPoints) }, (_, piece) => {
    const from = piece * maxPoints;
    const until = Math.min(points, from + maxPoints);
    const part = openPayload(until - from);
    part.columns.ids.set(payload.columns.ids.subarray(from, until));
    part.columns.timestamps.set(payload.columns.timestamps.subarray(from, until));
    part.columns.values.set(payload.columns.values.subarray(from, until));
    return { partition, kind, points: until - from, payload: part };
  });
}

function ticks(partitions: number): NewRecord[] {
  return Array.from({ length: partitions }, (_, partition) => ({
    partition,
    kind: 'tick',
    points: 0,
    payload: openPayload(0),
  }));
}

function split(batches: readonly PointBatch[], kind: RecordKind, partitions: number): NewRecord[] {
  const counts = new Uint32Array(partitions);
  for (const { ids } of batches) {
    for (const id of ids) counts[id % partitions]!++;
  }
  // A small append touches few of many partitions.
  const payloads = Array.from(counts, (count) => (count === 0 ? null : openPayload(count)));
  const filled = new Uint32Array(partitions);
  for (const { ids, timestamps, values } of batches) {
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i]!;
      const partition = id % partitions;
      const { columns } = payloads[partition]!;
      const row = filled[partition]!++;
      columns.ids[row] = id;
      columns.timestamps[row] = timestamps[i]!;
      columns.values[row] = values[i]!;
    }
  }
  return payloads.flatMap((payload, partition) =>
    payload === null ? [] : [{ partition, kind, points: counts[partition]!, payload }],
  );
}
