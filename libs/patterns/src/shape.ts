import { median, momentsOf, noiseOf } from './statistics.js';
import { part, type Stretch } from './stretch.js';

/** Number of slots before the anomalous part that are stored with it: they define its baseline and its noise. */
export const LEAD_SLOTS = 60;
/** Number of these slots, counted from the part, that define the baseline. */
export const BASELINE_SLOTS = 15;
/** Number of slots after the part: a shape that continues after the end of this one is a different one. */
export const TAIL_SLOTS = 6;
/** Only the start of a longer part is compared. */
export const MAX_PART_SLOTS = 1440;
/** Time that the detector may need to recognise the end of a part, in slots. */
export const SETTLE_SLOTS = 1440;
/** Number of slots by which any part may be extended: an anomaly of a few slots may be the start of a job. */
const MIN_EXTENSION_SLOTS = 60;
const CONTEXT_BINS = 144;
/** Number of slots that suffices to estimate the noise of a part. */
const NOISE_SLOTS = 8;
/** Below this many deviations of the noise, a deviation has no meaningful size. */
const MIN_SIZE = 6;

/** The stored part of a series around an anomaly: all data for comparisons; immutable. */
export interface Shape {
  /** Length of the window that ends with the part, seconds: 24 h, 7 d, or long term. */
  duration: number;
  /** First and last slot of the anomalous part, Unix seconds. */
  partStart: number;
  partEnd: number;
  /** From LEAD_SLOTS before the part to TAIL_SLOTS after it. */
  fine: Stretch;
  /** Means over the duration before the part, in long slots. */
  context: Stretch;
}

/** Length of the slots of a context, in seconds: about 144 of them are `duration`; a multiple of ten minutes. */
export function contextStep(duration: number, step: number): number {
  const wanted = Math.max(600, Math.round(duration / CONTEXT_BINS / 600) * 600);
  return Math.max(1, Math.ceil(step / wanted)) * wanted;
}

/** The context of a part that starts at `start`: up to the slot in which it starts. */
export function contextWindow(start: number, duration: number, binSeconds: number): { from: number; until: number } {
  const until = Math.floor(start / binSeconds) * binSeconds;
  return { from: until - Math.round(duration / binSeconds) * binSeconds, until };
}

/**
 * Cuts the shape of an anomaly out of its series. The detector may have adapted before the anomaly was over: the part
 * continues while the values stay closer to the anomalous level than to the level before.
 * @param end last anomalous slot according to the detector
 */
export function cutShape(
  duration: number,
  { start, end }: { start: number; end: number },
  { fine, context }: { fine: Stretch; context: Stretch },
): Shape {
  const { step } = fine;
  const partStart = Math.floor(start / step) * step;
  const first = Math.floor(end / step) * step;
  const partEnd = Math.min(extendedEnd(fine, partStart, first), partStart + (MAX_PART_SLOTS - 1) * step);
  const from = partStart - LEAD_SLOTS * step;
  const bin = context.step;
  const window = contextWindow(partStart, duration, bin);
  return {
    duration,
    partStart,
    partEnd,
    fine: { start: from, step, values: part(fine, from, partEnd + (1 + TAIL_SLOTS) * step).slice() },
    context: { start: window.from, step: bin, values: part(context, window.from, window.until).slice() },
  };
}

/** Maximum number of slots that `cutShape` reads after an anomaly whose last slot is this many after its first. */
export function mostExtension(slots: number): number {
  return Math.max(MIN_EXTENSION_SLOTS, Math.ceil(2 * slots));
}

function extendedEnd(fine: Stretch, partStart: number, partEnd: number): number {
  const { step } = fine;
  const baseline = median(part(fine, partStart - BASELINE_SLOTS * step, partStart));
  const size = median(part(fine, partStart, partEnd + step)) - baseline;
  const mostSlots = mostExtension((partEnd - partStart) / step);
  if (!Number.isFinite(size) || size === 0) return partEnd;
  const next = part(fine, partEnd + step, partEnd + (1 + mostSlots) * step);
  let more = 0;
  while (more < next.length && (next[more]! - baseline) / size > 0.5) more++;
  return partEnd + more * step;
}

/** A shape with values that are computed once for all comparisons. */
export interface PreparedShape {
  shape: Shape;
  /** Number of slots of the part, and of part and tail. */
  partSlots: number;
  /** Median of the slots before the part. */
  baseline: number;
  /** Part and tail, less the baseline. */
  residuals: Float32Array;
  /** Deviation of the noise before and within the part. */
  leadNoise: number;
  partNoise: number;
  /** Largest distance of the part from its baseline, at least that of the noise. */
  size: number;
  least: number;
  most: number;
  /** Share of the slots of the part without data. */
  gaps: number;
  /** Difference between the highest and the lowest value of the whole window. */
  range: number;
}

export function prepare(shape: Shape): PreparedShape {
  const { fine, context } = shape;
  const lead = fine.values.subarray(0, LEAD_SLOTS);
  const rest = fine.values.subarray(LEAD_SLOTS);
  const partSlots = rest.length - TAIL_SLOTS;
  const within = rest.subarray(0, partSlots);
  const before = median(lead.subarray(-BASELINE_SLOTS));
  const known = Number.isFinite(before) ? before : momentsOf(fine.values).mean;
  const baseline = Number.isFinite(known) ? known : 0;
  const residuals = rest.map((value) => value - baseline);
  const leadNoise = noiseOf(lead);
  const partNoise = partSlots >= NOISE_SLOTS ? noiseOf(within) : leadNoise;
  const finite = residuals.subarray(0, partSlots).filter(Number.isFinite);
  const least = finite.length === 0 ? 0 : finite.reduce((a, b) => Math.min(a, b));
  const most = finite.length === 0 ? 0 : finite.reduce((a, b) => Math.max(a, b));
  const all = [...context.values, ...fine.values].filter(Number.isFinite);
  const range = all.length === 0 ? 0 : all.reduce((a, b) => Math.max(a, b)) - all.reduce((a, b) => Math.min(a, b));
  const noise = Math.max(leadNoise, partNoise);
  const size = Math.max(-least, most, MIN_SIZE * noise, Math.abs(baseline) * 1e-6) || 1;
  return {
    shape,
    partSlots,
    baseline,
    residuals,
    leadNoise,
    partNoise,
    size,
    least,
    most,
    gaps: partSlots === 0 ? 0 : 1 - finite.length / partSlots,
    range: Math.max(range, size),
  };
}
