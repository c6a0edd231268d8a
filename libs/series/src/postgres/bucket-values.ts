import { type SeriesColumns, type SeriesFunction, type SeriesQuery } from '../series-store.js';
import { lowerBound, type PointColumns } from '../points/point-columns.js';
import { type RollupSlots, summand } from '../rollup/rollup-slots.js';

/** Sums stored slots up to the buckets of an answer. Slots come in the order of time. */
export class BucketColumns {
  private readonly starts: number[] = [];
  private readonly results: number[] = [];
  private readonly mins: number[] = [];
  private readonly maxs: number[] = [];
  private lowestTier = 3;
  private highestTier = 0;
  private mostSlots = 0;
  private start = -1;
  private slots = 0;
  private count = 0;
  private sum = 0;
  private min = Infinity;
  private max = -Infinity;
  private last = 0;

  constructor(private readonly query: SeriesQuery) {}

  /** Slots of tier 1. */
  addPoints({ timestamps, values }: PointColumns): void {
    for (let i = 0; i < timestamps.length; i++) {
      const value = values[i]!;
      this.open(timestamps[i]!, 1);
      this.add(1, value, value, summand(value), value);
    }
  }

  /** Slots of tier 2 that start between two times, both inclusive. */
  addRollups(rollups: RollupSlots, from: number, until: number): void {
    const { starts, counts, mins, maxs, sums, lasts } = rollups;
    for (let i = lowerBound(starts, from); i < starts.length && starts[i]! <= until; i++) {
      this.open(starts[i]!, 2);
      this.add(counts[i]!, mins[i]!, maxs[i]!, sums[i]!, lasts[i]!);
    }
  }

  /** @param emptyTier what an answer without any slot is said to come from */
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
    };
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
