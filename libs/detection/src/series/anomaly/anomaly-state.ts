import { type CloseReason } from '#libs/contracts';
import { type AnomalyEvent } from '../../types.js';
import { UNLIKE_SEASON } from '../judgement/evidence.js';
import { explain } from './explanation.js';
import { noteReported } from '../season/day-edges.js';
import { type ExpectedRange } from '../expectation/expected-range.js';
import { classify, isLevelShift, isOffTime, kindCode, kindOf, PEAK_OUTSIDE } from './kind.js';
import { type Judge } from '../judgement/judge.js';
import { B, F, DID_NOT_COME, P } from '../record/layout.js';
import { type Measurement } from '../expectation/measurement.js';
import { type SeasonalPoint } from '../season/season.js';
import { type SeriesRecord } from '../record/series-record.js';
import { daysApart, rarityOf, severityOf } from './severity.js';
import { driftsSteadily } from '../judgement/steady-drift.js';

const { abs, max, min } = Math;

/**
 * The life cycle of an anomaly of values. It opens when the evidence of a slot reaches its bar (judge.ts). It lasts
 * while slots differ from the expectation at its start, or while its evidence continues (a creep, rough, frozen). It
 * closes after five normal slots in a row (`recovered`), or when its behaviour has lasted a day (`adapted`: it becomes
 * the new normal).
 */

const NORMAL_SLOTS = 5;
/** The same for series whose slots take half an hour or more. */
const SLOW_SECONDS = 1800;
const NORMAL_SLOW_SLOTS = 2;
const ADAPT_SECONDS = 86_400;
/**
 * The same for a shift of the level that is as steady as the level before: its spread is at most this many usual
 * spreads.
 */
const ADAPT_SHIFT_SECONDS = 43_200;
const STEADY_SPREADS = 2;
/** Minimum number of slots in a day before a new level is accepted: for series of a few points a day. */
const ADAPT_SLOTS = 12;
/**
 * Mean of the last deviations, in usual deviations, from which a slot still belongs to an anomaly, and the minimum
 * rarity of that mean.
 */
const STILL_AWAY = 2;
const STILL_UNUSUAL = 4;
/** Roughness, in usual distances, from which a change of the spread continues. */
const STILL_ROUGH = 3;
/**
 * Change of a row, in usual changes, below which the row is calm: a series that is back on its flat line is not
 * restless.
 */
const STILL_CHANGES = 0.5;
/**
 * Of two peaks that are equally far outside, the more unusual one counts; an unusual value inside never counts like one
 * outside.
 */
const TIE_BREAK = 1e-6;
const LARGEST_SHARE = 0.999_999;
/** Minimum changes of score and severity for an `updated` event. */
const SCORE_STEP = 0.05;
const SEVERITY_STEP = 5;

/** Assumed interval of rows whose pace is not known yet, seconds. */
export const UNKNOWN_PACE_SECONDS = 60;

const VARIANCE_CHANGE = kindCode('variance_change');

export const OPEN_NONE = 0;
export const OPEN_VALUES = 1;
export const OPEN_SILENCE = 2;

/**
 * Opens an anomaly at this slot. `missed`: distance from an expected value that is missing, or 0; `seriesId` and
 * `backfill` only label the event.
 */
export function openAnomaly(
  record: SeriesRecord,
  at: SeasonalPoint,
  measured: Measurement,
  judge: Judge,
  range: ExpectedRange,
  timestamp: number,
  score: number,
  missed: number,
  seriesId: number,
  backfill: boolean,
): AnomalyEvent {
  const { f, p, b } = record;
  const origin = f[F.origin]!;
  b[B.open] = OPEN_VALUES;
  f[F.start] = timestamp;
  p[P.daysApart] = daysApart(record, timestamp);
  f[F.firstValue] = measured.value + origin;
  f[F.expected] = range.expected + origin;
  f[F.lower] = range.drawnLower + origin;
  f[F.upper] = range.drawnUpper + origin;
  b[B.backfill] = backfill ? 1 : 0;
  b[B.kind] = -1;
  b[B.frozen] = 0;
  f[F.score] = 0;
  p[P.normalRun] = p[P.anomalousSlots] = p[P.upSlots] = p[P.downSlots] = 0;
  p[P.peakWidths] = 0;
  f[F.peakHeight] = -1;
  p[P.frozenMemory] = measured.forecast - at.expected;
  f[F.openLevel] = measured.value;
  p[P.openShift] = measured.deviation;
  p[P.openSpread] = p[P.spread]!;
  p[P.openChangeSpread] = p[P.changeSpread]!;
  p[P.openRun] = 0;
  p[P.openJump] = abs(measured.zEvenChange);
  f[F.rangeBeforeMin] = judge.lowestBefore;
  f[F.rangeBeforeMax] = judge.highestBefore;
  b[B.offTime] = missed !== 0 ? DID_NOT_COME : isOffTime(record, at, measured);
  f[F.missedValue] = b[B.offTime] === DID_NOT_COME ? origin + (missed !== 0 ? measured.value - missed : at.daily) : 0;
  if (b[B.offTime] !== 0) noteReported(record);
  noteAnomalousSlot(record, measured, judge, range, timestamp, score);
  return remember(record, valueEvent('opened', record, seriesId));
}

/** Continues an open anomaly with this slot; returns the resulting event, if any. */
export function continueAnomaly(
  record: SeriesRecord,
  measured: Measurement,
  judge: Judge,
  range: ExpectedRange,
  timestamp: number,
  score: number,
  resolution: number,
  seriesId: number,
): AnomalyEvent | null {
  const { f, p, b } = record;
  p[P.frozenMemory] = p[P.frozenMemory]! * 0.98;
  const kindBefore = b[B.kind]!;
  const normalBefore = p[P.normalRun]!;
  if (judge.isStillAnomalous || isStillAnomalous(record, measured)) {
    p[P.normalRun] = 0;
    noteAnomalousSlot(record, measured, judge, range, timestamp, score);
  } else {
    p[P.normalRun] = p[P.normalRun]! + 1;
    if (p[P.normalRun] >= (resolution >= SLOW_SECONDS ? NORMAL_SLOW_SLOTS : NORMAL_SLOTS))
      return closeAnomaly(record, seriesId, 'recovered');
  }
  const isTurn = (p[P.normalRun] === 0) !== (normalBefore === 0);
  const age = timestamp - f[F.start]!;
  // Not with a row that is back to normal: the behaviour before the anomaly would become the new normal.
  const isThere = p[P.normalRun] === 0;
  if (
    isThere &&
    age >= (isSteadyShift(record) ? ADAPT_SHIFT_SECONDS : ADAPT_SECONDS) &&
    age >= ADAPT_SLOTS * resolution
  ) {
    return closeAnomaly(record, seriesId, 'adapted');
  }
  const severity = currentSeverity(record);
  const hasChanged =
    isTurn ||
    b[B.kind] !== kindBefore ||
    f[F.score]! - p[P.emittedScore]! >= SCORE_STEP ||
    abs(severity - b[B.emittedSeverity]!) >= SEVERITY_STEP;
  return hasChanged ? remember(record, valueEvent('updated', record, seriesId)) : null;
}

/** Ends the open anomaly of values. */
export function closeAnomaly(record: SeriesRecord, seriesId: number, reason: CloseReason): AnomalyEvent {
  const { f, b } = record;
  b[B.open] = OPEN_NONE;
  return {
    ...valueEvent('closed', record, seriesId),
    endTimestamp: f[F.lastAnomalous]!,
    outUntilTimestamp: endOfLastAnomalous(record),
    closeReason: reason,
  };
}

/** End of the last anomalous row of the open anomaly of values, Unix seconds. */
export function endOfLastAnomalous({ f }: SeriesRecord): number {
  return f[F.lastAnomalous]! + (f[F.resolution]! > 0 ? f[F.resolution]! : UNKNOWN_PACE_SECONDS);
}

/** True if the level has shifted and is steady, and the last values have shifted with it. */
function isSteadyShift(record: SeriesRecord): boolean {
  const { p, b } = record;
  return isLevelShift(b[B.kind]!) && p[P.openSpread]! <= STEADY_SPREADS * p[P.spread]! && !driftsSteadily(p);
}

/** True if the last slots are on one side of the expectation, further and longer than is usual for the series. */
function isStillDeviating({ sustained, zSustained }: Measurement): boolean {
  return abs(sustained) > STILL_AWAY && abs(zSustained) > STILL_UNUSUAL;
}

/** True while a slot still shows the behaviour of the open anomaly, although no single value is far outside. */
function isStillAnomalous({ b }: SeriesRecord, measured: Measurement): boolean {
  if (measured.hasLeftRange || (b[B.heldLasting] === 1 && isStillDeviating(measured))) return true;
  const isRough = measured.zRoughness > STILL_ROUGH && abs(measured.zChange) > STILL_CHANGES;
  return b[B.kind] === VARIANCE_CHANGE && isRough;
}

function noteAnomalousSlot(
  record: SeriesRecord,
  measured: Measurement,
  judge: Judge,
  range: ExpectedRange,
  timestamp: number,
  score: number,
): void {
  const { f, p, b } = record;
  f[F.lastAnomalous] = timestamp;
  if (measured.frozen > 0) b[B.frozen] = 1;
  p[P.anomalousSlots] = p[P.anomalousSlots]! + 1;
  if (measured.zDeviation > 1) p[P.upSlots] = p[P.upSlots]! + 1;
  if (measured.zDeviation < -1) p[P.downSlots] = p[P.downSlots]! + 1;
  f[F.score] = max(f[F.score]!, score);
  const widths = max(widthsOutside(measured.value, range), widthsMissed(judge));
  p[P.peakWidths] = max(p[P.peakWidths]!, widths);
  // A slot outside the range is further out than any slot inside. Inside (a slow move, a frozen value), the distance
  // from the usual value decides.
  const unusual = abs(measured.zDeviation) / (1 + abs(measured.zDeviation));
  const height = widths > 0 ? PEAK_OUTSIDE + widths + TIE_BREAK * unusual : PEAK_OUTSIDE * min(unusual, LARGEST_SHARE);
  if (height > f[F.peakHeight]!) {
    f[F.peakHeight] = height;
    f[F.peakAt] = timestamp;
    f[F.peakValue] = measured.value + f[F.origin]!;
    const side = range.sideOf(measured.value);
    // Season evidence over half an hour is not a jump of a row.
    const isJump = judge.which !== UNLIKE_SEASON && abs(measured.zChange) > abs(measured.zDeviation);
    // One of the two is the distance from the middle of the range, so that a value above the range is not reported as
    // too low.
    const sudden = (isJump ? measured.change : measured.deviation) * side < 0 ? !isJump : isJump;
    f[F.peakDeviation] = sudden ? measured.change : measured.deviation;
    p[P.peakSpread] = sudden ? measured.changeSpread : measured.spread;
    b[B.peakWhich] = judge.which;
    b[B.peakIsSudden] = sudden ? 1 : 0;
    p[P.peakRoughness] = measured.zRoughness;
    p[P.peakMean] = judge.sizes.witness.distance;
  }
  b[B.kind] = kindCode(classify(record, measured));
}

/** Distance beyond the range in half widths of the range; 0 inside. */
function widthsOutside(value: number, range: ExpectedRange): number {
  const half = (range.upper - range.lower) / 2;
  const distance = max(value - range.upper, range.lower - value, 0);
  if (distance === 0) return 0;
  return half > 0 ? min(distance / half, 1e6) : 1e6;
}

/**
 * The same for an expected value that is missing: both sides of a step are in the range, and the value is one of them.
 */
function widthsMissed({ forecasters, sizes }: Judge): number {
  return sizes.isMissed ? min(max(0, abs(forecasters.missed) / sizes.outer - 1), 1e6) : 0;
}

function currentSeverity(record: SeriesRecord): number {
  const { f, p } = record;
  const lasted = f[F.lastAnomalous]! - f[F.start]!;
  return severityOf(f[F.score]!, p[P.peakWidths]!, lasted, p[P.daysApart]!, rarityOf(record)?.days);
}

function remember({ p, b }: SeriesRecord, event: AnomalyEvent): AnomalyEvent {
  p[P.emittedScore] = event.score;
  b[B.emittedSeverity] = event.severity;
  return event;
}

function valueEvent(type: AnomalyEvent['type'], record: SeriesRecord, seriesId: number): AnomalyEvent {
  const { f, p, b } = record;
  return {
    type,
    seriesId,
    startTimestamp: f[F.start]!,
    endTimestamp: null,
    outUntilTimestamp: p[P.normalRun] === 0 ? null : endOfLastAnomalous(record),
    peakTimestamp: f[F.peakAt]!,
    backfill: b[B.backfill] === 1,
    value: f[F.firstValue]!,
    peakValue: f[F.peakValue]!,
    expected: finiteOrNull(f[F.expected]!),
    lower: finiteOrNull(f[F.lower]!),
    upper: finiteOrNull(f[F.upper]!),
    score: f[F.score]!,
    severity: currentSeverity(record),
    rarityDays: rarityOf(record)?.days ?? null,
    kind: kindOf(b[B.kind]!),
    explanation: explain(record),
    closeReason: null,
  };
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
