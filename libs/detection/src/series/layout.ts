/**
 * Layout of one series' state. A series is one fixed-size record inside a page of records: doubles for scalars and
 * rings, floats for histograms and seasonal profiles, words for the bitmaps of seen values. Everything the detector
 * remembers lies in the record, so copying the bytes copies the detector.
 */

/** Recent slots kept so that late points can still correct what was stored. */
export const SLOT_RING = 8;
/** Doubles per kept slot: slot, count, sum, min, max, last value, timestamp of the last value. */
export const SLOT_WIDTH = 7;
/** Recent points kept so that a resent point replaces itself instead of counting twice. */
export const POINT_RING = 32;
/** Intervals whose median is the resolution of a series. */
export const INTERVAL_RING = 20;

/** Bins of one side of a tail histogram: 8 per octave from 1/2 to 16 spreads, 2 per octave to 16384. */
export const TAIL_BINS = 61;
/** Points whose deviations wait before they are learnt: the slow beginning of an anomaly must not become normal. */
export const WAITING = 24;
/** Streams with a calibrated tail: sudden change, deviation, sustained deviation, spread. */
export const STREAMS = 4;
export const STREAM_CHANGE = 0;
export const STREAM_DEVIATION = 1;
export const STREAM_SUSTAINED = 2;
export const STREAM_SPREAD = 3;

/** Ten-minute buckets of a day. */
export const DAY_BUCKETS = 144;
/** Half-hour buckets of a week. */
export const WEEK_BUCKETS = 336;

/** Cells of the bitmap of seen values. */
export const NOVELTY_CELLS = 1024;
export const NOVELTY_WORDS = NOVELTY_CELLS / 32;

/** Evidence of each test at the peak of an open anomaly. */
export const EVIDENCE = 7;

/** Index of each scalar among the doubles of a record. */
export enum F {
  // Points and slots, in Unix seconds.
  newestPoint,
  newestSlot,
  analysedSlot,
  firstTimestamp,
  lastRaw,
  points,
  pointHead,
  intervalHead,
  intervalCount,
  resolution,
  regular,
  /** 1 from the sender's word that the series has ended until its next point. */
  ended,
  // The last counter reading.
  counterSlot,
  counterValue,
  // The detector: values are kept relative to `origin` (the first value), so that adding a constant changes nothing.
  count,
  origin,
  previous,
  quantum,
  firstAnalysed,
  lastAnalysed,
  level,
  levelSpread,
  spread,
  changeSpread,
  memory,
  memoryCovariance,
  memoryVariance,
  sustained,
  sustainedSpread,
  roughness,
  roughnessMean,
  roughnessSpread,
  // Which expectation predicts best.
  season,
  levelError,
  dailyError,
  weeklyLevelError,
  weeklyDailyError,
  weeklyError,
  dailyChecked,
  weeklyChecked,
  dayBucket,
  daySum,
  dayCount,
  weekBucket,
  weekSum,
  weekCount,
  profileMedian,
  profileMedianAt,
  // Frozen values.
  run,
  longestRun,
  sameShare,
  // How often it alarmed lately.
  fatigue,
  fatigueAt,
  // Tails: number of learnt points per stream, and the bounds of the expected range, refreshed now and then.
  tail0,
  tail1,
  tail2,
  tail3,
  waitingHead,
  waiting,
  rangeAge,
  changeLow,
  changeHigh,
  deviationLow,
  deviationHigh,
  // Bitmap of seen values.
  cellLow,
  cellWidth,
  seenMin,
  seenMax,
  seenCount,
  seenEpoch,
  // The range kept to until a day ago.
  smooth,
  rangeLow,
  rangeHigh,
  rangeDays,
  rangeAt,
  dayLow,
  dayHigh,
  // The open anomaly; `open` is 0 (none), 1 (values) or 2 (missing data).
  open,
  start,
  lastAnomalous,
  peakAt,
  peakValue,
  firstValue,
  expected,
  lower,
  upper,
  score,
  kind,
  backfill,
  normalRun,
  anomalousSlots,
  upSlots,
  downSlots,
  peakDeviation,
  peakExpected,
  peakWidths,
  peakHeight,
  peakSpread,
  frozenMemory,
  openLevel,
  openSpread,
  openChangeSpread,
  openShift,
  openRun,
  rangeBeforeMin,
  rangeBeforeMax,
  offTime,
  emittedScore,
  emittedSeverity,
  /** Number of scalars. */
  scalars,
}

export const PEAK_EVIDENCE_AT: number = F.scalars;
export const SLOTS_AT = PEAK_EVIDENCE_AT + EVIDENCE;
export const POINTS_AT = SLOTS_AT + SLOT_RING * SLOT_WIDTH;
export const INTERVALS_AT = POINTS_AT + POINT_RING * 2;
export const DOUBLES = INTERVALS_AT + INTERVAL_RING;

export const TAILS_AT = 0;
export const DAY_AT = TAILS_AT + STREAMS * 2 * TAIL_BINS;
export const DAY_LAST_AT = DAY_AT + DAY_BUCKETS;
export const DAY_SPREAD_AT = DAY_LAST_AT + DAY_BUCKETS;
export const WEEK_AT = DAY_SPREAD_AT + DAY_BUCKETS;
export const WEEK_LAST_AT = WEEK_AT + WEEK_BUCKETS;
export const WAITING_AT = WEEK_LAST_AT + WEEK_BUCKETS;
export const FLOATS = WAITING_AT + WAITING * STREAMS;

export const WORDS = 2 * NOVELTY_WORDS;

/** Bytes of one record; a multiple of 8, so that every record's doubles are aligned. */
export const RECORD_BYTES = Math.ceil((DOUBLES * 8 + FLOATS * 4 + WORDS * 4) / 8) * 8;
