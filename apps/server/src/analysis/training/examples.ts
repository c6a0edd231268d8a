import { detectSeries } from '#libs/detection';
import {
  type Candidate,
  LEAD_SLOTS,
  likeness,
  prepare,
  type PreparedShape,
  type Stretch,
  startWindow,
} from '#libs/patterns';
import { DAY, HOUR } from '../../common/time.js';
import { type Example, type ExampleRequest, type ExampleResult, EXAMPLES } from './training.types.js';

const THRESHOLD = 0.95;
/** Anomalies that open further than this from a variant are not caused by it. Seconds. */
const AROUND = HOUR / 2;

/**
 * What the detector and the new patterns would make of variants of a shape a day later: the detector runs over the series
 * as it was, with a day behind it that is the day before the shape and has the variant in it.
 */
export function tryExamples({ shapes, history, timezone }: ExampleRequest): ExampleResult[] {
  const prepared = shapes.map(prepare);
  const [first] = prepared;
  if (first === undefined) return [];
  return EXAMPLES.map((what) => ({ what, would_open: wouldOpen(what, first, prepared, history, timezone) }));
}

function wouldOpen(
  what: Example,
  first: PreparedShape,
  prepared: readonly PreparedShape[],
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
  // Values are analysed ones already: of counters rates.
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
    return !prepared.some((one) => {
      const window = startWindow([one.shape.partStart], timezone, step);
      return likeness(one, candidate, { threshold: THRESHOLD, window, timezone }).alike;
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
  // As the day before was, the shape itself left out.
  for (let slot = known; slot < until; slot++) {
    const before = isPart(slot - daySlots) ? slot - 2 * daySlots : slot - daySlots;
    values[slot] = values[before] ?? Number.NaN;
  }
  if (what === 'missing') return { ...history, values };
  const onset = begin + daySlots + (what === 'an hour later' ? Math.round(HOUR / step) : 0);
  const slots = what === 'half as long' ? Math.ceil(partSlots / 2) : partSlots;
  for (let slot = 0; slot < slots; slot++) {
    const height = residuals[slot]! * (what === 'twice as high' ? 2 : 1);
    if (Number.isFinite(height)) values[onset + slot] = values[onset + slot]! + height;
  }
  return { ...history, values };
}
