import { type PointColumns } from './points/point-columns.js';
import { type RollupSlots } from './rollup/rollup-slots.js';
import { type SeriesStore } from './series-store.js';

/** A series as stored: its points of tier 1, and the roll-ups of days that have left it. */
export interface TransferredSeries {
  points: PointColumns;
  /** One per day, oldest first. */
  rollups: RollupSlots[];
}

/** A store from which all data of series can be moved to another. */
export interface TransferableStore extends SeriesStore {
  /** The stored data between two times, Unix seconds, both inclusive; roll-ups in whole days. */
  readStored(id: number, from: number, until: number): Promise<TransferredSeries>;
  /** Stores roll-ups of days; existing data of these days is replaced. Durable some time later (`settle`). */
  writeRollups(id: number, rollups: readonly RollupSlots[]): Promise<void>;
  /** Resolves when all written data is durable and in its final place. */
  settle(): Promise<void>;
}
