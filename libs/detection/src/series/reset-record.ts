import {
  DAY_AT,
  F,
  POINT_RING,
  POINTS_AT,
  RECORD_BYTES,
  SLOT_RING,
  SLOT_WIDTH,
  SLOTS_AT,
  WAITING_AT,
} from './layout.js';
import { type SeriesRecord, viewRecord } from './series-record.js';
import { resetTails } from './tail.js';

/** The state of a series that has no point yet. */
export function resetRecord(record: SeriesRecord): void {
  const { f, p, b } = record;
  f.fill(0);
  p.fill(0);
  b.fill(0);
  for (const field of [
    F.newestPoint,
    F.newestSlot,
    F.analysedSlot,
    F.firstTimestamp,
    F.lastRaw,
    F.resolution,
    F.counterSlot,
    F.counterValue,
    F.firstAnalysed,
    F.lastAnalysed,
    F.dayBucket,
    F.weekBucket,
    F.profileMedian,
  ])
    f[field] = NaN;
  f[F.quantum] = Infinity;
  f[F.seenMin] = Infinity;
  f[F.seenMax] = -Infinity;
  for (let i = 0; i < SLOT_RING; i++) f[SLOTS_AT + i * SLOT_WIDTH] = NaN;
  for (let i = 0; i < POINT_RING; i++) f[POINTS_AT + i * 2] = NaN;
  p.fill(NaN, DAY_AT, WAITING_AT);
  resetTails(record);
}

/** A record of its own, outside any page. */
export function createRecord(): SeriesRecord {
  const record = viewRecord(new ArrayBuffer(RECORD_BYTES), 0);
  resetRecord(record);
  return record;
}
