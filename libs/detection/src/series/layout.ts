/**
 * Layout of one series' state. A series is one fixed-size record: doubles for scalars and rings, then floats for
 * what moves in small steps; and a cold part, of which a point asks for a few cells only: half words of profiles, and bytes
 * (packed-row.ts). Everything the detector remembers lies in the record, so copying the bytes
 * copies the detector.
 */

/** Recent slots kept so that late points can still correct what was stored. */
export const SLOT_RING = 8;
/** Doubles per kept slot: slot, count, sum, min, max, last value, timestamp of the last value. */
export const SLOT_WIDTH = 7;
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
 * Index of each scalar among the doubles of a record. A `const enum`, so that the build writes the numbers themselves: what a
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
  pointHead = 6,
  intervalHead = 7,
  intervalCount = 8,
  resolution = 9,
  regular = 10,
  /** 1 from the sender's word that the series has ended until its next point. */
  ended = 11,
  // The last counter reading.
  counterSlot = 12,
  counterValue = 13,
  // The detector: values are kept relative to `origin` (the first value), so that adding a constant changes nothing.
  count = 14,
  origin = 15,
  previous = 16,
  quantum = 17,
  firstAnalysed = 18,
  lastAnalysed = 19,
  level = 20,
  levelSpread = 21,
  spread = 22,
  changeSpread = 23,
  memory = 24,
  memoryCovariance = 25,
  memoryVariance = 26,
  sustained = 27,
  sustainedSpread = 28,
  roughness = 29,
  roughnessLevel = 30,
  roughnessSpread = 31,
  evenChangeSpread = 32,
  evenDeviationSpread = 33,
  // Which expectation predicts best.
  period = 34,
  season = 35,
  levelError = 36,
  dailyError = 37,
  weeklyLevelError = 38,
  weeklyDailyError = 39,
  weeklyError = 40,
  dailyChecked = 41,
  weeklyChecked = 42,
  dayVisit = 43,
  daySum = 44,
  dayCount = 45,
  weekVisit = 46,
  weekSum = 47,
  weekCount = 48,
  shortestPeriod = 49,
  profileMedian = 50,
  profileMedianAt = 51,
  // Frozen values.
  run = 52,
  longestRun = 53,
  sameShare = 54,
  // Shape of the distribution: quantiles and usual distance from the middle.
  shapeRows = 55,
  quantileMiddle = 56,
  boundBelow = 57,
  boundAbove = 58,
  middleSpread = 59,
  // The range kept to until a day ago.
  smooth = 60,
  rangeLow = 61,
  rangeHigh = 62,
  rangeDays = 63,
  rangeAt = 64,
  dayLow = 65,
  dayHigh = 66,
  /** Rows outside of the expected range in a row, to one side. */
  outsideRun = 67,
  // The expected range: bounds in usual distances from its middle, that distance, and the same of the last rows.
  boundLow = 68,
  boundHigh = 69,
  distance = 70,
  lastDistance = 71,
  // The open anomaly; `open` is 0 (none), 1 (values) or 2 (missing data).
  open = 72,
  start = 73,
  lastAnomalous = 74,
  peakAt = 75,
  peakValue = 76,
  firstValue = 77,
  expected = 78,
  lower = 79,
  upper = 80,
  score = 81,
  kind = 82,
  backfill = 83,
  normalRun = 84,
  anomalousSlots = 85,
  upSlots = 86,
  downSlots = 87,
  peakDeviation = 88,
  peakExpected = 89,
  peakWidths = 90,
  peakHeight = 91,
  peakSpread = 92,
  /** What the evidence at the peak is about (evidence.ts), whether it is a jump, and how rough the last rows were. */
  peakWhich = 93,
  peakIsSudden = 94,
  peakRoughness = 95,
  frozenMemory = 96,
  openLevel = 97,
  openSpread = 98,
  openChangeSpread = 99,
  openShift = 100,
  openRun = 101,
  openJump = 102,
  /** Range of the values before the open anomaly; until the warm-up is over, of its last rows (series-detector.ts). */
  rangeBeforeMin = 103,
  rangeBeforeMax = 104,
  offTime = 105,
  /** 1 when the value stood still. */
  frozen = 106,
  emittedScore = 107,
  emittedSeverity = 108,
  // What says whether a series of unknown type counts up (counter-signs.ts).
  counterRows = 109,
  counterRises = 110,
  counterResets = 111,
  // Forecasts that compete (forecasters.ts).
  fast = 112,
  long = 113,
  middle = 114,
  middleScale = 115,
  calmLevel = 116,
  dayFast = 117,
  daySlow = 118,
  dayLevel = 119,
  weekSlow = 120,
  // Errors of the forecasters, seven in a row.
  forecastErrors = 121,
  // Usual sizes of what a point shows (sizes.ts).
  lowest = 128,
  highest = 129,
  errorMean = 130,
  shiftSum = 131,
  shiftSum10 = 132,
  size99 = 133,
  size90 = 134,
  size10 = 135,
  size30 = 136,
  sizeMean = 137,
  slowMean = 138,
  slow90 = 139,
  moveShare = 140,
  moveRows = 141,
  moveSize = 142,
  // What comes back at a time of day (recurrence.ts): nights and coded strength of each kind.
  recurrencePart = 143,
  recurrenceAbove = 144,
  recurrenceBelow = 145,
  recurrenceDue = 146,
  // Near misses and episodes (false-alarm-budget.ts).
  judgedSeconds = 147,
  nearMisses = 148,
  nearLogs = 149,
  nearRow = 150,
  nearPeak = 151,
  episodes = 152,
  longEpisodes = 153,
  loudRow = 154,
  loudFrom = 155,
  loudMost = 156,
  alarmRow = 157,
  // Hours that rise (steady-drift.ts).
  risingShare = 158,
  driftHour = 159,
  driftSum = 160,
  driftRows = 161,
  driftHours = 162,
  driftMean = 163,
  // What was expected when an anomaly opened (judge.ts).
  /** BESIDE_NOTHING, BESIDE_DAY or BESIDE_WEEK: what the held level is beside. */
  heldBeside = 164,
  heldLevel = 165,
  heldLimit = 166,
  heldFollowed = 167,
  heldLasting = 168,
  heldLong = 169,
  heldMiddle = 170,
  heldDayLevel = 171,
  // What the day and the week have been known for, so far.
  dayKnown = 172,
  weekKnown = 173,
  // Steps of the day that come early or late (day-edges.ts).
  edgeDays = 174,
  edgeDay = 175,
  edgeHigh = 176,
  edgeLow = 177,
  edgeDueHigh = 178,
  edgeDueLow = 179,
  /** Rows of the job that is running, of its longest run of late, and how many runs are known. */
  edgeRun = 180,
  edgeLongest = 181,
  edgeRuns = 182,
  /** 1 while the record waits to be taught by the points that are stored (DetectionShard.takeHistory). */
  awaitsHistory = 183,
  /** Slot of the last reading in which the counter had restarted, after an hour without. */
  counterReset = 184,
  /** Days from one anomaly to the next when the open one began (severity.ts). */
  daysApart = 185,
  /** Rows for which what was expected before them stays held (judge.ts). */
  heldRows = 186,
  /** What was due when the open anomaly began, if that is what it is about. */
  dueValue = 187,
  // The period of the day's profile (season.ts) and the search for another one (season-search.ts).
  /** PERIOD_OF_DAY, PERIOD_GIVEN or PERIOD_FOUND, and where periods are counted from. */
  periodSource = 188,
  periodStart = 189,
  /** Seconds of a cell of the ring, first cell known, cell that is being filled with its sum and count, cell of the last search. */
  searchCell = 190,
  searchFrom = 191,
  searchVisit = 192,
  searchSum = 193,
  searchCount = 194,
  searchedAt = 195,
  /** The period that searches have seen, seconds, and on how many in a row; or, of the one in use, have not. */
  searchPeriod = 196,
  searchSeen = 197,
  searchMissed = 198,
  // How far chance goes beyond a level that evidence comes over about twice a day (asked-budget.ts).
  chanceLevel = 199,
  chanceEpisodes = 200,
  chanceLogs = 201,
  chanceSeconds = 202,
  chanceAt = 203,
  chanceRow = 204,
  chancePeak = 205,
  chanceFrom = 206,
  /** How far the range follows the unrest of the last rows, 0..1 (expected-range.ts). */
  unrest = 207,
  /** Where what lasts has drawn the range since the open anomaly began (judge.ts). */
  heldMean = 208,
  /** The last visit of a bucket of the day before a step (day-edges.ts). */
  edgeAhead = 209,
  // Middle and width of a step of what is packed (packed-row.ts): day, its last visits, week, its last visits, search.
  dayScale = 210,
  dayLastScale = 212,
  weekScale = 214,
  weekLastScale = 216,
  searchScale = 218,
  /** How far the last anomaly has ended from where it began, and when (way-back.ts). */
  stepLeft = 220,
  stepLeftAt = 221,
  /** How far from the middle a job of the day takes the series (day-edges.ts). */
  edgeTop = 222,
  /** How far the last rows lag behind the series (forecasters.ts). */
  fastLag = 223,
  /** How far the range goes beyond the lowest and the highest value seen, in usual distances (expected-range.ts). */
  marginLow = 224,
  marginHigh = 225,
  /** Rows in a row that lie beyond their usual outermost size (sizes.ts). */
  outerRun = 226,
  /** Number of scalars. */
  scalars = 227,
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

export const FORECAST_ERRORS_AT = F.forecastErrors;
export const SLOTS_AT = F.scalars;
export const POINTS_AT = SLOTS_AT + SLOT_RING * SLOT_WIDTH;
export const INTERVALS_AT = POINTS_AT + POINT_RING * 2;
export const DOUBLES = INTERVALS_AT + INTERVAL_RING;

/** Places among the floats. */
export const SPREAD_AT = 0;
export const LAST_SIZES_AT = SPREAD_AT + SPREAD_BUCKETS;
export const LAST_SHIFTS_AT = LAST_SIZES_AT + LAST_SIZES;
export const HOUR_ERRORS_AT = LAST_SHIFTS_AT + LAST_SHIFTS;
const FLOATS = HOUR_ERRORS_AT + HOURS_OF_DAY;

/** Bytes that every point asks for. The others stay where a record rests (record-pages.ts); a multiple of 8. */
export const HOT_BYTES = Math.ceil((DOUBLES * 8 + FLOATS * 4) / 8) * 8;

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
