import {
  type Aggregation,
  type AnomalyKind,
  type CloseReason,
  type Explanation,
  type MetricType,
} from '#libs/contracts';

/**
 * How people want a series to be judged, and which anomalies they want to be notified of. Omitted members have their
 * defaults.
 */
export interface SeriesTerms {
  /** Factor of the evidence, 0.1 to 10; 1 when omitted. */
  sensitivity?: number;
  /**
   * Number of anomalies that chance may open in a month, 0.01 to 100: about this many are opened. Omitted: the default
   * level, which opens fewer.
   */
  budgetPerMonth?: number;
  /** Only anomalies whose peak is too high, or too low. Missing data and constant values are always reported. */
  direction?: 'up' | 'down';
  /** Only these kinds. */
  kinds?: readonly AnomalyKind[];
  /** Reported after they have lasted this long, seconds. */
  leastSeconds?: number;
  /** Reported if they deviate this much from the expectation, in the unit of the analysed value. */
  leastSize?: number;
  /**
   * A configured season, seconds; 0: none. If omitted, seasons are found in the data (the day, the week, others from an
   * hour to 40). A change relearns the series.
   */
  periodSeconds?: number;
}

/** The definition of a series, which a shard needs before its first point. */
export interface SeriesDefinition extends SeriesTerms {
  /** Metric id. */
  id: number;
  type: MetricType;
  aggregation: Aggregation;
  /** Slot length in seconds: points of one slot are combined by `aggregation`. */
  slotSeconds: number;
  /** IANA zone in which time of day and day of week are read. */
  timezone: string;
  /**
   * True if the type was not given: the shard reports a series whose values look like those of a counter. Absent: the
   * type was given.
   */
  mayBeCounter?: boolean;
}

/**
 * Points for one shard, in order of arrival. `tick`: no points, only time. `define`: no points but changed definitions:
 * a value is the index of the new type in METRIC_TYPES, or one of the constants below.
 */
export interface ShardInput {
  kind: 'live' | 'backfill' | 'tick' | 'define';
  /** Increases from input to input; checkpoints of pages refer to it. If omitted, inputs are counted. */
  position?: number;
  /** Unix seconds; the only clock of the shard. */
  now: number;
  ids: Uint32Array;
  timestamps: Float64Array;
  /** NaN: the sender ended the series at that time. */
  values: Float64Array;
  /** For a `define` input: the terms of its rows with SERIES_TERMS, by the timestamp of the row. */
  terms?: ReadonlyMap<number, SeriesTerms>;
}

/** Value of a `define` input: the series was erased. */
export const SERIES_ERASED = -1;
/** Value of a `define` input: the timestamp next to it is the new slot length of the series, in seconds. */
export const SERIES_SLOTS = -2;
/**
 * Value of a `define` input: the series has other terms from here on. The timestamp next to it is their external id, 0
 * for none; the terms are in `terms` of the input.
 */
export const SERIES_TERMS = -4;
/** Value of a `define` input: the definition is read again; it contains all changes. */
export const SERIES_REDEFINED = -3;

/** The results of one input, as columns if they concern points. */
export interface ShardOutput {
  /** Position of the input; absent if the input had none. */
  position?: number;
  /** Kind of the input; absent if the input did not pass through a shard. */
  kind?: ShardInput['kind'];
  /** Time of the input, Unix seconds; absent under the same condition as `kind`. */
  now?: number;
  /** Slot values to store (raw values, also for counters); a slot may be repeated with a newer value. */
  slots: { ids: Uint32Array; timestamps: Float64Array; values: Float64Array };
  events: AnomalyEvent[];
  /** Gauges of unknown type that have turned out to be counters; each is reported once. */
  counters: number[];
  /**
   * True if the progress of a series should be reported soon: its first point, the first one after a silence, or its
   * expected range has become available.
   */
  hasUrgentProgress: boolean;
  /** Number of scored slots. */
  scored: number;
  /**
   * Omitted points: their series is not defined in the shard, or their value is not finite or their timestamp is
   * invalid. Absent if the input did not pass through a shard.
   */
  skipped?: { unknown: number; unusable: number };
}

/**
 * The progress of the learning of a series. Absolute values, so that writing them twice changes nothing. Times in Unix
 * seconds.
 */
export interface SeriesProgress {
  id: number;
  firstTimestamp: number;
  lastTimestamp: number;
  /** Raw value (as stored) of the newest slot. */
  lastValue: number;
  /** True if the sender has ended the series, and no point has arrived since. */
  hasEnded: boolean;
  /** True if no point of the series was live: its silence has no meaning. */
  isOnlyHistory: boolean;
  /** Number of slots processed. */
  points: number;
  /**
   * Number of values that are missing until the first verdict, since learning started or restarted; 0: the series is
   * judged.
   */
  valuesNeeded: number;
  /** True if rows arrive at a steady pace, so that silence is judged; null while too few are known. */
  isSteady: boolean | null;
  /** Median of the latest intervals, seconds; null with less than two points. */
  resolutionSeconds: number | null;
  /** Active seasonal periods, seconds, ascending. */
  seasonalPeriods: number[];
  readiness: { range: boolean; daily: boolean; weekly: boolean };
}

/** Progress of many series: row i of every column is one series. As in SeriesProgress, except where noted. */
export interface ProgressColumns {
  ids: Uint32Array;
  firstTimestamps: Float64Array;
  lastTimestamps: Float64Array;
  lastValues: Float64Array;
  points: Float64Array;
  valuesNeeded: Uint8Array;
  /** NaN: none yet. */
  resolutionSeconds: Float64Array;
  /** The shortest active seasonal period; 0: none. */
  shortPeriods: Float64Array;
  /** An additional, longer active one; 0: none. */
  longPeriods: Float64Array;
  /** READY_RANGE, READY_DAILY, READY_WEEKLY, HAS_ENDED, ONLY_HISTORY, STEADY_PACE and IRREGULAR_PACE. */
  flags: Uint8Array;
}

/** Bits of `ProgressColumns.flags`. */
export const READY_RANGE = 1;
export const READY_DAILY = 2;
export const READY_WEEKLY = 4;
export const HAS_ENDED = 8;
export const ONLY_HISTORY = 16;
export const STEADY_PACE = 32;
/** If neither this nor STEADY_PACE is set, the pace is not known yet. */
export const IRREGULAR_PACE = 64;

/** A part of a shard as bytes, to be stored until the same page is saved again. */
export interface SavedPage {
  page: number;
  /** Position of the last input that the bytes include. */
  position: number;
  series: number;
  bytes: Uint8Array;
  /** Progress of the series of the page that was not drained yet. */
  progress: ProgressColumns;
}

/**
 * A change of an anomaly. An anomaly is identified by (seriesId, startTimestamp): another event with both describes the
 * same anomaly, so effects can be applied any number of times.
 */
export interface AnomalyEvent {
  type: 'opened' | 'updated' | 'closed';
  seriesId: number;
  /** Unix seconds: start of the first anomalous slot. */
  startTimestamp: number;
  /** End: start of the last anomalous slot; null while open. */
  endTimestamp: number | null;
  /**
   * End of the last anomalous row, after rows are back to normal: the end of the trouble, without the time in which the
   * anomaly is still open. Null while it continues.
   */
  outUntilTimestamp: number | null;
  peakTimestamp: number;
  /** True if the opening point was backfilled: recorded, never alerted. */
  backfill: boolean;
  /** Analysed value (rate for counters) at the first anomalous slot; null for missing data. */
  value: number | null;
  peakValue: number | null;
  /** Expected range as computed live at the first anomalous slot; null if unknown. */
  expected: number | null;
  lower: number | null;
  upper: number | null;
  /** 0.5..1, the highest so far. */
  score: number;
  /** 0..100. */
  severity: number;
  /**
   * Expected number of days between two anomalies of this series, by its history up to the start; null while that is
   * too short.
   */
  rarityDays: number | null;
  kind: AnomalyKind;
  /** Strongest first, 1..10 items. */
  explanation: Explanation[];
  closeReason: CloseReason | null;
}

/**
 * The state of a run over a series before one of its rows. Only valid for a series with the same rows before that one.
 */
export interface SeriesMoment {
  row: number;
  state: Uint8Array;
}

/** A run of the detector over one stored series: one row per input row. Rows without a verdict have NaN (score 0). */
export interface SeriesVerdicts {
  /** The analysed value (rate for counters). */
  values: Float64Array;
  yhat: Float64Array;
  lower: Float64Array;
  upper: Float64Array;
  /** Evidence over its bar, 0..1; an anomaly opens at 0.5. */
  alarm: Float64Array;
  /** 1 while an anomaly is open. */
  anomalous: Uint8Array;
  /** 0, or 1 + the index in ANOMALY_KINDS of the open anomaly's kind as known at that row. */
  kind: Uint8Array;
  anomalies: AnomalyEvent[];
  /** On request: the evidence of one row, by position in EVIDENCE_NAMES, in limits; NaN if the row has no verdict. */
  evidence?: Float64Array;
  /** On request: the state of the run before one of the rows. */
  moment?: SeriesMoment;
}
