/** Where points live after detection has seen them: a value per series and slot, and roll-ups of them. */

/**
 * Slots as columns. `timestamps` are slot starts, whole Unix seconds. Writing the same (id, timestamp) again replaces
 * the value; within a batch the last wins. Rows whose value is not finite are not stored.
 */
export interface SeriesBatch {
  ids: Uint32Array;
  timestamps: Float64Array;
  values: Float64Array;
}

export type SeriesFunction = 'avg' | 'min' | 'max' | 'sum' | 'last';

export interface RetentionTiers {
  /** Slot length of tier 1 in seconds, and how long it is kept. */
  tier1: { resolutionSeconds: number; periodSeconds: number };
  tier2: { resolutionSeconds: number; periodSeconds: number };
}

export interface SeriesQuery {
  id: number;
  /** Unix seconds, both inclusive. A bucket is made of the stored slots that start between them, of the tier that answers. */
  from: number;
  until: number;
  /**
   * Bucket length in seconds; a multiple of a tier's resolution. Multiples of tier 2's are answered from tier 2. Others
   * are answered from tier 1 as far back as it is kept; before that each slot of tier 2 is a bucket, or part of one.
   */
  resolutionSeconds: number;
  function: SeriesFunction;
  /** Also return the smallest and largest value of each bucket. */
  envelope: boolean;
}

export interface SeriesColumns {
  /** Bucket starts, rising; only buckets that hold data. */
  timestamps: Float64Array;
  values: Float64Array;
  min: Float64Array | null;
  max: Float64Array | null;
  resolutionSeconds: number;
  /** 1 or 2; 0 when both tiers contributed. */
  tier: 0 | 1 | 2;
  /** False when every bucket is one stored slot of tier 1. */
  aggregated: boolean;
}

/** What a run of maintenance did, and how much waits. */
export interface MaintenanceReport {
  foldedPoints: number;
  writtenBlocks: number;
  writtenBlockBytes: number;
  compactedDays: number;
  /** Points that are stored but not compressed yet. */
  recentPoints: number;
}

export interface SeriesStore {
  /** Durable and readable when it resolves. Idempotent. Timestamps may come in any order. */
  write(batch: SeriesBatch): Promise<void>;
  read(query: SeriesQuery): Promise<SeriesColumns>;
  /** Tier 1 slots of a series, as stored: what a detector replays. */
  readRaw(id: number, from: number, until: number): Promise<{ timestamps: Float64Array; values: Float64Array }>;
  /** Oldest and newest slot start of a series, or null when it has no points. */
  extent(id: number): Promise<{ first: number; last: number } | null>;
  /** Erases series. Resolves with the number of tier 1 points erased. */
  erase(ids: readonly number[]): Promise<number>;
  /** Drops the tier 1 points of series; what tier 2 says of them stays. */
  dropTier1(ids: readonly number[]): Promise<void>;
  /** Drops what is older than the tiers keep. `now` in Unix seconds. */
  applyRetention(now: number): Promise<void>;
  /**
   * Does what is due to keep reads quick and the store small; changes no answer. To be called every few seconds; several
   * users may call it at once. `now` in Unix seconds.
   */
  maintain(now: number): Promise<MaintenanceReport>;
  close(): Promise<void>;
}
