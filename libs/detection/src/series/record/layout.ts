/**
 * Layout of the state of one series. A series is one fixed-size record: doubles for scalars and rings, then floats for
 * values that move in small steps, and a cold part, of which a point reads only a few cells: half words of profiles,
 * and bytes (packed-row.ts). The record contains everything the detector remembers, so copying the bytes copies the
 * detector.
 */

/** Number of recent slots that are stored so that late points can still correct their values. */
export const SLOT_RING = 8;
/** Number of recent points that are stored so that a resent point replaces itself instead of counting twice. */
export const POINT_RING = 16;
/** Intervals whose median is the resolution of a series. */
export const INTERVAL_RING = 20;

/** Ten-minute buckets of a day, or 1/144 of another period. */
export const DAY_BUCKETS = 144;
/** Number of hours in a week. */
export const WEEK_BUCKETS = 168;

/**
 * Number of last sizes and last distances from the level whose means are used, and of usual errors by hour of the day
 * (sizes.ts).
 */
export const LAST_SIZES = 3;
export const LAST_SHIFTS = 30;
export const HOURS_OF_DAY = 24;
/** Twenty-minute parts of the day in which recurring evidence is remembered (recurrence.ts). */
export const RECURRENCE_PARTS = 72;
/** Kinds of recurring evidence: above, below, missing when expected. */
export const RECURRENCE_KINDS = 3;

/** Jobs of the day whose starts and lengths are remembered, and bytes of each (day-jobs.ts). */
export const DAY_JOBS = 2;
export const JOB_BYTES = 6;

/** Means of twenty minutes (of one row, for slower rows) that are searched for other seasons: five days. */
export const SEARCH_CELLS = 360;

/**
 * Index of each scalar among the doubles of a record: values that are compared exactly, counts of rows or seconds, and
 * levels that move in steps far smaller than themselves. A `const enum`, so that the build inlines the numbers: an
 * export of a module is resolved at every use, which took a fifth of the time of a point.
 */
export const enum F {
  // Points and slots, in Unix seconds.
  newestPoint = 0,
  newestSlot = 1,
  analysedSlot = 2,
  firstTimestamp = 3,
  lastRaw = 4,
  points = 5,
  resolution = 6,
  // The last counter reading.
  counterSlot = 7,
  counterValue = 8,
  // The detector: values are stored relative to `origin` (the first value), so that adding a constant changes nothing.
  count = 9,
  origin = 10,
  previous = 11,
  firstAnalysed = 12,
  lastAnalysed = 13,
  level = 14,
  // For selecting the expectation that predicts best.
  period = 15,
  dayVisit = 16,
  daySum = 17,
  weekSum = 18,
  // The seen range up to a day ago.
  smooth = 19,
  rangeLow = 20,
  rangeHigh = 21,
  rangeAt = 22,
  dayLow = 23,
  dayHigh = 24,
  // The open anomaly (anomaly-state.ts).
  start = 25,
  lastAnomalous = 26,
  peakAt = 27,
  peakValue = 28,
  firstValue = 29,
  expected = 30,
  lower = 31,
  upper = 32,
  score = 33,
  peakDeviation = 34,
  peakHeight = 35,
  openLevel = 36,
  /** Range of the values before the open anomaly; until the warm-up is over, of its last rows (series-detector.ts). */
  rangeBeforeMin = 37,
  rangeBeforeMax = 38,
  // Competing forecasts (forecasters.ts).
  fast = 39,
  long = 40,
  middle = 41,
  calmLevel = 42,
  /** Lowest and highest value ever seen (judge.ts). */
  lowest = 43,
  highest = 44,
  // Sums of the last distances from the level (sizes.ts).
  shiftSum = 45,
  shiftSum10 = 46,
  // Rising hours (steady-drift.ts).
  driftSum = 47,
  driftMean = 48,
  // The expectation when an anomaly opened (judge.ts).
  heldLevel = 49,
  heldFollowed = 50,
  heldLong = 51,
  heldMiddle = 52,
  /** Slot of the last reading in which the counter had restarted, after an hour without restarts. */
  counterReset = 53,
  /** The overdue value when the open anomaly started, if the anomaly is about it. */
  missedValue = 54,
  /** The start from which periods are counted (season.ts). */
  periodStart = 55,
  /** Sum of the cell that is being filled (season-search.ts). */
  searchSum = 56,
  /** Time at which the level of chance was last moved (asked-budget.ts). */
  chanceAt = 57,
  /** Position of the range, as moved by lasting values since the open anomaly started (judge.ts). */
  heldMean = 58,
  /** The last visit of a bucket of the day before a step (day-edges.ts). */
  edgeAhead = 59,
  // Levels of packed rows (packed-row.ts).
  dayScale = 60,
  weekScale = 61,
  searchScale = 62,
  /** End of the last anomaly that ended at another level than it started (return-to-usual.ts). */
  stepLeftAt = 63,
  /** Number of doubles. */
  scalars = 64,
}

/** Among the words: numbers of rows. */
export const enum W {
  /** The last row beyond the size of 1 in 1,000 (sizes.ts). */
  tailRow = 0,
  // Episodes (false-alarm-budget.ts).
  loudRow = 1,
  loudFrom = 2,
  alarmRow = 3,
  // How far chance exceeds a level that evidence exceeds about twice a day (asked-budget.ts).
  chanceRow = 4,
  chanceFrom = 5,
  /** Number of words. */
  scalars = 6,
}

/** Among the floats: sizes, rates, shares and small counts. */
export const enum P {
  // Spreads, and the lasting part of deviations (measurement.ts, learning.ts).
  quantum = 0,
  levelSpread = 1,
  spread = 2,
  changeSpread = 3,
  memory = 4,
  memoryCovariance = 5,
  memoryVariance = 6,
  sustained = 7,
  sustainedSpread = 8,
  roughness = 9,
  roughnessLevel = 10,
  roughnessSpread = 11,
  evenChangeSpread = 12,
  evenDeviationSpread = 13,
  // For selecting the expectation that predicts best: roots of mean squared errors.
  levelError = 14,
  dailyError = 15,
  weeklyLevelError = 16,
  weeklyDailyError = 17,
  weeklyError = 18,
  dailyChecked = 19,
  weeklyChecked = 20,
  dayCount = 21,
  weekVisit = 22,
  weekCount = 23,
  shortestPeriod = 24,
  // Frozen values.
  run = 25,
  longestRun = 26,
  sameShare = 27,
  // Shape of the distribution: quantiles and usual distance from the middle.
  shapeRows = 28,
  quantileMiddle = 29,
  boundBelow = 30,
  boundAbove = 31,
  middleSpread = 32,
  /** Number of days for which the range is known (seen-range.ts). */
  rangeDays = 33,
  /** Number of consecutive rows outside the expected range, on one side. */
  outsideRun = 34,
  // The expected range: bounds in usual distances from its middle, that distance, and the usual distance of the last
  // rows.
  boundLow = 35,
  boundHigh = 36,
  distance = 37,
  lastDistance = 38,
  // The open anomaly (anomaly-state.ts).
  normalRun = 39,
  anomalousSlots = 40,
  upSlots = 41,
  downSlots = 42,
  peakWidths = 43,
  peakSpread = 44,
  peakRoughness = 45,
  frozenMemory = 46,
  openSpread = 47,
  openChangeSpread = 48,
  openShift = 49,
  openRun = 50,
  openJump = 51,
  emittedScore = 52,
  /** Unit of sizes, a power of two; 0 until it is set (size-cells.ts). */
  sizeUnit = 53,
  // Evidence of whether a series of unknown type counts up (counter-signs.ts).
  counterRows = 54,
  counterRises = 55,
  counterResets = 56,
  // Competing forecasts (forecasters.ts).
  middleScale = 57,
  dayFast = 58,
  daySlow = 59,
  dayLevel = 60,
  weekSlow = 61,
  // Errors of the forecasters, in seven consecutive cells.
  forecastErrors = 62,
  // Usual sizes of the evidence of a point (sizes.ts).
  errorMean = 69,
  size99 = 70,
  size90 = 71,
  size10 = 72,
  size30 = 73,
  sizeMean = 74,
  slowMean = 75,
  slow90 = 76,
  moveShare = 77,
  moveRows = 78,
  moveSize = 79,
  // Recurring evidence at a time of day (recurrence.ts): nights and coded strength of each kind.
  recurrenceAbove = 80,
  recurrenceBelow = 81,
  recurrenceMissed = 82,
  // Episodes (false-alarm-budget.ts).
  judgedSeconds = 83,
  /** One size in 1,000 over the usual one in 100 (sizes.ts). */
  tail = 84,
  /** Roots of the usual difference of squared errors, day against level and week against both (season.ts). */
  dailyGain = 85,
  weeklyGain = 86,
  longEpisodes = 87,
  loudMost = 88,
  // Rising hours (steady-drift.ts).
  risingShare = 89,
  driftHour = 90,
  driftRows = 91,
  driftHours = 92,
  // The expectation when an anomaly opened (judge.ts).
  heldLimit = 93,
  heldDayLevel = 94,
  // Steps of the day that are early or late (day-edges.ts).
  edgeDays = 95,
  edgeDay = 96,
  edgeHigh = 97,
  edgeLow = 98,
  edgeDailyHigh = 99,
  edgeDailyLow = 100,
  /** Number of rows of the job that is running (day-jobs.ts). */
  edgeRun = 101,
  /** Days from one anomaly to the next when the open one started (severity.ts). */
  daysApart = 102,
  /** Number of rows for which the former expectation stays held (judge.ts). */
  heldRows = 103,
  // The period of the day's profile (season.ts) and the search for another one (season-search.ts).
  /**
   * Seconds of a cell of the ring, first known cell, the cell that is being filled and its count, cell of the last
   * search.
   */
  searchCell = 104,
  searchFrom = 105,
  searchVisit = 106,
  searchCount = 107,
  searchedAt = 108,
  /** The period found by searches, in seconds. */
  searchPeriod = 109,
  // How far chance exceeds a level that evidence exceeds about twice a day (asked-budget.ts).
  chanceLevel = 110,
  chanceEpisodes = 111,
  chanceLogs = 112,
  chanceSeconds = 113,
  chancePeak = 114,
  /** Factor by which the range follows the restlessness of the last rows, 0..1 (expected-range.ts). */
  unrest = 115,
  // Units of packed rows (packed-row.ts).
  dayUnit = 116,
  weekUnit = 117,
  searchUnit = 118,
  /** Distance between the levels after and before the last anomaly (return-to-usual.ts). */
  stepLeft = 119,
  /** Distance from the middle that a job of the day causes (day-edges.ts). */
  edgeTop = 120,
  /** Lag of the last rows behind the series (forecasters.ts). */
  fastLag = 121,
  /** Margin of the expected range beyond all seen values, in usual distances (expected-range.ts). */
  marginLow = 122,
  marginHigh = 123,
  // The day or the week as a witness (season-witness.ts): its offset, and the mean, the quantiles and the changes of
  // side of each horizon.
  witnessOffset = 124,
  witnessMean = 125,
  witnessOuter = 126,
  witnessInner = 127,
  witnessTurns = 128,
  /**
   * The witness at the peak of the open anomaly: mean distance from the expectation of the season (season-witness.ts).
   */
  peakMean = 129,
  /** Increase per second by a steady drift, before the open anomaly; 0 for none (steady-drift.ts). */
  heldDrift = 130,
  /** Number of floats. */
  scalars = 131,
}

/** Among the bytes: flags, positions in rings, and enumerations. */
export const enum B {
  // Rings of points and intervals, and the pace (slots.ts, pace.ts).
  pointHead = 0,
  intervalHead = 1,
  intervalCount = 2,
  regular = 3,
  /** 1 from the message of the sender that the series has ended until its next point. */
  ended = 4,
  /** The current expectation (season.ts). */
  season = 5,
  // The open anomaly; `open` is 0 (none), 1 (values) or 2 (missing data).
  open = 6,
  kind = 7,
  backfill = 8,
  /** The kind of the evidence at the peak (evidence.ts), and whether it is a jump. */
  peakWhich = 9,
  peakIsSudden = 10,
  offTime = 11,
  /** 1 if the value was constant. */
  frozen = 12,
  /** Part of the day, -1 for none (recurrence.ts). */
  recurrencePart = 13,
  // The expectation when an anomaly opened (judge.ts).
  /** Reference of the held level: BESIDE_NOTHING, BESIDE_DAY or BESIDE_WEEK. */
  heldBeside = 14,
  heldLasting = 15,
  // Time for which the day and the week have been known.
  dayKnown = 16,
  weekKnown = 17,
  /** History.… while the record waits to learn the stored points (DetectionShard.takeHistory), otherwise 0. */
  awaitsHistory = 18,
  // The period of the day's profile (season.ts) and the search for another one (season-search.ts).
  /** PERIOD_OF_DAY, PERIOD_GIVEN or PERIOD_FOUND. */
  periodSource = 19,
  /** Number of successive searches that found a period, and number that did not find the active one. */
  searchSeen = 20,
  searchMissed = 21,
  // Units of the last visits, as powers of two (packed-row.ts).
  dayVisitUnit = 22,
  weekVisitUnit = 23,
  /** Number of successive rows beyond the usual outermost size, up to a limit (sizes.ts). */
  outerRun = 24,
  /** Last reported severity, 0..100, or a value below all severities. */
  emittedSeverity = 25,
  /** Number of successive buckets of the day that differed from the next one at their end (day-edges.ts). */
  edgeFront = 26,
  /** 1 while all points of the series were backfilled: its silence is not judged (silence.ts). */
  onlyHistory = 27,
  /** 1 from a backfilled newest point until a live one, or a tick that checks its silence. */
  arrivedLate = 28,
  /** Number of rows since the last one of the job that is running (day-jobs.ts). */
  runPause = 29,
  /** Last side of each horizon of the witness (season-witness.ts). */
  witnessSide = 30,
  /**
   * Side on which the witness has exceeded its limit since the open anomaly started; 0 for none (season-witness.ts).
   */
  heldWitness = 31,
  /** 1 if a jump against the drift was large or has lasted: the series restarts occasionally (steady-drift.ts). */
  restarts = 32,
  /** Number of bytes. */
  scalars = 33,
}

/** Values of `B.periodSource`: the day, until another period is found; configured; found. */
export const PERIOD_OF_DAY = 0;
export const PERIOD_GIVEN = 1;
export const PERIOD_FOUND = 2;

/** Values of `B.offTime`: a value occurred at another time than on other days; an expected value did not occur. */
export const AT_OTHER_TIME = 1;
export const DID_NOT_COME = 2;

/** Values of `B.heldBeside`. */
export const BESIDE_NOTHING = 0;
export const BESIDE_DAY = 1;
export const BESIDE_WEEK = 2;

export const FORECAST_ERRORS_AT = P.forecastErrors;
export const SLOTS_AT = F.scalars;
export const POINTS_AT = SLOTS_AT + SLOT_RING;
export const DOUBLES = POINTS_AT + POINT_RING;

/** Places among the words: numbers of stored slots, and times of stored points (slots.ts). */
export const SLOT_NUMBERS_AT = W.scalars;
export const POINT_TIMES_AT = SLOT_NUMBERS_AT + SLOT_RING;
export const WORDS = POINT_TIMES_AT + POINT_RING;

/** Places among the floats. */
export const SLOT_COUNTS_AT = P.scalars;
export const LAST_SIZES_AT = SLOT_COUNTS_AT + SLOT_RING;
export const FLOATS = LAST_SIZES_AT + LAST_SIZES;

/**
 * Places among the half words of the hot part: position of the latest point in its slot, intervals, and sizes
 * (size-cells.ts).
 */
export const SLOT_LASTS_AT = 0;
export const INTERVALS_AT = SLOT_LASTS_AT + SLOT_RING;
export const SIZE_CELLS_AT = INTERVALS_AT + INTERVAL_RING;
export const HOUR_ERRORS_AT = SIZE_CELLS_AT;
export const LAST_SHIFTS_AT = HOUR_ERRORS_AT + HOURS_OF_DAY;
export const SIZE_CELLS_END = LAST_SHIFTS_AT + LAST_SHIFTS;
export const HALVES = SIZE_CELLS_END;

/** First byte of the words, of the floats, of the half words and of the single bytes; doubles are first. */
export const WORDS_FROM = DOUBLES * 8;
export const FLOATS_FROM = WORDS_FROM + WORDS * 4;
export const HALVES_FROM = FLOATS_FROM + FLOATS * 4;
export const SMALL_FROM = HALVES_FROM + HALVES * 2;
/**
 * Bytes that are read for every point. The others stay in the page of the record (record-pages.ts); a multiple of 8.
 */
export const HOT_BYTES = Math.ceil((SMALL_FROM + B.scalars) / 8) * 8;

/** Places among the half words of the cold part. */
export const DAY_AT = 0;
export const WEEK_AT = DAY_AT + DAY_BUCKETS;
/** The evidence of this part of the day and the one before, by kind. */
export const RECURRENCE_NOW_AT = WEEK_AT + WEEK_BUCKETS;

/** Indexes among its bytes; values of the search and of recurrence have six bits each. */
export const DAY_VISITS_AT = (RECURRENCE_NOW_AT + 2 * RECURRENCE_KINDS) * 2;
export const WEEK_VISITS_AT = DAY_VISITS_AT + DAY_BUCKETS;
export const SEARCH_AT = WEEK_VISITS_AT + WEEK_BUCKETS;
/** The memory of each part of the day: strength by kind of evidence, and nights in a row. */
export const RECURRENCE_AT = SEARCH_AT + (SEARCH_CELLS * 6) / 8;
export const RECURRENCE_NIGHTS_AT = RECURRENCE_AT + (RECURRENCE_KINDS * RECURRENCE_PARTS * 6) / 8;
export const JOBS_AT = RECURRENCE_NIGHTS_AT + RECURRENCE_PARTS;
export const COLD_BYTES = Math.ceil((JOBS_AT + DAY_JOBS * JOB_BYTES) / 8) * 8;

/** Bytes of one record; a multiple of 8, so that every record's doubles are aligned. */
export const RECORD_BYTES = HOT_BYTES + COLD_BYTES;
