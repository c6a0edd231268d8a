/** The store of points after detection has processed them: a value per series and slot, and roll-ups of them. */

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

/** Slot length in seconds, and how long slots are kept. */
export interface RetentionTier {
  resolutionSeconds: number;
  periodSeconds: number;
}

export interface RetentionTiers {
  tier1: RetentionTier;
  tier2: RetentionTier;
}

/** Retention of series. */
export interface RetentionPlan {
  /** Series with tiers other than those of the store. Each series has at most one entry. */
  groups: readonly { tiers: RetentionTiers; ids: Uint32Array }[];
  /** Series with a larger id were created after the plan, and are not changed. */
  newestId: number;
}

/** Slot lengths of the two tiers, seconds. */
export interface SlotLengths {
  tier1: number;
  tier2: number;
}

export interface SeriesQuery {
  id: number;
  /**
   * Unix seconds, both inclusive. A bucket consists of the stored slots that start between them, of the tier that
   * answers.
   */
  from: number;
  until: number;
  /**
   * Bucket length in seconds; a multiple of a tier's resolution. Multiples of tier 2's are answered from tier 2. Others
   * are answered from tier 1 where it is kept; elsewhere each slot of tier 2 is a bucket, or part of one. Roll-ups that
   * were made with longer slots than tier 2 has by now are answered as they are.
   */
  resolutionSeconds: number;
  function: SeriesFunction;
  /** Also return the smallest and largest value of each bucket. */
  envelope: boolean;
  /** The slot lengths of the series; omitted, those of the store's own tiers. */
  slots?: SlotLengths;
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
  /** Of the roll-ups in the answer, seconds; 0 when there are none. Longer than a bucket, it leaves buckets out. */
  longestSlotSeconds: number;
}

/** The results of a run of maintenance, and the remaining work. */
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
  /** The same for many batches, in the same order, with one statement. */
  readMany(queries: readonly SeriesQuery[]): Promise<SeriesColumns[]>;
  /** Tier 1 slots of a series, as stored: what a detector replays. */
  readRaw(id: number, from: number, until: number): Promise<{ timestamps: Float64Array; values: Float64Array }>;
  /** Oldest and newest slot start of a series, or null if it has no points. */
  extent(id: number): Promise<{ first: number; last: number } | null>;
  /** Erases series, without reading their data. */
  erase(ids: readonly number[]): Promise<void>;
  /**
   * Drops the tier 1 points of series; their tier 2 data stays.
   * @param tiers of these series; omitted, the store's own
   */
  dropTier1(ids: readonly number[], tiers?: RetentionTiers): Promise<void>;
  /**
   * Drops data that is older than its retention. `now` in Unix seconds. Without a plan the store's own tiers apply to
   * all series. Dropped data does not return if a later plan keeps more.
   */
  applyRetention(now: number, plan?: RetentionPlan): Promise<void>;
  /**
   * Runs the maintenance that keeps reads fast and the store small; changes no answer. Call it every few seconds;
   * concurrent calls are allowed. `now` in Unix seconds.
   */
  maintain(now: number): Promise<MaintenanceReport>;
  close(): Promise<void>;
}
