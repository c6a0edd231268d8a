import { type CloseReason } from '#libs/contracts';
import { type AnomalyEvent } from '../types.js';
import { explain } from './explanation.js';
import { type ExpectedRange } from './expected-range.js';
import { classify, isOffTime, kindCode, kindOf } from './kind.js';
import { EVIDENCE, F, PEAK_EVIDENCE_AT } from './layout.js';
import { forgetWaiting } from './learning.js';
import { type Measurement } from './measurement.js';
import { type SeasonalPoint } from './season.js';
import { type SeriesRecord } from './series-record.js';
import { scoreOf, severityOf } from './severity.js';

const { abs, max, min } = Math;

/**
 * The life of an anomaly of values: it opens when a slot's evidence reaches the threshold, lasts while slots reach a
 * lower one, and closes after five normal slots in a row (`recovered`) or when what it shows has lasted a day
 * (`adapted`: it becomes the new normal).
 */

/** Evidence that opens an anomaly. See the false-alarm and detection tests of this lib for what it buys. */
export const OPEN_THRESHOLD = 5.5;
/** Share of it that keeps an anomaly open. */
const STAY_OPEN = 0.75;
const NORMAL_SLOTS = 5;
const ADAPT_SECONDS = 86_400;
/** Slots that a day must have at least before a new level is accepted: for series of a few points a day. */
const ADAPT_SLOTS = 12;
/** Each anomaly raises the bar for the next by this share; half of it is forgotten in the half-life. */
const FATIGUE = 0.2;
const FATIGUE_HALF_LIFE_SECONDS = 86_400;
/** Changes worth an `updated` event. */
const SCORE_STEP = 0.05;
const SEVERITY_STEP = 5;

export const OPEN_NONE = 0;
export const OPEN_VALUES = 1;
export const OPEN_SILENCE = 2;

/** Evidence needed now: lower while an anomaly is open, higher after recent anomalies. */
export function thresholdOf(f: Float64Array, timestamp: number): number {
  if (f[F.open] === OPEN_VALUES) return OPEN_THRESHOLD * STAY_OPEN;
  return OPEN_THRESHOLD * (1 + FATIGUE * fatigueAt(f, timestamp));
}

function fatigueAt(f: Float64Array, timestamp: number): number {
  if (f[F.fatigue] === 0) return 0;
  return f[F.fatigue]! * 0.5 ** (max(0, timestamp - f[F.fatigueAt]!) / FATIGUE_HALF_LIFE_SECONDS);
}

/** Opens an anomaly at this slot. `seriesId` and `backfill` only label the event. */
export function openAnomaly(
  record: SeriesRecord,
  at: SeasonalPoint,
  measured: Measurement,
  range: ExpectedRange,
  timestamp: number,
  score: number,
  seriesId: number,
  backfill: boolean,
): AnomalyEvent {
  const { f } = record;
  const origin = f[F.origin]!;
  f[F.fatigue] = fatigueAt(f, timestamp) + 1;
  f[F.fatigueAt] = timestamp;
  f[F.open] = OPEN_VALUES;
  f[F.start] = timestamp;
  f[F.firstValue] = measured.value + origin;
  f[F.expected] = range.expected + origin;
  f[F.lower] = range.lower + origin;
  f[F.upper] = range.upper + origin;
  f[F.backfill] = backfill ? 1 : 0;
  forgetWaiting(f);
  f[F.kind] = -1;
  f[F.score] = 0;
  f[F.normalRun] = f[F.anomalousSlots] = f[F.upSlots] = f[F.downSlots] = 0;
  f[F.peakWidths] = 0;
  f[F.peakHeight] = -1;
  f[F.frozenMemory] = measured.forecast - at.expected;
  f[F.openLevel] = measured.value;
  f[F.openShift] = measured.deviation;
  f[F.openSpread] = f[F.spread]!;
  f[F.openChangeSpread] = f[F.changeSpread]!;
  f[F.openRun] = 0;
  f[F.rangeBeforeMin] = f[F.seenMin]!;
  f[F.rangeBeforeMax] = f[F.seenMax]!;
  f[F.offTime] = isOffTime(record, at, measured, timestamp) ? 1 : 0;
  noteAnomalousSlot(record, measured, range, timestamp, score);
  return remember(f, valueEvent('opened', f, seriesId));
}

/** Continues an open anomaly with this slot; returns the event it causes, if any. */
export function continueAnomaly(
  record: SeriesRecord,
  measured: Measurement,
  range: ExpectedRange,
  timestamp: number,
  score: number,
  resolution: number,
  seriesId: number,
): AnomalyEvent | null {
  const { f } = record;
  f[F.frozenMemory] = f[F.frozenMemory]! * 0.98;
  const kindBefore = f[F.kind]!;
  if (score >= 0.5) {
    f[F.normalRun] = 0;
    noteAnomalousSlot(record, measured, range, timestamp, score);
  } else {
    f[F.normalRun] = f[F.normalRun]! + 1;
    if (f[F.normalRun] >= NORMAL_SLOTS) return closeAnomaly(f, seriesId, 'recovered');
  }
  const age = timestamp - f[F.start]!;
  if (age >= ADAPT_SECONDS && age >= ADAPT_SLOTS * resolution) {
    return closeAnomaly(f, seriesId, 'adapted');
  }
  const severity = currentSeverity(f);
  const isNews =
    f[F.kind] !== kindBefore ||
    f[F.score]! - f[F.emittedScore]! >= SCORE_STEP ||
    abs(severity - f[F.emittedSeverity]!) >= SEVERITY_STEP;
  return isNews ? remember(f, valueEvent('updated', f, seriesId)) : null;
}

/** Ends the open anomaly of values. */
export function closeAnomaly(f: Float64Array, seriesId: number, reason: CloseReason): AnomalyEvent {
  f[F.open] = OPEN_NONE;
  return { ...valueEvent('closed', f, seriesId), endTimestamp: f[F.lastAnomalous]!, closeReason: reason };
}

function noteAnomalousSlot(
  record: SeriesRecord,
  measured: Measurement,
  range: ExpectedRange,
  timestamp: number,
  score: number,
): void {
  const { f } = record;
  f[F.lastAnomalous] = timestamp;
  f[F.anomalousSlots] = f[F.anomalousSlots]! + 1;
  if (measured.zDeviation > 1) f[F.upSlots] = f[F.upSlots]! + 1;
  if (measured.zDeviation < -1) f[F.downSlots] = f[F.downSlots]! + 1;
  f[F.score] = max(f[F.score]!, score);
  const widths = widthsOutside(measured.value, range);
  f[F.peakWidths] = max(f[F.peakWidths]!, widths);
  // Inside the range (a slow move, a frozen value) the distance from the usual decides.
  const height = widths + abs(measured.zDeviation) / 10;
  if (height > f[F.peakHeight]!) {
    f[F.peakHeight] = height;
    f[F.peakAt] = timestamp;
    f[F.peakValue] = measured.value + f[F.origin]!;
    const sudden = abs(measured.zChange) > 0 && measured.evidence[0]! >= measured.evidence[1]!;
    f[F.peakDeviation] = sudden ? measured.change : measured.deviation;
    f[F.peakExpected] = f[F.peakValue] - f[F.peakDeviation];
    f[F.peakSpread] = sudden ? measured.changeSpread : measured.spread;
    for (let i = 0; i < EVIDENCE; i++) f[PEAK_EVIDENCE_AT + i] = measured.evidence[i]!;
  }
  f[F.kind] = kindCode(classify(record, measured));
}

/** Distance beyond the range in half widths of the range; 0 inside. */
function widthsOutside(value: number, range: ExpectedRange): number {
  const half = (range.upper - range.lower) / 2;
  const distance = max(value - range.upper, range.lower - value, 0);
  if (distance === 0) return 0;
  return half > 0 ? min(distance / half, 1e6) : 1e6;
}

function currentSeverity(f: Float64Array): number {
  return severityOf(f[F.score]!, f[F.peakWidths]!, f[F.lastAnomalous]! - f[F.start]!);
}

function remember(f: Float64Array, event: AnomalyEvent): AnomalyEvent {
  f[F.emittedScore] = event.score;
  f[F.emittedSeverity] = event.severity;
  return event;
}

function valueEvent(type: AnomalyEvent['type'], f: Float64Array, seriesId: number): AnomalyEvent {
  return {
    type,
    seriesId,
    startTimestamp: f[F.start]!,
    endTimestamp: null,
    peakTimestamp: f[F.peakAt]!,
    backfill: f[F.backfill] === 1,
    value: f[F.firstValue]!,
    peakValue: f[F.peakValue]!,
    expected: finiteOrNull(f[F.expected]!),
    lower: finiteOrNull(f[F.lower]!),
    upper: finiteOrNull(f[F.upper]!),
    score: f[F.score]!,
    severity: currentSeverity(f),
    kind: kindOf(f[F.kind]!),
    explanation: explain(f, OPEN_THRESHOLD),
    closeReason: null,
  };
}

/** Score of an anomaly from evidence, by the threshold in force. */
export function slotScore(f: Float64Array, evidence: number, timestamp: number): number {
  return scoreOf(evidence, thresholdOf(f, timestamp));
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
