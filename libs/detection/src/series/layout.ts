/**
 * Layout of one series' state. A series is one fixed-size record: doubles for scalars and rings, then 4-byte cells for
 * bitmaps and what moves in small steps, then counts of the tails; and a cold part, of which a point asks for a few cells only:
 * half words of profiles, and bytes (packed-row.ts). Everything the detector remembers lies in the record, so copying the bytes
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

/** Views of a series whose values are remembered cell by cell (spacing.ts). */
export const VIEWS = 3;
export const VIEW_VALUE = 0;
export const VIEW_LEVEL = 1;
export const VIEW_RESIDUAL = 2;
/** Cells of one bitmap of seen values; each view has two. */
export const CELLS = 512;
export const BITMAP_WORDS = CELLS / 32;
/** Cells per view: low end, cell width, smallest, largest, rows, rows since the bitmaps were swapped, last, root mean square step. */
export const VIEW_WIDTH = 8;

/** Streams with a tail histogram (tail.ts): step, distance to the recent mean, distance to the expectation, restlessness. */
export const STREAMS = 4;
export const STREAM_STEP = 0;
export const STREAM_RECENT = 1;
export const STREAM_DEVIATION = 2;
export const STREAM_RESTLESS = 3;
/** Bins of one side of a histogram. */
export const TAIL_BINS = 84;
/** Cells per stream: learnt values, reference size, values far beyond it. */
export const STREAM_WIDTH = 3;

/** Rows of the running means. */
export const LEVEL_ROWS = 24;
export const RESIDUAL_ROWS = 24;
export const RESTLESS_ROWS = 96;

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

/** Parts of the three scores (parts.ts), kept at an anomaly's peak. */
export const PARTS = 7;

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
  stepSpread = 32,
  recentSpread = 33,
  evenChangeSpread = 34,
  evenDeviationSpread = 35,
  lastingRows = 36,
  lastingSpread = 37,
  // Which expectation predicts best.
  period = 38,
  season = 39,
  levelError = 40,
  dailyError = 41,
  weeklyLevelError = 42,
  weeklyDailyError = 43,
  weeklyError = 44,
  dailyChecked = 45,
  weeklyChecked = 46,
  dayVisit = 47,
  daySum = 48,
  dayCount = 49,
  weekVisit = 50,
  weekSum = 51,
  weekCount = 52,
  shortestPeriod = 53,
  profileMedian = 54,
  profileMedianAt = 55,
  // Frozen values.
  run = 56,
  longestRun = 57,
  sameShare = 58,
  // Features of the scores.
  moves = 59,
  recentMean = 60,
  levelSum = 61,
  residualSum = 62,
  residualRows = 63,
  restlessSum = 64,
  restlessMean = 65,
  // Shape of the distribution: quantiles and usual distance from the middle.
  shapeRows = 66,
  quantileMiddle = 67,
  boundBelow = 68,
  boundAbove = 69,
  middleSpread = 70,
  // The range kept to until a day ago.
  smooth = 71,
  rangeLow = 72,
  rangeHigh = 73,
  rangeDays = 74,
  rangeAt = 75,
  dayLow = 76,
  dayHigh = 77,
  // Rows left until a channel may alarm again.
  outsideRun = 78,
  noveltyMuted = 79,
  quietRows = 80,
  scoreMuted = 81,
  // The expected range: bounds in usual distances from its middle, that distance, and the same of the last rows.
  boundLow = 82,
  boundHigh = 83,
  distance = 84,
  lastDistance = 85,
  // The open anomaly; `open` is 0 (none), 1 (values) or 2 (missing data).
  open = 86,
  start = 87,
  lastAnomalous = 88,
  peakAt = 89,
  peakValue = 90,
  firstValue = 91,
  expected = 92,
  lower = 93,
  upper = 94,
  score = 95,
  kind = 96,
  backfill = 97,
  normalRun = 98,
  anomalousSlots = 99,
  upSlots = 100,
  downSlots = 101,
  peakDeviation = 102,
  peakExpected = 103,
  peakWidths = 104,
  peakHeight = 105,
  peakSpread = 106,
  frozenMemory = 107,
  openLevel = 108,
  openSpread = 109,
  openChangeSpread = 110,
  openShift = 111,
  openRun = 112,
  openJump = 113,
  rangeBeforeMin = 114,
  rangeBeforeMax = 115,
  offTime = 116,
  /** 1 when the value stood still. */
  frozen = 117,
  emittedScore = 118,
  emittedSeverity = 119,
  // What says whether a series of unknown type counts up (counter-signs.ts).
  counterRows = 120,
  counterRises = 121,
  counterResets = 122,
  // Forecasts that compete (forecasters.ts).
  fast = 123,
  long = 124,
  middle = 125,
  middleScale = 126,
  calmLevel = 127,
  dayFast = 128,
  daySlow = 129,
  dayLevel = 130,
  weekSlow = 131,
  // Errors of the forecasters, seven in a row.
  forecastErrors = 132,
  // Usual sizes of what a point shows (sizes.ts).
  lowest = 139,
  highest = 140,
  errorMean = 141,
  shiftSum = 142,
  shiftSum10 = 143,
  size99 = 144,
  size90 = 145,
  size10 = 146,
  size30 = 147,
  sizeMean = 148,
  slowMean = 149,
  slow90 = 150,
  moveShare = 151,
  moveRows = 152,
  moveSize = 153,
  // What comes back at a time of day (recurrence.ts): nights and coded strength of each kind.
  recurrencePart = 154,
  recurrenceAbove = 155,
  recurrenceBelow = 156,
  recurrenceDue = 157,
  // Near misses and episodes (false-alarm-budget.ts).
  judgedSeconds = 158,
  nearMisses = 159,
  nearLogs = 160,
  nearRow = 161,
  nearPeak = 162,
  episodes = 163,
  longEpisodes = 164,
  loudRow = 165,
  loudFrom = 166,
  loudMost = 167,
  alarmRow = 168,
  // Hours that rise (steady-drift.ts).
  risingShare = 169,
  driftHour = 170,
  driftSum = 171,
  driftRows = 172,
  driftHours = 173,
  driftMean = 174,
  // What was expected when an anomaly opened (judge.ts).
  heldDay = 175,
  heldLevel = 176,
  heldLimit = 177,
  heldFollowed = 178,
  heldLasting = 179,
  heldLong = 180,
  heldMiddle = 181,
  heldDayLevel = 182,
  // What the day and the week have been known for, so far.
  dayKnown = 183,
  weekKnown = 184,
  // Steps of the day that come early or late (day-edges.ts).
  edgeDays = 185,
  edgeDay = 186,
  edgeHigh = 187,
  edgeLow = 188,
  edgeDueHigh = 189,
  edgeDueLow = 190,
  /** Rows of the job that is running, of its longest run of late, and how many runs are known. */
  edgeRun = 191,
  edgeLongest = 192,
  edgeRuns = 193,
  /** 1 while the record waits to be taught by the points that are stored (DetectionShard.takeHistory). */
  awaitsHistory = 194,
  /** Slot of the last reading in which the counter had restarted, after an hour without. */
  counterReset = 195,
  /** Days from one anomaly to the next when the open one began (severity.ts). */
  daysApart = 196,
  /** Rows for which what was expected before them stays held (judge.ts). */
  heldRows = 197,
  /** What was due when the open anomaly began, if that is what it is about. */
  dueValue = 198,
  // The period of the day's profile (season.ts) and the search for another one (season-search.ts).
  /** PERIOD_OF_DAY, PERIOD_GIVEN or PERIOD_FOUND, and where periods are counted from. */
  periodSource = 199,
  periodStart = 200,
  /** Seconds of a cell of the ring, first cell known, cell that is being filled with its sum and count, cell of the last search. */
  searchCell = 201,
  searchFrom = 202,
  searchVisit = 203,
  searchSum = 204,
  searchCount = 205,
  searchedAt = 206,
  /** The period that searches have seen, seconds, and on how many in a row; or, of the one in use, have not. */
  searchPeriod = 207,
  searchSeen = 208,
  searchMissed = 209,
  // How far chance goes beyond a level that evidence comes over about twice a day (asked-budget.ts).
  chanceLevel = 210,
  chanceEpisodes = 211,
  chanceLogs = 212,
  chanceSeconds = 213,
  chanceAt = 214,
  chanceRow = 215,
  chancePeak = 216,
  chanceFrom = 217,
  /** How far the range follows the unrest of the last rows, 0..1 (expected-range.ts). */
  unrest = 218,
  /** Where what lasts has drawn the range since the open anomaly began (judge.ts). */
  heldMean = 219,
  /** The last visit of a bucket of the day before a step (day-edges.ts). */
  edgeAhead = 220,
  // Middle and width of a step of what is packed (packed-row.ts): day, its last visits, week, its last visits, search.
  dayScale = 221,
  dayLastScale = 223,
  weekScale = 225,
  weekLastScale = 227,
  searchScale = 229,
  /** How far the last anomaly has ended from where it began, and when (way-back.ts). */
  stepLeft = 231,
  stepLeftAt = 232,
  /** How far from the middle a job of the day takes the series (day-edges.ts). */
  edgeTop = 233,
  /** Number of scalars. */
  scalars = 234,
}

/** Values of `F.periodSource`: the day, until another period is found; known beforehand; found. */
export const PERIOD_OF_DAY = 0;
export const PERIOD_GIVEN = 1;
export const PERIOD_FOUND = 2;

/** Values of `F.offTime`: something came at another time than on other days; something was due and did not come. */
export const AT_OTHER_TIME = 1;
export const NOT_THERE_WHEN_DUE = 2;

export const FORECAST_ERRORS_AT = F.forecastErrors;
export const PEAK_PARTS_AT = F.scalars;
export const SLOTS_AT = PEAK_PARTS_AT + PARTS;
export const POINTS_AT = SLOTS_AT + SLOT_RING * SLOT_WIDTH;
export const INTERVALS_AT = POINTS_AT + POINT_RING * 2;
export const DOUBLES = INTERVALS_AT + INTERVAL_RING;

/** Places among the 4-byte cells. */
export const SPREAD_AT = 0;
export const LEVEL_ROWS_AT = SPREAD_AT + SPREAD_BUCKETS;
export const RESIDUAL_ROWS_AT = LEVEL_ROWS_AT + LEVEL_ROWS;
export const RESTLESS_ROWS_AT = RESIDUAL_ROWS_AT + RESIDUAL_ROWS;
export const BITMAPS_AT = RESTLESS_ROWS_AT + RESTLESS_ROWS;
export const LAST_SIZES_AT = BITMAPS_AT + VIEWS * 2 * BITMAP_WORDS;
export const LAST_SHIFTS_AT = LAST_SIZES_AT + LAST_SIZES;
export const HOUR_ERRORS_AT = LAST_SHIFTS_AT + LAST_SHIFTS;
export const VIEWS_AT = HOUR_ERRORS_AT + HOURS_OF_DAY;
export const STREAMS_AT = VIEWS_AT + VIEWS * VIEW_WIDTH;
const CELLS_OF_FOUR = STREAMS_AT + STREAMS * STREAM_WIDTH;

/** Two 2-byte cells per side of a histogram: the bin in which its tail begins, and the counts beyond that bin. */
export const EDGES_AT = CELLS_OF_FOUR * 2;
/** Place of the histograms among the bytes; both are counted from where the 4-byte cells begin. */
export const TAILS_AT = (EDGES_AT + STREAMS * 2 * 2) * 2;

/** Bytes that every point asks for. The others stay where a record rests (record-pages.ts); a multiple of 8. */
export const HOT_BYTES = Math.ceil((DOUBLES * 8 + TAILS_AT + STREAMS * 2 * TAIL_BINS) / 8) * 8;

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
