import { type Aggregation } from '#libs/contracts';
import { B, F } from '../series/record/layout.js';
import * as layout from '../series/record/layout.js';
import { noteInterval } from '../series/points/pace.js';
import { type SeriesRecord } from '../series/record/series-record.js';

const { POINT_RING, POINT_TIMES_AT, POINTS_AT, SLOT_COUNTS_AT, SLOT_LASTS_AT, SLOT_NUMBERS_AT, SLOT_RING, SLOTS_AT } =
  layout;
/**
 * Converts points to slots: timestamps are floored to the slot, and the points of a slot are combined. The last
 * SLOT_RING slots are retained, so that a late point corrects its slot, and the last POINT_RING points, so that a
 * resent point replaces itself. An older slot is set to the value of the late point.
 *
 * A retained slot consists of its number (32 bits of it), the number of its points, their combination (for a mean:
 * their sum), and the position of the latest one in the slot, in 65,536 parts. A retained point consists of its value,
 * NaN for none, and 32 bits of its time in milliseconds, which distinguish it from all others of seven weeks.
 */

/** Adds a finite point; returns the new stored value of its slot. */
export function addPoint(
  record: SeriesRecord,
  aggregation: Aggregation,
  slotSeconds: number,
  timestamp: number,
  value: number,
): number {
  const { f, p, w } = record;
  const number = slotNumber(timestamp, slotSeconds);
  const isResent = timestamp <= f[F.newestPoint]! && replacePoint(record, timestamp, value);
  if (!isResent) keepPoint(record, timestamp, value);
  if (!(timestamp <= f[F.newestPoint]!)) {
    if (!Number.isNaN(f[F.newestPoint]!)) noteInterval(record, timestamp - f[F.newestPoint]!);
    f[F.newestPoint] = timestamp;
  }
  const cell = number & (SLOT_RING - 1);
  const later = p[SLOT_COUNTS_AT + cell] === 0 ? -1 : (w[SLOT_NUMBERS_AT + cell]! - number) | 0;
  if (later > 0) return value;
  if (isResent && later === 0) {
    recombine(record, cell, aggregation, slotSeconds);
    return combined(record, cell, aggregation);
  }
  if (later !== 0) {
    w[SLOT_NUMBERS_AT + cell] = number;
    p[SLOT_COUNTS_AT + cell] = 0;
  }
  include(record, cell, aggregation, placeIn(timestamp, slotSeconds), value);
  return combined(record, cell, aggregation);
}

/** Stored value of a slot that is still retained; NaN otherwise. */
export function slotValue(record: SeriesRecord, aggregation: Aggregation, slotSeconds: number, slot: number): number {
  const number = Math.round(slot / slotSeconds) | 0;
  const cell = number & (SLOT_RING - 1);
  const isKept = record.p[SLOT_COUNTS_AT + cell]! > 0 && record.w[SLOT_NUMBERS_AT + cell] === number;
  return isKept ? combined(record, cell, aggregation) : NaN;
}

/** A multiple of every slot length: a value floored to it does not depend on an earlier floor. */
const COARSE_SECONDS = 300;

/**
 * Changes the length of slots from here on. The remaining state depends only on the points, not on their former slots,
 * so a replay that uses the new length from the start ends in the same state. The count of slots restarts.
 */
export function restartInOtherSlots(record: SeriesRecord, aggregation: Aggregation, slotSeconds: number): void {
  const { f, p, w, h } = record;
  f.fill(0, SLOTS_AT, SLOTS_AT + SLOT_RING);
  p.fill(0, SLOT_COUNTS_AT, SLOT_COUNTS_AT + SLOT_RING);
  h.fill(0, SLOT_LASTS_AT, SLOT_LASTS_AT + SLOT_RING);
  w.fill(0, SLOT_NUMBERS_AT, SLOT_NUMBERS_AT + SLOT_RING);
  f[F.points] = 0;
  f[F.firstTimestamp] = slotOf(f[F.firstTimestamp]!, COARSE_SECONDS);
  const newest = slotOf(f[F.newestPoint]!, slotSeconds);
  f[F.newestSlot] = f[F.analysedSlot] = newest;
  if (Number.isNaN(newest)) return;
  // The points of the current slot, if they are still known.
  const number = slotNumber(newest, slotSeconds);
  const cell = number & (SLOT_RING - 1);
  w[SLOT_NUMBERS_AT + cell] = number;
  includeKept(record, cell, aggregation, slotSeconds);
  if (p[SLOT_COUNTS_AT + cell] === 0) w[SLOT_NUMBERS_AT + cell] = 0;
  else f[F.lastRaw] = combined(record, cell, aggregation);
}

/**
 * Changes the aggregation of points from here on. A slot whose points are all still known is combined again; any other
 * slot continues from its value.
 */
export function restartInOtherAggregation(
  record: SeriesRecord,
  before: Aggregation,
  aggregation: Aggregation,
  slotSeconds: number,
): void {
  const { f, p } = record;
  for (let cell = 0; cell < SLOT_RING; cell++) {
    const count = p[SLOT_COUNTS_AT + cell]!;
    if (count === 0 || recombine(record, cell, aggregation, slotSeconds)) continue;
    const value = combined(record, cell, before);
    // Sum and mean have the same state.
    const isOfSum = before === 'sum' || before === 'avg';
    if (isOfSum && (aggregation === 'sum' || aggregation === 'avg')) continue;
    f[SLOTS_AT + cell] = aggregation === 'avg' ? value * count : value;
  }
  const newest = slotValue(record, aggregation, slotSeconds, f[F.newestSlot]!);
  if (!Number.isNaN(newest)) f[F.lastRaw] = newest;
}

/** Start of the slot that contains a timestamp. */
export function slotOf(timestamp: number, slotSeconds: number): number {
  return Math.floor(timestamp / slotSeconds) * slotSeconds;
}

/** The last 32 bits of the number of a slot. */
function slotNumber(timestamp: number, slotSeconds: number): number {
  return Math.floor(timestamp / slotSeconds) | 0;
}

/** Position of a timestamp in its slot. */
function placeIn(timestamp: number, slotSeconds: number): number {
  return Math.floor((timestamp / slotSeconds - Math.floor(timestamp / slotSeconds)) * 65_536);
}

/** The last 32 bits of a time in milliseconds. */
function timeOf(timestamp: number): number {
  return Math.round(timestamp * 1000) | 0;
}

function include(
  { f, p, h }: SeriesRecord,
  cell: number,
  aggregation: Aggregation,
  place: number,
  value: number,
): void {
  const count = p[SLOT_COUNTS_AT + cell]!;
  const known = f[SLOTS_AT + cell]!;
  const isLatest = count === 0 || place >= h[SLOT_LASTS_AT + cell]!;
  p[SLOT_COUNTS_AT + cell] = count + 1;
  if (isLatest) h[SLOT_LASTS_AT + cell] = place;
  f[SLOTS_AT + cell] = count === 0 ? value : joined(aggregation, known, value, isLatest);
}

function joined(aggregation: Aggregation, known: number, value: number, isLatest: boolean): number {
  switch (aggregation) {
    case 'last':
      return isLatest ? value : known;
    case 'avg':
    case 'sum':
      return known + value;
    case 'min':
      return Math.min(known, value);
    case 'max':
      return Math.max(known, value);
  }
}

function combined({ f, p }: SeriesRecord, cell: number, aggregation: Aggregation): number {
  const kept = f[SLOTS_AT + cell]!;
  return aggregation === 'avg' ? kept / p[SLOT_COUNTS_AT + cell]! : kept;
}

function keepPoint({ f, w, b }: SeriesRecord, timestamp: number, value: number): void {
  const head = b[B.pointHead]!;
  w[POINT_TIMES_AT + head] = timeOf(timestamp);
  f[POINTS_AT + head] = value;
  b[B.pointHead] = (head + 1) % POINT_RING;
}

function replacePoint({ f, w }: SeriesRecord, timestamp: number, value: number): boolean {
  const time = timeOf(timestamp);
  for (let i = 0; i < POINT_RING; i++) {
    if (w[POINT_TIMES_AT + i] !== time || Number.isNaN(f[POINTS_AT + i]!)) continue;
    f[POINTS_AT + i] = value;
    return true;
  }
  return false;
}

/** Seconds between the newest point and a retained one. */
function secondsBack({ f, w }: SeriesRecord, point: number): number {
  return ((timeOf(f[F.newestPoint]!) - w[POINT_TIMES_AT + point]!) >>> 0) / 1000;
}

/** True if a retained point is in the slot of a cell. */
function isOfCell(record: SeriesRecord, point: number, cell: number, slotSeconds: number): boolean {
  const { f, w } = record;
  if (Number.isNaN(f[POINTS_AT + point]!)) return false;
  return slotNumber(timestampOf(record, point), slotSeconds) === w[SLOT_NUMBERS_AT + cell];
}

/** Time of a retained point, to a millisecond. */
function timestampOf(record: SeriesRecord, point: number): number {
  return Math.round((record.f[F.newestPoint]! - secondsBack(record, point)) * 1000) / 1000;
}

/**
 * Combines a slot again from the retained points, oldest first. If some of its points are gone, leaves it unchanged and
 * returns false.
 */
function recombine(record: SeriesRecord, cell: number, aggregation: Aggregation, slotSeconds: number): boolean {
  const { p } = record;
  const wanted = p[SLOT_COUNTS_AT + cell]!;
  let found = 0;
  for (let point = 0; point < POINT_RING; point++) if (isOfCell(record, point, cell, slotSeconds)) found++;
  if (found !== wanted) return false;
  p[SLOT_COUNTS_AT + cell] = 0;
  includeKept(record, cell, aggregation, slotSeconds);
  return true;
}

/** Includes the retained points of a slot, oldest first. */
function includeKept(record: SeriesRecord, cell: number, aggregation: Aggregation, slotSeconds: number): void {
  const { f, b } = record;
  const head = b[B.pointHead]!;
  for (let step = 0; step < POINT_RING; step++) {
    const point = (head + step) % POINT_RING;
    if (!isOfCell(record, point, cell, slotSeconds)) continue;
    const timestamp = timestampOf(record, point);
    include(record, cell, aggregation, placeIn(timestamp, slotSeconds), f[POINTS_AT + point]!);
  }
}
