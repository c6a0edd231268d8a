import { type Aggregation } from '#libs/contracts';
import { F } from '../series/layout.js';
import * as layout from '../series/layout.js';
import { noteInterval } from '../series/pace.js';

const { POINT_RING, POINTS_AT, SLOT_RING, SLOT_WIDTH, SLOTS_AT } = layout;
/**
 * Points become slots: timestamps are floored to the slot, the points of one slot are combined. The last SLOT_RING
 * slots are kept so that a late point corrects its slot, the last POINT_RING points so that a resent point replaces
 * itself. A slot older than that takes the late point's value as it is.
 */

const SUM = 2;
const COUNT = 1;
const MIN = 3;
const MAX = 4;
const LAST = 5;
const LAST_AT = 6;

/** Adds a finite point; returns the stored value of its slot from now on. */
export function addPoint(
  f: Float64Array,
  aggregation: Aggregation,
  slotSeconds: number,
  timestamp: number,
  value: number,
): number {
  const slot = slotOf(timestamp, slotSeconds);
  const isResent = timestamp <= f[F.newestPoint]! && replacePoint(f, timestamp, value);
  if (!isResent) keepPoint(f, timestamp, value);
  if (!(timestamp <= f[F.newestPoint]!)) {
    if (!Number.isNaN(f[F.newestPoint]!)) noteInterval(f, timestamp - f[F.newestPoint]!);
    f[F.newestPoint] = timestamp;
  }
  const at = SLOTS_AT + ringIndex(slot, slotSeconds) * SLOT_WIDTH;
  const kept = f[at]!;
  if (kept > slot) return value;
  if (isResent && kept === slot) {
    recombine(f, at, slot, slotSeconds);
    return combined(f, at, aggregation);
  }
  if (kept !== slot) {
    f[at] = slot;
    f[at + COUNT] = 0;
  }
  include(f, at, timestamp, value);
  return combined(f, at, aggregation);
}

/** Stored value of a slot that is still kept; NaN otherwise. */
export function slotValue(f: Float64Array, aggregation: Aggregation, slotSeconds: number, slot: number): number {
  const at = SLOTS_AT + ringIndex(slot, slotSeconds) * SLOT_WIDTH;
  return f[at] === slot ? combined(f, at, aggregation) : NaN;
}

/** A multiple of every length of slots: what is floored to it does not tell what it was floored to before. */
const COARSE_SECONDS = 300;

/**
 * Slots have another length from here on. What is left depends on the points alone, not on the slots they were in: so a
 * replay that knows the new length from the beginning ends in the same state. The count of slots restarts.
 */
export function restartInOtherSlots(f: Float64Array, aggregation: Aggregation, slotSeconds: number): void {
  f.fill(0, SLOTS_AT, SLOTS_AT + SLOT_RING * SLOT_WIDTH);
  for (let i = 0; i < SLOT_RING; i++) f[SLOTS_AT + i * SLOT_WIDTH] = NaN;
  f[F.points] = 0;
  f[F.firstTimestamp] = slotOf(f[F.firstTimestamp]!, COARSE_SECONDS);
  const newest = slotOf(f[F.newestPoint]!, slotSeconds);
  f[F.newestSlot] = f[F.analysedSlot] = newest;
  if (Number.isNaN(newest)) return;
  // Points of the slot that has begun, as far as they are still known.
  const at = SLOTS_AT + ringIndex(newest, slotSeconds) * SLOT_WIDTH;
  includeKept(f, at, newest, slotSeconds);
  if (f[at + COUNT] === 0) return;
  f[at] = newest;
  f[F.lastRaw] = combined(f, at, aggregation);
}

/** Start of the slot a timestamp lies in. */
export function slotOf(timestamp: number, slotSeconds: number): number {
  return Math.floor(timestamp / slotSeconds) * slotSeconds;
}

function ringIndex(slot: number, slotSeconds: number): number {
  const index = Math.round(slot / slotSeconds) % SLOT_RING;
  return index < 0 ? index + SLOT_RING : index;
}

function include(f: Float64Array, at: number, timestamp: number, value: number): void {
  const count = f[at + COUNT]!;
  f[at + COUNT] = count + 1;
  f[at + SUM] = count === 0 ? value : f[at + SUM]! + value;
  f[at + MIN] = count === 0 ? value : Math.min(f[at + MIN]!, value);
  f[at + MAX] = count === 0 ? value : Math.max(f[at + MAX]!, value);
  if (count === 0 || timestamp >= f[at + LAST_AT]!) {
    f[at + LAST] = value;
    f[at + LAST_AT] = timestamp;
  }
}

function combined(f: Float64Array, at: number, aggregation: Aggregation): number {
  switch (aggregation) {
    case 'last':
      return f[at + LAST]!;
    case 'avg':
      return f[at + SUM]! / f[at + COUNT]!;
    case 'sum':
      return f[at + SUM]!;
    case 'min':
      return f[at + MIN]!;
    case 'max':
      return f[at + MAX]!;
  }
}

function keepPoint(f: Float64Array, timestamp: number, value: number): void {
  const head = f[F.pointHead]!;
  f[POINTS_AT + head * 2] = timestamp;
  f[POINTS_AT + head * 2 + 1] = value;
  f[F.pointHead] = (head + 1) % POINT_RING;
}

function replacePoint(f: Float64Array, timestamp: number, value: number): boolean {
  for (let i = POINTS_AT; i < POINTS_AT + POINT_RING * 2; i += 2) {
    if (f[i] !== timestamp) continue;
    f[i + 1] = value;
    return true;
  }
  return false;
}

/** Recombines a slot from the kept points, oldest first; leaves it alone when some of its points are gone. */
function recombine(f: Float64Array, at: number, slot: number, slotSeconds: number): void {
  const wanted = f[at + COUNT]!;
  let found = 0;
  for (let i = POINTS_AT; i < POINTS_AT + POINT_RING * 2; i += 2) if (slotOf(f[i]!, slotSeconds) === slot) found++;
  if (found !== wanted) return;
  f[at + COUNT] = 0;
  includeKept(f, at, slot, slotSeconds);
}

/** Includes the kept points of a slot, oldest first. */
function includeKept(f: Float64Array, at: number, slot: number, slotSeconds: number): void {
  const head = f[F.pointHead]!;
  for (let step = 0; step < POINT_RING; step++) {
    const i = POINTS_AT + ((head + step) % POINT_RING) * 2;
    if (slotOf(f[i]!, slotSeconds) === slot) include(f, at, f[i]!, f[i + 1]!);
  }
}
