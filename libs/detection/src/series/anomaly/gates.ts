import { ANOMALY_KINDS, type AnomalyKind } from '#libs/contracts';
import { type AnomalyEvent, type SeriesTerms } from '../../types.js';
import { B, F, P } from '../record/layout.js';
import { type SeriesRecord } from '../record/series-record.js';

const { abs } = Math;

/**
 * Selects the anomalies that are reported to people. The detector judges and learns the same with and without gates. An
 * anomaly that does not pass them is open without an event. If it passes later, it is reported as opened from that slot
 * on; otherwise it is never reported.
 */
export interface Gates {
  /** 1: values that are too high only; -1: too low only; 0: both. */
  direction: -1 | 0 | 1;
  /** Bit i: ANOMALY_KINDS[i]. */
  kinds: number;
  leastSeconds: number;
  /** In the unit of the analysed value. */
  leastSize: number;
}

const ALL_KINDS = 2 ** ANOMALY_KINDS.length - 1;
const NO_GATES: Gates = { direction: 0, kinds: ALL_KINDS, leastSeconds: 0, leastSize: 0 };

/** Used as the last reported score if nothing was reported: every score differs enough from it. */
const UNREPORTED = -1000;
/** The same for the severity, which is stored in a byte: any severity differs enough from it. */
const UNREPORTED_SEVERITY = -100;

export function gatesOf({ direction, kinds, leastSeconds = 0, leastSize = 0 }: SeriesTerms): Gates {
  if (direction === undefined && kinds === undefined && leastSeconds === 0 && leastSize === 0) return NO_GATES;
  return {
    direction: direction === undefined ? 0 : direction === 'up' ? 1 : -1,
    kinds: kinds === undefined ? ALL_KINDS : kinds.reduce((bits, kind) => bits | (1 << ANOMALY_KINDS.indexOf(kind)), 0),
    leastSeconds,
    leastSize,
  };
}

/** True if the open anomaly has not been reported yet. Call it before the step that may cause an event. */
export function isUnreported({ p }: SeriesRecord): boolean {
  return p[P.emittedScore] === UNREPORTED;
}

/**
 * The reported form of an event of the open anomaly; null: none. An anomaly that was reported stays reported.
 * @param wasUnreported result of `isUnreported` before the event
 * @param now end of the time that it has lasted, Unix seconds: of its last anomalous row, or of the silence
 */
export function reportedEvent(
  record: SeriesRecord,
  event: AnomalyEvent | null,
  gates: Gates,
  now: number,
  wasUnreported: boolean,
): AnomalyEvent | null {
  const { p, b } = record;
  if (event === null || (gates === NO_GATES && !wasUnreported)) return event;
  if (event.type !== 'opened' && !wasUnreported) return event;
  const passes = event.type !== 'closed' && doesPass(record, event, gates, now);
  p[P.emittedScore] = passes ? event.score : event.type === 'closed' ? 0 : UNREPORTED;
  b[B.emittedSeverity] = passes ? event.severity : event.type === 'closed' ? 0 : UNREPORTED_SEVERITY;
  return passes ? { ...event, type: 'opened' } : null;
}

function doesPass({ f }: SeriesRecord, event: AnomalyEvent, gates: Gates, now: number): boolean {
  const { kind } = event;
  if (((gates.kinds >> ANOMALY_KINDS.indexOf(kind)) & 1) === 0) return false;
  if (now - event.startTimestamp < gates.leastSeconds) return false;
  // Silence has neither size nor direction.
  if (kind === 'missing_data') return true;
  const deviation = f[F.peakDeviation]!;
  return abs(deviation) >= gates.leastSize && sideOf(kind, deviation) * gates.direction >= 0;
}

/** By the peak; 0: kinds that are not a deviation, such as constant values. */
function sideOf(kind: AnomalyKind, deviation: number): number {
  if (kind === 'flatline' || kind === 'missing_data') return 0;
  return deviation >= 0 ? 1 : -1;
}
