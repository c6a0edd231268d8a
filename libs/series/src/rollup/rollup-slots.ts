import { type RetentionTiers } from '../series-store.js';
import { lowerBound, type PointColumns } from '../points/point-columns.js';

/** Sums take values up to here, so that no sum of stored slots leaves the range of float64. */
const LARGEST_SUMMAND = 1e300;

/** Slots of tier 2 of one series, rising. */
export interface RollupSlots {
  starts: Float64Array;
  counts: Float64Array;
  mins: Float64Array;
  maxs: Float64Array;
  sums: Float64Array;
  lasts: Float64Array;
  lastTimestamps: Float64Array;
  /** `maskBytes` bytes a slot: which slots of tier 1 are counted, from the lowest bit of the first byte. */
  masks: Uint8Array;
}

/** Bytes of the mask of one slot. */
export function maskBytesOf({ tier1, tier2 }: RetentionTiers): number {
  return Math.ceil(tier2.resolutionSeconds / tier1.resolutionSeconds / 8);
}

export function emptySlots(count: number, maskBytes: number): RollupSlots {
  return {
    starts: new Float64Array(count),
    counts: new Float64Array(count),
    mins: new Float64Array(count),
    maxs: new Float64Array(count),
    sums: new Float64Array(count),
    lasts: new Float64Array(count),
    lastTimestamps: new Float64Array(count),
    masks: new Uint8Array(count * maskBytes),
  };
}

/**
 * The roll-up of points, combined with what is stored of their slots. Points whose slot of tier 1 is counted already
 * only widen the range, and give the last value when they are the newest: so what is sent again is never counted
 * twice. When all counted slots are there again, their values replace the stored roll-up.
 */
export function rollUp(points: PointColumns, stored: RollupSlots | null, tiers: RetentionTiers): RollupSlots {
  const maskBytes = maskBytesOf(tiers);
  const slotSeconds = tiers.tier2.resolutionSeconds;
  const fineSeconds = tiers.tier1.resolutionSeconds;
  const { timestamps, values } = points;
  const storedCount = stored?.starts.length ?? 0;
  const slots = emptySlots(storedCount + countSlots(timestamps, slotSeconds), maskBytes);
  const mask = new Uint8Array(maskBytes);
  let size = 0;
  let old = 0;
  for (let row = 0; row < timestamps.length;) {
    const start = timestamps[row]! - (timestamps[row]! % slotSeconds);
    for (; old < storedCount && stored!.starts[old]! < start; old++) copySlot(stored!, old, slots, size++, maskBytes);
    let end = row;
    mask.fill(0);
    for (; end < timestamps.length && timestamps[end]! < start + slotSeconds; end++) {
      const bit = Math.floor((timestamps[end]! - start) / fineSeconds);
      mask[bit >>> 3]! |= 1 << (bit & 7);
    }
    const isStored = old < storedCount && stored!.starts[old] === start;
    if (isStored && !covers(mask, stored!.masks, old * maskBytes)) {
      copySlot(stored!, old, slots, size, maskBytes);
      addLate(slots, size, points, row, end, start, fineSeconds, maskBytes);
    } else {
      openSlot(slots, size, start, values[row]!);
      slots.masks.set(mask, size * maskBytes);
      for (let i = row; i < end; i++) addPoint(slots, size, timestamps[i]!, values[i]!, true);
    }
    if (isStored) old++;
    size++;
    row = end;
  }
  for (; old < storedCount; old++) copySlot(stored!, old, slots, size++, maskBytes);
  return sliceSlots(slots, 0, size, maskBytes);
}

/** Stretches of slots that do not overlap, in the order of time, as one. */
export function joinSlots(stretches: readonly RollupSlots[], maskBytes: number): RollupSlots | null {
  if (stretches.length <= 1) return stretches[0] ?? null;
  const joined = emptySlots(
    stretches.reduce((sum, { starts }) => sum + starts.length, 0),
    maskBytes,
  );
  let row = 0;
  for (const stretch of stretches) {
    for (const name of ['starts', 'counts', 'mins', 'maxs', 'sums', 'lasts', 'lastTimestamps'] as const) {
      joined[name].set(stretch[name], row);
    }
    joined.masks.set(stretch.masks, row * maskBytes);
    row += stretch.starts.length;
  }
  return joined;
}

/** The slots that start between two times, both inclusive; null when there are none. */
export function slotsBetween(slots: RollupSlots, from: number, until: number, maskBytes: number): RollupSlots | null {
  const first = lowerBound(slots.starts, from);
  const end = lowerBound(slots.starts, until + 1);
  return first < end ? sliceSlots(slots, first, end, maskBytes) : null;
}

function sliceSlots(slots: RollupSlots, first: number, end: number, maskBytes: number): RollupSlots {
  return {
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

/** What a value adds to a sum. */
export function summand(value: number): number {
  return Math.max(-LARGEST_SUMMAND, Math.min(LARGEST_SUMMAND, value));
}

/** Points of tier 1 that come after their slot was rolled up, and not all of them. */
function addLate(
  slots: RollupSlots,
  slot: number,
  { timestamps, values }: PointColumns,
  from: number,
  end: number,
  start: number,
  fineSeconds: number,
  maskBytes: number,
): void {
  for (let i = from; i < end; i++) {
    const bit = Math.floor((timestamps[i]! - start) / fineSeconds);
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
    end = timestamp - (timestamp % slotSeconds) + slotSeconds;
  }
  return count;
}

function copySlot(from: RollupSlots, row: number, to: RollupSlots, at: number, maskBytes: number): void {
  to.starts[at] = from.starts[row]!;
  to.counts[at] = from.counts[row]!;
  to.mins[at] = from.mins[row]!;
  to.maxs[at] = from.maxs[row]!;
  to.sums[at] = from.sums[row]!;
  to.lasts[at] = from.lasts[row]!;
  to.lastTimestamps[at] = from.lastTimestamps[row]!;
  to.masks.set(from.masks.subarray(row * maskBytes, (row + 1) * maskBytes), at * maskBytes);
}
