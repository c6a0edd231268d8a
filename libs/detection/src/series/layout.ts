/**
 * Layout of one series' state. A series is one fixed-size record: doubles for scalars and rings, then floats for
 * what moves in small steps; and a cold part, of which a point asks for a few cells only: half words of profiles, and bytes
 * (packed-row.ts). Everything the detector remembers lies in the record, so copying the bytes
 * copies the detector.
 */

/** Recent slots kept so that late points can still correct what was stored. */
export const SLOT_RING = 8;
/** Recent points kept so that a resent point replaces itself instead of counting twice. */
export const POINT_RING = 16;
/** Intervals whose median is the resolution of a series. */
export const INTERVAL_RING = 20;

/** Ten-minute buckets of a day, or 1/144 of another period. */
export const DAY_BUCKETS = 144;
/** Hours of a week. */
export const WEEK_BUCKETS = 168;
/** Parts of the day whose usual deviation is kept apart. */
export const SPREAD_BUCKETS = 24;

/** Last sizes and last distances from the level of which means are taken, usual errors by hour of the day (sizes.ts). */
export const LAST_SIZES = 3;
export const LAST_SHIFTS = 30;
export const HOURS_OF_DAY = 24;
/** Twenty-minute parts of the day in which what comes back is remembered (recurrence.ts). */
export const RECURRENCE_PARTS = 72;
/** Kinds of evidence that come back: above, below, not there when due. */
export const RECURRENCE_KINDS = 3;

/** Means of twenty minutes (of rows that are slower, of a row) in which other seasons are looked for: five days. */
export const SEARCH_CELLS = 360;

/**
 * Index of each scalar among the doubles of a record: what is compared exactly, counts rows or seconds, or is a level that moves in
 * steps far smaller than itself. A `const enum`, so that the build writes the numbers themselves: what a
 * module exports is looked up again at every use, which took a fifth of the time of a point.
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
  // The detector: values are kept relative to `origin` (the first value), so that adding a constant changes nothing.
  count = 9,
  origin = 10,
  previous = 11,
  firstAnalysed = 12,
  lastAnalysed = 13,
  level = 14,
  // Which expectation predicts best.
  period = 15,
  levelError = 16,
  dailyError = 17,
  weeklyLevelError = 18,
  weeklyDailyError = 19,
  weeklyError = 20,
  dayVisit = 21,
  daySum = 22,
  weekSum = 23,
  // The range kept to until a day ago.
  smooth = 24,
  rangeLow = 25,
  rangeHigh = 26,
  rangeAt = 27,
  dayLow = 28,
  dayHigh = 29,
  // The open anomaly; `open` is 0 (none), 1 (values) or 2 (missing data).
  start = 30,
  lastAnomalous = 31,
  peakAt = 32,
  peakValue = 33,
  firstValue = 34,
  expected = 35,
  lower = 36,
  upper = 37,
  score = 38,
  peakDeviation = 39,
  peakHeight = 40,
  openLevel = 41,
  /** Range of the values before the open anomaly; until the warm-up is over, of its last rows (series-detector.ts). */
  rangeBeforeMin = 42,
  rangeBeforeMax = 43,
  // Forecasts that compete (forecasters.ts).
  fast = 44,
  long = 45,
  middle = 46,
  calmLevel = 47,
  // Usual sizes of what a point shows (sizes.ts).
  lowest = 48,
  highest = 49,
  shiftSum = 50,
  shiftSum10 = 51,
  // Near misses and episodes (false-alarm-budget.ts).
  nearRow = 52,
  loudRow = 53,
  loudFrom = 54,
  alarmRow = 55,
  // Hours that rise (steady-drift.ts).
  driftSum = 56,
  driftMean = 57,
  // What was expected when an anomaly opened (judge.ts).
  heldLevel = 58,
  heldFollowed = 59,
  heldLong = 60,
  heldMiddle = 61,
  // Steps of the day that come early or late (day-edges.ts).
  /** Slot of the last reading in which the counter had restarted, after an hour without. */
  counterReset = 62,
  /** What was due when the open anomaly began, if that is what it is about. */
  dueValue = 63,
  // The period of the day's profile (season.ts) and the search for another one (season-search.ts).
  periodStart = 64,
  searchSum = 65,
  // How far chance goes beyond a level that evidence comes over about twice a day (asked-budget.ts).
  chanceAt = 66,
  chanceRow = 67,
  chanceFrom = 68,
  /** Where what lasts has drawn the range since the open anomaly began (judge.ts). */
  heldMean = 69,
  /** The last visit of a bucket of the day before a step (day-edges.ts). */
  edgeAhead = 70,
  // Middle and width of a step of what is packed (packed-row.ts): day, its last visits, week, its last visits, search.
  dayScale = 71,
  dayLastScale = 72,
  weekScale = 73,
  weekLastScale = 74,
  searchScale = 75,
  stepLeftAt = 76,
  /** Number of doubles. */
  scalars = 77,
}

/** Among the floats: sizes, rates, shares and small counts. */
export const enum P {
  // The detector: values are kept relative to `origin` (the first value), so that adding a constant changes nothing.
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
  // Which expectation predicts best.
  dailyChecked = 14,
  weeklyChecked = 15,
  dayCount = 16,
  weekVisit = 17,
  weekCount = 18,
  shortestPeriod = 19,
  // Frozen values.
  run = 20,
  longestRun = 21,
  sameShare = 22,
  // Shape of the distribution: quantiles and usual distance from the middle.
  shapeRows = 23,
  quantileMiddle = 24,
  boundBelow = 25,
  boundAbove = 26,
  middleSpread = 27,
  // The range kept to until a day ago.
  rangeDays = 28,
  /** Rows outside of the expected range in a row, to one side. */
  outsideRun = 29,
  // The expected range: bounds in usual distances from its middle, that distance, and the same of the last rows.
  boundLow = 30,
  boundHigh = 31,
  distance = 32,
  lastDistance = 33,
  // The open anomaly; `open` is 0 (none), 1 (values) or 2 (missing data).
  normalRun = 34,
  anomalousSlots = 35,
  upSlots = 36,
  downSlots = 37,
  peakWidths = 38,
  peakSpread = 39,
  peakRoughness = 40,
  frozenMemory = 41,
  openSpread = 42,
  openChangeSpread = 43,
  openShift = 44,
  openRun = 45,
  openJump = 46,
  emittedScore = 47,
  emittedSeverity = 48,
  // What says whether a series of unknown type counts up (counter-signs.ts).
  counterRows = 49,
  counterRises = 50,
  counterResets = 51,
  // Forecasts that compete (forecasters.ts).
  middleScale = 52,
  dayFast = 53,
  daySlow = 54,
  dayLevel = 55,
  weekSlow = 56,
  // Errors of the forecasters, seven in a row.
  forecastErrors = 57,
  // Usual sizes of what a point shows (sizes.ts).
  errorMean = 64,
  size99 = 65,
  size90 = 66,
  size10 = 67,
  size30 = 68,
  sizeMean = 69,
  slowMean = 70,
  slow90 = 71,
  moveShare = 72,
  moveRows = 73,
  moveSize = 74,
  // What comes back at a time of day (recurrence.ts): nights and coded strength of each kind.
  recurrenceAbove = 75,
  recurrenceBelow = 76,
  recurrenceDue = 77,
  // Near misses and episodes (false-alarm-budget.ts).
  judgedSeconds = 78,
  nearMisses = 79,
  nearLogs = 80,
  nearPeak = 81,
  episodes = 82,
  longEpisodes = 83,
  loudMost = 84,
  // Hours that rise (steady-drift.ts).
  risingShare = 85,
  driftHour = 86,
  driftRows = 87,
  driftHours = 88,
  // What was expected when an anomaly opened (judge.ts).
  heldLimit = 89,
  heldDayLevel = 90,
  // Steps of the day that come early or late (day-edges.ts).
  edgeDays = 91,
  edgeDay = 92,
  edgeHigh = 93,
  edgeLow = 94,
  edgeDueHigh = 95,
  edgeDueLow = 96,
  /** Rows of the job that is running, of its longest run of late, and how many runs are known. */
  edgeRun = 97,
  edgeLongest = 98,
  edgeRuns = 99,
  /** Days from one anomaly to the next when the open one began (severity.ts). */
  daysApart = 100,
  /** Rows for which what was expected before them stays held (judge.ts). */
  heldRows = 101,
  // The period of the day's profile (season.ts) and the search for another one (season-search.ts).
  /** Seconds of a cell of the ring, first cell known, cell that is being filled with its sum and count, cell of the last search. */
  searchCell = 102,
  searchFrom = 103,
  searchVisit = 104,
  searchCount = 105,
  searchedAt = 106,
  /** The period that searches have seen, seconds, and on how many in a row; or, of the one in use, have not. */
  searchPeriod = 107,
  // How far chance goes beyond a level that evidence comes over about twice a day (asked-budget.ts).
  chanceLevel = 108,
  chanceEpisodes = 109,
  chanceLogs = 110,
  chanceSeconds = 111,
  chancePeak = 112,
  /** How far the range follows the unrest of the last rows, 0..1 (expected-range.ts). */
  unrest = 113,
  dayUnit = 114,
  dayLastUnit = 115,
  weekUnit = 116,
  weekLastUnit = 117,
  searchUnit = 118,
  // Middle and width of a step of what is packed (packed-row.ts): day, its last visits, week, its last visits, search.
  /** How far the last anomaly has ended from where it began, and when (way-back.ts). */
  stepLeft = 119,
  /** How far from the middle a job of the day takes the series (day-edges.ts). */
  edgeTop = 120,
  /** How far the last rows lag behind the series (forecasters.ts). */
  fastLag = 121,
  /** Number of floats. */
  scalars = 122,
}

/** Among the bytes: flags, places in rings and what is one of a few. */
export const enum B {
  // Points and slots, in Unix seconds.
  pointHead = 0,
  intervalHead = 1,
  intervalCount = 2,
  regular = 3,
  /** 1 from the sender's word that the series has ended until its next point. */
  ended = 4,
  // Which expectation predicts best.
  season = 5,
  // The open anomaly; `open` is 0 (none), 1 (values) or 2 (missing data).
  open = 6,
  kind = 7,
  backfill = 8,
  /** What the evidence at the peak is about (evidence.ts), whether it is a jump, and how rough the last rows were. */
  peakWhich = 9,
  peakIsSudden = 10,
  offTime = 11,
  /** 1 when the value stood still. */
  frozen = 12,
  // What comes back at a time of day (recurrence.ts): nights and coded strength of each kind.
  recurrencePart = 13,
  // What was expected when an anomaly opened (judge.ts).
  /** BESIDE_NOTHING, BESIDE_DAY or BESIDE_WEEK: what the held level is beside. */
  heldBeside = 14,
  heldLasting = 15,
  // What the day and the week have been known for, so far.
  dayKnown = 16,
  weekKnown = 17,
  // Steps of the day that come early or late (day-edges.ts).
  /** 1 while the record waits to be taught by the points that are stored (DetectionShard.takeHistory). */
  awaitsHistory = 18,
  // The period of the day's profile (season.ts) and the search for another one (season-search.ts).
  /** PERIOD_OF_DAY, PERIOD_GIVEN or PERIOD_FOUND, and where periods are counted from. */
  periodSource = 19,
  searchSeen = 20,
  searchMissed = 21,
  /** Number of bytes. */
  scalars = 22,
}

/** Values of `F.periodSource`: the day, until another period is found; known beforehand; found. */
export const PERIOD_OF_DAY = 0;
export const PERIOD_GIVEN = 1;
export const PERIOD_FOUND = 2;

/** Values of `F.offTime`: something came at another time than on other days; something was due and did not come. */
export const AT_OTHER_TIME = 1;
export const NOT_THERE_WHEN_DUE = 2;

/** Values of `F.heldBeside`. */
export const BESIDE_NOTHING = 0;
export const BESIDE_DAY = 1;
export const BESIDE_WEEK = 2;

export const FORECAST_ERRORS_AT = P.forecastErrors;
export const SLOTS_AT = F.scalars;
export const POINTS_AT = SLOTS_AT + SLOT_RING;
export const DOUBLES = POINTS_AT + POINT_RING;

/** Places among the words: numbers of kept slots, and times of kept points (slots.ts). */
export const SLOT_NUMBERS_AT = 0;
export const POINT_TIMES_AT = SLOT_NUMBERS_AT + SLOT_RING;
export const WORDS = POINT_TIMES_AT + POINT_RING;

/** Places among the floats. */
export const SLOT_COUNTS_AT = P.scalars;
export const SLOT_LASTS_AT = SLOT_COUNTS_AT + SLOT_RING;
export const INTERVALS_AT = SLOT_LASTS_AT + SLOT_RING;
export const SPREAD_AT = INTERVALS_AT + INTERVAL_RING;
export const LAST_SIZES_AT = SPREAD_AT + SPREAD_BUCKETS;
export const LAST_SHIFTS_AT = LAST_SIZES_AT + LAST_SIZES;
export const HOUR_ERRORS_AT = LAST_SHIFTS_AT + LAST_SHIFTS;
export const FLOATS = HOUR_ERRORS_AT + HOURS_OF_DAY;

/** First byte of the words, of the floats and of what is numbers in a byte each; doubles are first. */
export const WORDS_FROM = DOUBLES * 8;
export const FLOATS_FROM = WORDS_FROM + WORDS * 4;
export const SMALL_FROM = FLOATS_FROM + FLOATS * 4;
/** Bytes that every point asks for. The others stay where a record rests (record-pages.ts); a multiple of 8. */
export const HOT_BYTES = Math.ceil((SMALL_FROM + B.scalars) / 8) * 8;

/** Places among the half words of the cold part. */
export const DAY_AT = 0;
export const DAY_LAST_AT = DAY_AT + DAY_BUCKETS;
export const WEEK_AT = DAY_LAST_AT + DAY_BUCKETS;
export const WEEK_LAST_AT = WEEK_AT + WEEK_BUCKETS;
/** What this part of the day and the one before have shown, by kind of evidence. */
export const RECURRENCE_NOW_AT = WEEK_LAST_AT + WEEK_BUCKETS;

/** Places among its bytes. */
export const SEARCH_AT = (RECURRENCE_NOW_AT + 2 * RECURRENCE_KINDS) * 2;
/** What is known of each part of the day: strength by kind of evidence, and nights in a row. */
export const RECURRENCE_AT = SEARCH_AT + SEARCH_CELLS;
export const RECURRENCE_NIGHTS_AT = RECURRENCE_AT + RECURRENCE_KINDS * RECURRENCE_PARTS;
export const COLD_BYTES = Math.ceil((RECURRENCE_NIGHTS_AT + RECURRENCE_PARTS) / 8) * 8;

/** Bytes of one record; a multiple of 8, so that every record's doubles are aligned. */
export const RECORD_BYTES = HOT_BYTES + COLD_BYTES;
