import { restartRange } from './expected-range.js';
import {
  DOUBLES,
  F,
  PERIOD_GIVEN,
  PERIOD_OF_DAY,
  POINT_RING,
  POINTS_AT,
  RECORD_BYTES,
  SLOT_RING,
  SLOT_WIDTH,
  SLOTS_AT,
  SPREAD_AT,
  SPREAD_BUCKETS,
} from './layout.js';
import { coldPart, copyRecord, type SeriesRecord, viewRecord } from './series-record.js';
import { forgetProfiles } from './season.js';

const DAY_SECONDS = 86_400;

/** The state of a series that has no point yet. `periodSeconds`: a season known beforehand, 0 for none; undefined: to be found. */
export function resetRecord(record: SeriesRecord, periodSeconds?: number): void {
  const { f, p } = record;
  f.fill(0);
  p.fill(0);
  coldPart(record).fill(0);
  for (const field of [
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
    F.weekVisit,
    F.profileMedian,
    F.recurrencePart,
    F.driftHour,
    F.edgeHigh,
    F.edgeAhead,
    F.counterReset,
    F.searchVisit,
  ])
    f[field] = NaN;
  f[F.quantum] = Infinity;
  f[F.period] = f[F.shortestPeriod] = periodSeconds ?? DAY_SECONDS;
  f[F.periodSource] = periodSeconds === undefined ? PERIOD_OF_DAY : PERIOD_GIVEN;
  f[F.roughness] = 1;
  f[F.nearRow] = f[F.loudRow] = f[F.alarmRow] = -1e9;
  restartRange(f);
  for (let i = 0; i < SLOT_RING; i++) f[SLOTS_AT + i * SLOT_WIDTH] = NaN;
  for (let i = 0; i < POINT_RING; i++) f[POINTS_AT + i * 2] = NaN;
  p.fill(NaN, SPREAD_AT, SPREAD_AT + SPREAD_BUCKETS);
  forgetProfiles(record);
}

/** What belongs to points and slots, not to the detector. */
const KEPT_SCALARS = F.counterValue + 1;
const keptScalars = new Float64Array(KEPT_SCALARS);
const keptSigns = new Float64Array(F.counterResets + 1 - F.counterRows);
const keptRings = new Float64Array(DOUBLES - SLOTS_AT);

/** The period that the series was given by hand; undefined where it is to be found. */
export function givenPeriod(f: Float64Array): number | undefined {
  return f[F.periodSource] === PERIOD_GIVEN ? f[F.period] : undefined;
}

/** Forgets what the detector has learnt; points, slots, the last counter reading and the signs of a counter stay. */
export function restartAnalysis(record: SeriesRecord, periodSeconds = givenPeriod(record.f)): void {
  const { f } = record;
  keptScalars.set(f.subarray(0, KEPT_SCALARS));
  keptSigns.set(f.subarray(F.counterRows, F.counterResets + 1));
  keptRings.set(f.subarray(SLOTS_AT));
  resetRecord(record, periodSeconds);
  f.set(keptScalars);
  f.set(keptSigns, F.counterRows);
  f.set(keptRings, SLOTS_AT);
}

/**
 * Takes over what the detector has learnt in another record from earlier points; points, slots, the last counter reading and
 * the signs of a counter stay, and so does an open anomaly, which others have been told of.
 */
export function adoptAnalysis(record: SeriesRecord, learnt: SeriesRecord): void {
  const { f } = record;
  keptScalars.set(f.subarray(0, KEPT_SCALARS));
  keptSigns.set(f.subarray(F.counterRows, F.counterResets + 1));
  keptRings.set(f.subarray(SLOTS_AT));
  const told = f.slice(F.open, F.emittedSeverity + 1);
  const held = f.slice(F.heldBeside, F.heldDayLevel + 1);
  const [apart, due, mean] = [f[F.daysApart]!, f[F.dueValue]!, f[F.heldMean]!];
  copyRecord(record, learnt);
  f.set(keptScalars);
  f.set(keptSigns, F.counterRows);
  f.set(keptRings, SLOTS_AT);
  if (told[0] === 0) {
    f[F.open] = 0;
    return;
  }
  f.set(told, F.open);
  f.set(held, F.heldBeside);
  f[F.daysApart] = apart;
  f[F.dueValue] = due;
  f[F.heldMean] = mean;
}

/**
 * Forgets what the detector has learnt, because the values mean something else from here on. What is left does not depend
 * on what they meant before.
 */
export function restartAsOtherType(record: SeriesRecord): void {
  restartAnalysis(record);
  const { f } = record;
  f[F.counterSlot] = f[F.counterValue] = NaN;
  f.fill(0, F.counterRows, F.counterResets + 1);
}

/** Forgets what the detector has learnt, because it is to look for another season. Undefined: for those that it finds. */
export function restartInOtherPeriod(record: SeriesRecord, periodSeconds?: number): void {
  record.f[F.periodSource] = PERIOD_OF_DAY;
  restartAnalysis(record, periodSeconds);
}

/** A record of its own, outside any page, on `buffer` when one is given. */
export function createRecord(periodSeconds?: number, buffer = new ArrayBuffer(RECORD_BYTES)): SeriesRecord {
  const record = viewRecord(buffer, 0);
  resetRecord(record, periodSeconds);
  return record;
}
