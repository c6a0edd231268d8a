import { medianOf } from './baseline.js';
import { type DetectKind, type DetectRequest, MIN_POINTS, readDetectRequest } from './detect-request.js';
import { RefusedRequest, type DetectCode } from './detect-api.errors.js';
import { type Judged, judgeSlots, type Stretch } from './judge-slots.js';
import { type Slots, slotsOf } from './slots.js';

/** A request as it was received. */
export interface DetectWork {
  kind: DetectKind;
  bytes: Uint8Array;
}

/** `body` is JSON. */
export type DetectResult = { body: Uint8Array } | { refused: { code: DetectCode; message: string } };

/** Minimum number of steps after a change from which its level is computed. */
const MIN_AFTER = 10;
/** Recommended number of points of a window without a pattern. */
const SUGGESTED_POINTS = 101;
const SUGGESTED_PERIODS = 4;
/** Maximum number of runs of the detector for a request. */
const MAX_CHANGES = 10;

/** Processes a request; works in a worker thread and in the main thread. */
export function answerDetection({ kind, bytes }: DetectWork): DetectResult {
  try {
    return { body: new TextEncoder().encode(JSON.stringify(detect(kind, bytes))) };
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    return { refused: { code: error.code, message: error.message } };
  }
}

/** @throws RefusedRequest */
function detect(kind: DetectKind, bytes: Uint8Array): object {
  const request = readDetectRequest(kind, bytes);
  const slots = slotsOf(request.points, request);
  const count = slots.values.length;
  // Only the preceding points judge the last point.
  if (kind === 'change-point') return changePoints(slots, request);
  const judged = judgeSlots(slots, request, kind === 'last' ? count - 1 : count);
  const points = judgedPoints(judged, slots, request);
  return kind === 'entire' ? entireAnswer(judged, points) : lastAnswer(judged, points.at(-1)!);
}

interface JudgedPoint {
  expected: number;
  upper: number;
  lower: number;
  isAnomaly: boolean;
  isAbove: boolean;
  /** 0..1 */
  severity: number;
}

/** The verdict on each point of the request; of the anomalous points only the worst, up to the requested share. */
function judgedPoints(judged: Judged, { values, rows }: Slots, request: DetectRequest): JudgedPoint[] {
  const severities = new Float64Array(values.length);
  for (const { first, last, severity } of judged.stretches) {
    for (let row = first; row <= last; row++) severities[row] = Math.max(severities[row]!, severity / 100, 0.01);
  }
  const distance = (row: number): number => {
    const off = values[row]! - judged.expected[row]!;
    return Math.abs(off) / Math.max(off >= 0 ? judged.up[row]! : judged.down[row]!, Number.MIN_VALUE);
  };
  const most = Math.max(1, Math.floor(request.maxAnomalyRatio * rows.length));
  const anomalous = [...rows].filter((row) => severities[row]! > 0).sort((a, b) => distance(b) - distance(a));
  const kept = new Set(anomalous.slice(0, most));
  // Clients compute the boundary as expectation + (100 - sensitivity) * margin.
  const share = 1 / (100 - request.sensitivity);
  return Array.from(rows, (row) => {
    const isAnomaly = kept.has(row);
    return {
      expected: judged.expected[row]!,
      upper: judged.up[row]! * share,
      lower: judged.down[row]! * share,
      isAnomaly,
      isAbove: values[row]! >= judged.expected[row]!,
      severity: isAnomaly ? severities[row]! : 0,
    };
  });
}

function entireAnswer({ period }: Judged, points: readonly JudgedPoint[]): object {
  return {
    expectedValues: points.map(({ expected }) => expected),
    upperMargins: points.map(({ upper }) => upper),
    lowerMargins: points.map(({ lower }) => lower),
    isAnomaly: points.map(({ isAnomaly }) => isAnomaly),
    isPositiveAnomaly: points.map(({ isAnomaly, isAbove }) => isAnomaly && isAbove),
    isNegativeAnomaly: points.map(({ isAnomaly, isAbove }) => isAnomaly && !isAbove),
    severity: points.map(({ severity }) => severity),
    period,
  };
}

function lastAnswer({ period }: Judged, point: JudgedPoint): object {
  const { expected, upper, lower, isAnomaly, isAbove, severity } = point;
  return {
    expectedValue: expected,
    upperMargin: upper,
    lowerMargin: lower,
    isAnomaly,
    isPositiveAnomaly: isAnomaly && isAbove,
    isNegativeAnomaly: isAnomaly && !isAbove,
    severity,
    period,
    suggestedWindow: period > 0 ? SUGGESTED_PERIODS * period + 1 : SUGGESTED_POINTS,
  };
}

/** From each change on, the series is judged like a new one. */
function changePoints(slots: Slots, asked: DetectRequest): object {
  const { values, rows } = slots;
  const confidences = new Float64Array(values.length);
  let request = asked;
  let from = 0;
  for (let found = 0; found < MAX_CHANGES && values.length - from >= MIN_POINTS; found++) {
    const rest = { ...slots, values: values.subarray(from), timestamps: slots.timestamps.subarray(from) };
    const judged = judgeSlots(rest, request, rest.values.length);
    request = { ...request, period: judged.period };
    const change = judged.stretches.find(
      (stretch) => stretch.first > 0 && lasts(stretch, judged, rest.values, asked.stableTrendWindow),
    );
    if (!change) break;
    from += change.first;
    // A score of 0.5 opens an anomaly, 1 is the maximum.
    confidences[from] = Math.max(Number.EPSILON, 2 * change.score - 1);
  }
  // A lower threshold accepts fewer change points.
  const least = 1 - request.threshold;
  return {
    period: request.period ?? 0,
    isChangePoint: Array.from(rows, (row) => confidences[row]! > 0 && confidences[row]! >= least),
    confidenceScores: Array.from(rows, (row) => confidences[row]!),
  };
}

/** True if the series continues differently: at a level other than the expected one, or with the new variance. */
function lasts(stretch: Stretch, judged: Judged, values: Float64Array, window: number): boolean {
  const { kind, first, last } = stretch;
  if (kind === 'variance_change') return last - first + 1 >= window;
  const after = values.subarray(first, first + Math.max(MIN_AFTER, 2 * window)).filter((value) => !Number.isNaN(value));
  if (after.length < window) return false;
  const off = medianOf(after) - judged.expected[first]!;
  return off > judged.up[first]! || -off > judged.down[first]!;
}
