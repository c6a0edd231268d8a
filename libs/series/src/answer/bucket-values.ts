import { type SeriesColumns, type SeriesFunction, type SeriesQuery } from '../series-store.js';
import { lowerBound, type PointColumns, pointsBetween } from '../points/point-columns.js';
import { rollUp, type RollupSlots, slotEnd, slotStart, summand } from '../rollup/rollup-slots.js';
import { type StoredSeries } from './stored-series.types.js';

/** The slots of a series that an answer uses. */
export interface AnsweredSlots {
  /** Points and slots of tier 2 that start between them, both inclusive. */
  from: number;
  until: number;
  /** The tier that points belong to. */
  tier: 1 | 2;
}

/** Adds up stored slots to the buckets of an answer. Slots come in chronological order. */
export class BucketColumns {
  private readonly starts: number[] = [];
  private readonly results: number[] = [];
  private readonly mins: number[] = [];
  private readonly maxs: number[] = [];
  private lowestTier = 3;
  private highestTier = 0;
  private mostSlots = 0;
  private longestSlot = 0;
  private start = -1;
  private slots = 0;
  private count = 0;
  private sum = 0;
  private min = Infinity;
  private max = -Infinity;
  private last = 0;

  constructor(private readonly query: SeriesQuery) {}

  /**
   * A stored series: rolled-up data, combined with late points for it, as slots of tier 2; all other points unchanged.
   * The points must reach to the end of the last requested slot.
   */
  addSeries({ points, rollups }: StoredSeries, wanted: AnsweredSlots): void {
    let next = wanted.from;
    for (const stored of rollups) {
      const slots = withLatePoints(stored, points);
      const { starts, slotSeconds } = slots;
      const first = lowerBound(starts, wanted.from);
      // The window may begin inside a slot.
      if (first > 0) next = Math.max(next, slotEnd(starts[first - 1]!, slotSeconds));
      for (let slot = first; slot < starts.length && starts[slot]! <= wanted.until; slot++) {
        const start = starts[slot]!;
        this.addPoints(pointsBetween(points, next, start - 1), wanted.tier);
        // A slot that ends with the day is the rest of one that may have begun before the window.
        if (start - (start % slotSeconds) >= wanted.from) this.addSlot(slots, slot);
        next = slotEnd(start, slotSeconds);
      }
    }
    this.addPoints(pointsBetween(points, next, wanted.until), wanted.tier);
  }

  /** @param emptyTier the tier of an answer without any slot */
  finish(emptyTier: 1 | 2): SeriesColumns {
    this.close();
    const { envelope, resolutionSeconds } = this.query;
    const isEmpty = this.results.length === 0;
    const lowest = isEmpty ? emptyTier : this.lowestTier;
    const highest = isEmpty ? emptyTier : this.highestTier;
    const tier = lowest !== highest ? 0 : lowest === 1 ? 1 : 2;
    return {
      timestamps: Float64Array.from(this.starts),
      values: Float64Array.from(this.results),
      min: envelope ? Float64Array.from(this.mins) : null,
      max: envelope ? Float64Array.from(this.maxs) : null,
      resolutionSeconds,
      tier,
      aggregated: tier !== 1 || this.mostSlots > 1,
      longestSlotSeconds: this.longestSlot,
    };
  }

  private addPoints({ timestamps, values }: PointColumns, tier: 1 | 2): void {
    for (let i = 0; i < timestamps.length; i++) {
      const value = values[i]!;
      this.open(timestamps[i]!, tier);
      this.add(1, value, value, summand(value), value);
    }
  }

  private addSlot({ starts, counts, mins, maxs, sums, lasts, slotSeconds }: RollupSlots, slot: number): void {
    this.longestSlot = Math.max(this.longestSlot, slotSeconds);
    this.open(starts[slot]!, 2);
    this.add(counts[slot]!, mins[slot]!, maxs[slot]!, sums[slot]!, lasts[slot]!);
  }

  private open(timestamp: number, tier: number): void {
    if (tier < this.lowestTier) this.lowestTier = tier;
    if (tier > this.highestTier) this.highestTier = tier;
    const start = timestamp - (timestamp % this.query.resolutionSeconds);
    if (start === this.start) return;
    this.close();
    this.start = start;
    this.slots = 0;
    this.count = 0;
    this.sum = 0;
    this.min = Infinity;
    this.max = -Infinity;
  }

  private add(count: number, min: number, max: number, sum: number, last: number): void {
    this.slots++;
    this.count += count;
    this.sum += sum;
    if (min < this.min) this.min = min;
    if (max > this.max) this.max = max;
    this.last = last;
  }

  private close(): void {
    if (this.start < 0) return;
    this.starts.push(this.start);
    this.results.push(this.result(this.query.function));
    this.mins.push(this.min);
    this.maxs.push(this.max);
    this.mostSlots = Math.max(this.mostSlots, this.slots);
  }

  private result(name: SeriesFunction): number {
    switch (name) {
      case 'avg':
        // A sum is bounded, a single value is not.
        return this.count === 1 ? this.last : this.sum / this.count;
      case 'min':
        return this.min;
      case 'max':
        return this.max;
      case 'sum':
        return this.count === 1 ? this.last : this.sum;
      case 'last':
        return this.last;
    }
  }
}

/** Rolled-up slots, combined with the points within them. */
function withLatePoints(slots: RollupSlots, points: PointColumns): RollupSlots {
  const { starts, slotSeconds } = slots;
  const late = pointsBetween(points, starts[0]!, slotEnd(starts.at(-1)!, slotSeconds) - 1);
  if (late.timestamps.length === 0) return slots;
  const stored = new Set(starts);
  const rows = [...late.timestamps.keys()].filter((row) => stored.has(slotStart(late.timestamps[row]!, slotSeconds)));
  if (rows.length === 0) return slots;
  const timestamps = Float64Array.from(rows, (row) => late.timestamps[row]!);
  return rollUp({ timestamps, values: Float64Array.from(rows, (row) => late.values[row]!) }, slots, slots);
}
