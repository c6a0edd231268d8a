import { detectSeries } from '#libs/detection';
import {
  type Candidate,
  type Habit,
  LEAD_SLOTS,
  likeness,
  occurrences,
  prepare,
  type PreparedShape,
  type Stretch,
  startWindow,
} from '#libs/patterns';
import { counted } from '../../common/display/display.js';
import { DAY, HOUR } from '../../common/time.js';
import { type Example, type ExampleRequest, type ExampleResult, EXAMPLES } from './training.types.js';

const THRESHOLD = 0.95;
/** Anomalies that open further than this from a variant are not caused by it, seconds. */
const AROUND = HOUR / 2;

/**
 * The results of the detector and the new patterns for variants of a shape a day later: the detector runs over the
 * stored series, followed by a copy of the day before the shape that contains the variant.
 */
export function tryExamples({ shapes, histories, history, timezone }: ExampleRequest): ExampleResult[] {
  const patterns = shapes.map((shape, i): TriedPattern => ({ prepared: prepare(shape), ...histories[i]! }));
  const first = patterns[0]?.prepared;
  if (first === undefined) return [];
  // The shape itself is an instance; one that continues at the end of the history is not cut out of it.
  const habit = histories[0]!.habit;
  const times = Math.max(1, occurrences(first, history, { threshold: THRESHOLD, habit }).length);
  return EXAMPLES.map((what) => resultOf(what, wouldOpen(what, first, patterns, history, timezone), times));
}

interface TriedPattern {
  prepared: PreparedShape;
  starts: readonly number[];
  habit: Habit;
}

/** Number of occurrences of a shape before its absence may be detected. */
const ENOUGH_TO_MISS = 2;

function resultOf(what: Example, opens: boolean, occurrenceCount: number): ExampleResult {
  if (what !== 'missing') {
    const text = opens
      ? `It would open an anomaly: the same shape ${what} counts as something else.`
      : `It would stay silent: the same shape ${what} counts as alike, or is nothing unusual for the metric.`;
    return { what, would_open: opens, verdict: opens ? 'opens' : 'silent', text };
  }
  const times = counted(occurrenceCount, 'time');
  if (opens) {
    const text = `It would open an anomaly: the detector has seen the shape ${times} and expects it.`;
    return { what, would_open: true, verdict: 'opens', text };
  }
  if (occurrenceCount < ENOUGH_TO_MISS) {
    const text =
      'Not known yet: the shape was seen once; whether and when it comes again is open. Until the detector has ' +
      'seen it more often, nothing opens when it is missing.';
    return { what, would_open: false, verdict: 'unknown', text };
  }
  const text = `It would stay silent: the detector has seen the shape ${times} and does not expect it that firmly yet.`;
  return { what, would_open: false, verdict: 'silent', text };
}

function wouldOpen(
  what: Example,
  first: PreparedShape,
  patterns: readonly TriedPattern[],
  history: Stretch,
  timezone: string,
): boolean {
  const { shape } = first;
  const { step } = history;
  const next = withVariant(what, first, history);
  const usual = shape.partStart + DAY;
  const onset = what === 'an hour later' ? usual + HOUR : usual;
  const timestamps: number[] = [];
  const values: number[] = [];
  next.values.forEach((value, slot) => {
    if (!Number.isFinite(value)) return;
    timestamps.push(next.start + slot * step);
    values.push(value);
  });
  // The values are already analysed ones: rates for counters.
  const { anomalies } = detectSeries(Float64Array.from(timestamps), Float64Array.from(values), {
    type: 'gauge',
    slotSeconds: step,
    timezone,
  });
  const ends = new Map(anomalies.map(({ startTimestamp, endTimestamp }) => [startTimestamp, endTimestamp]));
  const length = shape.partEnd - shape.partStart;
  const newest = next.start + (next.values.length - 1) * step;
  return [...ends].some(([start, end]) => {
    if (start < usual - AROUND || start > onset + length + AROUND) return false;
    const candidate: Candidate = { start, end, newest, fine: next, contexts: new Map() };
    return !patterns.some(({ prepared, starts, habit }) => {
      const window = startWindow(starts, timezone, step);
      return likeness(prepared, candidate, { threshold: THRESHOLD, window, timezone, habit }).alike;
    });
  });
}

/** The series until after the shape, and a day with the variant. */
function withVariant(what: Example, { shape, residuals, partSlots }: PreparedShape, history: Stretch): Stretch {
  const { step } = history;
  const daySlots = Math.round(DAY / step);
  const begin = Math.round((shape.partStart - history.start) / step);
  const known = Math.min(history.values.length, begin + residuals.length);
  const until = begin + daySlots + Math.round((2 * HOUR) / step) + 2 * residuals.length + LEAD_SLOTS;
  const values = new Float32Array(until).fill(Number.NaN);
  values.set(history.values.subarray(0, known));
  const isPart = (slot: number): boolean => slot >= begin && slot < begin + residuals.length;
  // Like the day before, without the shape itself.
  for (let slot = known; slot < until; slot++) {
    const before = isPart(slot - daySlots) ? slot - 2 * daySlots : slot - daySlots;
    values[slot] = values[before] ?? Number.NaN;
  }
  if (what === 'missing') return { ...history, values };
  const onset = begin + daySlots + (what === 'an hour later' ? Math.round(HOUR / step) : 0);
  const slots = what === 'half as long' ? partSlots / 2 : partSlots;
  for (let slot = 0; slot < slots; slot++) {
    // A slot is the mean of its time: if the variant ends within a slot, the height of the slot is proportional.
    const share = Math.min(1, slots - slot);
    const height = residuals[slot]! * share * (what === 'twice as high' ? 2 : 1);
    if (Number.isFinite(height)) values[onset + slot] = values[onset + slot]! + height;
  }
  return { ...history, values };
}
