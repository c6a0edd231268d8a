import { ExplicitCounts } from './explicit-counts.js';
import { type RememberedHistogram } from './histogram-memory.js';

/** Maximum number of buckets kept of one histogram; further ones are omitted. */
const MAX_BUCKETS = 512;
/** A bucket that was not sent for this many slots is no longer part of the histogram. */
const SLOTS_KEPT = 60;

/**
 * The buckets of a histogram whose buckets are separate counters (Prometheus `_bucket{le="…"}`). They may arrive in any
 * order and in several bodies, so each has its own time, and the histogram of a slot is returned only when all buckets
 * of the slot before have arrived in it.
 */
export class ClassicBuckets implements RememberedHistogram {
  /** Ascending. The other columns are parallel to it. */
  private bounds = new Float64Array(0);
  /** Unix seconds of the last count. */
  private times = new Float64Array(0);
  private counts = new Float64Array(0);
  /** The count at the start of the slot: negative when counting restarted within the slot. */
  private bases = new Float64Array(0);
  private slots = new Float64Array(0);
  /** Buckets seen in the slot before. */
  private expected = 0;
  private seen = 0;
  /** The latest slot of any bucket. */
  slot = -Infinity;
  /** Unix seconds of the latest count of any bucket. */
  timestamp = -Infinity;

  get bytes(): number {
    return 400 + this.bounds.byteLength * 5;
  }

  /** A copy that can be changed without changing this one. */
  copy(): ClassicBuckets {
    const copy = new ClassicBuckets();
    copy.bounds = this.bounds;
    copy.times = this.times.slice();
    copy.counts = this.counts.slice();
    copy.bases = this.bases.slice();
    copy.slots = this.slots.slice();
    copy.expected = this.expected;
    copy.seen = this.seen;
    copy.slot = this.slot;
    copy.timestamp = this.timestamp;
    return copy;
  }

  /** Adds the count of a bucket: of observations up to its bound, since counting began. */
  put(bound: number, timestamp: number, count: number, slot: number): void {
    if (slot > this.slot) this.beginSlot(slot);
    if (timestamp > this.timestamp) this.timestamp = timestamp;
    const at = this.placeOf(bound);
    if (this.bounds[at] !== bound) {
      if (this.bounds.length >= MAX_BUCKETS) return;
      this.insert(at, bound, timestamp, count, slot);
      if (slot === this.slot) this.seen++;
      return;
    }
    if (timestamp < this.times[at]!) return;
    if (slot > this.slots[at]!) {
      if (slot === this.slot) this.seen++;
      this.slots[at] = slot;
      this.bases[at] = this.counts[at]!;
    }
    if (count < this.counts[at]!) this.bases[at]! -= this.counts[at]!;
    this.counts[at] = count;
    this.times[at] = timestamp;
  }

  /**
   * The observations within the latest slot, or null if they are not known (yet).
   * @param isGauge the counts describe the current state, not everything since a start
   */
  increase(isGauge: boolean): ExplicitCounts | null {
    const last = this.bounds.length - 1;
    if (this.seen < this.expected || this.seen < 2) return null;
    if (this.bounds[last] !== Infinity || this.slots[last] !== this.slot) return null;
    const bounds: number[] = [];
    const counts: number[] = [];
    let below = 0;
    for (let i = 0; i <= last; i++) {
      if (this.slots[i] !== this.slot) continue;
      // Buckets that were read at slightly different moments may seem to decrease with ascending bounds.
      const upTo = Math.max(below, this.counts[i]! - (isGauge ? 0 : this.bases[i]!));
      if (i < last) bounds.push(this.bounds[i]!);
      counts.push(upTo - below);
      below = upTo;
    }
    return new ExplicitCounts(bounds, counts);
  }

  private beginSlot(slot: number): void {
    this.slot = slot;
    this.expected = this.seen;
    this.seen = 0;
    if (this.slots.some((last) => last < slot - SLOTS_KEPT)) this.keepSince(slot - SLOTS_KEPT);
  }

  private keepSince(slot: number): void {
    const { slots } = this;
    const keep = (column: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> =>
      column.filter((_, i) => slots[i]! >= slot);
    this.bounds = keep(this.bounds);
    this.times = keep(this.times);
    this.counts = keep(this.counts);
    this.bases = keep(this.bases);
    this.slots = keep(slots);
    // No bucket is missing any more.
    if (this.bounds.length === 0) this.expected = 0;
  }

  /** The position of a bound. */
  private placeOf(bound: number): number {
    let low = 0;
    let high = this.bounds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.bounds[middle]! < bound) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private insert(at: number, bound: number, timestamp: number, count: number, slot: number): void {
    this.bounds = inserted(this.bounds, at, bound);
    this.times = inserted(this.times, at, timestamp);
    this.counts = inserted(this.counts, at, count);
    this.bases = inserted(this.bases, at, count);
    this.slots = inserted(this.slots, at, slot);
  }
}

function inserted(column: Float64Array, at: number, value: number): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(column.length + 1);
  longer.set(column.subarray(0, at));
  longer[at] = value;
  longer.set(column.subarray(at), at + 1);
  return longer;
}
