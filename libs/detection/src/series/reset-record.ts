import { restartRange } from './expectation/expected-range.js';
import * as layout from './record/layout.js';
import { B, F, P, PERIOD_GIVEN, PERIOD_OF_DAY, RECORD_BYTES, W } from './record/layout.js';
import { coldPart, copyRecord, type SeriesRecord, viewRecord } from './record/series-record.js';
import { forgetProfiles } from './season/season.js';

const {
  DOUBLES,
  LAST_SIZES_AT,
  POINT_RING,
  POINTS_AT,
  SIZE_CELLS_AT,
  SLOT_COUNTS_AT,
  SLOT_LASTS_AT,
  SLOT_NUMBERS_AT,
  SLOTS_AT,
  WORDS,
} = layout;

const DAY_SECONDS = 86_400;

const UNKNOWN_DOUBLES = [
  F.newestPoint,
  F.newestSlot,
  F.analysedSlot,
  F.firstTimestamp,
  F.lastRaw,
  F.resolution,
  F.counterSlot,
  F.counterValue,
  F.firstAnalysed,
  F.lastAnalysed,
  F.dayVisit,
  F.edgeAhead,
  F.counterReset,
];
const UNKNOWN_FLOATS = [P.weekVisit, P.driftHour, P.edgeHigh, P.searchVisit];

/**
 * Resets the record to that of a series without points. `periodSeconds`: a configured season, 0 for none; undefined: to
 * be found.
 */
export function resetRecord(record: SeriesRecord, periodSeconds?: number): void {
  const { f, w, p, h, b } = record;
  f.fill(0);
  w.fill(0);
  p.fill(0);
  h.fill(0);
  b.fill(0);
  coldPart(record).fill(0);
  for (const field of UNKNOWN_DOUBLES) f[field] = NaN;
  for (const field of UNKNOWN_FLOATS) p[field] = NaN;
  b[B.recurrencePart] = -1;
  p[P.quantum] = Infinity;
  f[F.period] = p[P.shortestPeriod] = periodSeconds ?? DAY_SECONDS;
  b[B.periodSource] = periodSeconds === undefined ? PERIOD_OF_DAY : PERIOD_GIVEN;
  p[P.roughness] = 1;
  w[W.tailRow] = w[W.loudRow] = w[W.alarmRow] = -1e9;
  restartRange(record);
  f.fill(NaN, POINTS_AT, POINTS_AT + POINT_RING);
  forgetProfiles(record);
}

/**
 * State that belongs to points and slots, not to the detector: parts of each array, as first place and place after the
 * last.
 */
const KEPT = {
  f: [[0, F.counterValue + 1] as const, [SLOTS_AT, DOUBLES] as const],
  w: [[SLOT_NUMBERS_AT, WORDS] as const],
  p: [[P.counterRows, P.counterResets + 1] as const, [SLOT_COUNTS_AT, LAST_SIZES_AT] as const],
  h: [[SLOT_LASTS_AT, SIZE_CELLS_AT] as const],
  b: [[0, B.ended + 1] as const, [B.onlyHistory, B.onlyHistory + 1] as const],
};
/** Of the open anomaly. */
const REPORTED = {
  f: [
    [F.start, F.rangeBeforeMax + 1] as const,
    [F.heldLevel, F.heldMiddle + 1] as const,
    [F.missedValue, F.missedValue + 1] as const,
    [F.heldMean, F.heldMean + 1] as const,
  ],
  w: [],
  h: [],
  p: [
    [P.normalRun, P.emittedScore + 1] as const,
    [P.heldLimit, P.heldDayLevel + 1] as const,
    [P.daysApart, P.daysApart + 1] as const,
    [P.peakMean, P.heldDrift + 1] as const,
  ],
  b: [
    [B.open, B.frozen + 1] as const,
    [B.heldBeside, B.heldLasting + 1] as const,
    [B.emittedSeverity, B.emittedSeverity + 1] as const,
    [B.heldWitness, B.heldWitness + 1] as const,
  ],
};

/** The configured period; undefined if it is to be found. */
export function givenPeriod({ f, b }: SeriesRecord): number | undefined {
  return b[B.periodSource] === PERIOD_GIVEN ? f[F.period] : undefined;
}

const before = viewRecord(new ArrayBuffer(RECORD_BYTES), 0);

/** Copies some parts of another record. */
function takeParts(to: SeriesRecord, from: SeriesRecord, parts: typeof KEPT | typeof REPORTED): void {
  for (const [first, end] of parts.f) to.f.set(from.f.subarray(first, end), first);
  for (const [first, end] of parts.w) to.w.set(from.w.subarray(first, end), first);
  for (const [first, end] of parts.p) to.p.set(from.p.subarray(first, end), first);
  for (const [first, end] of parts.h) to.h.set(from.h.subarray(first, end), first);
  for (const [first, end] of parts.b) to.b.set(from.b.subarray(first, end), first);
}

/** Resets the learnt state of the detector; points, slots, the last counter reading and the signs of a counter stay. */
export function restartAnalysis(record: SeriesRecord, periodSeconds = givenPeriod(record)): void {
  copyRecord(before, record);
  resetRecord(record, periodSeconds);
  takeParts(record, before, KEPT);
}

/**
 * Copies the learnt state of the detector from another record, which was built from earlier points. Points, slots, the
 * last counter reading and the signs of a counter stay, and so does an open anomaly, which was reported.
 */
export function adoptAnalysis(record: SeriesRecord, learnt: SeriesRecord): void {
  copyRecord(before, record);
  copyRecord(record, learnt);
  takeParts(record, before, KEPT);
  if (before.b[B.open] === 0) record.b[B.open] = 0;
  else takeParts(record, before, REPORTED);
}

/**
 * Resets the learnt state of the detector, because the values have a different meaning from here on. The remaining
 * state does not depend on the former meaning.
 */
export function restartAsOtherType(record: SeriesRecord): void {
  restartAnalysis(record);
  const { f, p } = record;
  f[F.counterSlot] = f[F.counterValue] = NaN;
  p.fill(0, P.counterRows, P.counterResets + 1);
}

/** Resets the learnt state of the detector for another season. Undefined: seasons are found in the data. */
export function restartInOtherPeriod(record: SeriesRecord, periodSeconds?: number): void {
  record.b[B.periodSource] = PERIOD_OF_DAY;
  restartAnalysis(record, periodSeconds);
}

/** A separate record, outside any page, on `buffer` if one is given. */
export function createRecord(periodSeconds?: number, buffer = new ArrayBuffer(RECORD_BYTES)): SeriesRecord {
  const record = viewRecord(buffer, 0);
  resetRecord(record, periodSeconds);
  return record;
}
