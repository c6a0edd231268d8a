import { type PointColumns } from './points/point-columns.js';
import { type RollupSlots } from './rollup/rollup-slots.js';
import { type SeriesStore } from './series-store.js';

/** A series as stored: its points of tier 1, and the roll-ups of days that have left it. */
export interface TransferredSeries {
  points: PointColumns;
  /** One of a day, oldest first. */
  rollups: RollupSlots[];
}

/** A store from which series can be moved to another, with all that it has of them. */
export interface TransferableStore extends SeriesStore {
  /** The stored data between two times, Unix seconds, both inclusive; roll-ups in whole days. */
  readStored(id: number, from: number, until: number): Promise<TransferredSeries>;
  /** Stores roll-ups of days; what was stored of these days before is replaced. Durable some time later (`settle`). */
  writeRollups(id: number, rollups: readonly RollupSlots[]): Promise<void>;
  /** Resolves when everything that was written is where it stays, durably. */
  settle(): Promise<void>;
}
