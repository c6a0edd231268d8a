import { type PointColumns } from '../points/point-columns.js';
import { type RollupSlots } from '../rollup/rollup-slots.js';

/** The stored data of a series. */
export interface StoredSeries {
  /** Merged, within the requested window. */
  points: PointColumns;
  /** Of each day that left tier 1, in whole days, oldest first. */
  rollups: RollupSlots[];
}
