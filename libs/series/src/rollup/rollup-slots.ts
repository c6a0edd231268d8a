import { type PointColumns } from '../points/point-columns.js';

const DAY_SECONDS = 86_400;
/** Sums accept values up to this size, so that no sum of stored slots exceeds the range of float64. */
const LARGEST_SUMMAND = 1e300;
/** Maximum number of slots of tier 1 that a slot distinguishes. */
const MAX_UNITS = 360;

/** How slots are cut. */
export interface SlotCut {
  /** Length of a slot. Slots are aligned to the epoch, and end with the day (UTC) at the latest. */
  slotSeconds: number;
  /** Points in the same interval of this length count as the same slot of tier 1. Divides `slotSeconds`. */
  unitSeconds: number;
}

/** Slots of tier 2 of one series and one day, ascending. */
export interface RollupSlots extends SlotCut {
  starts: Float64Array;
  counts: Float64Array;
  mins: Float64Array;
  maxs: Float64Array;
  sums: Float64Array;
  lasts: Float64Array;
  lastTimestamps: Float64Array;
  /** `maskBytesOf` bytes a slot: which slots of tier 1 are counted, from the lowest bit of the first byte. */
  masks: Uint8Array;
}

const COLUMNS = ['starts', 'counts', 'mins', 'maxs', 'sums', 'lasts', 'lastTimestamps'] as const;

/** Bytes of the mask of one slot. */
export function maskBytesOf({ slotSeconds, unitSeconds }: SlotCut): number {
  return Math.ceil(slotSeconds / unitSeconds / 8);
}

/** Start of the slot that contains a time. */
export function slotStart(timestamp: number, slotSeconds: number): number {
  return Math.max(timestamp - (timestamp % slotSeconds), timestamp - (timestamp % DAY_SECONDS));
}

/** End of the slot that begins at `start`; the next one begins there. */
export function slotEnd(start: number, slotSeconds: number): number {
  const day = start - (start % DAY_SECONDS);
  return Math.min(start - (start % slotSeconds) + slotSeconds, day + DAY_SECONDS);
}

export function emptySlots(count: number, { slotSeconds, unitSeconds }: SlotCut): RollupSlots {
  return {
    slotSeconds,
    unitSeconds,
    starts: new Float64Array(count),
    counts: new Float64Array(count),
    mins: new Float64Array(count),
    maxs: new Float64Array(count),
    sums: new Float64Array(count),
    lasts: new Float64Array(count),
    lastTimestamps: new Float64Array(count),
    masks: new Uint8Array(count * maskBytesOf({ slotSeconds, unitSeconds })),
  };
}

/**
 * Combines points of one day with its stored roll-up. Points whose slot of tier 1 is already counted only widen the
 * range, and set the last value if they are the newest: repeated points are therefore never counted twice. If all
 * counted slots are present again, their values replace the stored roll-up.
 *
 * A stored day keeps the length of its slots. `cut` is for days that are not stored.
 */
export function rollUp(points: PointColumns, stored: RollupSlots | null, cut: SlotCut): RollupSlots {
  const { timestamps, values } = points;
  const slotSeconds = stored?.slotSeconds ?? cut.slotSeconds;
  const unitSeconds = unitOf(timestamps, slotSeconds, stored?.unitSeconds ?? cut.unitSeconds, cut.unitSeconds);
  const known = stored && withUnit(stored, unitSeconds);
  const storedCount = known?.starts.length ?? 0;
  const slots = emptySlots(storedCount + countSlots(timestamps, slotSeconds), { slotSeconds, unitSeconds });
  const maskBytes = maskBytesOf(slots);
  const mask = new Uint8Array(maskBytes);
  let size = 0;
  let old = 0;
  for (let row = 0; row < timestamps.length;) {
    const start = slotStart(timestamps[row]!, slotSeconds);
    for (; old < storedCount && known!.starts[old]! < start; old++) copySlot(known!, old, slots, size++, maskBytes);
    const end = endOfRun(timestamps, row, slotEnd(start, slotSeconds));
    mask.fill(0);
    for (let i = row; i < end; i++) {
      const bit = Math.floor((timestamps[i]! - start) / unitSeconds);
      mask[bit >>> 3]! |= 1 << (bit & 7);
    }
    const isStored = old < storedCount && known!.starts[old] === start;
    if (isStored && !covers(mask, known!.masks, old * maskBytes)) {
      copySlot(known!, old, slots, size, maskBytes);
      addLate(slots, size, points, row, end);
    } else {
      openSlot(slots, size, start, values[row]!);
      slots.masks.set(mask, size * maskBytes);
      for (let i = row; i < end; i++) addPoint(slots, size, timestamps[i]!, values[i]!, true);
    }
    if (isStored) old++;
    size++;
    row = end;
  }
  for (; old < storedCount; old++) copySlot(known!, old, slots, size++, maskBytes);
  return sliceSlots(slots, 0, size);
}

function sliceSlots(slots: RollupSlots, first: number, end: number): RollupSlots {
  const maskBytes = maskBytesOf(slots);
  return {
    slotSeconds: slots.slotSeconds,
    unitSeconds: slots.unitSeconds,
    starts: slots.starts.subarray(first, end),
    counts: slots.counts.subarray(first, end),
    mins: slots.mins.subarray(first, end),
    maxs: slots.maxs.subarray(first, end),
    sums: slots.sums.subarray(first, end),
    lasts: slots.lasts.subarray(first, end),
    lastTimestamps: slots.lastTimestamps.subarray(first, end),
    masks: slots.masks.subarray(first * maskBytes, end * maskBytes),
  };
}

/** The finest of the units, and finer if points are closer than that, as far as a mask can represent it. */
function unitOf(timestamps: Float64Array, slotSeconds: number, stored: number, configured: number): number {
  const coarsest = commonDivisor(commonDivisor(stored, configured), slotSeconds);
  let unit = coarsest;
  for (const timestamp of timestamps) if (timestamp % unit !== 0) unit = commonDivisor(unit, timestamp);
  return slotSeconds / unit <= MAX_UNITS ? unit : coarsest;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** The same slots with masks of a finer unit: a counted slot counts in all its parts. */
function withUnit(slots: RollupSlots, unitSeconds: number): RollupSlots {
  if (slots.unitSeconds === unitSeconds) return slots;
  const parts = slots.unitSeconds / unitSeconds;
  const units = slots.slotSeconds / unitSeconds;
  const before = maskBytesOf(slots);
  const finer = { ...slots, unitSeconds };
  const after = maskBytesOf(finer);
  finer.masks = new Uint8Array(slots.starts.length * after);
  for (let slot = 0; slot < slots.starts.length; slot++) {
    for (let unit = 0; unit < units; unit++) {
      const bit = Math.floor(unit / parts);
      const isCounted = (slots.masks[slot * before + (bit >>> 3)]! & (1 << (bit & 7))) !== 0;
      if (isCounted) finer.masks[slot * after + (unit >>> 3)]! |= 1 << (unit & 7);
    }
  }
  return finer;
}

/** The contribution of a value to a sum. */
export function summand(value: number): number {
  return Math.max(-LARGEST_SUMMAND, Math.min(LARGEST_SUMMAND, value));
}

/** Points of tier 1 that arrive after their slot was rolled up, and are not all of its points. */
function addLate(
  slots: RollupSlots,
  slot: number,
  { timestamps, values }: PointColumns,
  from: number,
  end: number,
): void {
  const maskBytes = maskBytesOf(slots);
  for (let i = from; i < end; i++) {
    const bit = Math.floor((timestamps[i]! - slots.starts[slot]!) / slots.unitSeconds);
    const byte = slot * maskBytes + (bit >>> 3);
    const isNew = (slots.masks[byte]! & (1 << (bit & 7))) === 0;
    slots.masks[byte]! |= 1 << (bit & 7);
    addPoint(slots, slot, timestamps[i]!, values[i]!, isNew);
  }
}

function openSlot(slots: RollupSlots, slot: number, start: number, value: number): void {
  slots.starts[slot] = start;
  slots.mins[slot] = value;
  slots.maxs[slot] = value;
}

function addPoint(slots: RollupSlots, slot: number, timestamp: number, value: number, isCounted: boolean): void {
  if (isCounted) {
    slots.counts[slot]!++;
    slots.sums[slot]! += summand(value);
  }
  if (value < slots.mins[slot]!) slots.mins[slot] = value;
  if (value > slots.maxs[slot]!) slots.maxs[slot] = value;
  if (timestamp >= slots.lastTimestamps[slot]!) {
    slots.lastTimestamps[slot] = timestamp;
    slots.lasts[slot] = value;
  }
}

function covers(mask: Uint8Array, stored: Uint8Array, at: number): boolean {
  for (let i = 0; i < mask.length; i++) if ((stored[at + i]! & ~mask[i]!) !== 0) return false;
  return true;
}

function countSlots(timestamps: Float64Array, slotSeconds: number): number {
  let count = 0;
  let end = -Infinity;
  for (const timestamp of timestamps) {
    if (timestamp < end) continue;
    count++;
    end = slotEnd(slotStart(timestamp, slotSeconds), slotSeconds);
  }
  return count;
}

/** Index of the first timestamp from `row` on that is not before `end`. */
function endOfRun(timestamps: Float64Array, row: number, end: number): number {
  while (row < timestamps.length && timestamps[row]! < end) row++;
  return row;
}

function copySlot(from: RollupSlots, row: number, to: RollupSlots, at: number, maskBytes: number): void {
  for (const name of COLUMNS) to[name][at] = from[name][row]!;
  to.masks.set(from.masks.subarray(row * maskBytes, (row + 1) * maskBytes), at * maskBytes);
}
