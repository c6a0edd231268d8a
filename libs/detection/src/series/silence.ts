import { type AnomalyEvent } from '../types.js';
import { closeAnomaly, OPEN_NONE, OPEN_SILENCE, OPEN_VALUES } from './anomaly/anomaly-state.js';
import { explainRarity, explainSilence } from './anomaly/explanation.js';
import { type Gates, isUnreported, reportedEvent } from './anomaly/gates.js';
import { kindCode } from './anomaly/kind.js';
import { B, F, P } from './record/layout.js';
import { WARM_UP_POINTS } from './series-detector.js';
import { daysApart, rarityOf, severityOf } from './anomaly/severity.js';
import { type SeriesRecord } from './record/series-record.js';

/**
 * Missing data: a series with a steady pace that has been silent for more than 15 minutes and 5 intervals. The anomaly
 * begins with the first missing slot, has no value, and ends when data returns, or after a day. Silence is judged from
 * the first live point on: where history ends, or has a gap, nothing is missing.
 */

const MIN_SILENCE_SECONDS = 900;
const MIN_SILENT_INTERVALS = 5;
const DATA_ENDED_SECONDS = 86_400;
const SEVERITY_STEP = 5;

/** True if a series is silent for longer than chance: seconds since its last point, and its usual interval. */
export function isLongSilent(silentSeconds: number, usualSeconds: number): boolean {
  return silentSeconds > Math.max(MIN_SILENCE_SECONDS, MIN_SILENT_INTERVALS * usualSeconds);
}

/** Judges silence up to `now`: opens, updates or closes an anomaly. `slotSeconds` 0: rows are slots. */
export function watchSilence(
  record: SeriesRecord,
  now: number,
  slotSeconds: number,
  seriesId: number,
  backfill: boolean,
): AnomalyEvent | null {
  const { f, p, b } = record;
  if (b[B.ended] === 1) return null;
  const silent = now - f[F.newestPoint]!;
  const usual = f[F.resolution]!;
  if (!isLongSilent(silent, usual)) return null;
  if (silent >= DATA_ENDED_SECONDS && b[B.open] === OPEN_VALUES) {
    return closeAnomaly(record, seriesId, 'data_ended');
  }
  if (b[B.open] === OPEN_SILENCE) {
    if (silent >= DATA_ENDED_SECONDS) return endSilence(record, now, slotSeconds, seriesId, 'data_ended');
    const event = silenceEvent('updated', record, now, seriesId);
    if (event.severity - b[B.emittedSeverity]! < SEVERITY_STEP) return null;
    b[B.emittedSeverity] = event.severity;
    return event;
  }
  if (b[B.onlyHistory] === 1) return null;
  if (b[B.open] !== OPEN_NONE || b[B.regular] !== 1 || f[F.count]! < WARM_UP_POINTS) return null;
  const start = floorTo(f[F.newestPoint]! + usual, slotSeconds);
  if (f[F.start] === start && b[B.kind] === kindCode('missing_data')) return null;
  b[B.open] = OPEN_SILENCE;
  b[B.kind] = kindCode('missing_data');
  f[F.start] = start;
  p[P.daysApart] = daysApart(record, start);
  b[B.backfill] = backfill ? 1 : 0;
  const event = silenceEvent('opened', record, now, seriesId);
  b[B.emittedSeverity] = event.severity;
  return event;
}

/** Data has returned at `timestamp`: evaluates the gap before it, with or without ticks in between. */
export function crossGap(
  record: SeriesRecord,
  gates: Gates,
  timestamp: number,
  slotSeconds: number,
  seriesId: number,
  backfill: boolean,
  events: (event: AnomalyEvent) => void,
): void {
  const { f, b } = record;
  if (b[B.open] !== OPEN_SILENCE) {
    const wasUnreported = isUnreported(record);
    const event = reportedEvent(
      record,
      watchSilence(record, timestamp, slotSeconds, seriesId, backfill),
      gates,
      timestamp,
      wasUnreported,
    );
    if (event !== null) events(event);
  }
  b[B.ended] = 0;
  if (b[B.open] !== OPEN_SILENCE) return;
  const reason = timestamp - f[F.newestPoint]! >= DATA_ENDED_SECONDS ? 'data_ended' : 'recovered';
  const wasUnreported = isUnreported(record);
  const event = reportedEvent(
    record,
    endSilence(record, timestamp, slotSeconds, seriesId, reason),
    gates,
    timestamp,
    wasUnreported,
  );
  if (event !== null) events(event);
}

/**
 * The sender has ended the series at `timestamp`: its silence is not judged from here on, and an open anomaly closes. A
 * message that is older than the newest point has no effect.
 */
export function endSeries(
  record: SeriesRecord,
  timestamp: number,
  slotSeconds: number,
  seriesId: number,
): AnomalyEvent | null {
  const { f, b } = record;
  if (b[B.ended] === 1 || !(timestamp >= f[F.newestPoint]!)) return null;
  b[B.ended] = 1;
  if (b[B.open] === OPEN_VALUES) return closeAnomaly(record, seriesId, 'data_ended');
  return b[B.open] === OPEN_SILENCE ? endSilence(record, timestamp, slotSeconds, seriesId, 'data_ended') : null;
}

/** Closes the open anomaly of any kind, because later values cannot be compared with earlier ones. */
export function closeWhatIsOpen(record: SeriesRecord, slotSeconds: number, seriesId: number): AnomalyEvent | null {
  const { f, b } = record;
  if (b[B.open] === OPEN_VALUES) return closeAnomaly(record, seriesId, 'data_ended');
  return b[B.open] === OPEN_SILENCE ? endSilence(record, f[F.newestPoint]!, slotSeconds, seriesId, 'data_ended') : null;
}

function endSilence(
  record: SeriesRecord,
  now: number,
  slotSeconds: number,
  seriesId: number,
  closeReason: 'recovered' | 'data_ended',
): AnomalyEvent {
  const { f, b } = record;
  const end = Math.min(now, f[F.newestPoint]! + DATA_ENDED_SECONDS);
  const event = silenceEvent('closed', record, end, seriesId);
  b[B.open] = OPEN_NONE;
  return {
    ...event,
    endTimestamp: Math.max(f[F.start]!, floorTo(end - f[F.resolution]!, slotSeconds)),
    outUntilTimestamp: Math.max(f[F.start]!, end),
    closeReason,
  };
}

function silenceEvent(type: AnomalyEvent['type'], record: SeriesRecord, now: number, seriesId: number): AnomalyEvent {
  const { f, p, b } = record;
  const usual = f[F.resolution]!;
  const silent = Math.max(0, now - f[F.newestPoint]!);
  const times = silent / Math.max(MIN_SILENCE_SECONDS, MIN_SILENT_INTERVALS * usual);
  const score = 1 - 0.5 * Math.exp(-Math.max(0, times - 0.5));
  const rarity = rarityOf(record);
  const reason = explainSilence(f[F.start]!, silent, usual, score);
  return {
    type,
    seriesId,
    startTimestamp: f[F.start]!,
    endTimestamp: null,
    outUntilTimestamp: null,
    peakTimestamp: f[F.start]!,
    backfill: b[B.backfill] === 1,
    value: null,
    peakValue: null,
    expected: null,
    lower: null,
    upper: null,
    score,
    severity: severityOf(score, times, silent, p[P.daysApart]!, rarity?.days),
    rarityDays: rarity?.days ?? null,
    kind: 'missing_data',
    explanation: [reason, ...explainRarity(rarity, reason)],
    closeReason: null,
  };
}

function floorTo(timestamp: number, slotSeconds: number): number {
  return slotSeconds > 0 ? Math.floor(timestamp / slotSeconds) * slotSeconds : timestamp;
}
